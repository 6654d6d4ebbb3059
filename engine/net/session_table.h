// SPDX-License-Identifier: MIT
// Which packet is newer than all before it. A sender draws a session id at random at every start and counts its packets; the
// table keeps the last sequence of every session that it has seen, so that a repeated, reordered or replayed packet is old.
//
// One session commands at a time. The first packet with values of a session never seen takes over at once, so that a restarted
// sender is let in without waiting; the one that commanded before is replaced for good, and its values are refused. Packets
// without values (a verb, an emergency stop) take nothing over: an instructor's station may send them beside the operator's.
//
// Epochs. A session that is forgotten must not come back by a replay of its packets. Each epoch has its nonce; a session that is not in the
// table is believed in the newest epoch only (the gate sees to it), and before one that has sent in the newest is forgotten, a new one
// begins. Sessions in the table go on with the nonce that they have.
//
// A look-up takes the same time whatever strangers send: chains of a hash that they cannot foresee. No heap after construction.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace rodeo::engine {

/// What the table has to know of a packet.
struct SessionPacket {
  std::uint64_t session = 0;
  std::uint64_t sequence = 0;
  bool has_values = false;
  std::uint64_t epoch = 0;  // of the nonce of its tag
};

class SessionTable {
 public:
  /// After so many, the one that was seen first is forgotten, but never the one that commands.
  static constexpr std::size_t kMost = 1024;
  /// Nobody counts so far: a packet with more would make all others of its session old.
  static constexpr std::uint64_t kLargestSequence = ~std::uint64_t{0} >> 1;

  SessionTable();

  [[nodiscard]] std::uint64_t epoch() const noexcept { return epoch_; }
  /// In which a known session has sent last.
  [[nodiscard]] std::optional<std::uint64_t> find_epoch(std::uint64_t session) const noexcept;

  enum class Verdict : std::uint8_t { fresh, old, replaced };

  /// What such a packet is; nothing changes yet. replaced: newer than those before it, but another session commands now.
  [[nodiscard]] Verdict find_verdict(const SessionPacket& packet) const noexcept;
  /// The packet was accepted: those up to it are old from now on. Only where it is fresh.
  void note(const SessionPacket& packet) noexcept;
  /// Of a packet that was noted: whether it is the second of two steps, a rearm behind a packet of its session without one, both since the
  /// emergency stop of that number, 1 or more. A rearm that is repeated in every packet never is.
  [[nodiscard]] bool note_step(std::uint64_t session, bool is_rearm, std::uint64_t stop) noexcept;
  /// An emergency stop has a way of its own: it is taken unless this one, or one that was sent after it, was taken before, whatever else has
  /// come and whoever commands. True if it is to be taken. To be asked after find_verdict().
  [[nodiscard]] bool note_stop(const SessionPacket& packet) noexcept;

 private:
  static constexpr std::uint32_t kNone = kMost;
  static constexpr int kBucketShift = 54;  // leaves ten bits: a bucket a session

  struct Seen {
    std::uint64_t session = 0;
    std::uint64_t sequence = 0;
    std::uint64_t epoch = 0;
    std::optional<std::uint64_t> stop{};  // the sequence of its last one
    std::uint64_t released = 0;           // the stop since which its last packet had no rearm; 0: it had one
    bool has_commanded = false;
    std::uint32_t next = kNone;  // of its chain
  };
  [[nodiscard]] std::uint32_t& first_of(std::uint64_t session) noexcept;
  [[nodiscard]] const Seen* find(std::uint64_t session) const noexcept;
  [[nodiscard]] Seen& find_or_add(const SessionPacket& packet) noexcept;
  void forget(std::uint32_t index) noexcept;

  std::vector<Seen> sessions_ = std::vector<Seen>(kMost);
  std::vector<std::uint32_t> first_ = std::vector<std::uint32_t>(kMost, kNone);  // of each chain
  std::uint64_t factor_;                                                         // of the hash: odd, drawn
  std::uint32_t count_ = 0;
  std::uint32_t oldest_ = 0;
  std::uint64_t commanding_ = 0;
  bool is_commanded_ = false;
  std::uint64_t epoch_ = 0;
};

}  // namespace rodeo::engine
