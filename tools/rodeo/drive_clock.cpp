// SPDX-License-Identifier: MIT
#include "tools/rodeo/drive_clock.h"

#include <sys/timerfd.h>
#include <unistd.h>

#include <cmath>
#include <ctime>
#include <stdexcept>

namespace rodeo::tools {
namespace {

constexpr std::int64_t kNano = 1'000'000'000;

timespec to_timespec(std::int64_t time) { return {time / kNano, time % kNano}; }

}  // namespace

DriveClock::DriveClock(double rate)
    : period_(std::llround(static_cast<double>(kNano) / rate)),
      file_(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)) {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const itimerspec slots{to_timespec(period_), now};  // the first one is past: at once
  if (file_ < 0 || ::timerfd_settime(file_, TFD_TIMER_ABSTIME, &slots, nullptr) != 0) {
    throw std::runtime_error("cannot make a timerfd");
  }
}

DriveClock::~DriveClock() { ::close(file_); }

std::uint64_t DriveClock::take() const {
  std::uint64_t passed = 0;
  return ::read(file_, &passed, sizeof passed) == sizeof passed ? passed : 0;
}

}  // namespace rodeo::tools
