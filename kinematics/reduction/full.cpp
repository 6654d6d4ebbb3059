// SPDX-License-Identifier: MIT
// Full equations by causal substitution. Cycles are opened at bonds of arbitrary causality first, then at R ports whose
// causality was chosen, then at the first flow of what is left.
#include "kinematics/reduction/full.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace rodeo::reduction {
namespace {

using bondgraph::Element;
using bondgraph::Kind;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

class FullBuilder {
 public:
  FullBuilder(const Graph& graph, const Causality& causality, const System& system, const Solution& solution)
      : graph_(graph),
        causality_(causality),
        system_(system),
        solution_(solution),
        bonds_(static_cast<int>(2 * graph.bonds.size())),
        values_(at(bonds_)) {}

  FullEquations build() {
    find_dependencies();
    for (const DifferentialPort& port : system_.differential_ports) cut_dependent(port);
    for (const Element& element : graph_.elements) {
      if (element.constraint) cut_by_symbol(effort_index(element.bonds[0]));
    }
    cut_laws();
    open_cycles();
    calc_values();
    report();
    return std::move(result_);
  }

 private:
  void find_dependencies() {
    edges_.resize(at(bonds_));
    for (int i = 0; i < bonds_; ++i) {
      const Equation& equation = system_.equations[at(i)];
      std::vector<Expr> roots{equation.rest};
      for (const Term& term : equation.terms) {
        if (term.variable != i && term.variable < bonds_) edges_[at(i)].push_back(term.variable);
        roots.push_back(term.coefficient);
      }
      for (const Expr symbol : expr::symbols_of(roots)) {
        const auto variable = system_.variable_of_symbol.find(symbol.id());
        if (variable != system_.variable_of_symbol.end() && variable->second < bonds_)
          edges_[at(i)].push_back(variable->second);
      }
    }
  }

  void cut(int variable, Expr value) {
    values_[at(variable)] = value;
    cut_.insert(variable);
  }

  void cut_by_symbol(int effort) { cut(effort, system_.variables[at(effort)].symbol); }

  void cut_laws() {
    for (const Block& block : solution_.blocks) {
      if (!block.is_law) continue;
      cut_by_symbol(block.unknowns[0]);
      result_.laws.push_back({block.unknowns[0], {}});
    }
  }

  /// An inertance whose momentum is a constant times its flow.
  [[nodiscard]] static bool is_simple(const Element& element) {
    if (element.kind != Kind::I || element.bonds.size() != 1 || element.law != bondgraph::Law::linear)
      return false;
    const auto symbols = expr::symbols_of(element.value);
    return std::all_of(symbols.begin(), symbols.end(),
                       [](Expr s) { return s->kind == expr::SymbolKind::parameter; });
  }

  /// e = d/dt p of a dependent inertance, written with the rate of its flow: I · d/dt V.
  void cut_dependent(const DifferentialPort& port) {
    const Element& element = graph_.elements[at(port.element)];
    const bool is_inertia = element.kind == Kind::I;
    const int variable = is_inertia ? effort_index(port.bond) : flow_index(port.bond);
    cut(variable, is_simple(element) ? element.value[0] * dependent_flow_rate(element.name)
                                     : system_.variables[at(variable)].symbol);
  }

  /// The order in which variables are taken to open a cycle.
  [[nodiscard]] std::unordered_map<int, int> candidates() const {
    std::unordered_map<int, int> rank;
    for (const int bond : causality_.arbitrary_bonds) {
      for (const int variable : {flow_index(bond), effort_index(bond)})
        rank.emplace(variable, static_cast<int>(rank.size()));
    }
    for (const int bond : causality_.resistive_bonds) {
      for (const int variable : {effort_index(bond), flow_index(bond)})
        rank.emplace(variable, static_cast<int>(rank.size()));
    }
    return rank;
  }

  void open_cycles() {
    const std::unordered_map<int, int> preferred = candidates();
    while (true) {
      std::vector<std::vector<int>> edges = edges_;
      for (const int variable : cut_) edges[at(variable)].clear();
      const auto components = find_components(edges);
      std::vector<int> opened;
      for (const std::vector<int>& component : components) {
        const auto& own = edges[at(component.front())];
        const bool cyclic =
            component.size() > 1 || std::find(own.begin(), own.end(), component.front()) != own.end();
        if (cyclic) opened.push_back(choose(component, preferred));
      }
      if (opened.empty()) break;
      for (const int variable : opened) open(variable);
    }
    std::vector<std::vector<int>> edges = edges_;
    for (const int variable : cut_) edges[at(variable)].clear();
    for (const std::vector<int>& component : find_components(edges)) order_.push_back(component.front());
  }

