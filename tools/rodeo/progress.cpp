// SPDX-License-Identifier: MIT
// The progress line: drawn over itself with a carriage return, wiped with the terminal's "erase to the end of the line".
#include "tools/rodeo/progress.h"

#include <fmt/format.h>

#include <array>

namespace rodeo::tools {
namespace {

using namespace std::chrono_literals;

constexpr auto kNames = std::to_array({"reading", "assembling the start pose", "mobility", "bond graph",
                                       "causality", "equations", "blocks", "writing"});
constexpr auto kBetween = 200ms;

/// What a terminal does not take is lost: nobody waits for it.
void put(int file, const std::string& text) {
  [[maybe_unused]] const ssize_t written = ::write(file, text.data(), text.size());
}

}  // namespace

std::string progress_line(Progress::Stage stage, std::chrono::seconds elapsed) {
  constexpr int kWidth = 3;  // of a stage in the bar
  const auto done = static_cast<std::size_t>(kWidth * stage);
  const std::size_t left = kWidth * kNames.size() - done;
  return fmt::format("[{}{}] {}, {} s", std::string(done, '='), std::string(left, '.'),
                     kNames[static_cast<std::size_t>(stage)], elapsed.count());
}

Progress::Progress(std::chrono::milliseconds delay, int file) : file_(file) {
  if (::isatty(file) == 0) return;
  thread_ = std::jthread([this, delay](const std::stop_token& stop) { show(stop, delay); });
}

void Progress::finish() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void Progress::show(const std::stop_token& stop, std::chrono::milliseconds delay) {
  const auto start = std::chrono::steady_clock::now();
  bool is_shown = false;
  std::unique_lock lock(mutex_);
  for (auto pause = delay;; pause = kBetween, is_shown = true) {
    if (stopped_.wait_for(lock, stop, pause, [] { return false; }) || stop.stop_requested()) break;
    const auto elapsed = std::chrono::steady_clock::now() - start;
    put(file_, "\r\x1b[K" + progress_line(stage_, std::chrono::duration_cast<std::chrono::seconds>(elapsed)));
  }
  if (is_shown) put(file_, "\r\x1b[K");
}

}  // namespace rodeo::tools
