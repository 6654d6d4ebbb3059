// SPDX-License-Identifier: MIT
// A clock that goes only when it is told to: sleeping moves it on, and so does advance(), which stands for work. Tests of
// anything that depends on time are exact with it.
#pragma once
#include <algorithm>
#include <functional>
#include <utility>

#include "engine/loop/clock.h"

namespace rodeo::engine {

class VirtualClock : public Clock {
 public:
  explicit VirtualClock(std::int64_t start = 0) : now_(start) {}

  [[nodiscard]] std::int64_t now() noexcept override { return now_; }
  void sleep_until(std::int64_t time) noexcept override {
    now_ = std::max(now_, time);
    if (lateness_) now_ += lateness_(time);
  }

  void advance(std::int64_t nanoseconds) noexcept { now_ += nanoseconds; }
  /// How much later than asked for a sleep ends, by the time that was asked for.
  void set_lateness(std::function<std::int64_t(std::int64_t)> lateness) { lateness_ = std::move(lateness); }

 private:
  std::int64_t now_;
  std::function<std::int64_t(std::int64_t)> lateness_;
};

}  // namespace rodeo::engine
