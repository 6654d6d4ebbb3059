// SPDX-License-Identifier: MIT
// Which packet is newer than all before it. A sender draws a session id at random at every start and counts its packets; the
// table keeps the last sequence of every session that it has seen, so that a repeated, reordered or replayed packet is old.
//
// One session commands at a time. The first packet with values of a session never seen takes over at once, so that a restarted
// sender is let in without waiting; the one that commanded before is replaced for good, and its values are refused. Packets
// without values (a verb, an emergency stop) take nothing over: an instructor's station may send them beside the operator's.
#pragma once
#include <cstdint>
#include <vector>

namespace rodeo::engine {

class SessionTable {
 public:
  /// After so many, the one that was seen first is forgotten, but never the one that commands.
  static constexpr std::size_t kMost = 1024;

  SessionTable() { sessions_.reserve(kMost); }

  enum class Verdict : std::uint8_t { fresh, old, replaced };

  /// What such a packet is; nothing changes yet. replaced: newer than those before it, but another session commands now.
  [[nodiscard]] Verdict find_verdict(std::uint64_t session, std::uint64_t sequence,
                                     bool has_values) const noexcept;
  /// The packet was accepted: those up to it are old from now on. Only where it is fresh.
  void note(std::uint64_t session, std::uint64_t sequence, bool has_values) noexcept;

 private:
  struct Seen {
    std::uint64_t session;
    std::uint64_t sequence;
    bool has_commanded;
  };
  [[nodiscard]] std::size_t find(std::uint64_t session) const noexcept;
  [[nodiscard]] std::size_t make_room() noexcept;

  std::vector<Seen> sessions_;
  std::size_t oldest_ = 0;
  std::uint64_t commanding_ = 0;
  bool is_commanded_ = false;
};

}  // namespace rodeo::engine
