// SPDX-License-Identifier: MIT
// What a long command is doing, on a line of its own on stderr that goes away at the end. Only a person needs it: it
// appears on a terminal alone, and not before two seconds. A stage may be one long call, so a thread keeps the line.
#pragma once
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace rodeo::tools {

class Progress {
 public:
  enum Stage : int { reading, assembling, mobility, bond_graph, causality, equations, blocks, writing };

  explicit Progress(std::chrono::milliseconds delay = std::chrono::seconds(2), int file = STDERR_FILENO);
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void begin(Stage stage) { stage_ = stage; }
  /// Removes the line; call it before printing anything else.
  void finish();

 private:
  void show(const std::stop_token& stop, std::chrono::milliseconds delay);

  int file_;
  std::atomic<Stage> stage_ = reading;
  std::mutex mutex_;
  std::condition_variable_any stopped_;
  std::jthread thread_;  // none without a terminal
};

/// `[=====.........]  causality, 4 s`
[[nodiscard]] std::string progress_line(Progress::Stage stage, std::chrono::seconds elapsed);

}  // namespace rodeo::tools
