// SPDX-License-Identifier: MIT
// A ball of 2 kg that falls onto ground of spring and damper, in closed form.
#pragma once
#include <cmath>

namespace rodeo::bounce {

inline constexpr double kMass = 2, kStiffness = 8000, kDamping = 40, kViscous = 30, kGravity = 9.81;

struct State {
  double x, v;
};

/// On the ground: m ẍ + d ẋ + k x = −m g from (x₀, v₀).
struct Oscillator {
  double x0, v0, damping;

  [[nodiscard]] State at(double s) const {
    const double w = std::sqrt(kStiffness / kMass), decay = damping / (2 * kMass),
                 wd = std::sqrt(w * w - decay * decay), sink = kMass * kGravity / kStiffness;
    const double A = x0 + sink, B = (v0 + decay * A) / wd;
    const double e = std::exp(-decay * s), c = std::cos(wd * s), n = std::sin(wd * s);
    return {-sink + e * (A * c + B * n), e * ((B * wd - decay * A) * c - (A * wd + decay * B) * n)};
  }
  /// When −k x − d ẋ, the push, comes to nil; half a period is 0.05 s.
  [[nodiscard]] double find_end() const {
    double low = 1e-6, high = 0.06;
    for (int i = 0; i < 100; ++i) {
      const double middle = (low + high) / 2;
      const State state = at(middle);
      (kStiffness * state.x + damping * state.v < 0 ? low : high) = middle;
    }
    return low;
  }
};

inline double calc_fall(const State& from, double t) { return from.x + from.v * t - kGravity * t * t / 2; }

/// Height over the ground of a ball that falls from `drop`, is on the ground, and flies.
inline double calc_bounce(double drop, double damping, double t) {
  const double lands = std::sqrt(2 * drop / kGravity);
  if (t < lands) return calc_fall({drop, 0}, t);
  const Oscillator ground{0, -kGravity * lands, damping};
  const double end = ground.find_end();
  return t - lands < end ? ground.at(t - lands).x : calc_fall(ground.at(end), t - lands - end);
}

}  // namespace rodeo::bounce
