// SPDX-License-Identifier: MIT
// The full set of equations, Bondin's three systems: rates of states (1), break variables (2), dependent storage
// ports (3), each by following causality, so with divisions by whatever a transformer is turned round by. Fit for
// reading and for counting, not for kernels: kernels take the blocks (blocks.h). THEORY E3-E5.
#pragma once
#include <vector>

#include "kinematics/reduction/blocks.h"
#include "kinematics/reduction/names.h"

namespace rodeo::reduction {

struct BreakVariable {
  int variable = -1;
  Expr symbol;  // Y1, Y2, ...
  Expr value;   // by its own law, in terms of states, inputs, break variables and rates of dependent flows
};

/// A storage port in differential causality whose flow (I) or effort (C) follows from the rest.
struct DependentPort {
  int element = -1;
  Expr symbol;
  Expr value;
};

struct FullEquations {
  std::vector<BreakVariable> breaks;     // those that vanish identically are left out
  std::vector<DependentPort> dependent;  // I ports in differential causality
  std::vector<Expr> rates;               // a state each
};

/// `solution` tells which break variables vanish identically (efforts of rod equivalents do).
[[nodiscard]] FullEquations build_full(const Graph& graph, const Causality& causality, const System& system,
                                       const Solution& solution);

}  // namespace rodeo::reduction
