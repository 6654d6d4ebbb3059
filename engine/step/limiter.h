// SPDX-License-Identifier: MIT
// One drive's way from where it is to where it is commanded: position, rate and acceleration together, within the
// drive's range, speed and acceleration, at a fixed period h. Uses + - * / and sqrt only: the same bits everywhere.
//
// Scheme, where the drive has an acceleration limit: acceleration is constant over a tick, so
//     v' = v + a·h,   x' = x + h·(v + v')/2                                                      (the exact integral)
// and |a| <= A, |v'| <= V, lower <= x' <= upper hold at every tick: the limiter keeps the rate so low that braking
// with A ends at or before the end stop.
//
// Braking in whole ticks. With u = A·h the rate falls v, v-u, ..., v-k·u, 0 where k = floor(v/u), and the distance is
//     D(v) = h·(v/2 + k·v - u·k(k+1)/2)                                     continuous, piecewise linear, increasing.
// The largest v' that still comes to rest within the distance d solves h·(v + v')/2 + D(v') = d. Let e = d - h·v/2:
//     v' = e/(h(k+1)) + u·k/2,   k = floor((sqrt(1 + 8e/(u·h)) - 1)/2)                                (calc_approach)
// This reaches a target that stands still exactly, at rest, without overshoot, in the fewest ticks or one more.
//
// A moving target: a position command carries its rate r. In the frame that moves with it the same law holds for
// x - target and v - r, so an input that keeps the limits is followed (within a·h²/4, as for any rate that is linear
// over a tick), and one that does not is caught up with. A command whose rate is 0 is approached to rest. A kink
// in a ramp asks for infinite acceleration: there the drive runs on by at most r²/2A and comes back.
//
// With a jerk limit as well (jerk_limiter.h) a command that keeps all limits is followed exactly, acceleration included. What is
// here is for a drive without one: recordings of before there was one.
//
// Without an acceleration limit the input's own derivatives are used: a position command gives its own position, rate
// and acceleration (0 where it is linear between rows; at a row the derivatives are those of the segment which begins
// there: a kink has no finite acceleration, and 0 is what is told). Speed and range, where given, cut the motion off.
// A rate command gives v' as commanded, a = (v' - v)/h and x' as above.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

namespace rodeo::engine {

/// What a drive may do; rad or m, per second, per second squared. What is not given does not limit.
struct DriveLimits {
  std::optional<double> lower;
  std::optional<double> upper;
  std::optional<double> speed;
  std::optional<double> acceleration;
  std::optional<double> jerk{};  // per second cubed; only with an acceleration
};

/// What a drive does at a tick.
struct DriveState {
  double position = 0;
  double rate = 0;
  double acceleration = 0;

  bool operator==(const DriveState&) const = default;
};

/// What a drive is asked for at a tick. `rate` and `acceleration` of a position command are those of the position itself, and
/// `acceleration` of a rate command that of the rate: 0 means that it stands still, or that nobody knows.
struct Command {
  enum class Kind : std::uint8_t { position, rate };
  Kind kind = Kind::position;
  double position = 0;
  double rate = 0;
  double acceleration = 0;

