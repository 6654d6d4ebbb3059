// SPDX-License-Identifier: MIT
// Verbs of the person at this computer, beside whatever commands come in: one thread (a terminal's) puts them, the loop takes
// one a tick. Lock-free, one producer, one consumer. A verb from the other port goes first; those here wait.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>

#include "engine/loop/ports.h"

namespace rodeo::engine {

class OperatorPort : public CommandPort {
 public:
  /// `inner` may be null: then there are verbs only.
  explicit OperatorPort(CommandPort* inner = nullptr) : inner_(inner) {}

  /// False if too many wait.
  bool try_put(Verb verb, std::uint8_t slot = 0) noexcept {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == kRoom) return false;
    waiting_[tail % kRoom] = {verb, slot};
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }
  void stop_now() noexcept { is_stopped_.store(true, std::memory_order_relaxed); }

  [[nodiscard]] bool try_sample(std::int64_t now, Sample& out) noexcept override {
    const bool is_new = inner_ != nullptr && inner_->try_sample(now, out);
    if (is_stopped_.exchange(false, std::memory_order_relaxed)) out.emergency_stop = true;
    if (out.verb == Verb::none) take(out);
    return is_new;
  }

 private:
  struct Wish {
    Verb verb = Verb::none;
    std::uint8_t slot = 0;
  };
  static constexpr std::size_t kRoom = 64;

  void take(Sample& out) noexcept {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return;
    out.verb = waiting_[head % kRoom].verb;
    out.slot = waiting_[head % kRoom].slot;
    head_.store(head + 1, std::memory_order_release);
  }

  CommandPort* inner_;
  std::array<Wish, kRoom> waiting_{};
  std::atomic<std::size_t> head_{0};
  std::atomic<std::size_t> tail_{0};
  std::atomic<bool> is_stopped_{false};
};

}  // namespace rodeo::engine
