// SPDX-License-Identifier: MIT
// Small matrices of expressions, row by row.
#pragma once
#include <vector>

#include "kinematics/expr/expr.h"

namespace rodeo::expr {

using Matrix = std::vector<std::vector<Expr>>;

/// By cofactors: for small matrices only.
[[nodiscard]] Expr determinant(const Matrix& matrix);
/// Cofactors over the determinant: (matrix⁻¹)ᵀ. For small matrices only.
[[nodiscard]] Matrix inverse_transposed(const Matrix& matrix);

}  // namespace rodeo::expr
