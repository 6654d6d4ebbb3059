// SPDX-License-Identifier: MIT
// Sections in the order of the contract; an entry a line.
#include "kinematics/bondgraph/write_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace rodeo::bondgraph {
namespace {

class Writer {
 public:
  explicit Writer(const Graph& graph) : graph_(graph) {
    std::set<std::string> taken;
    for (const expr::Parameter& parameter : graph.parameters) taken.insert(parameter.name);
    for (const Element& element : graph.elements) names_[element.name] = flatten(element.name, taken);
    for (const Signal& signal : graph.signals) signals_[signal.name] = flatten(signal.name, taken);
  }

  std::string build() {
    out_ = fmt::format("name: {}\n", graph_.name);
    write_parameters();
    open("elements", [](const Element& e) { return !e.is_junction(); });
    open("junctions", [](const Element& e) { return e.is_junction(); });
    write_bonds();
    write_signals();
    write_starts();
    write_outputs();
    return std::move(out_);
  }

 private:
  static std::string flatten(const std::string& name, std::set<std::string>& taken) {
    std::string flat = name;
    std::replace(flat.begin(), flat.end(), '.', '_');
    while (!taken.insert(flat).second) flat += '_';
    return flat;
  }

  /// `rod1.J.flow_2` -> `rod1_J.flow_2`; a signal by its own name.
  [[nodiscard]] std::string variable_text(const std::string& name) const {
    const auto signal = signals_.find(name);
    if (signal != signals_.end()) return signal->second;
    const std::size_t dot = name.rfind('.');
    const auto owner = names_.find(name.substr(0, dot));
    return owner == names_.end() ? name : owner->second + name.substr(dot);
  }

  [[nodiscard]] std::string text(Expr value, const Where& where) const {
    for (const Expr part : expr::reachable({value})) {
      if (part->op == expr::Op::call)
        throw text::ModelError(where, "a library function cannot be written inside of an expression");
    }
    const Expr renamed = expr::substitute(value, [&](Expr symbol) {
      return symbol->kind == expr::SymbolKind::variable ? expr::variable(variable_text(symbol->name))
                                                        : symbol;
    });
    return '"' + expr::to_text(renamed) + '"';
  }

  void write_parameters() {
    if (graph_.parameters.empty()) return;
    out_ += "parameters:\n";
    for (const expr::Parameter& parameter : graph_.parameters)
      out_ += fmt::format("  {}: {}\n", parameter.name, parameter.number);
  }

  template <typename Wanted>
  void open(const char* section, Wanted wanted) {
    if (std::none_of(graph_.elements.begin(), graph_.elements.end(), wanted)) return;
    out_ += fmt::format("{}:\n", section);
    for (const Element& element : graph_.elements) {
      if (wanted(element)) out_ += fmt::format("  {}: {}\n", names_.at(element.name), body(element));
    }
  }

  [[nodiscard]] std::string body(const Element& element) const {
    if (element.condition)
      return fmt::format("{{X{}: {}}}", kind_text(element.kind), text(*element.condition, element.where));
    if (element.is_junction()) return kind_text(element.kind);
    const bool has_domain = element.domain != Domain::unset && !element.is_two_port();
    return fmt::format("{{{}{}}}", value_text(element),
                       has_domain ? fmt::format(", domain: {}", domain_text(element.domain)) : "");
  }

  [[nodiscard]] std::string value_text(const Element& element) const {
    if (element.constraint) return "lambda: " + constraint_text(element);
    const std::string kind = kind_text(element.kind);
    if (element.value.empty()) return kind + ": ";
    if (element.law == Law::nonlinear) {
      const char* gives = element.kind == Kind::I ? "flow" : "effort";
      return fmt::format(
          "{}: {{{}: {}}}", kind, gives,
          element.value.size() == 1 ? text(element.value[0], element.where) : matrix_text(element));
    }
    if (element.value.size() == 1) return kind + ": " + text(element.value[0], element.where);
    return kind + ": " + matrix_text(element);
  }

  [[nodiscard]] std::string matrix_text(const Element& element) const {
    std::string all;
    const auto columns = static_cast<std::size_t>(std::max(element.shape.columns, 1));
    for (std::size_t i = 0; i < element.value.size(); ++i) {
      if (i > 0) all += ", ";
      if (element.shape.is_matrix() && i % columns == 0) all += '[';
      all += text(element.value[i], element.where);
      if (element.shape.is_matrix() && i % columns == columns - 1) all += ']';
    }
    return "[" + all + "]";
  }

  /// What the reader takes apart: alpha is half of the damping, beta the root of the stiffness.
  [[nodiscard]] std::string constraint_text(const Element& element) const {
    const Constraint& constraint = *element.constraint;
    if (!constraint.is_holonomic)
      return fmt::format("{{gamma: {}}}", text(constraint.damping, element.where));
    return fmt::format("{{position: {}, alpha: {}, beta: {}}}", text(constraint.position, element.where),
                       text(constraint.damping / 2.0, element.where),
                       text(expr::sqrt(constraint.stiffness), element.where));
  }

  void write_bonds() {
    out_ += "bonds:\n";
    for (const Bond& bond : graph_.bonds) {
      const auto name = [&](int e) { return names_.at(graph_.elements[static_cast<std::size_t>(e)].name); };
      const std::string arrow = name(bond.tail) + " -> " + name(bond.head);
      out_ += bond.dimension == 1 ? fmt::format("  - {}\n", arrow)
                                  : fmt::format("  - {{bond: {}, dimension: {}}}\n", arrow, bond.dimension);
    }
  }

  void write_signals() {
    if (!graph_.signals.empty()) out_ += "signals:\n";
    for (const Signal& signal : graph_.signals) {
      const std::string value = text(signal.value, signal.where);
      out_ += signal.integrates ? fmt::format("  {}: {{integrate: {}, start: {}}}\n",
                                              signals_.at(signal.name), value, signal.start)
                                : fmt::format("  {}: {}\n", signals_.at(signal.name), value);
    }
  }

  void write_starts() {
    if (!graph_.starts.empty()) out_ += "start:\n";
    for (const Start& start : graph_.starts)
      out_ += fmt::format("  {}: {}\n", variable_text(start.variable), start.value);
  }

  void write_outputs() {
    if (!graph_.outputs.empty()) out_ += "outputs:\n";
    for (const GraphOutput& output : graph_.outputs) {
      std::string name = output.name;
      std::replace(name.begin(), name.end(), '.', '_');
      out_ += fmt::format("  {}: {}\n", name, text(output.value, output.where));
    }
  }

  const Graph& graph_;
  std::map<std::string, std::string> names_, signals_;
  std::string out_;
};

}  // namespace

std::string build_yaml(const Graph& graph) { return Writer(graph).build(); }

}  // namespace rodeo::bondgraph
