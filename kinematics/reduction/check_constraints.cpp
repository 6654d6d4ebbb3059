// SPDX-License-Identifier: MIT
// A multiplier's flow is Φ̇ by the graph, and Φ is what the user wrote: they must belong together. THEORY E11.
#include <fmt/format.h>

#include <algorithm>

#include "kinematics/reduction/collect.h"
#include "kinematics/reduction/model.h"
#include "kinematics/text/fault.h"

namespace rodeo::reduction {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// d/dt Φ = Σ ∂Φ/∂X Ẋ + ∂Φ/∂t.
Expr calc_rate(const Model& model, const bondgraph::Element& element, Expr position) {
  const std::vector<Expr> rates = state_rates(model);
  Expr sum = 0.0;
  for (const Expr symbol : expr::symbols_of({position})) {
    if (symbol->kind == expr::SymbolKind::parameter) continue;
    if (symbol->kind == expr::SymbolKind::time) {
      sum = sum + expr::differentiate(position, symbol);
      continue;
    }
    const auto& states = model.system.states;
    const auto state =
        std::find_if(states.begin(), states.end(), [&](const State& s) { return s.symbol == symbol; });
    if (state == states.end()) {
      throw text::ModelError(
          element.where, fmt::format("element '{}': its position is a function of displacements, and not all "
                                     "that stands in it is one",
                                     element.name));
    }
    sum =
        sum + expr::differentiate(position, symbol) * rates[static_cast<std::size_t>(state - states.begin())];
  }
  return sum;
}

}  // namespace

void check_constraints(const Model& model) {
  for (std::size_t e = 0; e < model.graph.elements.size(); ++e) {
    const bondgraph::Element& element = model.graph.elements[e];
    if (!element.constraint || !element.constraint->is_holonomic) continue;
    const int bond = element.bonds[0];
    const double sign = model.graph.bonds[at(bond)].head == static_cast<int>(e) ? 1.0 : -1.0;
    const Expr flow = sign * model.solution.values[at(flow_index(bond))];
    const Expr rate = calc_rate(model, element, model.system.resolve(element.constraint->position));
    if (prove_equal(rate, flow)) continue;
    throw text::ModelError(
        element.where,
        fmt::format(
            "element '{}': the rate of its position '{}' is not the flow that its bond brings; check the "
            "transformers' moduli, which are the position's derivatives, and the bonds' directions",
            element.name, element.note));
  }
}

}  // namespace rodeo::reduction
