// SPDX-License-Identifier: MIT
// A state as lines of JSON, for PlotJuggler's UDP source (its field `timestamp` is the simulated time, s) and for any script:
//     {"timestamp":1.25,"rodeo":{"tick":1250,"part":1,"parts":1,"status":131072,"status_names":["stale"],...},"lift":1.27}
// What does not fit into one datagram is split: every part is an object of its own with timestamp, tick, part and parts; the first has
// everything else that is no signal.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "engine/net/link_log.h"
#include "engine/net/state_packet.h"

namespace rodeo::engine {

class StateJson {
 public:
  /// No part is longer than `most_bytes`. Throws AddressError for a name that alone is too long.
  StateJson(std::span<const Channel> signals, std::size_t most_bytes);

  /// The parts, one at least, until the next call. Allocates while they grow.
  [[nodiscard]] std::span<const std::string> write(const StateHeader& header, const LinkReport& link,
                                                   std::span<const double> signals);

 private:
  void put_signal(std::size_t index, double value, std::size_t room);

  std::size_t most_bytes_;
  std::vector<std::string> keys_;   // `,"boom.angle":`
  std::vector<std::string> parts_;  // only grows
  std::vector<std::string> lists_;  // the signals of a part each: `,"lift":1.27,"boom.angle":-0.53`
  std::size_t used_ = 0;            // of lists_
};

}  // namespace rodeo::engine
