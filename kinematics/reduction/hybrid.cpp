// SPDX-License-Identifier: MIT
// Configurations: junctions that are off replaced, causality and equations for each.
#include "kinematics/reduction/hybrid.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>

#include "kinematics/bondgraph/components.h"
#include "kinematics/text/fault.h"

namespace rodeo::reduction {
namespace {

using bondgraph::Element;
using bondgraph::Kind;
using bondgraph::Stroke;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

bool is_constant(const std::vector<Expr>& values) {
  const auto symbols = expr::symbols_of(values);
  return std::all_of(symbols.begin(), symbols.end(),
                     [](Expr s) { return s->kind == expr::SymbolKind::parameter; });
}

std::string bond_name(const Graph& graph, int bond) {
  const bondgraph::Bond& b = graph.bonds[at(bond)];
  return fmt::format("{} -> {}", graph.elements[at(b.tail)].name, graph.elements[at(b.head)].name);
}

class Switchboard {
 public:
  explicit Switchboard(Graph graph) : graph_(std::move(graph)) {
    for (const Element& element : graph_.elements) names_.insert(element.name);
  }

  [[nodiscard]] const Graph& graph() const noexcept { return graph_; }

  /// The causality of the graph with every junction on, where it has one.
  void look_at_all_on() {
    try {
      strokes_ = causality::assign_causality(graph_).strokes;
    } catch (const text::ModelError&) {
      strokes_.clear();
    }
  }
  [[nodiscard]] const std::vector<Stroke>& strokes() const noexcept { return strokes_; }

  /// Whether a junction that is off turns laws round that cannot be: its strong bond is cut off by the dual source then.
  [[nodiscard]] bool must_cut(int junction) const {
    if (strokes_.empty() || find_strong(junction) < 0) return false;
    try {
      const Model model = build_model(build_off({junction}, {}));
      return turns_resistor(model);
    } catch (const text::ModelError&) {
      return true;
    }
  }

  /// The junctions of `off` replaced by sources; those in `cut` keep the causality of their strong bond.
  [[nodiscard]] Graph build_off(const std::vector<int>& off, const std::set<int>& cut) const {
    Graph graph = graph_;
    for (const int junction : off)
      replace(graph, junction, cut.contains(junction) ? find_strong(junction) : -1);
    return graph;
  }

  /// The bond that brings what all bonds of the junction share.
  [[nodiscard]] int find_strong(int junction) const {
    const Element& element = graph_.elements[at(junction)];
    for (const int bond : element.bonds) {
      const bool arrives = causality::receives_effort(graph_, strokes_, bond, junction);
      if (arrives == (element.kind == Kind::zero)) return bond;
    }
    return -1;
  }

 private:
  /// An R whose value moves, given effort now and flow while all is on.
  [[nodiscard]] bool turns_resistor(const Model& model) const {
    const Graph& graph = model.vector ? model.vector->graph : model.graph;
    const std::vector<Stroke>& now = model.vector ? model.vector->causality.strokes : model.causality.strokes;
    for (std::size_t e = 0; e < graph_.elements.size(); ++e) {
      const Element& element = graph_.elements[e];
      if (element.kind != Kind::R || is_constant(element.value)) continue;
      for (const int bond : element.bonds) {
        if (causality::receives_effort(graph, now, bond, static_cast<int>(e)) &&
            !causality::receives_effort(graph_, strokes_, bond, static_cast<int>(e)))
          return true;
      }
    }
    return false;
  }

  [[nodiscard]] std::string unused(Graph& graph, const std::string& wanted) const {
    std::string name = wanted;
    while (names_.contains(name) || graph.find_element(name) >= 0) name += '_';
    return name;
  }

  /// The junction itself becomes the source of its first bond, so that its name keeps its meaning; the other bonds get new ones.
  void replace(Graph& graph, int junction, int cut) const {
    const Element before = graph.elements[at(junction)];
    const Kind kind = before.kind == Kind::zero ? Kind::Se : Kind::Sf;
    const Kind dual = before.kind == Kind::zero ? Kind::Sf : Kind::Se;
    bool is_first = true;
    int number = 1;
    for (const int bond : before.bonds) {
      Element source;
      source.name = before.name;
      source.kind = bond == cut ? dual : kind;
      source.domain = graph.bonds[at(bond)].domain;
      source.where = before.where;
      const int size = graph.bonds[at(bond)].dimension;
      source.value.assign(at(size), 0.0);
      if (size > 1) source.shape = {size, 0};
      source.bonds = {bond};
      ++number;
      if (bond != cut && is_first) {
        graph.elements[at(junction)] = source;
        is_first = false;
        continue;
      }
      source.name = unused(graph, fmt::format("{}_off{}", before.name, number));
      const int made = static_cast<int>(graph.elements.size());
      graph.elements.push_back(source);
      bondgraph::Bond& end = graph.bonds[at(bond)];
      (end.tail == junction ? end.tail : end.head) = made;
    }
  }

  Graph graph_;
  std::unordered_set<std::string> names_;
  std::vector<Stroke> strokes_;
};

class HybridBuilder {
 public:
  HybridBuilder(Graph graph, const std::function<void(Stage)>& begin)
      : begin_(begin), board_(std::move(graph)) {}

  Hybrid run() {
    hybrid_.drawn = build_conditions(board_.graph()).controls;
    board_.look_at_all_on();
    take_apart();
    hybrid_.conditions = build_conditions(board_.graph());
    add_signals();
    for (const Control& control : hybrid_.conditions.controls) look_at(control);
    hybrid_.reachable = find_reachable(board_.graph(), hybrid_.conditions);
    check_count(board_.graph(), hybrid_.conditions, hybrid_.reachable);
    for (const std::vector<bool>& values : hybrid_.reachable.values) add(values);
    return std::move(hybrid_);
  }

