// SPDX-License-Identifier: MIT
// What `rodeo drive` learns of the machine that it commands, from the answers to its hellos: latched, packets refused. A sentence each
// time that it begins or grows, for the person at this terminal.
#pragma once
#include <string>
#include <vector>

#include "engine/net/hello.h"

namespace rodeo::tools {

class DriveNotices {
 public:
  /// `first`: the answer before the first packet; what the engine refused up to there was not ours. `rearms`: the first packet of this
  /// sender releases the machine.
  DriveNotices(const engine::Answer& first, bool rearms);

  /// Before the first packet.
  [[nodiscard]] std::vector<std::string> begin() const;
  /// A later answer.
  [[nodiscard]] std::vector<std::string> take(const engine::Answer& answer);
  /// Whether every answer, the first one too, said that it is latched, and nobody has asked to release it.
  [[nodiscard]] bool is_stuck() const noexcept { return is_stuck_; }

 private:
  std::string name_;
  engine::PacketCounts counts_;
  std::uint32_t latches_ = 0;
  bool rearms_;
  bool is_stuck_;
};

}  // namespace rodeo::tools
