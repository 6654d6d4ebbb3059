// SPDX-License-Identifier: MIT
// Which packet is newer than all before it. A sender draws a session id at random at every start and counts its packets; the
// table keeps the last sequence of every session that it has seen, so that a repeated, reordered or replayed packet is old.
//
// One session commands at a time, as long as it sends values and does not consent to be taken over. From one that does either, any other
// takes over with its first values, so that a restarted sender is let in. From a live one only an instructor's session does, one that has
// not commanded before: who was taken over from does not take back. Packets without values (a verb, an emergency stop) take nothing over.
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

#include "engine/net/auth.h"

namespace rodeo::engine {

/// What the table has to know of a packet.
struct SessionPacket {
  std::uint64_t session = 0;
  std::uint64_t sequence = 0;
  bool has_values = false;
  std::uint64_t epoch = 0;  // of the nonce of its tag
  Role role = Role::operator_;
  std::int64_t now = 0;  // ns, when it came
};

class SessionTable {
 public:
  /// After so many, the one that was seen first is forgotten, but never the one that commands.
  static constexpr std::size_t kMost = 1024;
  /// Nobody counts so far: a packet with more would make all others of its session old.
  static constexpr std::uint64_t kLargestSequence = ~std::uint64_t{0} >> 1;

  /// `silence`: ns without values after which the one that commands may be taken over from.
  explicit SessionTable(std::int64_t silence);

  [[nodiscard]] std::uint64_t epoch() const noexcept { return epoch_; }
  /// In which a known session has sent last, and as whom it began.
  struct Known {
    std::uint64_t epoch = 0;
    Role role = Role::operator_;
  };
  /// Null if it is not known.
  [[nodiscard]] const Known* find_known(std::uint64_t session) const noexcept;

  enum class Verdict : std::uint8_t { fresh, old, replaced, occupied };

  /// What such a packet is; nothing changes yet. replaced, occupied: newer than those before it, but another session commands now, which
  /// has taken over from this one, or which this one may not take over from.
  [[nodiscard]] Verdict find_verdict(const SessionPacket& packet) const noexcept;
  /// The packet was accepted: those up to it are old from now on. Only where it is fresh.
  void note(const SessionPacket& packet) noexcept;
  /// Of a packet that was noted: whether it is the second of two steps, a rearm behind a packet of its session without one, both since the
  /// emergency stop of that number, 1 or more. A rearm that is repeated in every packet never is.
  [[nodiscard]] bool note_step(std::uint64_t session, bool is_rearm, std::uint64_t stop) noexcept;
  /// An emergency stop has a way of its own: it is taken unless this one, or one that was sent after it, was taken before, whatever else has
  /// come and whoever commands. True if it is to be taken.
  [[nodiscard]] bool note_stop(const SessionPacket& packet) noexcept;

  /// Somebody commands and does not consent to be taken over.
  [[nodiscard]] bool is_occupied(std::int64_t now) const noexcept;
  /// Of a session that commands: from now on anybody may take over; until then it goes on.
  void consent(std::uint64_t session) noexcept;

 private:
  static constexpr std::uint32_t kNone = kMost;
  static constexpr int kBucketShift = 54;  // leaves ten bits: a bucket a session

  struct Seen {
    std::uint64_t session = 0;
    std::uint64_t next_sequence = 0;  // the first that is not old
    Known known{};
    std::optional<std::uint64_t> stop{};  // the sequence of its last one
    std::uint64_t released = 0;           // the stop since which its last packet had no rearm; 0: it had one
    bool has_commanded = false;
    std::uint32_t next = kNone;  // of its chain
  };
  [[nodiscard]] std::uint32_t& first_of(std::uint64_t session) noexcept;
  [[nodiscard]] const Seen* find(std::uint64_t session) const noexcept;
  [[nodiscard]] Seen& find_or_add(const SessionPacket& packet) noexcept;
  void forget(std::uint32_t index) noexcept;

  std::vector<Seen> sessions_;
  std::vector<std::uint32_t> first_ = std::vector<std::uint32_t>(kMost, kNone);  // of each chain
  std::uint64_t factor_;                                                         // of the hash: odd, drawn
  std::uint32_t oldest_ = 0;
  std::int64_t silence_;
  std::uint64_t commanding_ = 0;
  std::int64_t commanded_at_ = 0;  // ns, the last values
  bool is_commanded_ = false;
  bool is_consenting_ = false;
  std::uint64_t epoch_ = 0;
};

}  // namespace rodeo::engine
