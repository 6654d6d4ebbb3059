// SPDX-License-Identifier: MIT
// The law of jerk_limiter.h, and its tolerances.
#include "engine/step/jerk_limiter.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rodeo::engine {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
/// Halvings of the interval of rates: to the last digits of a double.
constexpr int kHalvings = 52;
/// A command whose acceleration is beyond this part of the limit is followed as if it had none: nothing would be left to catch
/// up with.
constexpr double kMostCurved = 0.75;
/// The part of the jerk with which a moving command is caught up with: the rest is for the command's own.
constexpr double kCatchingUp = 0.5;
/// Parts of J·h³, and roundings of a position, which are there.
constexpr double kThere = 1e-9;
constexpr double kRoundings = 16;
constexpr double kSlack = 1 + 1e-9;
/// 1/s: how fast differences to a moving command are let fade, at the most and at the least.
constexpr double kEasing = 60;
constexpr double kSlowest = 18;
/// The part of the jerk that it may take: the rest is for the command's own.
constexpr double kEasingJerk = 0.5;
/// How much more than its share of the jerk a difference of position counts: a lag is to be caught up with.
constexpr double kEasingLag = 8;
constexpr int kEasingTrials = 16;

}  // namespace

JerkLimiter::JerkLimiter(const DriveLimits& limits, double period) noexcept
    : limits_(limits), most_{*limits.acceleration, *limits.jerk}, h_(period) {}

double JerkLimiter::calc_near(double position) const noexcept {
  return kThere * most_.jerk * h_ * h_ * h_ + kRoundings * kEpsilon * std::abs(position);
}

DriveState JerkLimiter::calc_braked(const DriveState& now) const noexcept {
  return RateChange(now, 0, most_).calc_at(h_);
}

double JerkLimiter::calc_rest(const DriveState& now) const noexcept {
  return RateChange(now, 0, most_).calc_end();
}

/// The range and the speed, and what is beyond them already: a drive outside comes back, at its leisure.
JerkLimiter::Bounds JerkLimiter::calc_bounds(const DriveState& now) const noexcept {
  const RateChange braking(now, 0, most_);
  const double end = braking.calc_end();
  const double turn = braking.calc_turn();
  const double peak = std::abs(now.rate) + now.acceleration * now.acceleration / (2 * most_.jerk);
  return {std::min({limits_.lower.value_or(-kInfinity), end, turn}),
          std::max({limits_.upper.value_or(kInfinity), end, turn}),
          now.rate * now.acceleration > 0 ? std::max(limits_.speed.value_or(kInfinity), peak)
                                          : limits_.speed.value_or(kInfinity)};
}

bool JerkLimiter::is_viable(const DriveState& state, const Bounds& bounds) const noexcept {
  const double more = state.acceleration * std::abs(state.acceleration) / (2 * most_.jerk);
  const double most = bounds.speed * kSlack;
  if (state.rate + std::max(more, 0.0) > most || state.rate + std::min(more, 0.0) < -most) return false;
  const RateChange braking(state, 0, most_);
  const double end = braking.calc_end();
  const double turn = braking.calc_turn();
  const double slack = calc_near(state.position);
  return std::max(end, turn) <= bounds.upper + slack && std::min(end, turn) >= bounds.lower - slack;
}

/// Does a motion of |jerk| <= J lead from one rate and acceleration to the other in a tick? The rate of such a motion is within
/// J·h²/4 of the trapezoid's; twice that is allowed, where the acceleration limit allows as much.
bool JerkLimiter::is_rate_reached(const DriveState& now, const DriveState& goal) const noexcept {
  const auto [A, J] = most_;
  const double change = goal.acceleration - now.acceleration;
  const double mean = (goal.acceleration + now.acceleration) / 2;
  const double off = std::abs(goal.rate - now.rate - h_ * mean);
  const double rounding = kRoundings * kEpsilon * (std::abs(goal.rate) + A * h_);
  return std::abs(change) <= J * h_ * kSlack && std::abs(goal.acceleration) <= A &&
         off <= std::min(J * h_, A) * h_ / 2 + rounding;
}

