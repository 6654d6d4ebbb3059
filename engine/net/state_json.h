// SPDX-License-Identifier: MIT
// A state as a line of JSON, for PlotJuggler's UDP source (its field `timestamp` is the simulated time, s) and for any script:
//     {"timestamp":1.25,"rodeo":{"tick":1250,"heartbeat":125,...},"lift":1.27,"boom.angle":-0.53}
#pragma once
#include <span>
#include <string>
#include <vector>

#include "engine/net/state_packet.h"

namespace rodeo::engine {

class StateJson {
 public:
  explicit StateJson(std::span<const Channel> signals);

  /// Replaces `text`.
  void write(const StateHeader& header, std::span<const double> signals, std::string& text) const;

  /// No text is longer, whatever its numbers are.
  [[nodiscard]] std::size_t most_bytes() const noexcept { return most_bytes_; }
  /// How many signals, from the first, certainly fit.
  [[nodiscard]] std::size_t signals_within(std::size_t bytes) const noexcept;

 private:
  std::vector<std::string> keys_;  // `,"boom.angle":`
  std::size_t most_bytes_;
};

}  // namespace rodeo::engine
