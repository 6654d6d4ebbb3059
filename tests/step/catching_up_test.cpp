// SPDX-License-Identifier: MIT
// A drive that begins beside a motion within its limits catches up with it and is exact from then on; the motion is a closed form.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/step/limiter.h"

namespace rodeo::engine {
namespace {

/// 0.12 sin³(1.5 t): at most 0.21 m/s, 0.81 m/s² and 2.9 m/s³.
DriveState calc_motion(double t) {
  const double w = 1.5, s = std::sin(w * t), c = std::cos(w * t);
  return {0.12 * s * s * s, 0.12 * 3 * w * s * s * c, 0.12 * 3 * w * w * (2 * s * c * c - s * s * s)};
}

struct Outcome {
  double last_limited = 0;  // s
  double error = 0;         // m, rate and acceleration too, after 2 s
};

Outcome run(double off, double period, double part = 1) {
  const DriveLimits limits{0.0, 2.0, 0.3, 1.0, 20.0};
  const DriveLimiter limiter(limits, period);
  DriveState now{0.75, 0, 0};
  DriveState before{};
  Outcome result;
  const int ticks = static_cast<int>(12 / period);
  for (int i = 1; i <= ticks; ++i) {
    const DriveState goal = calc_motion(i * period);
    const DriveState asked{0.75 + off + part * goal.position, part * goal.rate, part * goal.acceleration};
    const LimitedState next = limiter.calc_next(
        now, Command::at(asked.position, asked.rate, asked.acceleration), i > 1 ? &before : nullptr);
    EXPECT_LE(std::abs(next.state.rate), 0.3 + 1e-12);
    EXPECT_LE(std::abs(next.state.acceleration), 1 + 1e-12);
    EXPECT_LE(std::abs(next.state.acceleration - now.acceleration), 20 * period * (1 + 1e-6));
    now = next.state;
    before = asked;
    if ((next.status & kLimited) != 0) result.last_limited = i * period;
    if (i * period < 2) continue;
    result.error =
        std::max({result.error, std::abs(now.position - asked.position), std::abs(now.rate - asked.rate),
                  std::abs(now.acceleration - asked.acceleration)});
  }
  return result;
}

TEST(CatchingUp, EndsAndIsExactThen) {
  for (const double period : {1e-3, 2e-3, 5e-4}) {
    for (const double off : {0.0, 1e-6, 1e-5, -1e-4, 1e-3, -1e-2, 0.05}) {
      const Outcome result = run(off, period);
      EXPECT_LE(result.last_limited, 2) << off << " at " << period;
      EXPECT_LE(result.error, 1e-6) << off << " at " << period;
    }
  }
}

/// At 1.2 times it asks for 0.97 of the acceleration.
TEST(CatchingUp, EndsAlsoOfAMotionThatNeedsNearlyAll) {
  for (const double off : {1e-5, -1e-3, 0.01}) {
    const Outcome result = run(off, 1e-3, 1.2);
    EXPECT_LE(result.error, 1e-6) << off << ", limited until " << result.last_limited;
  }
}

}  // namespace
}  // namespace rodeo::engine