/// And its position: within J·h³/12 of h·(v + v')/2 - h²·(a' - a)/12; some more is allowed.
bool JerkLimiter::is_reached(const DriveState& now, const DriveState& goal,
                             const Bounds& bounds) const noexcept {
  const double way = goal.position - now.position;
  const double trapezoid = h_ * (now.rate + goal.rate) / 2;
  const double off = std::abs(way - trapezoid + h_ * h_ * (goal.acceleration - now.acceleration) / 12);
  const double near = calc_near(goal.position);
  const double most = std::min(most_.jerk * h_, most_.acceleration / 4) * h_ * h_;
  return off <= most + near && std::abs(way) <= bounds.speed * h_ * kSlack + near &&
         is_rate_reached(now, goal) && is_viable(goal, bounds);
}

/// What a position command comes to: a target beyond an end stop stands still there, and one that moves faster than the drive can
/// is a jump, not a motion to follow.
DriveState JerkLimiter::calc_goal(const Command& command, const Bounds& bounds) const noexcept {
  const double lower = limits_.lower.value_or(-kInfinity);
  const double upper = limits_.upper.value_or(kInfinity);
  const double position = std::max(std::min(command.position, upper), lower);
  const double speed = std::min(bounds.speed, limits_.speed.value_or(kInfinity));
  if (position != command.position || !(std::abs(command.rate) <= speed)) return {position, 0, 0};
  const bool is_kept = std::abs(command.acceleration) <= most_.acceleration;
  return {position, command.rate, is_kept ? command.acceleration : 0};
}

/// The law in the frame of the command: one tick that brings `error` to 0, with rates within `rates`, which contain 0.
DriveState JerkLimiter::calc_approached(const DriveState& error, const Rates& rates, const RateLimits& limits,
                                        double near) const noexcept {
  const auto calc_tick = [&](double rate) { return RateChange(error, rate, limits).calc_at(h_); };
  const auto calc_end = [&](const DriveState& at) { return RateChange(at, 0, limits).calc_end(); };
  const double end = calc_end(error);
  if (std::abs(end) <= near) {
    DriveState next = calc_tick(0);
    if (std::abs(next.position) <= near) next.position = 0;
    return next;
  }
  const double side = end < 0 ? -1 : 1;
  const auto is_before = [&](const DriveState& at) { return side * calc_end(at) >= 0; };
  double passing = end < 0 ? rates.upper : rates.lower;
  DriveState next = calc_tick(passing);
  if (is_before(next)) return next;
  double before = 0;
  next = calc_tick(0);
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = before + (passing - before) / 2;
    const DriveState tried = calc_tick(middle);
    const bool is_good = is_before(tried);
    (is_good ? before : passing) = middle;
    if (is_good) next = tried;
  }
  return next;
}

/// `goal` is that of the tick's end. A command that has moved smoothly since the tick before is known at its begin, too; another one
/// is taken to come from where its rate and acceleration put it.
JerkLimiter::Lead JerkLimiter::calc_lead(const DriveState& goal, const DriveState* before) const noexcept {
  if (before != nullptr) {
    const double jerk = (goal.acceleration - before->acceleration) / h_;
    const DriveState moved = calc_moved(*before, jerk, h_);
    const double most = most_.jerk * h_ * h_;
    const bool is_smooth = std::abs(jerk) <= most_.jerk && std::abs(moved.rate - goal.rate) <= most &&
                           std::abs(moved.position - goal.position) <= most * h_ + calc_near(goal.position);
    if (is_smooth && std::abs(goal.acceleration) <= most_.acceleration) return {*before, jerk, true};
  }
  const double acceleration = is_curve(goal.acceleration) ? goal.acceleration : 0;
  return {calc_moved({goal.position, goal.rate, acceleration}, 0, -h_), 0, false};
}

/// The error at the tick's begin, `now` against `begin`, brought towards 0 at its end.
DriveState JerkLimiter::calc_chased(const DriveState& now, const DriveState& begin, const DriveState& goal,
                                    const Rates& rates, const RateLimits& limits) const noexcept {
  const DriveState error{now.position - begin.position, now.rate - begin.rate,
                         now.acceleration - begin.acceleration};
  const DriveState next = calc_approached(error, rates, limits, calc_near(goal.position));
  return {goal.position + next.position, goal.rate + next.rate, goal.acceleration + next.acceleration};
}

