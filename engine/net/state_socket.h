// SPDX-License-Identifier: MIT
// The socket of one destination: non-blocking, connected, so that the system need not look up the way for every packet.
#pragma once
#include <cstdint>

#include "engine/net/destination.h"
#include "engine/net/wire.h"

namespace rodeo::engine {

enum class SendResult : std::uint8_t { sent, unreachable, failed };

class StateSocket {
 public:
  /// Throws NetError.
  explicit StateSocket(const Destination& destination);
  ~StateSocket();
  StateSocket(StateSocket&& other) noexcept;
  StateSocket(const StateSocket&) = delete;
  StateSocket& operator=(const StateSocket&) = delete;
  StateSocket& operator=(StateSocket&&) = delete;

  /// `unreachable`: the computer there has said that nobody listens, to this packet or an earlier one.
  [[nodiscard]] SendResult try_send(Bytes packet) const noexcept;

 private:
  int file_ = -1;
};

}  // namespace rodeo::engine
