// SPDX-License-Identifier: MIT
// A queue of fixed size from one thread to one other, without a lock. Nothing is overwritten: a full ring refuses.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>

namespace rodeo::engine {

template <typename T, std::size_t kSize>
class Ring {
  static_assert((kSize & (kSize - 1)) == 0, "the index wraps by a mask");

 public:
  /// The writer's. False if it is full.
  [[nodiscard]] bool try_push(const T& value) noexcept {
    const std::size_t end = end_.load(std::memory_order_relaxed);
    if (end - begin_.load(std::memory_order_acquire) == kSize) return false;
    slots_[end & (kSize - 1)] = value;
    end_.store(end + 1, std::memory_order_release);
    return true;
  }

  /// The reader's. False if it is empty.
  [[nodiscard]] bool try_pop(T& value) noexcept {
    const std::size_t begin = begin_.load(std::memory_order_relaxed);
    if (begin == end_.load(std::memory_order_acquire)) return false;
    value = slots_[begin & (kSize - 1)];
    begin_.store(begin + 1, std::memory_order_release);
    return true;
  }

 private:
  std::array<T, kSize> slots_{};
  alignas(64) std::atomic<std::size_t> begin_{0};
  alignas(64) std::atomic<std::size_t> end_{0};
};

}  // namespace rodeo::engine
