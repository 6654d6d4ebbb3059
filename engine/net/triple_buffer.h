// SPDX-License-Identifier: MIT
// The newest of what one thread makes, for one other thread, without a lock and without a copy: three of T, of which the writer
// fills one, the reader holds one, and the third is exchanged. What the reader has not fetched in time is overwritten.
//
// The exchanged index is one atomic byte with a flag for `not yet fetched`. Release when the writer gives, acquire when the
// reader takes (and the other way round for the buffer that comes back), so that T's own memory needs no atomics.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>

namespace rodeo::engine {

template <typename T>
class TripleBuffer {
 public:
  explicit TripleBuffer(const T& initial) : slots_{initial, initial, initial} {}

  /// The writer's: fill it, then give(). Holds something older before.
  [[nodiscard]] T& filling() noexcept { return slots_[filling_]; }
  void give() noexcept {
    filling_ = exchanged_.exchange(filling_ | kNew, std::memory_order_acq_rel) & kIndex;
  }
  /// The writer's: true if what was given last has not been fetched; it never will be, and filling() is it.
  [[nodiscard]] bool try_take_back() noexcept {
    const std::uint8_t before = exchanged_.exchange(filling_, std::memory_order_acq_rel);
    filling_ = before & kIndex;
    return (before & kNew) != 0;
  }

  /// The reader's: true if there is something newer, which held() is then.
  [[nodiscard]] bool try_fetch() noexcept {
    std::uint8_t there = exchanged_.load(std::memory_order_relaxed);
    while ((there & kNew) != 0) {
      if (!exchanged_.compare_exchange_weak(there, held_, std::memory_order_acq_rel)) continue;
      held_ = there & kIndex;
      return true;
    }
    return false;
  }
  [[nodiscard]] const T& held() const noexcept { return slots_[held_]; }

 private:
  static constexpr std::uint8_t kNew = 4;
  static constexpr std::uint8_t kIndex = 3;

  std::array<T, 3> slots_;
  alignas(64) std::uint8_t filling_ = 0;
  alignas(64) std::uint8_t held_ = 1;
  alignas(64) std::atomic<std::uint8_t> exchanged_{2};
};

}  // namespace rodeo::engine
