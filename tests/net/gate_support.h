// SPDX-License-Identifier: MIT
// A gate as tests ask it, and the packets that they ask it with.
#pragma once
#include <sodium.h>

#include "engine/net/command_gate.h"
#include "tests/net/support.h"

namespace rodeo::engine::testing_support {

/// A gate with what it last let through.
class Gate {
 public:
  explicit Gate(const GateOptions& options = {}) : gate_(two_drives(), options) {}

  Refusal check(const Datagram& packet, const IpAddress& sender = kLocal) {
    return check(packet, Endpoint{sender, 4000});
  }
  Refusal check(const Datagram& packet, const Endpoint& sender) {
    return gate_.check(packet, sender, header, commands);
  }
  Refusal check(const HandMade& hand) { return check(hand.bytes()); }

  [[nodiscard]] const std::optional<Clip>& clip() const { return gate_.clip(); }
  [[nodiscard]] bool had_values() const { return gate_.had_values(); }
  [[nodiscard]] bool is_stop() const { return gate_.stop().has_value(); }
  [[nodiscard]] Nonce nonce() const { return gate_.nonce(); }
  [[nodiscard]] bool is_occupied() const { return gate_.is_occupied(); }
  void set_now(double seconds) { gate_.set_now(static_cast<std::int64_t>(1e9 * seconds)); }

  CommandHeader header;
  std::vector<Command> commands{2, Command::moving(0)};

 private:
  CommandGate gate_;
};

inline HandMade numbered(std::uint64_t session, std::uint64_t sequence) {
  HandMade hand;
  hand.session = session;
  hand.sequence = sequence;
  return hand;
}

inline HandMade verb_alone(std::uint64_t session, std::uint64_t sequence) {
  HandMade hand = numbered(session, sequence);
  hand.mode = 0;
  hand.values = {};
  return hand;
}

/// Tagged by the library's own function, not by the engine's.
inline Datagram tagged(const HandMade& hand, const Key& key, const Nonce& nonce) {
  Datagram packet = hand.bytes();
  Datagram message(nonce.begin(), nonce.end());
  message.insert(message.end(), packet.begin(), packet.end());
  std::array<std::uint8_t, 32> tag{};
  crypto_generichash(tag.data(), tag.size(), message.data(), message.size(), key.data(), key.size());
  packet.insert(packet.end(), tag.begin(), tag.end());
  return packet;
}

}  // namespace rodeo::engine::testing_support
