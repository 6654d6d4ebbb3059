// SPDX-License-Identifier: MIT
// Sums and products, component by component.
#include "kinematics/multibond/vectors.h"

namespace rodeo::multibond {

Vec3 constant(const Eigen::Vector3d& v) { return {Expr(v.x()), Expr(v.y()), Expr(v.z())}; }

Vec3 operator+(const Vec3& a, const Vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vec3 operator-(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Expr dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vec3 operator*(const Matrix& m, const Vec3& v) {
  Vec3 result;
  for (std::size_t i = 0; i < 3; ++i) result[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
  return result;
}

Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix result(a.size(), std::vector<Expr>(b[0].size(), 0.0));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b[0].size(); ++j) {
      for (std::size_t k = 0; k < b.size(); ++k) result[i][j] = result[i][j] + a[i][k] * b[k][j];
    }
  }
  return result;
}

Matrix transposed(const Matrix& m) {
  Matrix result(m[0].size(), std::vector<Expr>(m.size(), 0.0));
  for (std::size_t i = 0; i < m.size(); ++i) {
    for (std::size_t j = 0; j < m[0].size(); ++j) result[j][i] = m[i][j];
  }
  return result;
}

Matrix skew(const Vec3& v) { return {{0.0, -v[2], v[1]}, {v[2], 0.0, -v[0]}, {-v[1], v[0], 0.0}}; }

Matrix negative(const Matrix& m) {
  Matrix result = m;
  for (auto& row : result) {
    for (Expr& value : row) value = -value;
  }
  return result;
}

}  // namespace rodeo::multibond
