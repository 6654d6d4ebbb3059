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

/// For the calling thread, while the program has the capabilities that it was given. Allocates.
[[nodiscard]] Realtime set_up_realtime(const RealtimeOptions& options);

/// Of the whole process, when everything is loaded and the other threads have been started, by then without capabilities: what the
/// limit allows, which set_up_realtime raised where it could. Allocates.
void lock_memory(Realtime& result);

}  // namespace rodeo::engine
