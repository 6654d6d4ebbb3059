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
  /// What kept the machine from doing all that it was sent, to be followed by ` of FILE`; empty if no answer says so.
  [[nodiscard]] std::string describe_lapse() const;

 private:
  std::string name_;
  engine::PacketCounts counts_;
  bool has_drives_;
  std::uint32_t status_;
  std::uint32_t latches_ = 0;
  std::uint32_t fallen_ = 0;  // latches that came on the way
  bool rearms_;
  bool
      is_stuck_;  // every answer, the first one too, said that it is latched, and nobody has asked to release it
};

}  // namespace rodeo::tools
