// SPDX-License-Identifier: MIT
// The formulae of rate_change.h.
#include "engine/step/rate_change.h"

#include <algorithm>
#include <cmath>

namespace rodeo::engine {

DriveState calc_moved(const DriveState& from, double jerk, double time) noexcept {
  const double change = jerk * time;
  return {from.position + time * (from.rate + time * (from.acceleration / 2 + change / 6)),
          from.rate + time * (from.acceleration + change / 2), from.acceleration + change};
}

RateChange::RateChange(const DriveState& from, double rate, const RateLimits& limits) noexcept
    : from_(from), rate_(rate) {
  const double J = limits.jerk;
  const double a = from.acceleration;
  const double s = from.rate - rate + a * std::abs(a) / (2 * J) < 0 ? -1 : 1;
  const double w = s * (from.rate - rate);
  const double b = s * a;
  const double most = std::max(limits.acceleration, -b);
  const double square = std::max(J * w + b * b / 2, 0.0);
  const double p = std::max(std::min(std::sqrt(square), most), std::max(-b, 0.0));
  const double stay = square > most * most ? (square - most * most) / (J * most) : 0.0;
  phases_ = {Phase{-s * J, std::max((b + p) / J, 0.0)}, Phase{0, stay}, Phase{s * J, p / J}};
}

DriveState RateChange::calc_at(double time) const noexcept {
  DriveState at = from_;
  for (const Phase& phase : phases_) {
    if (time < phase.duration) return calc_moved(at, phase.jerk, time);
    at = calc_moved(at, phase.jerk, phase.duration);
    time -= phase.duration;
  }
  return {at.position + time * rate_, rate_, 0};
}

double RateChange::calc_end() const noexcept {
  DriveState at = from_;
  for (const Phase& phase : phases_) at = calc_moved(at, phase.jerk, phase.duration);
  return at.position;
}

/// Only where the rate has the other sign at first: w < 0 < b, and 0 = w + b·τ - J·τ²/2 within the first phase.
double RateChange::calc_turn() const noexcept {
  const double J = std::abs(phases_[0].jerk);
  const double s = phases_[0].jerk < 0 ? 1 : -1;
  const double w = s * (from_.rate - rate_);
  const double b = s * from_.acceleration;
  if (!(w < 0 && b > 0)) return from_.position;
  const double time = -2 * w / (b + std::sqrt(std::max(b * b + 2 * J * w, 0.0)));
  return calc_moved(from_, phases_[0].jerk, time).position;
}

}  // namespace rodeo::engine
