// SPDX-License-Identifier: MIT
// Everything that a tick depends on. What is not in here cannot change the machine, so a recording of these is a recording
// of the run: run, replay, simulate and take-over differ only in where the TickInputs come from.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "engine/step/limiter.h"

namespace rodeo::engine {

/// What an instructor asks for. Values are fixed: they are recorded and sent.
enum class Verb : std::uint8_t {
  none = 0,
  run = 1,     // leave freeze
  freeze = 2,  // the machine's time stands still: pose, rates and accelerations stay as they are
  step = 3,    // one tick, then freeze
  reset = 4,  // initial condition 0, at rest; clears the latches. As load and restore a jump: see VerbRefusal
  load = 5,   // initial condition `slot`, at rest
  snapshot = 6,  // keep the machine's state under `slot`
  restore = 7,   // return to it; refused if there is none
  rearm = 8,     // clears every latch where the machine stands; after an emergency stop: see VerbRefusal
  release = 9,   // its sender lets others take the command over; the machine does nothing
};

/// What the loop found at a tick; a byte of these. Values are fixed.
enum TickEvent : std::uint8_t {
  kStaleInput = 1U << 0,     // the watchdog's verdict: no valid command within the timeout
  kEmergencyStop = 1U << 1,  // an emergency stop was received
  kOverrun = 1U << 2,        // the policy `halt` saw a late tick
  kUnarmed = 1U << 3,   // with kStaleInput: no command since the start or the last rearm, so nothing to latch
  kTwoSteps = 1U << 4,  // with Verb::rearm: its sender has let go of it since the last emergency stop
};

/// Who sent a stop or a verb: for the record, no tick depends on it.
struct Origin {
  std::array<char, 56> name{};  // `192.168.1.7:40321` or `terminal`, ended by 0; empty: nobody
  std::uint64_t session = 0;    // of its packets
};

struct TickInput {
  std::uint32_t skipped = 0;  // ticks that were jumped over just before this one
  Verb verb = Verb::none;
  std::uint8_t slot = 0;
  std::uint8_t events = 0;            // TickEvents
  std::span<const Command> commands;  // one a drive, finite
  std::span<const double>
      forces{};     // one a force of the kernel, or empty: all 0; finite, of the last valid packet
  Origin origin{};  // of the emergency stop, if there is one, else of the verb
};

}  // namespace rodeo::engine
