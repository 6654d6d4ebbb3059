// SPDX-License-Identifier: MIT
// The formulae of limiter.h. Clamps come in the order wish, speed, end stop, acceleration: braking in time makes the
// last one compatible with those before it, up to rounding, which the last lines of calc_accelerated take away.
#include "engine/step/limiter.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/step/jerk_limiter.h"

namespace rodeo::engine {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Beyond this many quanta the approach is at full acceleration anyway, and the square root loses its last digits.
constexpr double kFarQuanta = 1e15;
/// Closer than this part of a quantum, and a few roundings of the position, is there.
constexpr double kThereQuanta = 1e-9;
constexpr double kSameRate = 1e-9;
constexpr double kThereRounding = 4 * std::numeric_limits<double>::epsilon();

}  // namespace

DriveLimiter::DriveLimiter(const DriveLimits& limits, double period) noexcept : limits_(limits), h_(period) {
  if (!limits.acceleration) return;
  step_ = *limits.acceleration * period;
  quantum_ = step_ * period;
}

double DriveLimiter::clamp_to_range(double position) const noexcept {
  if (limits_.upper) position = std::min(position, *limits_.upper);
  if (limits_.lower) position = std::max(position, *limits_.lower);
  return position;
}

double DriveLimiter::clamp_to_speed(double rate) const noexcept {
  return limits_.speed ? std::clamp(rate, -*limits_.speed, *limits_.speed) : rate;
}

/// v'(e) of limiter.h, odd in e.
double DriveLimiter::calc_approach(double e) const noexcept {
  const double quanta = std::abs(e) / quantum_;
  if (!(quanta < kFarQuanta)) return std::copysign(kInfinity, e);
  const double k = std::floor((std::sqrt(1 + 8 * quanta) - 1) / 2);
  return std::copysign(std::abs(e) / (h_ * (k + 1)) + step_ * k / 2, e);
}

double DriveLimiter::calc_near(double position) const noexcept {
  return kThereQuanta * quantum_ + kThereRounding * std::abs(position);
}

/// The rates from which braking ends within the range.
double DriveLimiter::clamp_before_stops(const DriveState& now, double rate) const noexcept {
  const double ahead = h_ * now.rate / 2;
  if (limits_.upper) rate = std::min(rate, calc_approach(*limits_.upper - now.position - ahead));
  if (limits_.lower) rate = std::max(rate, calc_approach(*limits_.lower - now.position - ahead));
  return rate;
}

/// What a position command comes to: a target beyond an end stop stands still there, and one that moves faster than
/// the drive can is a jump, not a motion to follow.
DriveLimiter::Goal DriveLimiter::calc_goal(const Command& command) const noexcept {
  const double position = clamp_to_range(command.position);
  const bool is_followed = position == command.position && clamp_to_speed(command.rate) == command.rate;
  return is_followed ? Goal{position, command.rate, command.acceleration} : Goal{position, 0};
}

/// `state` put exactly on a goal that it has reached but for rounding.
DriveState DriveLimiter::calc_settled(const DriveState& now, DriveState state,
                                      const Goal& goal) const noexcept {
  const double near = calc_near(goal.position);
  const bool is_there =
      std::abs(goal.position - state.position) <= near && std::abs(state.rate - goal.rate) * h_ <= near;
  if (!is_there) return state;
  const double A = *limits_.acceleration;
  return {goal.position, goal.rate, std::clamp((goal.rate - now.rate) / h_, -A, A)};
}

/// One tick towards the rate `wish`, which may be infinite.
DriveState DriveLimiter::calc_accelerated(const DriveState& now, double wish) const noexcept {
  const double rate = clamp_before_stops(now, clamp_to_speed(wish));
  const double A = *limits_.acceleration;
  DriveState next;
  next.acceleration = std::clamp((rate - now.rate) / h_, -A, A);
  next.rate = clamp_to_speed(now.rate + next.acceleration * h_);
  next.position = now.position + h_ * (now.rate + next.rate) / 2;
  if (wish > 0 && limits_.upper) next = calc_settled(now, next, {*limits_.upper, 0});
  if (wish < 0 && limits_.lower) next = calc_settled(now, next, {*limits_.lower, 0});
  const bool was_inside = clamp_to_range(now.position) == now.position;
  if (was_inside) next.position = clamp_to_range(next.position);  // only ever a rounding away
  return next;
}

/// A position command, with an acceleration limit.
LimitedState DriveLimiter::calc_tracked(const DriveState& now, const Command& command) const noexcept {
  const Goal goal = calc_goal(command);
  const double begin = goal.position - h_ * goal.rate;  // where the target was at the tick's begin
  const double e = begin - now.position - h_ * (now.rate - goal.rate) / 2;
  const DriveState next = calc_settled(now, calc_accelerated(now, goal.rate + calc_approach(e)), goal);
  const bool is_late = std::abs(command.position - next.position) > quantum_ + calc_near(goal.position);
  return {next, is_late ? kLimited : 0U};
}

/// A rate command, with an acceleration limit.
LimitedState DriveLimiter::calc_steered(const DriveState& now, const Command& command) const noexcept {
  const DriveState next = calc_accelerated(now, command.rate);
  const double near = kThereQuanta * step_;
  return {next, std::abs(next.rate - command.rate) > near ? kLimited : 0U};
}

