// SPDX-License-Identifier: MIT
#include "viz/feed/live_clock.h"

#include <algorithm>
#include <cmath>

namespace rodeo::viz {
namespace {

constexpr double kJump = 0.5;    // s: no jitter, but an engine or a computer that stood still
constexpr double kCreep = 0.2;   // how fast the shown time may fall back behind a slowing engine
constexpr double kSmooth = 0.1;  // of the mean
constexpr double kShortestDelay = 0.01;
constexpr double kLongestDelay = 2.5;

}  // namespace

void LiveClock::add(double time, double arrival) noexcept {
  const double offset = arrival - time;
  if (!is_started_ || std::abs(offset - offset_) > kJump) {
    offset_ = offset;
  } else {
    const double most = offset_ + kCreep * std::max(arrival - last_arrival_, 0.0);
    offset_ = std::min(offset, most);
  }
  if (is_started_) {
    const double step = time - last_time_;
    interval_ = interval_ == 0 ? step : interval_ + kSmooth * (step - interval_);
  }
  is_started_ = true;
  last_time_ = time;
  last_arrival_ = arrival;
}

double LiveClock::delay() const noexcept { return std::clamp(2 * interval_, kShortestDelay, kLongestDelay); }

}  // namespace rodeo::viz
