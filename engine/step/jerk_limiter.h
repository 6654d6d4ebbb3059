// SPDX-License-Identifier: MIT
// One drive within range, speed, acceleration and jerk: the law of a DriveLimiter whose limits name a jerk. The drive's motion is
// continuous in position, rate and acceleration, and what is here are its samples at the ticks.
//
// On the command. A command that a motion within the limits can reach in this tick is reached: position, rate and acceleration
// are the command's own, bit for bit. So a command that keeps the limits is followed without lag, and live is offline.
//
// Off it. Let end(e, ė, ë) be where the difference to the command comes to rest if it is braked from now on (RateChange to 0; the
// command goes on at its rate and acceleration meanwhile). Each tick steers towards the rate w for which
//     end(after the tick) = 0,  or, if no rate that the drive may have does that, towards the one that comes nearest,
// found by bisection between w = 0, which leaves `end` as it is, and the extreme rate. Since a step of braking does not move `end`,
// the drive then is on a way that leads to the command and stays on it: no overshoot of a standing target, no limit cycle.
//
// Near a moving command the difference is let fade instead, so that the kinks of a command that is linear between rows, or the steps of
// one that is rounded, do not become blows of the whole jerk. Its three poles are at -ω, where
//     8ω³|e| + 3ω²|ė| + 3ω|ë| = J/2,   or at -60/s if that is less                   (below 18/s it is not near)
// so that a small difference goes quickly and a larger one gently, with the jerk held for a tick: for p = 1/(1 + ωh), q = 1 - p
//     j = -(q³·e/h³ + (3q² - q³)·ė/h² + (3q - 3q²/2 + q³/3)·ë/h)      makes (z - p)³ of the ticks, however long they are.
//
// Always. A state is viable if braking from it keeps within the range and the speed:
//     v + a²/2J <= V for a > 0 (and mirrored),  lower <= turning point and end of braking <= upper
// Braking one tick leads from a viable state to a viable state with the same end, in continuous time and so at every tick whatever
// its length. A tick is made only into a viable state; where the command leads into none, the drive goes to the end stop as to a
// standing target, and where rounding leaves nothing else it brakes.
#pragma once
#include "engine/step/limiter.h"
#include "engine/step/rate_change.h"

namespace rodeo::engine {

class JerkLimiter {
 public:
  /// Acceleration and jerk are given.
  JerkLimiter(const DriveLimits& limits, double period) noexcept;

  /// Status but for the end stops. `before`: what a position command asked for a tick ago, if it is known.
  [[nodiscard]] LimitedState calc_next(const DriveState& now, const Command& command,
                                       const DriveState* before = nullptr) const noexcept;
  [[nodiscard]] DriveState calc_braked(const DriveState& now) const noexcept;
  [[nodiscard]] double calc_rest(const DriveState& now) const noexcept;

 private:
  struct Bounds {
    double lower;
    double upper;
    double speed;
  };
  struct Rates {
    double lower;
    double upper;
  };
  /// How a command moves over a tick: where it was at its begin, and its jerk.
  struct Lead {
    DriveState begin;
    double jerk;
    bool is_known;  // else its jerk is taken to be 0
  };
  [[nodiscard]] Bounds calc_bounds(const DriveState& now) const noexcept;
  [[nodiscard]] bool is_viable(const DriveState& state, const Bounds& bounds) const noexcept;
  [[nodiscard]] bool is_rate_reached(const DriveState& now, const DriveState& goal) const noexcept;
  [[nodiscard]] bool is_reached(const DriveState& now, const DriveState& goal,
                                const Bounds& bounds) const noexcept;
  [[nodiscard]] DriveState calc_goal(const Command& command, const Bounds& bounds) const noexcept;
  [[nodiscard]] double calc_near(double position) const noexcept;
  [[nodiscard]] DriveState calc_approached(const DriveState& error, const Rates& rates,
                                           const RateLimits& limits, double near) const noexcept;
  [[nodiscard]] Lead calc_lead(const DriveState& goal, const DriveState* before) const noexcept;
  [[nodiscard]] DriveState calc_chased(const DriveState& now, const DriveState& begin, const DriveState& goal,
                                       const Rates& rates, const RateLimits& limits) const noexcept;
  [[nodiscard]] double calc_easing(const DriveState& error) const noexcept;
  [[nodiscard]] std::optional<DriveState> find_eased(const DriveState& now, const Lead& lead,
                                                     const Bounds& bounds) const noexcept;
  [[nodiscard]] bool is_curve(double acceleration) const noexcept;
  [[nodiscard]] RateLimits calc_left(double acceleration) const noexcept;
  [[nodiscard]] DriveState calc_stopped(const DriveState& now, const DriveState& wish, double speed,
                                        const Bounds& bounds) const noexcept;
  [[nodiscard]] DriveState calc_positioned(const DriveState& now, const DriveState& goal, const Lead& lead,
                                           const Bounds& bounds) const noexcept;
  [[nodiscard]] bool is_beside(const DriveState& now, const DriveState& goal) const noexcept;
  [[nodiscard]] DriveState calc_beside(const DriveState& now, const DriveState& goal) const noexcept;
  [[nodiscard]] DriveState calc_steered(const DriveState& now, const DriveState& goal,
                                        const Bounds& bounds) const noexcept;

  DriveLimits limits_;
  RateLimits most_;
  double h_;
};

}  // namespace rodeo::engine