/// A position command, without an acceleration limit.
LimitedState DriveLimiter::calc_copied(const DriveState& now, const Command& command) const noexcept {
  const Goal goal = calc_goal(command);
  const double most = limits_.speed ? *limits_.speed * h_ : kInfinity;
  const double way = goal.position - now.position;
  DriveState next{goal.position, goal.rate, goal.acceleration};
  if (std::abs(way) > most * (1 + kThereRounding)) {
    next = {now.position + std::copysign(most, way), std::copysign(*limits_.speed, way), 0};
  }
  return {next, next.position != command.position ? kLimited : 0U};
}

/// A rate command, without an acceleration limit.
LimitedState DriveLimiter::calc_integrated(const DriveState& now, const Command& command) const noexcept {
  DriveState next;
  next.rate = clamp_to_speed(command.rate);
  next.acceleration = (next.rate - now.rate) / h_;
  next.position = now.position + h_ * (now.rate + next.rate) / 2;
  const double inside = clamp_to_range(next.position);
  const bool is_stopped = inside != next.position;
  if (is_stopped) next = {inside, 0, 0};
  return {next, is_stopped || next.rate != command.rate ? kLimited : 0U};
}

std::uint32_t DriveLimiter::calc_stop_bits(const DriveState& state, const Command& command) const noexcept {
  const bool is_position = command.kind == Command::Kind::position;
  std::uint32_t bits = 0;
  if (limits_.upper && state.position >= *limits_.upper) {
    bits |= (is_position ? command.position > *limits_.upper : command.rate > 0) ? kAtUpper : 0U;
  }
  if (limits_.lower && state.position <= *limits_.lower) {
    bits |= (is_position ? command.position < *limits_.lower : command.rate < 0) ? kAtLower : 0U;
  }
  return bits;
}

LimitedState DriveLimiter::calc_next(const DriveState& now, const Command& command,
                                     const DriveState* before) const noexcept {
  const bool is_position = command.kind == Command::Kind::position;
  LimitedState next;
  if (has_jerk()) {
    next = JerkLimiter(limits_, h_).calc_next(now, command, before);
  } else if (has_acceleration()) {
    next = is_position ? calc_tracked(now, command) : calc_steered(now, command);
  } else {
    next = is_position ? calc_copied(now, command) : calc_integrated(now, command);
  }
  next.status |= calc_stop_bits(next.state, command);
  return next;
}

DriveState DriveLimiter::calc_braked(const DriveState& now) const noexcept {
  if (!has_acceleration()) return {now.position, 0, 0};
  return has_jerk() ? JerkLimiter(limits_, h_).calc_braked(now) : calc_accelerated(now, 0);
}

/// x + D(v).
double DriveLimiter::calc_rest(const DriveState& now) const noexcept {
  if (!has_acceleration()) return now.position;
  if (has_jerk()) return JerkLimiter(limits_, h_).calc_rest(now);
  const double v = std::abs(now.rate);
  const double k = std::floor(v / step_);
  const double distance = h_ * (v / 2 + k * v - step_ * k * (k + 1) / 2);
  return now.position + std::copysign(distance, now.rate);
}

/// Does a rate that is no straight line lead from one to the other, without a jump? At the mean rate m of the tick
/// |m - (v + v')/2| < h·max|a|/4 then, and such a position command tells its acceleration.
bool DriveLimiter::is_curved(const DriveState& from, const DriveState& to) const noexcept {
  const double mean = (to.position - from.position) / h_;
  if (has_jerk()) return true;
  const double most = std::max(std::abs(from.acceleration), std::abs(to.acceleration));
  return !has_acceleration() && std::abs(mean - (from.rate + to.rate) / 2) < h_ / 4 * most;
}

/// A parabola, where the rate is curved: by Simpson's rule h·(v + 4·v_middle + v')/6 is the way.
std::array<double, 3> DriveLimiter::calc_rates(const DriveState& from, const DriveState& to) const noexcept {
  const double mean = (to.position - from.position) / h_;
  const double middle = (from.rate + to.rate) / 2;
  const double rounding =
      kSameRate * (std::abs(from.rate) + std::abs(to.rate)) + kThereRounding * std::abs(to.position) / h_;
  if ((has_acceleration() && !has_jerk()) || std::abs(mean - middle) <= rounding)
    return {from.rate, middle, to.rate};
  if (is_curved(from, to)) return {from.rate, (3 * mean - middle) / 2, to.rate};
  return {mean, mean, mean};  // a row of the input, or an end stop: the rate jumped
}

std::array<DriveState, 3> DriveLimiter::calc_path(const DriveState& from,
                                                  const DriveState& to) const noexcept {
  const auto rates = calc_rates(from, to);
  const double a_middle = is_curved(from, to) ? (to.rate - from.rate) / h_ : to.acceleration;
  const double a_begin = 2 * a_middle - to.acceleration;  // linear over the tick
  return {DriveState{from.position, rates[0], a_begin},
          DriveState{from.position + h_ / 4 * (rates[0] + rates[1]), rates[1], a_middle}, to};
}

}  // namespace rodeo::engine
