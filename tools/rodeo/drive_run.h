// SPDX-License-Identifier: MIT
// The loop of `rodeo drive`: waits for the next slot, a key or a signal, and sends.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "engine/net/sender.h"
#include "tools/rodeo/drive_source.h"
#include "tools/rodeo/run_console.h"

namespace rodeo::tools {

struct DriveReport {
  std::uint64_t packets = 0;  // sent
  std::uint64_t missed = 0;   // slots that were not sent: this program was too late
  bool is_whole = false;      // not stopped by a signal
  std::string lapse{};        // what kept the machine from doing all of it, to be followed by ` of FILE`
};

struct DriveRun {
  const SignalFile& signals;
  engine::Sender& sender;
  DriveSource& source;
  double rate = 100;
  bool has_keys = false;                       // standard input is for the source
  std::function<void()> on_key = nullptr;      // after keys were taken
  std::function<void(double)> show = nullptr;  // the fraction done
  bool rearms = false;                         // with the first packet
  std::function<void()> on_answer = nullptr;   // once a second: the sender's answer() is new
};

/// Until the source, the person or a signal ends it. Where that was a person or a signal, rates end with a packet of zeros. Throws
/// NetError if nobody listens any more.
[[nodiscard]] DriveReport run_drive(const DriveRun& run);

}  // namespace rodeo::tools
