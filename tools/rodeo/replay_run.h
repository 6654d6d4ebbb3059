// SPDX-License-Identifier: MIT
// What replay, export and simulate share: a recording run through a session to its end, with a progress bar, until Ctrl-C.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "engine/io/log.h"
#include "engine/record/recording.h"
#include "engine/record/replay.h"

namespace rodeo::tools {

struct ReplayResult {
  std::int64_t ticks = 0;   // computed and compared
  std::int64_t passed = 0;  // recorded, but behind a hole and before the next checkpoint
  std::int64_t time = 0;    // ns of simulated time at the end
  std::uint64_t checksum = 0;
  std::optional<std::int64_t> first_difference;  // a tick
  std::uint32_t status_seen = 0;                 // every bit that was ever set
  std::optional<std::int64_t> first_halt;        // a tick
  std::string what_differs{};                    // at the first difference
};

/// Ticks up to the simulated time `until`, ns; `on_tick` sees the session after each. Ctrl-C: one line on stderr, exit status 3.
ReplayResult run_replay(engine::Replay& replay, std::int64_t tick_count,
                        const std::function<void(const engine::Session&)>& on_tick = {},
                        std::int64_t until = std::numeric_limits<std::int64_t>::max());

/// The same into a log, the start first: the log of a run from what was recorded of it.
ReplayResult run_replay_into(engine::LogWriter& log, engine::Replay& replay, std::int64_t tick_count,
                             std::int64_t until = std::numeric_limits<std::int64_t>::max());

/// What a recording has not, a note each on stderr.
void print_missing(const engine::Recording& recording);
/// Exit status 1 if the recording is not whole: what was made of it is not the whole run. After print_missing.
void check_whole(const engine::Recording& recording);

}  // namespace rodeo::tools
