// SPDX-License-Identifier: MIT
// How far a run has come, for work that counts its own steps: `[=====.....] 48 %, 7 s left` on stderr, on a terminal
// only and not before two seconds. Progress (progress.h) is for work in stages.
#pragma once
#include <chrono>
#include <cstdio>
#include <string>

namespace rodeo::tools {

class FractionBar {
 public:
  explicit FractionBar(std::chrono::milliseconds delay = std::chrono::seconds(2), std::FILE* file = stderr);
  ~FractionBar() { finish(); }
  FractionBar(const FractionBar&) = delete;
  FractionBar& operator=(const FractionBar&) = delete;

  /// Cheap enough for every thousandth step: looks at the clock, draws five times a second.
  void show(double fraction);
  /// Removes the line; call it before printing anything else.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  std::FILE* file_;
  bool is_terminal_;
  bool is_shown_ = false;
  Clock::time_point start_;
  Clock::time_point next_;
};

/// `[=====.....] 48 %, 7 s left`
[[nodiscard]] std::string fraction_line(double fraction, double elapsed_s);

}  // namespace rodeo::tools