  static Command at(double position, double rate = 0, double acceleration = 0) {
    return {Kind::position, position, rate, acceleration};
  }
  static Command moving(double rate, double acceleration = 0) { return {Kind::rate, 0, rate, acceleration}; }
};

/// Bits that say what became of a command; a status word is their sum. Values are fixed: they are logged and published.
enum StatusBit : std::uint32_t {
  kLimited = 1U << 0,       // the drive is not where, or not as fast as, the command asks
  kAtLower = 1U << 1,       // at its lower end stop, commanded beyond
  kAtUpper = 1U << 2,       // at its upper end stop, commanded beyond
  kNearSingular = 1U << 3,  // the margin is below the warning's
  kHoldSingular = 1U << 4,  // the command leads into a singular pose: braking or at rest
  kHoldOpen = 1U << 5,      // the loops of the commanded pose did not close: at rest
  kBadInput = 1U << 6,      // the command was refused: not finite, or out of what the kernel can compute
  kHoldAbrupt = 1U << 7,    // the machine was stopped within one tick, beyond its acceleration limits
  kHoldBranch = 1U << 12,   // the command lies beyond a pose where two branches meet: braking or at rest
  kJointOpen = 1U << 13,  // a joint, redundant or not, would be open by more than 1e-9 m: braking or at rest
  kEnergyGain =
      1U << 14,  // free motion has more energy than its sources gave: not to be trusted from here on
};

struct LimitedState {
  DriveState state;
  std::uint32_t status = 0;
};

/// Constant: the drive's state is the caller's.
class DriveLimiter {
 public:
  /// `period` > 0; limits as ModelFolder checks them: lower <= upper, speed and acceleration > 0.
  DriveLimiter(const DriveLimits& limits, double period) noexcept;

  [[nodiscard]] const DriveLimits& limits() const noexcept { return limits_; }
  [[nodiscard]] bool has_acceleration() const noexcept { return limits_.acceleration.has_value(); }
  [[nodiscard]] bool has_jerk() const noexcept { return has_acceleration() && limits_.jerk.has_value(); }

  /// The drive one tick after `now`. The command is finite.
  /// `before`: what a position command asked for a tick ago, if it is known.
  [[nodiscard]] LimitedState calc_next(const DriveState& now, const Command& command,
                                       const DriveState* before = nullptr) const noexcept;
  /// One tick of braking: to rest at once without an acceleration limit.
  [[nodiscard]] DriveState calc_braked(const DriveState& now) const noexcept;
  /// Where braking from `now` ends.
  [[nodiscard]] double calc_rest(const DriveState& now) const noexcept;
  /// The rate at the begin, middle and end of the tick from `from` to `to`, whose integral is the way between them.
  [[nodiscard]] std::array<double, 3> calc_rates(const DriveState& from, const DriveState& to) const noexcept;
  /// The same with positions and accelerations; the latter's integral is the change of rate, but where the rate jumps.
  [[nodiscard]] std::array<DriveState, 3> calc_path(const DriveState& from,
                                                    const DriveState& to) const noexcept;

 private:
  struct Goal {
    double position;
    double rate;
    double acceleration = 0;
  };
  [[nodiscard]] double clamp_to_range(double position) const noexcept;
  [[nodiscard]] double clamp_to_speed(double rate) const noexcept;
  [[nodiscard]] double calc_approach(double e) const noexcept;
  [[nodiscard]] double clamp_before_stops(const DriveState& now, double rate) const noexcept;
  [[nodiscard]] bool is_curved(const DriveState& from, const DriveState& to) const noexcept;
  [[nodiscard]] Goal calc_goal(const Command& command) const noexcept;
  [[nodiscard]] double calc_near(double position) const noexcept;
  [[nodiscard]] DriveState calc_settled(const DriveState& now, DriveState state,
                                        const Goal& goal) const noexcept;
  [[nodiscard]] DriveState calc_accelerated(const DriveState& now, double rate) const noexcept;
  [[nodiscard]] LimitedState calc_tracked(const DriveState& now, const Command& command) const noexcept;
  [[nodiscard]] LimitedState calc_steered(const DriveState& now, const Command& command) const noexcept;
  [[nodiscard]] LimitedState calc_copied(const DriveState& now, const Command& command) const noexcept;
  [[nodiscard]] LimitedState calc_integrated(const DriveState& now, const Command& command) const noexcept;
  [[nodiscard]] std::uint32_t calc_stop_bits(const DriveState& state, const Command& command) const noexcept;

  DriveLimits limits_;
  double h_;
  double step_ = 0;     // A·h: the most that the rate changes in a tick
  double quantum_ = 0;  // A·h²: the scale of one tick's acceleration in the position
};

}  // namespace rodeo::engine
