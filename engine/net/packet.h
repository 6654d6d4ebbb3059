// SPDX-License-Identifier: MIT
// Command packets as bytes: pure functions, no socket, no clock, no heap. PROTOCOL.md has the tables. What is refused leaves the
// result untouched, and no reason for a refusal ever becomes an answer: it is counted.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "engine/net/auth.h"
#include "engine/net/fingerprint.h"
#include "engine/net/wire.h"
#include "engine/session/tick_input.h"

namespace rodeo::engine {

/// What fits into one Ethernet frame: 1500 less the headers of IPv4 and UDP.
inline constexpr std::size_t kFrameBytes = 1472;
inline constexpr std::uint16_t kPacketVersion = 1;
inline constexpr std::size_t kCommandHeaderBytes = 56;

/// Why a packet was not acted on. `none`: it was accepted. Values are fixed: they are published.
enum class Refusal : std::uint8_t {
  none,
  sender,        // not on the allow-list
  wrong_length,  // not that of any packet of this machine
  magic,
  version,
  fingerprint,  // of another machine, or of other drives
  field,        // a mode, verb, flag or reserved byte that this version does not have
  tag,          // not made with this key and this engine's nonce
  sequence,     // old or repeated in its session
  not_finite,   // a value is NaN or infinite
  out_of_range,  // no motion of any machine: beyond 1e5 rad, m or per second; a mass below 0, a force beyond 1e12
  queue,         // more verbs or packets at once than the loop can take
  replaced,      // values of a session that another one has taken over from
  untagged,      // this engine has a key, and nothing but the tag is missing
  role,          // a viewer's, or values while another sender commands and the sender is no instructor
  flood,         // more packets a second of one sender than are looked at; never an emergency stop
};
inline constexpr std::size_t kRefusalCount = 16;
/// `wrong_length`, ...: as in the report.
[[nodiscard]] std::string_view refusal_name(Refusal refusal) noexcept;

/// What the values of a packet are. Values are fixed: they are sent.
enum class CommandMode : std::uint8_t {
  none = 0,               // no values: a verb or an emergency stop alone. Feeds no watchdog
  position = 1,           // a position a drive
  rate = 2,               // a rate a drive
  position_rate = 3,      // all positions, then the rates at which they are moving
  motion = 4,             // all positions, then all rates, then all accelerations
  rate_acceleration = 5,  // all rates, then all accelerations
};
/// Values a drive: 0 to 3.
[[nodiscard]] constexpr std::size_t value_count(CommandMode mode) noexcept {
  switch (mode) {
    case CommandMode::none: return 0;
    case CommandMode::position:
    case CommandMode::rate: return 1;
    case CommandMode::position_rate:
    case CommandMode::rate_acceleration: return 2;
    case CommandMode::motion: return 3;
  }
  return 0;
}

/// Everything in a command packet but its values.
struct CommandHeader {
  CommandMode mode = CommandMode::none;
  Verb verb = Verb::none;
  std::uint8_t slot = 0;  // of the verb
  bool emergency_stop = false;
  std::uint64_t session = 0;      // drawn at random by every start of a sender
  std::uint64_t sequence = 0;     // rises within a session
  std::int64_t time = 0;          // the sender's clock, ns; 0: it has none
  std::uint16_t least_delay = 0;  // ms: the sender asks to be played at least so late

  bool operator==(const CommandHeader&) const = default;
};

/// Constant: what both sides must agree on.
struct CommandLayout {
  Fingerprint fingerprint{};
  std::size_t drive_count = 0;
  std::size_t force_count = 0;

  /// All values of a packet: those of the drives as the mode says, then, in every mode but none, one a force.
  [[nodiscard]] std::size_t count(CommandMode mode) const noexcept {
    return drive_count * value_count(mode) + (mode == CommandMode::none ? 0 : force_count);
  }

  [[nodiscard]] std::size_t packet_bytes(CommandMode mode, bool is_tagged) const noexcept {
    return kCommandHeaderBytes + 8 * count(mode) + (is_tagged ? kTagBytes : 0);
  }
  /// The longest packet, and so the most values.
  [[nodiscard]] std::size_t largest() const noexcept { return packet_bytes(CommandMode::motion, true); }
};

/// Writes a packet into `out`, which has packet_bytes(), and returns its size. `values`: as the mode says. Tagged if there is
/// an authenticator. layout.count() of them.
std::size_t encode_command(const CommandLayout& layout, const CommandHeader& header,
                           std::span<const double> values, const Authenticator* authenticator,
                           std::span<std::uint8_t> out) noexcept;

/// A packet's header and values; `values` has room for 3 a drive and 1 a force, and what the mode does not fill stays as it was. Looks at
/// lengths, magic, version, fingerprint, fields, tag and finiteness: the sender, the sequence and the range are the receiver's.
[[nodiscard]] Refusal decode_command(const CommandLayout& layout, const Authenticator* authenticator,
                                     Bytes packet, CommandHeader& header, std::span<double> values) noexcept;

/// It says that it is an emergency stop, whatever else is wrong with it. The system's filter looks at the same bytes (CommandSockets).
[[nodiscard]] bool is_stop_flagged(Bytes packet) noexcept;

/// The header alone, without a look at the tag; false if there is a field that this version does not have.
[[nodiscard]] bool try_read_header(Bytes packet, CommandHeader& header) noexcept;

/// A packet of the plain mode: a float64 a drive, one a force, and nothing else.
[[nodiscard]] Refusal decode_plain(std::size_t count, Bytes packet, std::span<double> values) noexcept;

/// Whether a packet has the magic, version and fingerprint of a command of this machine: in the plain mode, what tells them
/// apart.
[[nodiscard]] bool is_command(const CommandLayout& layout, Bytes packet) noexcept;

}  // namespace rodeo::engine
