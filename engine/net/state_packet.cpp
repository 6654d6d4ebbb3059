// SPDX-License-Identifier: MIT
// State packets, field by field.
#include "engine/net/state_packet.h"

#include <algorithm>
#include <array>

namespace rodeo::engine {
namespace {

constexpr std::array<std::uint8_t, 4> kStateMagic{'R', 'D', 'E', 'S'};

void read_clocks(WireReader& in, StateHeader& header) noexcept {
  header.tick = in.get<std::int64_t>();
  header.heartbeat = in.get<std::uint64_t>();
  header.simulated_time = in.get<std::int64_t>();
  header.wall_time = in.get<std::int64_t>();
  header.command_session = in.get<std::uint64_t>();
  header.command_sequence = in.get<std::uint64_t>();
  header.input_age = in.get<std::int64_t>();
  header.lag = in.get<std::int64_t>();
  header.lost = in.get<std::uint64_t>();
  header.unrecorded = in.get<std::uint64_t>();
  header.margin = in.get_double();
  header.residual = in.get_double();
}

void write_clocks(const StateHeader& header, WireWriter& to) noexcept {
  to.put(header.tick);
  to.put(header.heartbeat);
  to.put(header.simulated_time);
  to.put(header.wall_time);
  to.put(header.command_session);
  to.put(header.command_sequence);
  to.put(header.input_age);
  to.put(header.lag);
  to.put(header.lost);
  to.put(header.unrecorded);
  to.put(header.margin);
  to.put(header.residual);
}

}  // namespace

std::size_t encode_state(const StateHeader& header, std::span<const double> signals,
                         std::span<std::uint8_t> out) noexcept {
  WireWriter to(out);
  to.put(Bytes(kStateMagic));
  to.put(kPacketVersion);
  to.put(static_cast<std::uint16_t>(signals.size()));
  to.put(header.status);
  to.put(header.delay);
  to.put(Bytes(header.fingerprint));
  to.put(Bytes(header.nonce));
  write_clocks(header, to);
  assert(to.size() == kStateHeaderBytes);
  for (const double value : signals) to.put(value);
  return to.size();
}

Refusal decode_state(const Fingerprint& fingerprint, Bytes packet, StateHeader& header,
                     std::span<double> signals) noexcept {
  if (packet.size() != kStateHeaderBytes + 8 * signals.size()) return Refusal::wrong_length;
  WireReader in(packet);
  if (!std::ranges::equal(in.get_bytes(kStateMagic.size()), kStateMagic)) return Refusal::magic;
  if (in.get<std::uint16_t>() != kPacketVersion) return Refusal::version;
  if (in.get<std::uint16_t>() != signals.size()) return Refusal::wrong_length;
  const auto status = in.get<std::uint32_t>();
  const auto delay = in.get<std::uint32_t>();
  if (!std::ranges::equal(in.get_bytes(fingerprint.size()), fingerprint)) return Refusal::fingerprint;
  header.status = status;
  header.delay = delay;
  header.fingerprint = fingerprint;
  std::ranges::copy(in.get_bytes(header.nonce.size()), header.nonce.begin());
  read_clocks(in, header);
  for (double& value : signals) value = in.get_double();
  return Refusal::none;
}

}  // namespace rodeo::engine
