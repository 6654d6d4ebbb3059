// SPDX-License-Identifier: MIT
// What the loop has measured of itself. The loop's thread writes, any other may read while it runs: every number is whole,
// two of them may be a tick apart.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>

#include "engine/loop/histogram.h"

namespace rodeo::engine {

struct LoopStatistics {
  Histogram wake;                            // begin of a tick less its deadline
  Histogram step;                            // Session::tick
  Histogram input_age;                       // at the begin of a tick; those without any command do not count
  Histogram delay;                           // of the commands in use, where there are any
  Histogram send;                            // all state ports of a tick; empty without ports
  std::atomic<std::uint64_t> ticks{0};       // made
  std::atomic<std::uint64_t> late{0};        // see LoopReport
  std::atomic<std::uint64_t> lost{0};        // jumped over
  std::atomic<std::uint64_t> unrecorded{0};  // not taken by the record port
  std::atomic<std::uint64_t> stale{0};       // ticks without a valid command within the timeout
  std::atomic<std::int64_t> lag{0};          // ns, of the last tick
  std::atomic<std::int64_t> lag_max{0};      // ns
  std::atomic<double> residual_max{0};       // m
  std::atomic<std::int64_t> time{0};         // simulated, of the last tick, ns
  std::atomic<std::uint32_t> status{0};      // of the last tick
  std::atomic<std::uint32_t> status_any{0};  // every bit that was ever set
  std::atomic<std::uint32_t> status_news{0};  // every bit that was set since somebody exchanged this for 0
  std::array<std::atomic<std::int64_t>, 32>
      risen{};  // simulated, ns: of each bit, the last tick at which it was set
  std::array<std::atomic<std::int64_t>, 32> fallen{};  // and not set any more
  std::atomic<std::uint64_t> halts{0};                 // times that a late tick has halted the machine
  std::atomic<std::int64_t> first_halt{-1};            // the tick of the first one
  std::atomic<std::uint64_t> checksum{0};              // of the last tick
  std::atomic<bool> is_at_rest{true};                  // every drive's rate was 0 at the last tick
};

}  // namespace rodeo::engine
