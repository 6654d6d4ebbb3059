// SPDX-License-Identifier: MIT
// What the operating system can do for a punctual thread: SCHED_FIFO, memory that is locked and touched before, one core for
// itself, no deep sleep of the processor. Each is tried; where the machine forbids one there is a sentence about it and the
// run goes on. engine/loop/REALTIME.md tells how to allow them.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace rodeo::engine {

struct RealtimeOptions {
  int priority = 80;        // of SCHED_FIFO, 1 to 99
  std::optional<int> core;  // any if not given
};

/// What was granted, and what was not and why, a sentence each.
struct Realtime {
  bool is_fifo = false;
  bool is_locked = false;
  bool is_pinned = false;
  std::vector<std::string> warnings;
};

/// For the calling thread; memory for the whole process, so call it when the other threads have been started. Allocates.
[[nodiscard]] Realtime set_up_realtime(const RealtimeOptions& options);

}  // namespace rodeo::engine
