// SPDX-License-Identifier: MIT
#include "engine/net/fingerprint.h"

#include <fmt/format.h>
#include <sodium.h>

namespace rodeo::engine {
namespace {

Fingerprint build_fingerprint(std::string_view kind, std::span<const Channel> channels,
                              std::span<const Channel> forces) {
  const std::string text = build_fingerprint_text(kind, channels, forces);
  Fingerprint result{};
  crypto_generichash(result.data(), result.size(), reinterpret_cast<const unsigned char*>(text.data()),
                     text.size(), nullptr, 0);
  return result;
}

}  // namespace

std::string build_fingerprint_text(std::string_view kind, std::span<const Channel> channels,
                                   std::span<const Channel> forces) {
  std::string text = fmt::format("rodeo {} 1\n", kind);
  for (const Channel& channel : channels) text += fmt::format("{} {}\n", channel.name, channel.unit);
  for (const Channel& force : forces) text += fmt::format("input {} {}\n", force.name, force.unit);
  return text;
}

Fingerprint build_command_fingerprint(std::span<const Channel> drives, std::span<const Channel> forces) {
  return build_fingerprint("command", drives, forces);
}

Fingerprint build_state_fingerprint(std::span<const Channel> signals) {
  return build_fingerprint("state", signals, {});
}

std::string build_hex(std::span<const std::uint8_t> bytes) {
  std::string digits;
  for (const std::uint8_t byte : bytes) digits += fmt::format("{:02x}", byte);
  return digits;
}

}  // namespace rodeo::engine
