// SPDX-License-Identifier: MIT
// Closing a machine in space: rows made dimensionless, and the damped Newton iteration that satisfies them by the smallest
// weighted move. Moves u are six a body: the shift of the centre of its points in units of the machine's size, and the turn about
// it in the body's axes. THEORY S6.
#pragma once
#include <Eigen/SparseCore>
#include <optional>
#include <random>
#include <vector>

#include "kinematics/spatial/pose.h"

namespace rodeo::spatial {

/// What is to be satisfied. The machine must outlive it.
class Closure {
 public:
  Closure(const Machine& machine, const std::vector<Row>& rows, const std::vector<double>& drive_values);

  [[nodiscard]] const Machine& machine() const noexcept { return machine_; }
  [[nodiscard]] const BodyFrames& frames() const noexcept { return frames_; }
  [[nodiscard]] double size() const noexcept { return size_; }
  [[nodiscard]] std::size_t row_count() const noexcept { return data_.size(); }
  [[nodiscard]] Eigen::Index moves() const noexcept {
    return 6 * static_cast<Eigen::Index>(frames_.size() - 1);
  }
  /// One more row, in these frames.
  void add(const RowData& row) { data_.push_back(row); }
  void set_value(std::size_t row, double value) { data_[row].value = value; }

  /// Dimensionless.
  [[nodiscard]] Vector calc_residuals(const Pose& pose) const;
  [[nodiscard]] Eigen::MatrixXd calc_jacobian(const Pose& pose) const;
  [[nodiscard]] Vector calc_gradient(const RowData& row, const Pose& pose) const;
  [[nodiscard]] Pose calc_moved(const Pose& pose, const Vector& u) const;
  /// Rates of the rows at velocities (six a body, as rows have them), and what they change by at constant velocities.
  [[nodiscard]] Rows calc_rows(const Pose& pose, const Vector& v) const;

 private:
  [[nodiscard]] double unit(const RowData& row) const { return row.is_angle() ? 1.0 : size_; }

  const Machine& machine_;
  double size_;
  BodyFrames frames_;  // centres of the bodies' points
  std::vector<RowData> data_;
};

inline constexpr double kClosed = 1e-10;  // dimensionless: rounding in a long chain stays below it

struct Closed {
  Pose pose;
  double residual = 0.0;  // the largest, dimensionless
  [[nodiscard]] bool ok() const noexcept { return residual <= kClosed; }
};
/// Weights (six a body) say how dear a move is. Without a solution nearby: the pose of least residual.
[[nodiscard]] Closed build_closed(const Closure& closure, const Pose& from, const Vector& weights);
[[nodiscard]] Closed build_closed(const Closure& closure, const Pose& from);

/// Orthonormal columns: moves that leave every row as it is.
[[nodiscard]] Eigen::MatrixXd build_free_moves(const Eigen::MatrixXd& jacobian);

/// A pose of the motion that the closure allows, about `amplitude` (radians or sizes) away in a random direction.
[[nodiscard]] std::optional<Pose> build_sample(const Closure& closure, const Pose& from, double amplitude,
                                               std::mt19937& random);

}  // namespace rodeo::spatial
