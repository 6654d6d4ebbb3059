// SPDX-License-Identifier: MIT
// A spatial four-bar in closed form.
#pragma once
#include <Eigen/Geometry>
#include <cmath>

namespace rodeo::spatial_kernel {

/// The four-bar of configs/spatial/rssr.yaml by hand: the crank's end B on a circle about x, the rocker's end C on one about z
/// through Q, and |C − B| = L, which is a cos φ + b sin φ = c for the rocker's angle φ.
struct Rssr {
  double r = 0.2, s = 0.6, L = 1.0, X = 0.7, Y = 0.3;

  [[nodiscard]] Eigen::Vector3d B(double crank) const {
    return {0, r * std::cos(crank), r * std::sin(crank)};
  }
  [[nodiscard]] Eigen::Vector3d C(double rocker) const {
    return {X - s * std::sin(rocker), Y + s * std::cos(rocker), 0};
  }
  /// The branch of the file's start.
  [[nodiscard]] double rocker(double crank) const {
    const Eigen::Vector3d to_Q = Eigen::Vector3d(X, Y, 0) - B(crank);
    const double a = 2 * s * to_Q.y(), b = -2 * s * to_Q.x();
    const double c = L * L - s * s - to_Q.squaredNorm();
    return std::atan2(b, a) + std::acos(c / std::hypot(a, b));
  }
};

}  // namespace rodeo::spatial_kernel
