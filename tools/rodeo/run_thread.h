// SPDX-License-Identifier: MIT
// The loop in a thread of its own, made as punctual as the machine allows.
#pragma once
#include <atomic>
#include <future>
#include <optional>
#include <thread>

#include "engine/loop/loop.h"
#include "engine/loop/realtime.h"

namespace rodeo::tools {

class LoopThread {
 public:
  /// Sets up real time, if it is asked for, and gives up the thread's capabilities: both have happened when this returns. Then
  /// the thread waits for its loop. Signals do not reach it.
  explicit LoopThread(std::optional<engine::RealtimeOptions> realtime);
  ~LoopThread();  // as stop()
  LoopThread(const LoopThread&) = delete;
  LoopThread& operator=(const LoopThread&) = delete;

  /// Once, when everything is loaded and the other threads have been started.
  void start(engine::Loop& loop);
  /// Asks the loop to stop, if there is one, and waits for it: before the loop goes.
  void stop();
  /// After start(): waits for the setup.
  [[nodiscard]] const engine::Realtime& realtime() const { return realtime_.get(); }
  /// A file descriptor that becomes readable when the loop has ended.
  [[nodiscard]] int done_file() const noexcept { return done_file_; }
  /// Part of one core that the loop has used up to now, or to its end.
  [[nodiscard]] double calc_load() const;

 private:
  void run();
  void run_loop();
  [[nodiscard]] static std::int64_t calc_time(clockid_t clock);

  std::optional<engine::RealtimeOptions> options_;
  engine::Loop* loop_ = nullptr;
  std::promise<void> ready_, start_;
  std::promise<engine::Realtime> promise_;
  std::shared_future<engine::Realtime> realtime_;
  int done_file_;
  // ns of processor and wall time: at the begin, and what was used once it has ended (0 before)
  std::int64_t begin_ = 0;
  std::atomic<clockid_t> clock_{0};
  std::atomic<std::int64_t> used_{0};
  std::atomic<std::int64_t> lasted_{0};
  std::thread thread_;
};

}  // namespace rodeo::tools
