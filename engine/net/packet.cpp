// SPDX-License-Identifier: MIT
// Command packets, field by field.
#include "engine/net/packet.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rodeo::engine {
namespace {

constexpr std::array<std::uint8_t, 4> kCommandMagic{'R', 'D', 'E', 'C'};
constexpr std::uint8_t kStopFlag = 1;
constexpr std::uint8_t kLastVerb = static_cast<std::uint8_t>(Verb::release);
constexpr std::uint8_t kLastMode = static_cast<std::uint8_t>(CommandMode::rate_acceleration);
constexpr std::array kModes{CommandMode::none,   CommandMode::position,
                            CommandMode::rate,   CommandMode::position_rate,
                            CommandMode::motion, CommandMode::rate_acceleration};

bool is_length_of_any(const CommandLayout& layout, std::size_t size, bool is_tagged) noexcept {
  return std::any_of(kModes.begin(), kModes.end(),
                     [&](CommandMode mode) { return size == layout.packet_bytes(mode, is_tagged); });
}

/// What stands in front of every packet: magic, version, then at byte 16 the fingerprint.
Refusal check_front(const Fingerprint& fingerprint, Bytes packet) noexcept {
  WireReader in(packet);
  if (!std::ranges::equal(in.get_bytes(kCommandMagic.size()), kCommandMagic)) return Refusal::magic;
  if (in.get<std::uint16_t>() != kPacketVersion) return Refusal::version;
  if (!std::ranges::equal(packet.subspan(16, fingerprint.size()), fingerprint)) return Refusal::fingerprint;
  return Refusal::none;
}

bool is_finite(Bytes values) noexcept {
  WireReader in(values);
  for (std::size_t i = 0; i < values.size() / 8; ++i) {
    if (!std::isfinite(in.get_double())) return false;
  }
  return true;
}

void read_values(Bytes bytes, std::span<double> values) noexcept {
  WireReader in(bytes);
  for (std::size_t i = 0; i < bytes.size() / 8; ++i) values[i] = in.get_double();
}

}  // namespace

std::string_view refusal_name(Refusal refusal) noexcept {
  constexpr std::array<std::string_view, kRefusalCount> kNames{
      "none",     "sender",     "wrong_length", "magic", "version",  "fingerprint", "field", "tag",
      "sequence", "not_finite", "out_of_range", "queue", "replaced", "untagged",    "role",  "flood"};
  return kNames[static_cast<std::size_t>(refusal)];
}

std::size_t encode_command(const CommandLayout& layout, const CommandHeader& header,
                           std::span<const double> values, const Authenticator* authenticator,
                           std::span<std::uint8_t> out) noexcept {
  assert(values.size() == layout.count(header.mode));
  WireWriter to(out);
  to.put(Bytes(kCommandMagic));
  to.put(kPacketVersion);
  to.put(static_cast<std::uint8_t>(header.mode));
  to.put(static_cast<std::uint8_t>(header.verb));
  to.put(header.slot);
  to.put(header.emergency_stop ? kStopFlag : std::uint8_t{0});
  to.put(header.least_delay);
  to.put(std::uint32_t{0});
  to.put(Bytes(layout.fingerprint));
  to.put(header.session);
  to.put(header.sequence);
  to.put(header.time);
  for (const double value : values) to.put(value);
  if (authenticator != nullptr) to.put(Bytes(authenticator->calc_tag(out.first(to.size()))));
  return to.size();
}

bool is_stop_flagged(Bytes packet) noexcept {
  constexpr std::size_t kFlags = 9;
  if (packet.size() <= kFlags || !std::ranges::equal(packet.first(kCommandMagic.size()), kCommandMagic))
    return false;
  return (packet[kFlags] & kStopFlag) != 0;
}

/// The header of a packet whose front is right. False for what this version does not have.
bool try_read_header(Bytes packet, CommandHeader& header) noexcept {
  WireReader in(packet.subspan(6));
  const auto mode = in.get<std::uint8_t>();
  const auto verb = in.get<std::uint8_t>();
  const auto slot = in.get<std::uint8_t>();
  const auto flags = in.get<std::uint8_t>();
  const auto least_delay = in.get<std::uint16_t>();
  const bool is_reserved_nil = in.get<std::uint32_t>() == 0;
  if (mode > kLastMode || verb > kLastVerb || (flags & ~kStopFlag) != 0 || !is_reserved_nil) return false;
  static_cast<void>(in.get_bytes(sizeof(Fingerprint)));
  header.mode = static_cast<CommandMode>(mode);
  header.verb = static_cast<Verb>(verb);
  header.slot = slot;
  header.emergency_stop = (flags & kStopFlag) != 0;
  header.least_delay = least_delay;
  header.session = in.get<std::uint64_t>();
  header.sequence = in.get<std::uint64_t>();
  header.time = in.get<std::int64_t>();
  return true;
}

Refusal decode_command(const CommandLayout& layout, const Authenticator* authenticator, Bytes packet,
                       CommandHeader& header, std::span<double> values) noexcept {
  const bool is_tagged = authenticator != nullptr;
  if (!is_length_of_any(layout, packet.size(), is_tagged)) return Refusal::wrong_length;
  if (const Refusal front = check_front(layout.fingerprint, packet); front != Refusal::none) return front;
  CommandHeader found;
  if (!try_read_header(packet, found)) return Refusal::field;
  if (packet.size() != layout.packet_bytes(found.mode, is_tagged)) return Refusal::wrong_length;
  const Bytes message = packet.first(layout.packet_bytes(found.mode, false));
  if (is_tagged && !authenticator->is_tag(message, packet.subspan(message.size()))) return Refusal::tag;
  const Bytes numbers = message.subspan(kCommandHeaderBytes);
  if (!is_finite(numbers)) return Refusal::not_finite;
  header = found;
  read_values(numbers, values);
  return Refusal::none;
}

Refusal decode_plain(std::size_t count, Bytes packet, std::span<double> values) noexcept {
  if (packet.size() != 8 * count) return Refusal::wrong_length;
  if (!is_finite(packet)) return Refusal::not_finite;
  read_values(packet, values);
  return Refusal::none;
}

bool is_command(const CommandLayout& layout, Bytes packet) noexcept {
  return packet.size() >= kCommandHeaderBytes && check_front(layout.fingerprint, packet) == Refusal::none;
}

}  // namespace rodeo::engine
