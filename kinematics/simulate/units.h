// SPDX-License-Identifier: MIT
// SI units of what a graph's log holds, from the domains of its elements.
#pragma once
#include <string>

#include "kinematics/bondgraph/graph.h"

namespace rodeo::simulate {

/// Of an expression of variables and signals: sums, differences and multiples by numbers have the unit of their terms; a signal that
/// integrates has that of its integrand times seconds. Empty where that does not tell.
[[nodiscard]] std::string find_unit(const bondgraph::Graph& graph, expr::Expr e);

}  // namespace rodeo::simulate
