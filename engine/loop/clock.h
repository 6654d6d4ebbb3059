// SPDX-License-Identifier: MIT
// The loop's clock: nanoseconds that only go forward, and a sleep until one of them. Absolute, because relative sleeps add
// up the time between reading the clock and sleeping.
#pragma once
#include <cstdint>

#include "engine/session/nonblocking.h"

namespace rodeo::engine {

class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual std::int64_t now() noexcept RODEO_NONBLOCKING = 0;
  /// Returns at once if `time` has passed.
  virtual void sleep_until(std::int64_t time) noexcept = 0;
};

/// CLOCK_MONOTONIC; sleeps with clock_nanosleep and TIMER_ABSTIME.
class MonotonicClock : public Clock {
 public:
  [[nodiscard]] std::int64_t now() noexcept override;
  void sleep_until(std::int64_t time) noexcept override;
};

}  // namespace rodeo::engine
