// SPDX-License-Identifier: MIT
// The clock of a stream of packets: when each was sent, as the machine counts time, and how far behind it the machine plays them.
// No clock of its own: times come with the calls. No heap.
//
// A packet sent at τ (the sender's clock, s since its first packet) comes at μ (the machine's time, s since that packet came); let
// d = μ - τ. The least d of the last seconds is the quickest way through the network, the largest the slowest. The machine plays
// at μ what was sent at
//     p = μ - lag,   lag → d_max + need + h
// where `need` is how far ahead the reconstruction has to look: then what it needs has come, unless it is later than any before.
// Added delay is lag - d_min; it is at least what the sender asks for, so that a lag need not change when a packet comes later than
// any before. A clock that drifts by more than 0.05 % is followed: d is then counted from a line b whose slope, up to 1.5 %, is
// found from the least d of three windows in turn, and the lag rises along it. Without it p is a whole number of the loop's periods: packets that are sent for every tick are played at their own moments. A lag that is fixed by the user is d_min + delay. The lag changes by a motion of its own, with
// a rate and an acceleration (DriveLimiter), so that what is played stays smooth: p' = 1 - lag', p'' = -lag''.
//
// A sender without usable times (0, not rising, of another unit) is given regular ones: an alpha-beta filter over the arrivals.
#pragma once
#include <cstdint>
#include <optional>

#include "engine/step/limiter.h"

namespace rodeo::engine {

class StreamClock {
 public:
  /// `period`: of the loop, s. `fixed`: the added delay, s, if it is not found from what comes.
  StreamClock(double period, std::optional<double> fixed) noexcept;

  /// The first packet of a stream, whether its sender's times are to be believed, and the delay that it asks for at least, s.
  void start(std::int64_t sent, std::int64_t arrival, bool is_timed, double least_delay) noexcept;
  /// The next one; `count`: 1 more than were lost before it, as its sequence says. False if it is not of this stream: a
  /// clock that has jumped, or a pause.
  [[nodiscard]] bool try_note(std::int64_t sent, std::int64_t arrival, std::uint64_t count) noexcept;
  /// s, of the packet noted last.
  [[nodiscard]] double sent() const noexcept { return sent_; }
  /// Whether the times that have come can be those of the packets.
  [[nodiscard]] bool is_believed() const noexcept { return is_believed_; }
  [[nodiscard]] bool is_timed() const noexcept { return is_timed_; }

  /// s between packets, a running mean; and the longest of the last seconds, where some were lost.
  [[nodiscard]] double interval() const noexcept { return interval_; }
  [[nodiscard]] double largest_step() const noexcept;
  [[nodiscard]] std::uint64_t packets() const noexcept { return packets_; }

  /// A tick at the machine's time, ns. While nothing is played yet the lag follows at once.
  void tick(std::int64_t time, double need, bool is_playing) noexcept;
  /// s since the first packet came.
  [[nodiscard]] double now() const noexcept { return now_; }
  /// What was sent at this time is played now, and how this time moves: 1 and 0 while the lag stands.
  [[nodiscard]] double played() const noexcept { return now_ - lag_.position; }
  [[nodiscard]] double rate() const noexcept { return 1 - lag_.rate; }
  [[nodiscard]] double acceleration() const noexcept { return -lag_.acceleration; }
  /// s between the quickest and the slowest way through the network.
  [[nodiscard]] double jitter() const noexcept { return largest() - least(); }
  /// Should a packet sent at this time have come by now?
  [[nodiscard]] bool is_overdue(double sent) const noexcept {
    return now_ - calc_line(now_) - largest() > sent;
  }
  /// s that are added to the quickest way through the network.
  [[nodiscard]] double delay() const noexcept { return lag_.position - calc_line(now_) - least(); }

 private:
  struct Window {
    double least;
    double largest;
    double step;
  };
  [[nodiscard]] double least() const noexcept;
  [[nodiscard]] double largest() const noexcept;
  void widen(double difference, double step) noexcept;
  void follow_drift() noexcept;
  /// b, at the machine's time.
  [[nodiscard]] double calc_line(double time) const noexcept { return line_ + drift_ * (time - line_since_); }
  [[nodiscard]] double calc_on_grid(double lag) const noexcept;
  [[nodiscard]] double calc_regular(double arrival, std::uint64_t count) noexcept;
  void judge(std::int64_t sent, std::int64_t arrival) noexcept;

  double period_;
  std::optional<double> fixed_;
  DriveLimiter slew_;
  double least_delay_ = 0;
  bool is_timed_ = true;
  bool is_believed_ = true;
  std::int64_t first_sent_ = 0;
  std::int64_t first_arrival_ = 0;
  std::int64_t last_sent_ = 0;
  double sent_ = 0;
  double last_arrival_ = 0;
  double interval_ = 0;
  std::uint64_t packets_ = 0;
  Window window_{};
  Window before_{};
  double window_end_ = 0;
  bool has_before_ = false;
  double line_ = 0;
  double line_since_ = 0;
  double drift_ = 0;     // the slope of the line
  double residual_ = 0;  // the slope along it that was found last
  double now_ = 0;
  double wanted_ = 0;
  DriveState lag_{};
};

}  // namespace rodeo::engine
