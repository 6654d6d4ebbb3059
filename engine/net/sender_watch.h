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
  /// Senders that take turns within this time are at odds, ns.
  static constexpr std::int64_t kWindow = 2'000'000'000;
  /// And they are so until one of them has been silent for this time, ns: eight packets of one that sends 20 a second. A slower one for
  /// kGaps times the time between two of its packets, kWindow at most.
  static constexpr std::int64_t kSilence = 400'000'000;

  /// A packet with values has come from there, accepted or not.
  void note(const Endpoint& from, std::int64_t now) noexcept;

  /// The two that took turns last, A, B, A, B, A with no more than kWindow between, as long as both send.
  [[nodiscard]] std::optional<std::pair<Endpoint, Endpoint>> find_rivals(std::int64_t now) const noexcept;
  /// When they are none any more, unless more comes; 0 if they never were.
  [[nodiscard]] std::int64_t rivals_until() const noexcept;

 private:
  struct Seen {
    Endpoint from;
    std::int64_t last = 0;
    std::int64_t gap = 0;  // between its packets: the largest of late
    bool is_used = false;
  };
  static constexpr std::int64_t kGaps = 3;
  static constexpr int kTurns = 3;  // two may be a packet that was overtaken by those of a restarted sender

  [[nodiscard]] Seen& find(const Endpoint& from) noexcept;
  [[nodiscard]] std::int64_t silent_at(const Endpoint& from) const noexcept;
  void note_turn(const Endpoint& from, std::int64_t now) noexcept;

  std::array<Seen, 4> seen_{};
  Endpoint current_;
  bool has_any_ = false;
  int turns_ = 0;
  std::int64_t last_turn_ = 0;
  std::optional<std::pair<Endpoint, Endpoint>> rivals_;
};

}  // namespace rodeo::engine
