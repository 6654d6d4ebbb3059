// SPDX-License-Identifier: MIT
// Matrices of two-ports: whether they can be turned round, and how. Asked of numbers at a few random poses, since what an expression
// can become is not a question of its form.
#pragma once
#include "kinematics/bondgraph/graph.h"
#include "kinematics/expr/matrix.h"

namespace rodeo::bondgraph {

/// The value of an element as a matrix.
[[nodiscard]] expr::Matrix build_matrix(const Element& element);
/// Square, and of full rank at most poses. A library function in it counts as none.
[[nodiscard]] bool is_invertible(const Graph& graph, const Element& element);
/// (matrix⁻¹)ᵀ: the matrix itself where it is orthogonal, else by cofactors. Throws ModelError where it would be too long.
[[nodiscard]] expr::Matrix build_inverse_transposed(const Graph& graph, const Element& element);

}  // namespace rodeo::bondgraph