/// The ω <= kEasing of jerk_limiter.h, by Newton's iteration from above, where the sum is convex.
double JerkLimiter::calc_easing(const DriveState& error) const noexcept {
  const double e = kEasingLag * std::abs(error.position);
  const double v = 3 * std::abs(error.rate), a = 3 * std::abs(error.acceleration);
  double w = kEasing;
  for (int i = 0; i < kEasingTrials; ++i) {
    const double more = w * (w * (w * e + v) + a) - kEasingJerk * most_.jerk;
    if (more <= 0) break;
    w -= more / (w * (3 * w * e + 2 * v) + a);
  }
  return w;
}

/// A small error dies away while the command goes its way. At the limit of the acceleration it is carried along until there is
/// room again.
std::optional<DriveState> JerkLimiter::find_eased(const DriveState& now, const Lead& lead,
                                                  const Bounds& bounds) const noexcept {
  const auto& [begin, own, is_known] = lead;
  const DriveState error{now.position - begin.position, now.rate - begin.rate,
                         now.acceleration - begin.acceleration};
  const double w = calc_easing(error);
  if (w < kSlowest) return {};
  const double q = w * h_ / (1 + w * h_);
  const double k1 = q * q * q, k2 = 3 * q * q - k1, k3 = 3 * q - 1.5 * q * q + k1 / 3;
  const double back = -((k1 * error.position / h_ + k2 * error.rate) / h_ + k3 * error.acceleration) / h_;
  double jerk = std::clamp(own + back, -most_.jerk, most_.jerk);
  if (is_known) {
    jerk = std::clamp(jerk, (-most_.acceleration - now.acceleration) / h_,
                      (most_.acceleration - now.acceleration) / h_);
  }
  const DriveState next = calc_moved(now, jerk, h_);
  const bool is_good = std::abs(jerk) <= most_.jerk * kSlack &&
                       std::abs(next.acceleration) <= most_.acceleration * kSlack && is_viable(next, bounds);
  return is_good ? std::optional(next) : std::nullopt;
}

bool JerkLimiter::is_curve(double acceleration) const noexcept {
  const double part = std::abs(acceleration) / most_.acceleration;
  return part > kThere && part <= kMostCurved;
}

RateLimits JerkLimiter::calc_left(double acceleration) const noexcept {
  return {most_.acceleration - std::abs(acceleration), kCatchingUp * most_.jerk};
}

/// To the end stop that `wish` leads beyond, at no more than `speed`.
DriveState JerkLimiter::calc_stopped(const DriveState& now, const DriveState& wish, double speed,
                                     const Bounds& bounds) const noexcept {
  const double end = std::max(RateChange(wish, 0, most_).calc_end(), RateChange(wish, 0, most_).calc_turn());
  const bool is_upper = end > bounds.upper;
  const double stop = is_upper ? limits_.upper.value_or(now.position) : limits_.lower.value_or(now.position);
  const DriveState next = calc_chased(now, {stop, 0, 0}, {stop, 0, 0}, {-speed, speed}, most_);
  return is_viable(next, bounds) ? next : calc_braked(now);
}

DriveState JerkLimiter::calc_positioned(const DriveState& now, const DriveState& goal, const Lead& lead,
                                        const Bounds& bounds) const noexcept {
  if (goal.rate != 0) {
    if (const auto eased = find_eased(now, lead, bounds)) return *eased;
  }
  // Without a speed limit: more than any tick reaches.
  const double spare = 2 * most_.acceleration * (h_ + most_.acceleration / most_.jerk);
  const double speed =
      std::min(limits_.speed.value_or(kInfinity), std::max(std::abs(now.rate), std::abs(goal.rate)) + spare);
  const Rates rates{-speed - goal.rate, speed - goal.rate};
  if (is_curve(goal.acceleration)) {
    const DriveState next =
        calc_chased(now, calc_moved(goal, 0, -h_), goal, rates, calc_left(goal.acceleration));
    if (std::abs(next.acceleration) <= most_.acceleration && is_viable(next, bounds)) return next;
  }
  const DriveState standing{goal.position, goal.rate, 0};
  const DriveState next =
      calc_chased(now, calc_moved(standing, 0, -h_), standing, rates, goal.rate == 0 ? most_ : calc_left(0));
  return is_viable(next, bounds) ? next : calc_stopped(now, next, speed, bounds);
}

