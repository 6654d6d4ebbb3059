// SPDX-License-Identifier: MIT
// Rotations: unit quaternions, XYZ Cardan angles, small turns. THEORY S1.
#pragma once
#include <Eigen/Geometry>
#include <numbers>

namespace rodeo::spatial {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
using Quaternion = Eigen::Quaterniond;

/// R = Rx(a) Ry(b) Rz(c).
[[nodiscard]] Matrix3 calc_cardan_rotation(const Vector3& angles);
/// The angles of R that are nearest to `near`; where b = ±90° (a and c are then not determined) a is that of `near`.
[[nodiscard]] Vector3 calc_cardan_angles(const Matrix3& R, const Vector3& near = Vector3::Zero());
/// Rates of the angles from the spin in the body's axes. Not finite at b = ±90°.
[[nodiscard]] Vector3 calc_cardan_rates(const Vector3& angles, const Vector3& spin);

/// exp(½ x): the turn by |x| about x.
[[nodiscard]] Quaternion calc_turn(const Vector3& x);
/// The smallest turn that brings the unit vector `from` to `to`; a half turn about some axis across where they are opposite.
[[nodiscard]] Matrix3 calc_smallest_turn(const Vector3& from, const Vector3& to);

/// In (−π, π].
[[nodiscard]] inline double calc_wrapped(double angle) {
  return angle - 2 * std::numbers::pi * std::ceil(angle / (2 * std::numbers::pi) - 0.5);
}

}  // namespace rodeo::spatial
