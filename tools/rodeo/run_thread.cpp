// SPDX-License-Identifier: MIT
// Thread, eventfd and the thread's own processor clock.
#include "tools/rodeo/run_thread.h"

#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <stdexcept>

#include "engine/loop/rights.h"

namespace rodeo::tools {
namespace {

constexpr std::int64_t kNano = 1'000'000'000;

int open_event() {
  const int file = eventfd(0, EFD_CLOEXEC);
  if (file < 0) throw std::runtime_error("cannot make an eventfd");
  return file;
}

}  // namespace

LoopThread::LoopThread(std::optional<engine::RealtimeOptions> realtime)
    : options_(realtime), realtime_(promise_.get_future().share()), done_file_(open_event()) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ready_.get_future().wait();
}

LoopThread::~LoopThread() {
  stop();
  close(done_file_);
}

void LoopThread::stop() {
  if (!thread_.joinable()) return;
  loop_ == nullptr ? start_.set_value() : loop_->request_stop();
  thread_.join();
}

void LoopThread::start(engine::Loop& loop) {
  loop_ = &loop;
  begin_ = calc_time(CLOCK_MONOTONIC);
  start_.set_value();
}

std::int64_t LoopThread::calc_time(clockid_t clock) {
  timespec time{};
  return clock_gettime(clock, &time) == 0 ? std::int64_t{time.tv_sec} * kNano + time.tv_nsec : -1;
}

void LoopThread::run() {
  engine::Realtime realtime = options_ ? engine::set_up_realtime(*options_) : engine::Realtime{};
  engine::drop_capabilities();
  ready_.set_value();
  start_.get_future().wait();
  if (loop_ == nullptr) return;
  if (options_) engine::lock_memory(realtime);
  promise_.set_value(std::move(realtime));
  run_loop();
}

void LoopThread::run_loop() {
  clockid_t clock = 0;
  pthread_getcpuclockid(pthread_self(), &clock);
  clock_ = clock;
  loop_->run();
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
