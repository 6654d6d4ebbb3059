// SPDX-License-Identifier: MIT
// `rodeo replay --take-over`: from the past into the present. The recording is run again up to a tick, then the same session
// goes on in the real-time loop. With --record the new recording holds both, from tick 0 on, and can be replayed as one.
#pragma once
#include <cstdint>

#include "engine/record/recording.h"
#include "tools/rodeo/run_options.h"
#include "tools/rodeo/run_thread.h"

namespace rodeo::tools {

/// Takes over at the first recorded tick from `tick` on; 0 is the start. `options` but for what the recording decides: model,
/// rate, initial conditions, on-stale. `thread`: set up, before the recording was read. Throws IoError if the recording does not go that far, or no longer as it went.
void take_over(const engine::Recording& recording, std::int64_t tick, RunOptions options, LoopThread& thread);

}  // namespace rodeo::tools
