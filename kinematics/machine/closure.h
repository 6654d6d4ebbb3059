// SPDX-License-Identifier: MIT
// Closing a machine: constraint rows made dimensionless, and the damped Newton iteration that satisfies them by
// the smallest weighted move. THEORY M5.
//
// Moves u are dimensionless too, three a body: the shift of the centre of its points in units of the machine's
// size, and the turn about that centre. A body whose frame lies far from its points (every body of a drawing)
// is then as well conditioned as any other.
#pragma once
#include <Eigen/SparseCore>
#include <optional>
#include <random>
#include <vector>

#include "kinematics/machine/pose.h"

namespace rodeo::machine {

/// A body's angle held at a value, beside the rows of joints and drives.
struct HeldAngle {
  int body = 0;
  double angle = 0.0;
};

/// Mean extent of the moving bodies, metres; 1 for a machine of points.
[[nodiscard]] double calc_size(const Machine& machine);

/// What is to be satisfied. The machine must outlive it.
class Closure {
 public:
  Closure(const Machine& machine, std::vector<Row> rows, std::vector<double> drive_values,
          std::vector<HeldAngle> held = {});

  /// The same, and one angle held.
  [[nodiscard]] Closure build_holding(const HeldAngle& angle) const;

  [[nodiscard]] const Machine& machine() const noexcept { return machine_; }
  [[nodiscard]] double size() const noexcept { return size_; }
  [[nodiscard]] const std::vector<Row>& rows() const noexcept { return rows_; }

  /// Dimensionless, rows first, then held angles.
  [[nodiscard]] Eigen::VectorXd calc_residuals(const Pose& pose) const;
  /// ∂residuals/∂u.
  [[nodiscard]] Eigen::SparseMatrix<double> calc_jacobian(const Pose& pose) const;
  [[nodiscard]] Pose calc_moved(const Pose& pose, const Eigen::VectorXd& u) const;

 private:
  [[nodiscard]] double row_scale(const Row& row) const;
  [[nodiscard]] Eigen::SparseMatrix<double> calc_move_to_coordinates(const Pose& pose) const;

  const Machine& machine_;
  std::vector<Row> rows_;
  std::vector<double> drive_values_;
  std::vector<HeldAngle> held_;
  double size_;
  std::vector<Vec2> centres_;  // p_BC of every body
};

/// Dimensionless residual below which a machine counts as closed: rounding in a long chain stays below it.
inline constexpr double kClosed = 1e-10;

struct Closed {
  Pose pose;
  double residual = 0.0;  // the largest, dimensionless
  [[nodiscard]] bool ok() const noexcept { return residual <= kClosed; }
};
/// Weights (3 a body) say how dear a move is. Without a solution nearby: the pose of least residual.
[[nodiscard]] Closed build_closed(const Closure& closure, const Pose& from, const Eigen::VectorXd& weights);
[[nodiscard]] Closed build_closed(const Closure& closure, const Pose& from);

/// A pose of the motion that the closure allows, about `amplitude` (radians or sizes) away in a random direction.
[[nodiscard]] std::optional<Pose> build_sample(const Closure& closure, const Pose& from, double amplitude,
                                               std::mt19937& random);

/// Uniform in [-1, 1), the same on every platform (std distributions are not).
[[nodiscard]] double next_uniform(std::mt19937& random);

}  // namespace rodeo::machine
