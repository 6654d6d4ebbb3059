// SPDX-License-Identifier: MIT
// The law of stops and contacts, in the plane and in space: a controlled junction, joined while it pushes. THEORY X7.
#pragma once
#include <algorithm>

namespace rodeo::dynamics {

/// A stop that is `depth` inside and goes on at `rate`: what spring and damper give together, never less than nil.
inline double calc_push(double stiffness, double damping, double depth, double rate) {
  return depth > 0 ? std::max(0.0, stiffness * depth + damping * rate) : 0.0;
}
/// What of the work done on it the spring does not keep.
inline double calc_loss(double push, double stiffness, double depth, double rate) {
  return depth > 0 ? (push - stiffness * depth) * rate : 0.0;
}
/// What the spring keeps, J.
inline double calc_stored(double stiffness, double depth) {
  return depth > 0 ? 0.5 * stiffness * depth * depth : 0.0;
}

/// What a stop between two points pulls them together by; negative where it is too short.
template <typename Force>
double calc_stop_pull(const Force& stop, double length, double rate) {
  const double k = stop.stiffness.value, d = stop.damping.value;
  return (stop.upper ? calc_push(k, d, length - stop.upper->value, rate) : 0.0) -
         (stop.lower ? calc_push(k, d, stop.lower->value - length, -rate) : 0.0);
}

}  // namespace rodeo::dynamics