  /// The candidate of lowest rank, else the first flow.
  static int choose(const std::vector<int>& component, const std::unordered_map<int, int>& preferred) {
    const auto rank = [&](int variable) {
      const auto found = preferred.find(variable);
      const int last = static_cast<int>(preferred.size());
      return found != preferred.end() ? found->second : last + (variable % 2 == 1 ? 0 : 1);
    };
    return *std::min_element(component.begin(), component.end(),
                             [&](int a, int b) { return rank(a) < rank(b); });
  }

  void open(int variable) {
    if (solution_.values[at(variable)].is_number(0)) return cut(variable, 0.0);
    const Expr symbol = expr::variable(fmt::format("Y{}", result_.breaks.size() + 1));
    result_.breaks.push_back({variable, symbol, {}, {}});
    cut(variable, symbol);
  }

  struct Law {
    Expr pivot = 0.0;  // pivot · variable + sum = 0
    Expr sum;
  };

  /// By its own law, from values of the others.
  [[nodiscard]] Law calc_law(int i) const {
    const Equation& equation = system_.equations[at(i)];
    auto [pivot, sum] = Law{0.0, with_values(equation.rest)};
    for (const Term& term : equation.terms) {
      const Expr coefficient = with_values(term.coefficient);
      if (term.variable == i) {
        pivot = pivot + coefficient;
      } else {
        sum = sum + coefficient * values_[at(term.variable)];
      }
    }
    return {pivot, sum};
  }
  [[nodiscard]] Expr calc_value(int i) const {
    const Law law = calc_law(i);
    return -law.sum / law.pivot;
  }

  [[nodiscard]] Expr with_values(Expr e) const {
    return expr::substitute(e, [&](Expr symbol) {
      const auto variable = system_.variable_of_symbol.find(symbol.id());
      return variable == system_.variable_of_symbol.end() || variable->second >= bonds_
                 ? symbol
                 : values_[at(variable->second)];
    });
  }

  void calc_values() {
    for (const int variable : order_) {
      if (!cut_.contains(variable)) values_[at(variable)] = calc_value(variable);
    }
    for (BreakVariable& variable : result_.breaks) {
      const Law law = calc_law(variable.variable);
      variable.law = law.pivot * variable.symbol + law.sum;
      variable.is_implicit = law.pivot.is_number(0);
      variable.value = variable.is_implicit ? variable.symbol : -law.sum / law.pivot;
    }
    for (FullLaw& law : result_.laws) law.value = calc_value(law.variable);
  }

  void report() {
    for (const DifferentialPort& port : system_.differential_ports) {
      const Element& element = graph_.elements[at(port.element)];
      const double sign = graph_.bonds[at(port.bond)].head == port.element ? 1.0 : -1.0;
      if (!is_simple(element)) {
        report_stored(port, sign);
        continue;
      }
      result_.dependent.push_back(
          {port.element, dependent_flow(element.name), sign * values_[at(flow_index(port.bond))]});
    }
    for (const State& state : system_.states) {
      result_.rates.push_back(state.rate_variable < 0 ? with_values(system_.resolve(state.rate))
                                                      : state.sign * values_[at(state.rate_variable)]);
    }
    for (std::size_t e = 0; e < graph_.elements.size(); ++e) {
      if (graph_.elements[e].constraint) report_multiplier(static_cast<int>(e));
    }
    result_.values = values_;
  }

  void report_multiplier(int e) {
    const Element& element = graph_.elements[at(e)];
    const int bond = element.bonds[0];
    const double sign = graph_.bonds[at(bond)].head == e ? 1.0 : -1.0;
    const Expr flow = sign * values_[at(flow_index(bond))];
    const Expr position = with_values(system_.resolve(element.constraint->position));
    result_.multipliers.push_back(
        {e, effort_index(bond), flow,
         element.constraint->damping * flow + element.constraint->stiffness * position});
  }

  void report_stored(const DifferentialPort& port, double sign) {
    const Element& element = graph_.elements[at(port.element)];
    const bool is_inertia = element.kind == Kind::I;
    int number = 0;
    if (element.bonds.size() > 1) {
      number = 1 + static_cast<int>(std::find(element.bonds.begin(), element.bonds.end(), port.bond) -
                                    element.bonds.begin());
    }
    const Expr name = expr::variable(
        bondgraph::variable_name(element.name, is_inertia ? "momentum" : "displacement", number));
    result_.stored.push_back({port.element, is_inertia ? effort_index(port.bond) : flow_index(port.bond),
                              is_inertia ? 1.0 : sign, with_values(system_.resolve(name))});
  }

  const Graph& graph_;
  const Causality& causality_;
  const System& system_;
  const Solution& solution_;
  int bonds_;  // variables of bonds; derivatives come after
  std::vector<Expr> values_;
  std::vector<std::vector<int>> edges_;
  std::unordered_set<int> cut_;
  std::vector<int> order_;
  FullEquations result_;
};

}  // namespace

FullEquations build_full(const Graph& graph, const Causality& causality, const System& system,
                         const Solution& solution) {
  return FullBuilder(graph, causality, system, solution).build();
}

}  // namespace rodeo::reduction
