// SPDX-License-Identifier: MIT
#include "kinematics/reduction/page_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "kinematics/expr/eval.h"
#include "kinematics/reduction/comparison.h"

namespace rodeo::reduction {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

void append(const std::vector<Expr>& from, std::vector<Expr>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

void append(const Graph& graph, std::vector<Expr>& to) {
  for (const bondgraph::Element& element : graph.elements) {
    append(element.value, to);
    if (element.constraint)
      append({element.constraint->position, element.constraint->damping, element.constraint->stiffness}, to);
  }
  for (const bondgraph::Signal& signal : graph.signals) to.push_back(signal.value);
}

constexpr int kMostDerivatives = 2;  // of an input

/// All that may be shown.
std::vector<Expr> list_expressions(const Hybrid& hybrid, const std::vector<Relation>& relations,
                                   const Model* more) {
  std::vector<Expr> all;
  for (const Configuration& configuration : hybrid.configurations) append(configuration.model.graph, all);
  if (more != nullptr) append(more->graph, all);
  for (const auto& boolean : hybrid.conditions.booleans) all.push_back(boolean.condition);
  for (const Relation& relation : relations) append({relation.left, relation.right}, all);
  return all;
}

class ValuesWriter {
 public:
  ValuesWriter(const Hybrid& hybrid, const Starts& starts, const std::vector<Relation>& relations,
               const PageOptions& options)
      : hybrid_(hybrid),
        starts_(starts),
        shown_(options.shown),
        more_(options.more),
        by_flows_(options.by_flows),
        format_(options.format) {
    for (const Expr symbol : expr::symbols_of(list_expressions(hybrid, relations, options.more))) {
      if (symbol->kind == expr::SymbolKind::parameter) used_.insert(symbol->name);
    }
  }

  /// And what is no number: masses that come while the machine runs, or that the file does not give.
  [[nodiscard]] ShownSection build_inputs() const {
    const Model& model = first();
    const Names names(model.graph, model.system);
    const Shower shower(names, Format::text);
    std::vector<std::string> shown;
    add_inputs(model, shown);
    if (more_ != nullptr) add_inputs(*more_, shown);
    const expr::Values numbers = find_parameter_values(model.graph);
    const auto& gates = hybrid_.coefficients;
    for (const std::string& name : used_) {
      const bool is_gate = std::find(gates.begin(), gates.end(), name) != gates.end();
      if (!is_gate && !numbers.contains(name)) shown.push_back(shower.show_symbol(expr::symbol(name)));
    }
    if (shown.empty()) return {};
    return {fmt::format("inputs: {}", fmt::join(shown, ", ")), {}};
  }

  [[nodiscard]] ShownSection build_start() const {
    ShownSection section{"start of the states, t = 0", {}};
    std::set<std::uint32_t> seen;
    for (const Configuration& configuration : hybrid_.configurations) {
      const Model& model = configuration.model;
      const Names names(model.graph, model.system);
      for (const State& state : model.system.states) {
        if (seen.insert(state.symbol.id()).second)
          section.equations.push_back(show_start(model, state, names));
      }
    }
    return section;
  }

  [[nodiscard]] ShownSection build_parameters() const {
    const Model& model = first();
    const Names names(model.graph, model.system);
    const Shower shower(names, format_);
    const auto& gates = hybrid_.coefficients;
    ShownSection section{"parameters", {}};
    for (const expr::Parameter& parameter : model.graph.parameters) {
      const bool is_gate = std::find(gates.begin(), gates.end(), parameter.name) != gates.end();
      if (used_.contains(parameter.name) && !is_gate)
        section.equations.push_back(
            {shower.show_symbol(expr::symbol(parameter.name)), shower.show_value(parameter.number), {}});
    }
    return section;
  }

 private:
  [[nodiscard]] const Model& first() const { return hybrid_.configurations.front().model; }
  /// Once each, with their derivatives. Where nothing moves by it, one is an input if an equation has it.
  void add_inputs(const Model& model, std::vector<std::string>& to) const {
    const Names names(model.graph, model.system);
    const Shower shower(names, Format::text), equations(names, format_);
    for (const Input& input : model.system.inputs) {
      const std::string name = shower.show_symbol(input.symbol);
      const bool is_other = &model == more_ && !has_symbol(shown_, equations.show_symbol(input.symbol));
      if (is_other || std::find(to.begin(), to.end(), name) != to.end()) continue;
      to.push_back(name);
      for (const SymbolName& derivative : list_derivatives(names, input))
        to.push_back(shower.show_name(derivative));
    }
  }

  /// Those that the equations have.
  [[nodiscard]] std::vector<SymbolName> list_derivatives(const Names& names, const Input& input) const {
    std::vector<SymbolName> derivatives;
    SymbolName name = names.find(input.symbol);
    for (int order = 1; order <= kMostDerivatives; ++order) {
      ++name.derivatives;
      if (has_symbol(shown_, Shower(names, format_).show_name(name))) derivatives.push_back(name);
    }
    return derivatives;
  }
  [[nodiscard]] ShownEquation show_start(const Model& model, const State& state, const Names& names) const {
    const Shower shower(names, format_);
    const auto given = starts_.find(state.name);
    double value = given == starts_.end() ? state.start : given->second;
    SymbolName name = names.find(state.symbol);
    const std::optional<Expr> inertia = by_flows_ ? find_shown_inertia(model, state) : std::nullopt;
    if (inertia) {
      value /= expr::calc_value(*inertia, find_parameter_values(model.graph));
      name = names.find(dependent_flow(model.graph.elements[at(state.element)].name));
    }
    return {shower.show_name(name), shower.show_value(value), unit_of(name)};
  }

  const Hybrid& hybrid_;
  const Starts& starts_;
  std::span<const ShownSection> shown_;
  const Model* more_;
  std::set<std::string> used_;  // parameters
  bool by_flows_;
  Format format_;
};

}  // namespace

bool has_symbol(std::span<const ShownSection> sections, const std::string& symbol) {
  for (const ShownSection& section : sections) {
    for (const ShownEquation& equation : section.equations) {
      const std::string text = equation.left + " " + equation.right + " ";
      for (std::size_t at = text.find(symbol); at != std::string::npos; at = text.find(symbol, at + 1)) {
        const char next = text[at + symbol.size()];  // not the begin of a longer name
        if (std::isalnum(static_cast<unsigned char>(next)) == 0 && next != '_' && next != '.') return true;
      }
    }
  }
  return false;
}

std::optional<Expr> find_shown_inertia(const Model& model, const State& state) {
  if (state.kind != State::Kind::momentum) return std::nullopt;
  const bondgraph::Element& element = model.graph.elements[at(state.element)];
  const bool is_constant = element.value.size() == 1 && expr::symbols_of(element.value).size() <= 1;
  if (element.symbol.empty() || !is_constant || element.law != bondgraph::Law::linear) return std::nullopt;
  return element.value[0];
}

ShownSection build_relations(const Model& model, const std::string& heading,
                             const std::vector<Relation>& relations, Format format) {
  const Names names(model.graph, model.system);
  const Shower shower(names, format);
  ShownSection section{heading, {}};
  for (const Relation& relation : relations) {
    const std::string left = shower.show(collect(relation.left)),
                      right = shower.show(collect(relation.right));
    if (left == right) continue;
    const auto is_shown = [&](const ShownEquation& e) { return e.left == left && relation.left.is_symbol(); };
    if (std::none_of(section.equations.begin(), section.equations.end(), is_shown))
      section.equations.push_back({left, right, relation.unit});
  }
  return section;
}

std::vector<ShownSection> build_values(const Hybrid& hybrid, const Starts& starts,
                                       const std::vector<Relation>& relations, const PageOptions& options) {
  const ValuesWriter writer(hybrid, starts, relations, options);
  std::vector<ShownSection> sections;
  if (const ShownSection inputs = writer.build_inputs(); !inputs.heading.empty()) sections.push_back(inputs);
  for (const ShownSection& section : {writer.build_start(), writer.build_parameters()}) {
    if (!section.equations.empty()) sections.push_back(section);
  }
  return sections;
}

}  // namespace rodeo::reduction