/// At nearly all the acceleration there is, hardly any is left to make up for an error of less than a tick: it is carried along
/// until there is, since a rate that was taken to stand would let go of the acceleration.
bool JerkLimiter::is_beside(const DriveState& now, const DriveState& goal) const noexcept {
  const bool is_steep = goal.acceleration != 0 && !is_curve(goal.acceleration);
  const double error = now.rate - (goal.rate - h_ * goal.acceleration);
  return is_steep && std::abs(error) <= most_.acceleration * h_ &&
         std::abs(goal.acceleration - now.acceleration) <= most_.jerk * h_ * (1 + kThere);
}

DriveState JerkLimiter::calc_beside(const DriveState& now, const DriveState& goal) const noexcept {
  const double jerk = (goal.acceleration - now.acceleration) / h_;
  return calc_moved(now, jerk, h_);
}

/// A rate that cannot be had in this tick. The positions of `goal` are of no meaning.
DriveState JerkLimiter::calc_steered(const DriveState& now, const DriveState& goal,
                                     const Bounds& bounds) const noexcept {
  if (is_curve(goal.acceleration)) {
    const DriveState begin = calc_moved({0, goal.rate, goal.acceleration}, 0, -h_);
    const DriveState error{now.position, now.rate - begin.rate, now.acceleration - begin.acceleration};
    const DriveState left = RateChange(error, 0, calc_left(goal.acceleration)).calc_at(h_);
    const DriveState next{left.position - begin.position, left.rate + goal.rate,
                          left.acceleration + goal.acceleration};
    if (std::abs(next.acceleration) <= most_.acceleration && is_viable(next, bounds)) return next;
  }
  if (const DriveState beside = calc_beside(now, goal); is_beside(now, goal) && is_viable(beside, bounds))
    return beside;
  const DriveState next = RateChange(now, goal.rate, most_).calc_at(h_);
  return is_viable(next, bounds) ? next : calc_stopped(now, next, std::abs(goal.rate), bounds);
}

LimitedState JerkLimiter::calc_next(const DriveState& now, const Command& command,
                                    const DriveState* before) const noexcept {
  const Bounds bounds = calc_bounds(now);
  const double V = limits_.speed.value_or(kInfinity);
  LimitedState next;
  if (command.kind == Command::Kind::position) {
    const DriveState goal = calc_goal(command, bounds);
    next.state =
        is_reached(now, goal, bounds) ? goal : calc_positioned(now, goal, calc_lead(goal, before), bounds);
    const double late = std::abs(command.position - next.state.position);
    next.status = late > most_.acceleration * h_ * h_ + calc_near(goal.position) ? kLimited : 0U;
  } else {
    const bool is_kept = std::abs(command.rate) <= V;
    DriveState goal{0, std::clamp(command.rate, -V, V), is_kept ? command.acceleration : 0};
    goal.position = now.position + h_ * (now.rate + goal.rate) / 2 -
                    h_ * h_ * (goal.acceleration - now.acceleration) / 12;
    const bool is_there = is_rate_reached(now, goal) && is_viable(goal, bounds);
    next.state = is_there ? goal : calc_steered(now, goal, bounds);
    next.status = std::abs(next.state.rate - command.rate) > kThere * most_.acceleration * h_ ? kLimited : 0U;
  }
  const double lower = limits_.lower.value_or(-kInfinity);
  const double upper = limits_.upper.value_or(kInfinity);
  DriveState& to = next.state;
  const bool was_inside = now.position >= lower && now.position <= upper;
  if (was_inside) to.position = std::max(std::min(to.position, upper), lower);  // a rounding away
  if (std::abs(now.rate) <= V) to.rate = std::clamp(to.rate, -V, V);
  to.acceleration = std::clamp(to.acceleration, -most_.acceleration, most_.acceleration);
  return next;
}

}  // namespace rodeo::engine
