// SPDX-License-Identifier: MIT
// Which simulated time to show now, when states come over a network: a little behind, so that there is a state after it to
// interpolate to, and even, although packets are not. All times in s.
#pragma once

namespace rodeo::viz {

class LiveClock {
 public:
  /// A state of simulated time `time` arrived; times rise.
  void add(double time, double arrival) noexcept;
  void reset() noexcept { *this = LiveClock(); }

  /// Simulated time to show at `now`. After add().
  [[nodiscard]] double calc_time(double now) const noexcept { return now - offset_ - delay(); }
  /// How much later than it came a state is shown: two packets' time.
  [[nodiscard]] double delay() const noexcept;
  /// Mean simulated time from one packet to the next; 0 before the second.
  [[nodiscard]] double interval() const noexcept { return interval_; }

 private:
  bool is_started_ = false;
  double offset_ = 0;  // arrival less simulated time, of the packets that came fastest
  double interval_ = 0;
  double last_time_ = 0;
  double last_arrival_ = 0;
};

}  // namespace rodeo::viz
