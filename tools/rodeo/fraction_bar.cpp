// SPDX-License-Identifier: MIT
// Drawn over itself with a carriage return, wiped with the terminal's "erase to the end of the line".
#include "tools/rodeo/fraction_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace rodeo::tools {

using namespace std::chrono_literals;

std::string fraction_line(double fraction, double elapsed_s) {
  constexpr double kWidth = 30;
  const double done = std::clamp(fraction, 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(kWidth * done);
  const std::size_t empty = static_cast<std::size_t>(kWidth) - filled;
  const double left = done > 0 ? elapsed_s * (1 - done) / done : 0;
  return fmt::format("[{}{}] {:.0f} %, {:.0f} s left", std::string(filled, '='), std::string(empty, '.'),
                     100 * done, left);
}

FractionBar::FractionBar(std::chrono::milliseconds delay, std::FILE* file)
    : file_(file), is_terminal_(::isatty(::fileno(file)) != 0), start_(Clock::now()), next_(start_ + delay) {}

void FractionBar::show(double fraction) {
  if (!is_terminal_) return;
  const auto now = Clock::now();
  if (now < next_) return;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  fmt::print(file_, "\r\x1b[K{}", fraction_line(fraction, elapsed));
  std::fflush(file_);
  is_shown_ = true;
  next_ = now + 200ms;
}

void FractionBar::finish() {
  if (!is_shown_) return;
  fmt::print(file_, "\r\x1b[K");
  std::fflush(file_);
  is_shown_ = false;
}

}  // namespace rodeo::tools
