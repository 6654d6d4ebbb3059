// SPDX-License-Identifier: MIT
// Deadlines of a fixed-rate loop and what becomes of those that were missed. Pure arithmetic on nanoseconds: it neither
// reads a clock nor sleeps.
//
// Tick k is due at start + k·period. With `missed` whole periods gone since it was due when it begins:
//   skip      the counter jumps over the missed ones: simulated time keeps to the clock, one step is made
//   slip      every tick is made, and every later deadline moves by the missed periods: simulated time lags for good
//   catch_up  every tick is made, at once, until none is missed or `burst` were made so; then as skip
//   halt      as skip, and the session is told, which brakes and waits to be re-armed
// A tick that begins within its own period misses none, however late it is: the deadlines after it stand.
#pragma once
#include <cstdint>

#include "engine/session/nonblocking.h"

namespace rodeo::engine {

enum class Overrun : std::uint8_t { skip, slip, catch_up, halt };

/// Ticks that catch_up makes without a pause.
inline constexpr int kBurst = 10;

/// How a tick begins.
struct Beat {
  std::int64_t deadline = 0;  // when it was due; with skipped ticks, the first of them
  std::uint32_t skipped = 0;  // ticks jumped over before it
  bool is_late = false;  // the next one was due already, or the one before was not done when this one was due
  bool is_halted = false;  // late, and the policy is halt
  std::int64_t lag = 0;    // simulated time behind the clock, ns, whole periods
};

class Pacer {
 public:
  Pacer(std::int64_t start, std::int64_t period, Overrun overrun, int burst = kBurst) noexcept;

  /// When the next tick is due.
  [[nodiscard]] std::int64_t deadline() const noexcept { return deadline_; }
  /// The next tick begins at `now`; the one before was done at `ready`.
  [[nodiscard]] Beat try_begin(std::int64_t ready, std::int64_t now) noexcept RODEO_NONBLOCKING;

 private:
  /// How many of the missed ticks are jumped over.
  [[nodiscard]] std::int64_t find_skipped(std::int64_t missed) noexcept;

  std::int64_t period_;
  Overrun overrun_;
  int burst_;
  std::int64_t deadline_;
  std::int64_t slipped_ = 0;  // ns
  int hurried_ = 0;           // ticks of the burst up to now
};

}  // namespace rodeo::engine
