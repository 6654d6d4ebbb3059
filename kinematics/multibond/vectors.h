// SPDX-License-Identifier: MIT
// Vectors and matrices of expressions in space.
#pragma once
#include <Eigen/Core>
#include <array>

#include "kinematics/expr/matrix.h"

namespace rodeo::multibond {

using expr::Expr;
using expr::Matrix;
using Vec3 = std::array<Expr, 3>;

[[nodiscard]] Vec3 constant(const Eigen::Vector3d& v);
[[nodiscard]] Vec3 operator+(const Vec3& a, const Vec3& b);
[[nodiscard]] Vec3 operator-(const Vec3& a, const Vec3& b);
[[nodiscard]] Expr dot(const Vec3& a, const Vec3& b);
[[nodiscard]] Vec3 cross(const Vec3& a, const Vec3& b);
[[nodiscard]] Vec3 operator*(const Matrix& m, const Vec3& v);
[[nodiscard]] Matrix operator*(const Matrix& a, const Matrix& b);
[[nodiscard]] Matrix transposed(const Matrix& m);
/// [v×]: [v×] w = v × w.
[[nodiscard]] Matrix skew(const Vec3& v);
[[nodiscard]] Matrix negative(const Matrix& m);

}  // namespace rodeo::multibond
