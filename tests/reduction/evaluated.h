// SPDX-License-Identifier: MIT
// A model in numbers: its blocks solved in order, and what follows from them.
#pragma once
#include <Eigen/Dense>
#include <vector>

#include "kinematics/expr/eval.h"
#include "kinematics/reduction/model.h"

namespace rodeo::reduction {

/// Adds the unknowns of one block to the values, by the names of their symbols.
inline void solve_block(const Model& model, const Block& block, expr::Values& values) {
  const std::size_t n = block.unknowns.size();
  const auto size = static_cast<Eigen::Index>(n);
  Eigen::MatrixXd matrix(size, size);
  Eigen::VectorXd right(size);
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    right[row] = expr::calc_value(block.right[i], values);
    for (std::size_t j = 0; j < n; ++j)
      matrix(row, static_cast<Eigen::Index>(j)) = expr::calc_value(block.matrix[i][j], values);
  }
  const Eigen::VectorXd solved = matrix.fullPivLu().solve(right);
  for (std::size_t i = 0; i < n; ++i) {
    const Variable& unknown = model.system.variables[static_cast<std::size_t>(block.unknowns[i])];
    values[unknown.symbol->name] = solved[static_cast<Eigen::Index>(i)];
  }
}

inline void solve_blocks(const Model& model, expr::Values& values) {
  for (const int b : find_moving_blocks(model))
    solve_block(model, model.solution.blocks[static_cast<std::size_t>(b)], values);
}

/// Rates of the states, in their order; `values`: states, inputs and parameters by name.
inline std::vector<double> calc_rates(const Model& model, expr::Values values) {
  solve_blocks(model, values);
  std::vector<double> rates;
  for (const Expr rate : state_rates(model)) rates.push_back(expr::calc_value(rate, values));
  return rates;
}

}  // namespace rodeo::reduction
