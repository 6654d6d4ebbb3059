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
  /// Runs the loop at once, after the real-time setup if there is one. Other threads have been started before.
  LoopThread(engine::Loop& loop, std::optional<engine::RealtimeOptions> realtime);
  /// Asks the loop to stop and waits for it.
  ~LoopThread();
  LoopThread(const LoopThread&) = delete;
  LoopThread& operator=(const LoopThread&) = delete;

  /// Waits for the setup.
  [[nodiscard]] const engine::Realtime& realtime() const { return realtime_.get(); }
  /// A file descriptor that becomes readable when the loop has ended.
  [[nodiscard]] int done_file() const noexcept { return done_file_; }
  /// Part of one core that the loop has used up to now, or to its end.
  [[nodiscard]] double calc_load() const;

 private:
  void run();
  [[nodiscard]] static std::int64_t calc_time(clockid_t clock);

  engine::Loop& loop_;
  std::optional<engine::RealtimeOptions> options_;
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
