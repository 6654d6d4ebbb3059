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
  Expr law;     // the same law without a division: it vanishes
  bool is_implicit = false;  // the law is not linear in it and has no such value
};

/// A storage port in differential causality whose flow (I) or effort (C) follows from the rest.
struct DependentPort {
  int element = -1;
  Expr symbol;
  Expr value;
};

/// Any other port in differential causality (C, fields, an inertia that varies): sign · variable = d/dt stored.
struct StoredPort {
  int element = -1;
  int variable = -1;  // the effort of an I, the flow of a C; its symbol stands in the other equations
  double sign = 1.0;
  Expr stored;
};

/// A multiplier: d/dt flow + rest = 0, where the effort's symbol is unknown.
struct Multiplier {
  int element = -1;
  int variable = -1;  // its effort
  Expr flow;
  Expr rest;  // damping · flow + stiffness · position
};

/// An effort that is told once (Block::is_law).
struct FullLaw {
  int variable = -1;
  Expr value;  // its symbol stands in the other equations
};

struct FullEquations {
  std::vector<BreakVariable> breaks;     // those that vanish identically are left out
  std::vector<DependentPort> dependent;  // I ports of fixed inertia in differential causality
  std::vector<StoredPort> stored;
  std::vector<Multiplier> multipliers;
  std::vector<FullLaw> laws;
  std::vector<Expr> rates;   // a state each
  std::vector<Expr> values;  // a variable of a bond each, in terms of the above
};

/// `solution` tells which break variables vanish identically (efforts of rod equivalents do).
[[nodiscard]] FullEquations build_full(const Graph& graph, const Causality& causality, const System& system,
                                       const Solution& solution);

}  // namespace rodeo::reduction
