// SPDX-License-Identifier: MIT
// Comparisons in one form, e < c with c a number, however they were written: 0 > x, x - 1 < -1 and 2*x < 0 are one.
#pragma once
#include "kinematics/bondgraph/graph.h"
#include "kinematics/expr/eval.h"

namespace rodeo::reduction {

/// a - b = lead · (e - c). Without variables, `e` is the number 0 and lead · (e - c) the difference.
struct Comparison {
  expr::Expr e;
  double c = 0.0;
  double lead = 1.0;
  bool is_constant = false;
};

/// Parameters by value.
[[nodiscard]] expr::Values find_parameter_values(const bondgraph::Graph& graph);
/// Whether an expression has no symbols but parameters.
[[nodiscard]] bool is_constant(expr::Expr e);
[[nodiscard]] Comparison build_comparison(const expr::Values& parameters, expr::Expr a, expr::Expr b);

}  // namespace rodeo::reduction
