// SPDX-License-Identifier: MIT
// CLOCK_MONOTONIC. NTP may bend its rate a little, but never sets it.
#include "engine/loop/clock.h"

#include <time.h>

#include <cerrno>

namespace rodeo::engine {
namespace {

constexpr std::int64_t kNano = 1'000'000'000;

}  // namespace

std::int64_t MonotonicClock::now() noexcept {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * kNano + time.tv_nsec;
}

void MonotonicClock::sleep_until(std::int64_t time) noexcept {
  const timespec until{.tv_sec = time / kNano, .tv_nsec = time % kNano};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
}

}  // namespace rodeo::engine
