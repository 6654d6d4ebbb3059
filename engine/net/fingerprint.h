// SPDX-License-Identifier: MIT
// Fingerprints of an interface: names, order and units of the channels, and nothing else, so that a changed dimension does not
// orphan the other side. BLAKE2b with 16 bytes of result and no key, over a text that anybody can write (PROTOCOL.md):
//     rodeo command 1\n            or   rodeo state 1\n
//     <name> <unit>\n              one line a channel, in order
//     input <name> <unit>\n        then, of a command, one line a force from outside
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace rodeo::engine {

/// One number of an interface: `lift`, `m`.
struct Channel {
  std::string name;
  std::string unit;

  bool operator==(const Channel&) const = default;
};

using Fingerprint = std::array<std::uint8_t, 16>;

/// Of a command packet: the drives, then the forces from outside.
[[nodiscard]] Fingerprint build_command_fingerprint(std::span<const Channel> drives,
                                                    std::span<const Channel> forces = {});
/// Of a state packet: the signals that it carries.
[[nodiscard]] Fingerprint build_state_fingerprint(std::span<const Channel> signals);

/// The text that is hashed; `kind` is command or state.
[[nodiscard]] std::string build_fingerprint_text(std::string_view kind, std::span<const Channel> channels,
                                                 std::span<const Channel> forces = {});

/// Lower-case hexadecimal digits.
[[nodiscard]] std::string build_hex(std::span<const std::uint8_t> bytes);

}  // namespace rodeo::engine
