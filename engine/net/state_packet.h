// SPDX-License-Identifier: MIT
// State packets as bytes: pure functions, no socket, no clock, no heap. PROTOCOL.md has the table.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/net/packet.h"

namespace rodeo::engine {

inline constexpr std::size_t kStateHeaderBytes = 144;
/// Signals that fit into a packet of this size.
[[nodiscard]] constexpr std::size_t signals_within(std::size_t bytes) noexcept {
  return bytes < kStateHeaderBytes ? 0 : (bytes - kStateHeaderBytes) / 8;
}
/// The most that UDP carries, over IPv4.
inline constexpr std::size_t kLargestDatagram = 65507;

/// Everything in a state packet but its signals.
struct StateHeader {
  std::uint32_t status = 0;  // StatusBits and SessionBits
  std::uint32_t delay = 0;   // us by which the reconstruction of commands delays them
  Fingerprint fingerprint{};
  Nonce nonce{};  // of this run of the engine; goes into the tags of commands
  std::int64_t tick = 0;
  std::uint64_t heartbeat = 0;         // of this destination: one more with every packet
  std::int64_t simulated_time = 0;     // ns: tick x period
  std::int64_t wall_time = 0;          // ns since 1970, the engine's clock
  std::uint64_t command_session = 0;   // of the newest command that this tick knew;
  std::uint64_t command_sequence = 0;  // both 0 before the first
  std::int64_t input_age = -1;   // ns since that command came, at the begin of the tick; -1 before the first
  std::int64_t lag = 0;          // ns that simulated time is behind the clock
  std::uint64_t lost = 0;        // ticks that were jumped over, up to now
  std::uint64_t unrecorded = 0;  // ticks that the recorder did not take, up to now
  double margin = 1;
  double residual = 0;  // m

  bool operator==(const StateHeader&) const = default;
};

/// Writes a packet into `out` and returns its size, 144 + 8 a signal.
std::size_t encode_state(const StateHeader& header, std::span<const double> signals,
                         std::span<std::uint8_t> out) noexcept;

/// A state packet whose signals have this fingerprint; `signals`: one a signal of it.
[[nodiscard]] Refusal decode_state(const Fingerprint& fingerprint, Bytes packet, StateHeader& header,
                                   std::span<double> signals) noexcept;

}  // namespace rodeo::engine
