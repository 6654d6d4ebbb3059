// SPDX-License-Identifier: MIT
// The policies of pacer.h.
#include "engine/loop/pacer.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace rodeo::engine {

Pacer::Pacer(std::int64_t start, std::int64_t period, Overrun overrun, int burst) noexcept
    : period_(period), overrun_(overrun), burst_(burst), deadline_(start + period) {
  assert(period > 0 && burst >= 0);
}

std::int64_t Pacer::find_skipped(std::int64_t missed) noexcept {
  if (overrun_ == Overrun::slip) return 0;
  if (overrun_ != Overrun::catch_up) return missed;
  if (missed > 0 && hurried_ < burst_) {
    ++hurried_;
    return 0;
  }
  hurried_ = 0;
  return missed;
}

Beat Pacer::try_begin(std::int64_t ready, std::int64_t now) noexcept {
  // More than 2³² ticks, days of sleep: the rest is missed at the next tick.
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  const std::int64_t missed = std::clamp<std::int64_t>((now - deadline_) / period_, 0, kMost);
  const std::int64_t skipped = find_skipped(missed);
  const std::int64_t behind = (missed - skipped) * period_;
  Beat beat{deadline_, static_cast<std::uint32_t>(skipped), missed > 0 || ready >= deadline_, false, behind};
  beat.is_halted = beat.is_late && overrun_ == Overrun::halt;
  deadline_ += (1 + skipped) * period_;
  if (overrun_ != Overrun::slip) return beat;
  deadline_ += behind;
  slipped_ += behind;
  beat.lag = slipped_;
  return beat;
}

}  // namespace rodeo::engine
