// SPDX-License-Identifier: MIT
// From states to laws to rates: each asks for what the one before has made.
#include "kinematics/reduction/system.h"

#include <functional>

#include "kinematics/reduction/draft.h"
#include "kinematics/reduction/rates.h"

namespace rodeo::reduction {

Expr System::resolve(Expr e) const {
  const std::function<Expr(Expr)> replace = [&](Expr symbol) {
    if (symbol->kind != expr::SymbolKind::variable) return symbol;
    const auto found = meaning.find(symbol.id());
    return found == meaning.end() ? symbol : expr::substitute(found->second, replace);
  };
  return expr::substitute(e, replace);
}

System build_system(const Graph& graph, const Causality& causality, const std::vector<int>& differentiated) {
  Draft draft(graph, causality);
  add_states(draft);
  add_laws(draft);
  Rates rates(draft);
  rates.add_dependent_ports();
  rates.add_constraints();
  for (const int variable : differentiated) static_cast<void>(rates.derivative_of(variable));
  rates.differentiate_equations();
  return std::move(draft.system);
}

}  // namespace rodeo::reduction