 private:
  /// A vector junction whose bond must keep its causality for one component keeps it for all; scalar ones may differ.
  void take_apart() {
    const Graph& graph = board_.graph();
    if (!graph.is_vector() || board_.strokes().empty()) return;
    const bool fits = std::none_of(hybrid_.drawn.begin(), hybrid_.drawn.end(), [&](const Control& control) {
      const Element& element = graph.elements[at(control.element)];
      return graph.bonds[at(element.bonds[0])].dimension > 1 && board_.must_cut(control.element);
    });
    if (fits) return;
    hybrid_.is_scalar = true;
    board_ = Switchboard(bondgraph::build_scalar(graph, std::vector<Stroke>(board_.strokes())));
    board_.look_at_all_on();
  }

  void add_signals() {
    Graph graph = board_.graph();
    for (const Atom& atom : hybrid_.conditions.atoms) {
      bondgraph::Signal signal;
      signal.name = atom.name;
      signal.value = atom.kind == Atom::Kind::truth ? expr::operation(expr::Op::select, {atom.e, 1.0, -1.0})
                                                    : atom.e - atom.c;
      signal.where = graph.where;
      graph.signals.push_back(signal);
    }
    board_ = Switchboard(std::move(graph));
    board_.look_at_all_on();
  }

  void look_at(const Control& control) {
    if (!board_.must_cut(control.element)) return;
    cut_.insert(control.element);
    hybrid_.cut.push_back(fmt::format("{}: {}", control.junction,
                                      bond_name(board_.graph(), board_.find_strong(control.element))));
  }

  void add(const std::vector<bool>& values) {
    std::vector<int> off;
    for (const Control& control : hybrid_.conditions.controls) {
      if (values[at(control.boolean)] == control.negated) off.push_back(control.element);
    }
    Configuration configuration{values, {}};
    try {
      configuration.model = build_model(board_.build_off(off, cut_), {}, begin_);
    } catch (const text::ModelError& error) {
      configuration.model = try_again(configuration, off, error);
    }
    hybrid_.configurations.push_back(std::move(configuration));
  }

  [[nodiscard]] Model try_again(const Configuration& configuration, const std::vector<int>& off,
                                const text::ModelError& error) const {
    if (!off.empty() && !board_.strokes().empty()) {
      try {
        return build_model(board_.build_off(off, {off.begin(), off.end()}), {}, begin_);
      } catch (const text::ModelError&) {  // the first reason is told
      }
    }
    if (!hybrid_.is_switched()) throw error;
    std::vector<std::string> names;
    for (const int junction : off) names.push_back(board_.graph().elements[at(junction)].name);
    const text::Fault& first = error.faults().front();
    throw text::ModelError(first.where, fmt::format("with {} ({}): {}",
                                                    off.empty() ? "every controlled junction on"
                                                                : text::join_names(names) + " off",
                                                    describe(configuration), first.text));
  }

  const std::function<void(Stage)>& begin_;
  Switchboard board_;
  Hybrid hybrid_;
  std::set<int> cut_;
};

const Graph& drawn_graph(const Model& model) { return model.vector ? model.vector->graph : model.graph; }
const std::vector<Stroke>& drawn_strokes(const Model& model) {
  return model.vector ? model.vector->causality.strokes : model.causality.strokes;
}

}  // namespace

bool Hybrid::is_on(const Control& control, const Configuration& configuration) const {
  return configuration.values[at(control.boolean)] != control.negated;
}

int Hybrid::find(const std::vector<bool>& values) const {
  for (std::size_t c = 0; c < configurations.size(); ++c) {
    if (configurations[c].values == values) return static_cast<int>(c);
  }
  return -1;
}

Hybrid build_hybrid(Graph graph, const std::function<void(Stage)>& begin) {
  const bool is_switched = std::any_of(graph.elements.begin(), graph.elements.end(),
                                       [](const Element& element) { return element.condition.has_value(); });
  if (is_switched) return HybridBuilder(std::move(graph), begin).run();
  Hybrid hybrid;
  hybrid.configurations.push_back({{}, build_model(std::move(graph), {}, begin)});
  return hybrid;
}

Changes find_changes(const Hybrid& hybrid, const Configuration& configuration) {
  Changes changes;
  const Model& model = configuration.model;
  const Model& first = hybrid.configurations.front().model;
  for (const Control& control : hybrid.drawn)
    (hybrid.is_on(control, configuration) ? changes.on : changes.off).push_back(control.junction);
  for (std::size_t b = 0; b < drawn_strokes(first).size(); ++b) {
    if (drawn_strokes(model)[b] != drawn_strokes(first)[b])
      changes.strokes.push_back(bond_name(drawn_graph(first), static_cast<int>(b)));
  }
  for (const DifferentialPort& port : model.system.differential_ports) {
    const std::string& name = model.graph.elements[at(port.element)].name;
    if (changes.differential.empty() || changes.differential.back() != name)
      changes.differential.push_back(name);
  }
  changes.states = model.system.states.size();
  return changes;
}

std::string describe(const std::vector<bool>& values) {
  std::vector<std::string> parts;
  for (std::size_t b = 0; b < values.size(); ++b)
    parts.push_back(fmt::format("{}b{}", values[b] ? "" : "not ", b + 1));
  return fmt::format("{}", fmt::join(parts, " and "));
}

std::string describe(const Configuration& configuration) { return describe(configuration.values); }

}  // namespace rodeo::reduction
