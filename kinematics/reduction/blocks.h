// SPDX-License-Identifier: MIT
// Unknowns in order: the smallest coupled blocks, each with few unknowns of its own, everything else explicit.
// Strongly connected components of the equations are the blocks of the block triangular form; inside one, unknowns are
// torn so that all other variables follow by pivots that are numbers (no division by something that may vanish), and the
// equations left over close the block. For rods that gives the loop-closure equations in the rods' rates. THEORY E6-E8.
#pragma once
#include <vector>

#include "kinematics/reduction/system.h"

namespace rodeo::reduction {

/// matrix · unknowns = right; unknowns are variables whose symbols stand in later values.
struct Block {
  std::vector<int> unknowns;
  std::vector<std::vector<Expr>> matrix;
  std::vector<Expr> right;
  bool linear = true;
  std::vector<Expr> residuals;  // not linear: these vanish
  bool is_law = false;          // one effort that has a name (System::laws): nothing is coupled here
};

struct Solution {
  /// A variable each, in terms of states, inputs, parameters and the unknowns of blocks up to and including its own.
  std::vector<Expr> values;
  std::vector<Block> blocks;  // in order of solution
};

[[nodiscard]] Solution build_solution(const System& system);

/// Components of a directed graph, each after those that it points to (Tarjan).
[[nodiscard]] std::vector<std::vector<int>> find_components(const std::vector<std::vector<int>>& edges);

}  // namespace rodeo::reduction
