// SPDX-License-Identifier: MIT
// Buckets as histogram.h numbers them. One writer: a load and a store do, no read-modify-write.
#include "engine/loop/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace rodeo::engine {
namespace {

std::size_t find_bucket(std::uint64_t value) noexcept {
  const int shift = std::max(0, static_cast<int>(std::bit_width(value)) - 8);
  return static_cast<std::size_t>(128 * static_cast<std::uint64_t>(shift) + (value >> shift));
}

/// The largest value of a bucket.
std::int64_t find_top(std::size_t bucket) noexcept {
  if (bucket < 256) return static_cast<std::int64_t>(bucket);
  const std::size_t shift = bucket / 128 - 1;
  const std::size_t mantissa = bucket - 128 * shift;
  return static_cast<std::int64_t>(((mantissa + 1) << shift) - 1);
}

}  // namespace

void Histogram::add(std::int64_t value) noexcept {
  value = std::clamp<std::int64_t>(value, 0, kMost);
  std::atomic<std::uint64_t>& bucket = buckets_[find_bucket(static_cast<std::uint64_t>(value))];
  bucket.store(bucket.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  if (value > max()) max_.store(value, std::memory_order_relaxed);
}

std::uint64_t Histogram::count() const noexcept {
  std::uint64_t sum = 0;
  for (const auto& bucket : buckets_) sum += bucket.load(std::memory_order_relaxed);
  return sum;
}

std::int64_t Histogram::calc_quantile(double part) const noexcept {
  const std::uint64_t rank = static_cast<std::uint64_t>(std::ceil(part * static_cast<double>(count())));
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    sum += buckets_[i].load(std::memory_order_relaxed);
    if (sum >= std::max<std::uint64_t>(rank, 1)) return std::min(find_top(i), max());
  }
  return max();
}

}  // namespace rodeo::engine
