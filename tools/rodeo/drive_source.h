// SPDX-License-Identifier: MIT
// What `rodeo drive` sends, packet by packet: a cycle, a keyboard or a gamepad is one of these.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/net/hello.h"
#include "engine/net/packet.h"

namespace rodeo::tools {

struct Outgoing {
  engine::CommandMode mode = engine::CommandMode::none;
  std::vector<double> values;  // as the mode says, then the forces; 0 where they are left out
  engine::Verb verb = engine::Verb::none;
  std::uint8_t slot = 0;
  bool emergency_stop = false;
  std::uint16_t least_delay = 0;  // ms
};

class DriveSource {
 public:
  DriveSource() = default;
  DriveSource(const DriveSource&) = delete;
  DriveSource& operator=(const DriveSource&) = delete;
  virtual ~DriveSource() = default;

  /// The packet at `time`, ns since the first one. False: it is the last one.
  virtual bool fill(std::int64_t time, Outgoing& out) = 0;
  /// What was typed, if anybody types. False: the person wants to end.
  virtual bool press(std::string_view) { return true; }
  /// Whether it is known beforehand: then a packet that this computer is late for is sent late, with its own time.
  [[nodiscard]] virtual bool is_written() const { return false; }
  /// How much of it is done, 0 to 1; negative if that is not known.
  [[nodiscard]] virtual double fraction(std::int64_t) const { return -1; }
};

}  // namespace rodeo::tools
