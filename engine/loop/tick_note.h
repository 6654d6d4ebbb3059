// SPDX-License-Identifier: MIT
// A verb or an emergency stop as the machine has taken it, from the loop to whoever tells people of it.
#pragma once
#include <cstdint>

#include "engine/session/session.h"

namespace rodeo::engine {

struct TickNote {
  std::int64_t time = 0;  // simulated, ns
  bool is_stop = false;   // an emergency stop of a machine that was not stopped before; else a verb
  Verb verb = Verb::none;
  std::uint8_t slot = 0;
  VerbRefusal refusal = VerbRefusal::none;
  Origin origin{};
};

}  // namespace rodeo::engine
