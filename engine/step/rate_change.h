// SPDX-License-Identifier: MIT
// The quickest way from a rate v and an acceleration a to another rate r at acceleration 0, where |a| <= A and the jerk is J, 0
// or -J: in continuous time, so that its samples at ticks keep |Δa| <= J·h whatever h is. + - * / and sqrt only.
//
// Let s be the sign of v - r + a|a|/2J (what the rate would be off by if a went straight to 0), and w = s(v - r), b = s·a. Then b
// falls with J to -p, stays there, and rises with J to 0:
//     ∫a dt = (b² - p²)/2J - p·t₂ - p²/2J = -w
// so without a stay p² = J·w + b²/2. Where that is beyond A: p = A and t₂ = (J·w + b²/2 - A²)/(J·A). The other two
// phases last t₁ = (b + p)/J and t₃ = p/J. An acceleration that is beyond A already is kept until it is needed no more.
#pragma once
#include <array>

#include "engine/step/limiter.h"

namespace rodeo::engine {

struct RateLimits {
  double acceleration;
  double jerk;
};

class RateChange {
 public:
  RateChange(const DriveState& from, double rate, const RateLimits& limits) noexcept;

  /// After `time`; at the end and behind it exactly at the rate.
  [[nodiscard]] DriveState calc_at(double time) const noexcept;
  /// Where it ends.
  [[nodiscard]] double calc_end() const noexcept;
  /// The position at which a change to rate 0 turns round before its end; its begin if it does not.
  [[nodiscard]] double calc_turn() const noexcept;

 private:
  struct Phase {
    double jerk;
    double duration;
  };
  DriveState from_;
  double rate_;
  std::array<Phase, 3> phases_;
};

/// One phase of constant jerk.
[[nodiscard]] DriveState calc_moved(const DriveState& from, double jerk, double time) noexcept;

}  // namespace rodeo::engine
