// SPDX-License-Identifier: MIT
// Which packet is newer than all before it. A sender draws a session id at random at every start and counts its packets; the
// table keeps the last sequence of every session that it has seen, so that a repeated, reordered or replayed packet is old.
//
// One session commands at a time. The first packet with values of a session never seen takes over at once, so that a restarted
// sender is let in without waiting; the one that commanded before is replaced for good, and its values are refused. Packets
// without values (a verb, an emergency stop) take nothing over: an instructor's station may send them beside the operator's.
#pragma once
#include <cstdint>
#include <optional>
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
  /// Of a packet that was noted: whether it is the second of two steps, a rearm behind a packet of its session without one, both since the
  /// emergency stop of that number, 1 or more. A rearm that is repeated in every packet never is.
  [[nodiscard]] bool note_step(std::uint64_t session, bool is_rearm, std::uint64_t stop) noexcept;
  /// An emergency stop has a way of its own: it is taken unless this one, or one that was sent after it, was taken before, whatever else has
  /// come and whoever commands. True if it is to be taken. To be asked after find_verdict().
  [[nodiscard]] bool note_stop(std::uint64_t session, std::uint64_t sequence) noexcept;
  /// The packet was accepted: those up to it are old from now on. Only where it is fresh.
  void note(std::uint64_t session, std::uint64_t sequence, bool has_values) noexcept;

 private:
  struct Seen {
    std::uint64_t session;
    std::uint64_t sequence;
    bool has_commanded;
    std::optional<std::uint64_t> stop{};  // the sequence of its last one
    std::uint64_t released =
        0;  // the number of the stop since which its last packet had no rearm; 0: it had one
  };
  [[nodiscard]] std::size_t find(std::uint64_t session) const noexcept;
  [[nodiscard]] std::size_t make_room() noexcept;

  std::vector<Seen> sessions_;
  std::size_t oldest_ = 0;
  std::uint64_t commanding_ = 0;
  bool is_commanded_ = false;
};

}  // namespace rodeo::engine
