// SPDX-License-Identifier: MIT
// A graph as the text of a bond-graph file that reads back to an equal one. Subsets are flat: `rod1.J` becomes `rod1_J`.
#pragma once
#include <string>

#include "kinematics/bondgraph/graph.h"

namespace rodeo::bondgraph {

/// Throws ModelError for what a file cannot say: a library function inside of an expression.
[[nodiscard]] std::string build_yaml(const Graph& graph);

}  // namespace rodeo::bondgraph
