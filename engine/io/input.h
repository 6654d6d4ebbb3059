// SPDX-License-Identifier: MIT
// Where a machine's commands come from, tick by tick. A CSV today; a recording is another one of these.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "engine/step/limiter.h"

namespace rodeo::engine {

/// What is wrong with a file that is read or written, as one sentence that begins with `file:line` or `cannot`.
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Ticks are asked for in rising order.
class Input {
 public:
  Input() = default;
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  virtual ~Input() = default;

  /// The end of what it says, in nanoseconds of simulated time.
  [[nodiscard]] virtual std::int64_t end() const noexcept = 0;
  /// Commands, one a drive, at a time in nanoseconds.
  virtual void sample(std::int64_t time, std::span<Command> commands) noexcept = 0;
  /// Forces, torques and payloads from outside, one an input of the machine; 0 where it does not tell them.
  virtual void sample_forces(std::int64_t /*time*/, std::span<double> values) noexcept {
    std::fill(values.begin(), values.end(), 0.0);
  }
};

}  // namespace rodeo::engine
