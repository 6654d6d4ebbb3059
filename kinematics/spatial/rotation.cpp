// SPDX-License-Identifier: MIT
#include "kinematics/spatial/rotation.h"

#include <cmath>

namespace rodeo::spatial {
namespace {

double nearest_turn(double angle, double near) { return near + calc_wrapped(angle - near); }

}  // namespace

Matrix3 calc_cardan_rotation(const Vector3& angles) {
  using Eigen::AngleAxisd;
  return (AngleAxisd(angles.x(), Vector3::UnitX()) * AngleAxisd(angles.y(), Vector3::UnitY()) *
          AngleAxisd(angles.z(), Vector3::UnitZ()))
      .toRotationMatrix();
}

// R = [cb cc, −cb sc, sb; ..., −sa cb; ..., ca cb].
Vector3 calc_cardan_angles(const Matrix3& R, const Vector3& near) {
  const double cos_b = std::hypot(R(0, 0), R(0, 1));
  const double b = std::atan2(R(0, 2), cos_b);
  double a = near.x(), c = 0;
  if (cos_b > 1e-12) {
    a = std::atan2(-R(1, 2), R(2, 2));
    c = std::atan2(-R(0, 1), R(0, 0));
  } else {
    const Matrix3 rest = calc_cardan_rotation({a, b, 0}).transpose() * R;
    c = std::atan2(rest(1, 0), rest(0, 0));
  }
  return {nearest_turn(a, near.x()), b, nearest_turn(c, near.z())};
}

// ω = (cb cc ȧ + sc ḃ, −cb sc ȧ + cc ḃ, sb ȧ + ċ).
Vector3 calc_cardan_rates(const Vector3& angles, const Vector3& w) {
  const double sc = std::sin(angles.z()), cc = std::cos(angles.z());
  const double a = (cc * w.x() - sc * w.y()) / std::cos(angles.y());
  return {a, sc * w.x() + cc * w.y(), w.z() - std::sin(angles.y()) * a};
}

Quaternion calc_turn(const Vector3& x) {
  const double angle = x.norm();
  const double k = angle > 1e-8 ? std::sin(angle / 2) / angle : 0.5 - angle * angle / 48;
  return {std::cos(angle / 2), k * x.x(), k * x.y(), k * x.z()};
}

Matrix3 calc_smallest_turn(const Vector3& from, const Vector3& to) {
  if (from == to) return Matrix3::Identity();
  return Quaternion::FromTwoVectors(from, to).toRotationMatrix();
}

}  // namespace rodeo::spatial
