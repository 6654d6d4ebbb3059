// SPDX-License-Identifier: MIT
// What became of the packets that came: counted by reason, with the last refusal, the last clipped value, and the senders that command
// in turns. The net thread writes. The loop reads try_summary(), without a lock, for the states that it publishes; everybody
// else reads a LinkReport.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

#include "engine/net/address.h"
#include "engine/net/command_gate.h"
#include "engine/net/packet.h"
#include "engine/net/sender_watch.h"

namespace rodeo::engine {

/// Bits of a published state beside StatusBits and SessionBits. Values are fixed. They are no part of the session: a replay has none.
enum LinkBit : std::uint32_t {
  kClipped =
      1U << 23,  // since the state before: a value beyond a drive's range or speed came, and is clipped
  kRefused = 1U << 24,     // since the state before: a packet was refused
  kTwoSenders = 1U << 25,  // packets with values come from two senders in turns
};
/// With kRefused: the number of the last reason, in four bits from here on.
inline constexpr int kRefusalShift = 26;
inline constexpr std::uint32_t kRefusalMask = 0xFU << kRefusalShift;
static_assert(kRefusalCount <= 16);
/// none without kRefused; a reason of a later version is a `field`.
[[nodiscard]] Refusal find_refusal(std::uint32_t status) noexcept;

/// Packets since the start.
struct PacketCounts {
  std::uint64_t accepted = 0;
  std::uint64_t clipped = 0;    // accepted, with a value beyond a drive's range or speed
  std::uint64_t hellos = 0;     // answered
  std::uint64_t underruns = 0;  // times that a motion had to go on without a packet
  std::uint64_t dropped = 0;    // never read: the system's buffer was full
  std::array<std::uint64_t, kRefusalCount> refused{};  // by Refusal

  [[nodiscard]] std::uint64_t refused_for(Refusal refusal) const noexcept {
    return refused[static_cast<std::size_t>(refusal)];
  }
  [[nodiscard]] std::uint64_t refused_total() const noexcept;
};

/// What a state packet says of it.
struct LinkSummary {
  std::uint64_t clipped = 0;
  std::uint64_t refused = 0;
  Refusal last_refusal = Refusal::none;
  bool has_rivals = false;
};

/// All of it.
struct LinkReport {
  PacketCounts counts;
  Refusal last_refusal = Refusal::none;
  Endpoint last_refused;  // who sent it
  std::array<std::int64_t, kRefusalCount>
      refused_at{};                   // when the last of a reason came, ns of the loop's clock
  std::optional<Clip> last_clip;      // and
  Endpoint last_clipped;              // who sent it, and
  std::int64_t clipped_at = 0;        // when
  std::optional<Endpoint> commander;  // of the last accepted command with values
  std::optional<std::pair<Endpoint, Endpoint>> rivals;  // two that command in turns, now, and
  std::int64_t rivals_since = 0;                        // since when
};

class LinkLog {
 public:
  /// The net thread's. `now`: ns of the loop's clock.
  void note_hello() noexcept { hellos_.fetch_add(1, std::memory_order_relaxed); }
  void note_accepted(const Endpoint& from, bool has_values, const std::optional<Clip>& clip,
                     std::int64_t now);
  void note_refused(const Endpoint& from, bool had_values, Refusal why, std::int64_t now);

  /// Real-time safe.
  [[nodiscard]] LinkSummary try_summary(std::int64_t now) const noexcept;
  /// From any thread, without a lock.
  [[nodiscard]] PacketCounts counts() const noexcept;
  /// From any thread but the loop's.
  [[nodiscard]] LinkReport report(std::int64_t now) const;

 private:
  std::atomic<std::uint64_t> accepted_{0};
  std::atomic<std::uint64_t> clipped_{0};
  std::atomic<std::uint64_t> hellos_{0};
  std::array<std::atomic<std::uint64_t>, kRefusalCount> refused_{};
  std::atomic<Refusal> last_refusal_{Refusal::none};
  std::atomic<std::int64_t> rivals_until_{0};
  mutable std::mutex mutex_;  // of what is below
  LinkReport last_;
  SenderWatch senders_;

  void note_values(const Endpoint& from, std::int64_t now);
};

}  // namespace rodeo::engine
