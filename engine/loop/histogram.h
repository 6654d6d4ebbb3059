// SPDX-License-Identifier: MIT
// Durations counted in buckets of less than 1 % of their value, without the heap: 128 equal buckets an octave, as an HDR
// histogram has. One thread adds; any other may read meanwhile and sees each bucket as it was at some moment.
//
// A value v below 256 has a bucket of its own. Above, with s = (bits of v) - 8, its bucket holds the 2^s values that
// share v >> s, which is 128..255: bucket 128·s + (v >> s).
#pragma once
#include <array>
#include <atomic>
#include <cstdint>

#include "engine/session/nonblocking.h"

namespace rodeo::engine {

class Histogram {
 public:
  /// Nanoseconds; a negative one counts as 0 and one of more than 18 minutes as that.
  void add(std::int64_t value) noexcept RODEO_NONBLOCKING;

  [[nodiscard]] std::uint64_t count() const noexcept;
  /// The largest value, exactly.
  [[nodiscard]] std::int64_t max() const noexcept { return max_.load(std::memory_order_relaxed); }
  /// The value that the fraction `part` of all does not exceed, up to the width of a bucket above; 0 without any.
  [[nodiscard]] std::int64_t calc_quantile(double part) const noexcept;

 private:
  static constexpr int kShifts = 33;  // values of up to 40 bits
  static constexpr std::size_t kBuckets = 128 * (kShifts + 1);
  static constexpr std::int64_t kMost = (std::int64_t{1} << 40) - 1;

  std::array<std::atomic<std::uint64_t>, kBuckets> buckets_{};
  std::atomic<std::int64_t> max_{0};
};

}  // namespace rodeo::engine
