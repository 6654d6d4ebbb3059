// SPDX-License-Identifier: MIT
// Where the motion is going: the accelerations of the last samples as a cubic in time, integrated twice. Through a flat pose the
// constraints determine the state ever less (the error of an acceleration grows with the third power of 1/distance) while this
// does not notice the pose at all.
#pragma once
#include <array>

#include "kinematics/dynamics/system.h"

namespace rodeo::dynamics {

class Prediction {
 public:
  /// From one sample alone: constant acceleration.
  void begin(double t, const Vector& q, const Vector& v, const Vector& a);
  /// The next sample; equal times between samples make the cubic.
  void add(double t, const Vector& q, const Vector& v, const Vector& a);
  /// At `t`, from the last sample.
  void calc(const System& system, double t, Vector& q, Vector& v, Vector& a) const;
  /// Whether the cubic stands.
  [[nodiscard]] bool is_cubic() const noexcept { return samples_ >= 4; }
  [[nodiscard]] const Vector& acceleration() const noexcept { return past_[0]; }

 private:
  void calc_derivatives();

  double time_ = 0.0, period_ = 0.0;
  int samples_ = 0;  // at equal times, the last included
  Vector q_, v_;
  std::array<Vector, 4> past_;        // accelerations, the last first
  std::array<Vector, 3> derivative_;  // of the acceleration, at the last sample
};

}  // namespace rodeo::dynamics
