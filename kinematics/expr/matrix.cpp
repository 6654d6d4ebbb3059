// SPDX-License-Identifier: MIT
// Determinants and inverses by cofactors.
#include "kinematics/expr/matrix.h"

namespace rodeo::expr {
namespace {

Matrix build_minor(const Matrix& matrix, std::size_t row, std::size_t column) {
  Matrix minor;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    if (i == row) continue;
    std::vector<Expr> rest = matrix[i];
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(column));
    minor.push_back(std::move(rest));
  }
  return minor;
}

}  // namespace

Expr determinant(const Matrix& matrix) {
  if (matrix.empty()) return 1.0;
  if (matrix.size() == 1) return matrix[0][0];
  Expr sum = 0.0;
  for (std::size_t column = 0; column < matrix.size(); ++column) {
    if (matrix[0][column].is_number(0)) continue;
    const Expr term = matrix[0][column] * determinant(build_minor(matrix, 0, column));
    sum = column % 2 == 0 ? sum + term : sum - term;
  }
  return sum;
}

Matrix inverse_transposed(const Matrix& matrix) {
  const Expr all = determinant(matrix);
  Matrix result = matrix;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix.size(); ++j) {
      const Expr cofactor = determinant(build_minor(matrix, i, j));
      result[i][j] = ((i + j) % 2 == 0 ? cofactor : -cofactor) / all;
    }
  }
  return result;
}

}  // namespace rodeo::expr
