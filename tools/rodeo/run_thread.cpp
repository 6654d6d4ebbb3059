// SPDX-License-Identifier: MIT
// Thread, eventfd and the thread's own processor clock.
#include "tools/rodeo/run_thread.h"

#include <pthread.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <stdexcept>

namespace rodeo::tools {
namespace {

constexpr std::int64_t kNano = 1'000'000'000;

int open_event() {
  const int file = eventfd(0, EFD_CLOEXEC);
  if (file < 0) throw std::runtime_error("cannot make an eventfd");
  return file;
}

}  // namespace

LoopThread::LoopThread(engine::Loop& loop, std::optional<engine::RealtimeOptions> realtime)
    : loop_(loop),
      options_(realtime),
      realtime_(promise_.get_future().share()),
      done_file_(open_event()),
      begin_(calc_time(CLOCK_MONOTONIC)),
      thread_([this] { run(); }) {}

LoopThread::~LoopThread() {
  loop_.request_stop();
  thread_.join();
  close(done_file_);
}

std::int64_t LoopThread::calc_time(clockid_t clock) {
  timespec time{};
  return clock_gettime(clock, &time) == 0 ? std::int64_t{time.tv_sec} * kNano + time.tv_nsec : -1;
}

void LoopThread::run() {
  promise_.set_value(options_ ? engine::set_up_realtime(*options_) : engine::Realtime{});
  clockid_t clock = 0;
  pthread_getcpuclockid(pthread_self(), &clock);
  clock_ = clock;
  loop_.run();
  used_ = calc_time(clock);
  lasted_ = calc_time(CLOCK_MONOTONIC) - begin_;
  const std::uint64_t one = 1;
  static_cast<void>(!write(done_file_, &one, sizeof one));
}

double LoopThread::calc_load() const {
  const std::int64_t lasted = lasted_;
  const std::int64_t used = lasted == 0 ? calc_time(clock_) : used_.load();
  const std::int64_t wall = lasted == 0 ? calc_time(CLOCK_MONOTONIC) - begin_ : lasted;
  return used < 0 || wall <= 0 ? 0 : static_cast<double>(used) / static_cast<double>(wall);
}

}  // namespace rodeo::tools
