// SPDX-License-Identifier: MIT
// Who commands, by address: recognises senders that command one machine in turns. A restarted sender, which never comes back to its
// old port, is none; an instructor's station, which sends no values, is none either. Pure: the time is given.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "engine/net/address.h"

namespace rodeo::engine {

class SenderWatch {
 public:
  /// Senders that take turns within this time are at odds, ns; and they are so for this time after the last turn.
  static constexpr std::int64_t kWindow = 2'000'000'000;

  /// A packet with values has come from there, accepted or not.
  void note(const Endpoint& from, std::int64_t now) noexcept;

  /// The two that took turns last, A, B, A, B, A with no more than kWindow between; nothing before, and some time after.
  [[nodiscard]] std::optional<std::pair<Endpoint, Endpoint>> find_rivals(std::int64_t now) const noexcept;

 private:
  struct Seen {
    Endpoint from;
    std::int64_t last = 0;
    bool is_used = false;
  };
  static constexpr int kTurns = 3;  // two may be a packet that was overtaken by those of a restarted sender

  [[nodiscard]] Seen& find(const Endpoint& from) noexcept;
  void note_turn(const Endpoint& from, std::int64_t now) noexcept;

  std::array<Seen, 4> seen_{};
  Endpoint current_;
  bool has_any_ = false;
  int turns_ = 0;
  std::int64_t last_turn_ = 0;
  std::optional<std::int64_t> rivals_at_;
  std::pair<Endpoint, Endpoint> rivals_;
};

}  // namespace rodeo::engine
