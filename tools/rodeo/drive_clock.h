// SPDX-License-Identifier: MIT
// When packets go: at start + k / rate of the monotonic clock, absolute, so that nothing drifts. What was missed is not made up for.
#pragma once
#include <cstdint>

namespace rodeo::tools {

/// A file that becomes readable at every slot, for poll().
class DriveClock {
 public:
  /// Slot 0 is now. `rate`: slots a second.
  explicit DriveClock(double rate);
  ~DriveClock();
  DriveClock(const DriveClock&) = delete;
  DriveClock& operator=(const DriveClock&) = delete;

  [[nodiscard]] int file() const noexcept { return file_; }
  /// After file() was readable: how many slots have passed since the last call, 1 if none was missed.
  std::uint64_t take() const;
  /// ns of a slot since slot 0.
  [[nodiscard]] std::int64_t time(std::int64_t slot) const noexcept { return slot * period_; }

 private:
  std::int64_t period_;
  int file_;
};

}  // namespace rodeo::tools
