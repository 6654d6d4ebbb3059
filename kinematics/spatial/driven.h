// SPDX-License-Identifier: MIT
// Motion imposed by drives: positions closed by Newton, velocities and accelerations from the same matrix. THEORY S9.
#pragma once
#include <vector>

#include "kinematics/spatial/closure.h"

namespace rodeo::spatial {

/// Of the bodies' own frames: origins in ground axes, spins in the body's. Ground first.
struct DrivenState {
  Pose pose;
  std::vector<Vector3> velocity, spin, acceleration, spin_rate;
  double residual = 0.0;  // the largest, m; redundant rows too
};

enum class DrivenStatus { ok, singular, open };

class Driven {
 public:
  /// The drives must be as many as the mobility. The machine must outlive it.
  Driven(const Machine& machine, const Assembly& start, const Mobility& mobility);

  /// Drives' positions, rates and second rates. On any status but ok the state stays what it was.
  [[nodiscard]] DrivenStatus step(const std::vector<double>& values, const std::vector<double>& rates,
                                  const std::vector<double>& accelerations);
  [[nodiscard]] const DrivenState& state() const noexcept { return state_; }

 private:
  [[nodiscard]] DrivenStatus close(Pose& pose);
  void calc_rates(const Pose& pose, const std::vector<double>& rates,
                  const std::vector<double>& accelerations);
  void set_state(const Pose& pose, const Vector& v, const Vector& a);

  const Machine& machine_;
  Closure closure_;  // every row: redundant ones do no harm where the others fix the pose
  std::size_t first_drive_ = 0;
  std::vector<int> drives_;  // of the rows from first_drive_ on
  DrivenState state_;
};

}  // namespace rodeo::spatial
