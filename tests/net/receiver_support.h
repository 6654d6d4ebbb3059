// SPDX-License-Identifier: MIT
// A receiver on loopback and a plain socket beside it.
#pragma once
#include <gtest/gtest.h>

#include "engine/net/receiver.h"
#include "tests/net/support.h"

namespace rodeo::engine::testing_support {

class ReceiverOnLoopback : public testing::Test {
 protected:
  void open(const ReceiverOptions& options = on_loopback()) {
    receiver_ = std::make_unique<Receiver>(thread_, two_drives(), options);
  }
  void send(const Datagram& packet) { socket_.send(packet, receiver_->endpoint().port); }
  void send(const HandMade& hand) { send(hand.bytes()); }
  bool is_accepted(std::uint64_t count) {
    return comes_true([&] { return receiver_->counts().accepted >= count; });
  }
  bool is_refused(Refusal why, std::uint64_t count = 1) {
    return comes_true([&] { return receiver_->counts().refused_for(why) >= count; });
  }

  NetThread thread_;
  std::unique_ptr<Receiver> receiver_;
  PlainSocket socket_;
  LoopSample loop_;
};

inline HandMade numbered(std::uint64_t sequence, std::vector<double> values = {1.5, 0.25}) {
  HandMade hand;
  hand.sequence = sequence;
  hand.values = std::move(values);
  return hand;
}

inline HandMade verb_packet(std::uint64_t sequence, Verb verb, std::uint8_t slot = 0) {
  HandMade hand = numbered(sequence, {});
  hand.mode = 0;
  hand.verb = static_cast<std::uint8_t>(verb);
  hand.slot = slot;
  return hand;
}

}  // namespace rodeo::engine::testing_support
