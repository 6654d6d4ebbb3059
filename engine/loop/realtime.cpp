// SPDX-License-Identifier: MIT
// Linux: sched_setscheduler, mlockall, sched_setaffinity, PR_SET_TIMERSLACK and /dev/cpu_dma_latency.
#include "engine/loop/realtime.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace rodeo::engine {
namespace {

constexpr std::size_t kStackBytes = 256 * 1024;  // more than the loop ever uses

std::string find_reason(int error) { return error == EPERM ? "not permitted" : std::strerror(error); }

bool try_fifo(int priority, Realtime& result) {
  sched_param parameter{};
  parameter.sched_priority = priority;
  // what a model might start is not punctual by inheritance
  if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameter) == 0) return true;
  result.warnings.push_back(fmt::format("no SCHED_FIFO priority {}: {}", priority, find_reason(errno)));
  return false;
}

bool try_pin(int core, Realtime& result) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (core >= 0 && core < CPU_SETSIZE) CPU_SET(static_cast<std::size_t>(core), &set);
  if (sched_setaffinity(0, sizeof set, &set) == 0) return true;  // 0: this thread
  const std::string reason = errno == EINVAL ? "there is no such core" : find_reason(errno);
  result.warnings.push_back(fmt::format("not on core {}: {}", core, reason));
  return false;
}

/// What is taken later is locked by a process without capabilities, within its limit.
void raise_memory_limit() {
  constexpr rlimit kNone{RLIM_INFINITY, RLIM_INFINITY};
  static_cast<void>(setrlimit(RLIMIT_MEMLOCK, &kNone));  // root may
  static_cast<void>(mlockall(MCL_CURRENT));
}

/// A page of the stack that is first touched within a tick costs a page fault there.
[[gnu::noinline]] void touch_stack() {
  char stack[kStackBytes];
  std::memset(stack, 0, sizeof stack);
  asm volatile("" : : "r"(stack) : "memory");  // it is used, as far as the compiler knows
}

/// Asks the processor for wake-up within 0 us while the file is open, which is as long as the program runs. A machine that
/// has no such file has no such sleep; cyclictest does the same.
void try_stay_awake(Realtime& result) {
  static int file = -1;
  if (file >= 0) return;
  file = open("/dev/cpu_dma_latency", O_RDWR | O_CLOEXEC);
  if (file < 0 && errno != ENOENT) {
    result.warnings.push_back(fmt::format("the processor may sleep deeply: {}", find_reason(errno)));
  }
  const std::int32_t microseconds = 0;
  if (file >= 0) static_cast<void>(!write(file, &microseconds, sizeof microseconds));
}

}  // namespace

Realtime set_up_realtime(const RealtimeOptions& options) {
  Realtime result;
  prctl(PR_SET_TIMERSLACK, 1UL);  // ns; what a thread without SCHED_FIFO is woken late by is 50 us else
  raise_memory_limit();
  touch_stack();
  try_stay_awake(result);
  if (options.core) result.is_pinned = try_pin(*options.core, result);
  result.is_fifo = try_fifo(options.priority, result);
  return result;
}

/// Memory that is allocated later can be locked too only where there is no limit: past a limit it would be refused.
void lock_memory(Realtime& result) {
  rlimit limit{};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  const int future = limit.rlim_cur == RLIM_INFINITY ? MCL_FUTURE : 0;
  result.is_locked = mlockall(MCL_CURRENT | future) == 0;
  if (result.is_locked) return;
  const std::string reason = errno == ENOMEM ? "over the limit of locked memory" : find_reason(errno);
  result.warnings.push_back(fmt::format("memory is not locked: {}", reason));
}

}  // namespace rodeo::engine
