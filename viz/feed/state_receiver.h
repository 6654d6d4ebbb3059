// SPDX-License-Identifier: MIT
// The socket that an engine's states come to, in a thread of its own: they are judged and queued there until the picture takes them.
#pragma once
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/net/destination.h"
#include "engine/net/state_packet.h"

namespace rodeo::viz {

using LiveTime = std::chrono::steady_clock::time_point;

/// A state that came.
struct Arrival {
  engine::StateHeader header;
  std::vector<double> signals;
  LiveTime at;
};

/// Why a datagram is not shown.
enum class Objection : std::uint8_t {
  none,
  strange,        // no state packet at all
  json,           // a state, written with format=json
  version,        // a state packet of another version
  other_signals,  // of another machine, or other signals of this one
  not_finite,     // a signal is NaN or infinite
};
inline constexpr std::size_t kObjectionCount = 6;

/// The judgement on one datagram; `arrival` is filled only by what is shown, its signals have the size that is expected.
[[nodiscard]] Objection judge(const engine::Fingerprint& fingerprint, engine::Bytes packet, Arrival& arrival);

/// Of one objection, so far.
struct ObjectionCount {
  std::uint64_t count = 0;
  engine::Endpoint sender;  // of the last one
  LiveTime last;
};

class StateReceiver {
 public:
  /// Binds the address, an own one of this computer or a multicast group. Port 0: the system chooses. Throws engine::NetError.
  StateReceiver(const engine::Destination& from, const engine::Fingerprint& fingerprint, std::size_t signals);
  ~StateReceiver();
  StateReceiver(const StateReceiver&) = delete;
  StateReceiver& operator=(const StateReceiver&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  /// What came since the last call, in that order; at most the last few thousand.
  [[nodiscard]] std::vector<Arrival> take();
  [[nodiscard]] std::array<ObjectionCount, kObjectionCount> objections() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace rodeo::viz
