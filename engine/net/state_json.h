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
  /// No part is longer than `most_bytes`, whatever its numbers are. Throws AddressError for a name that alone is too long.
  StateJson(std::span<const Channel> signals, std::size_t most_bytes);

  [[nodiscard]] std::size_t part_count() const noexcept { return ends_.size(); }
  /// Replaces `text` by the part of this number, from 0 on. `signals`: all of them.
  void write(std::size_t part, const StateHeader& header, const LinkReport& link,
             std::span<const double> signals, std::string& text) const;

 private:
  std::vector<std::string> keys_;  // `,"boom.angle":`
  std::vector<std::size_t> ends_;  // a part each: the signal behind its last one
};

}  // namespace rodeo::engine
