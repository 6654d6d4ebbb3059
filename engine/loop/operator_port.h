// SPDX-License-Identifier: MIT
// Verbs of the person at this computer, beside whatever commands come in: one thread (a terminal's) puts them, the loop takes
// one a tick. Lock-free, one producer, one consumer. A verb from the other port goes first; those here wait. A rearm is a key that was pressed
// after the last stop and was not held down: one that repeats within a second is no second step.
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
    if (is_stopped_.exchange(false, std::memory_order_relaxed)) {
      out.emergency_stop = true;
      out.origin = kTerminal;
      if (inner_ != nullptr) inner_->note_stop();
    }
    if (out.emergency_stop) stopped_at_ = tail_.load(std::memory_order_acquire);
    if (out.verb == Verb::none) take(now, out);
    return is_new;
  }

 private:
  struct Wish {
    Verb verb = Verb::none;
    std::uint8_t slot = 0;
  };
  static constexpr std::size_t kRoom = 64;
  static constexpr std::int64_t kHeld = 1'000'000'000;  // ns: a key that is held down comes again within
  static constexpr Origin kTerminal{{'t', 'e', 'r', 'm', 'i', 'n', 'a', 'l'}, 0};

  void take(std::int64_t now, Sample& out) noexcept {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return;
    out.verb = waiting_[head % kRoom].verb;
    out.slot = waiting_[head % kRoom].slot;
    if (!out.emergency_stop) out.origin = kTerminal;
    if (out.verb == Verb::rearm) {
      out.two_steps = head >= stopped_at_ && now - rearmed_ >= kHeld;
      rearmed_ = now;
    }
    head_.store(head + 1, std::memory_order_release);
  }

  CommandPort* inner_;
  std::array<Wish, kRoom> waiting_{};
  std::atomic<std::size_t> head_{0};
  std::atomic<std::size_t> tail_{0};
  std::atomic<bool> is_stopped_{false};
  std::size_t stopped_at_ = 0;     // what was put before is before the last stop
  std::int64_t rearmed_ = -kHeld;  // the last rearm, ns
};

}  // namespace rodeo::engine
