// SPDX-License-Identifier: MIT
// A number of a sample by its name, as the columns of a log: `lift`, `lift.rate` of a drive or an output of length or
// angle, `boom.angle`, `boom.rate`, `tip.x`, `tip.y`, `tip.speed`, `residual`, `margin`. And states in words.
#pragma once
#include <string>

#include "viz/feed/track.h"

namespace rodeo::viz {

class Signal {
 public:
  /// Throws SceneError with the names that there are.
  Signal(const Scene& scene, const std::string& name);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const std::string& unit() const noexcept { return unit_; }
  [[nodiscard]] double calc_value(const Scene& scene, const Sample& sample) const noexcept;

 private:
  enum class Kind { drive, drive_rate, measure, measure_rate, angle, rate, x, y, z, speed, residual, margin };
  [[nodiscard]] bool find(const Scene& scene, const std::string& stem, const std::string& ending);

  std::string name_;
  std::string unit_;
  Kind kind_ = Kind::margin;
  std::size_t index_ = 0;
};

/// Whether there is one of that name.
[[nodiscard]] bool is_signal(const Scene& scene, const std::string& name);

enum class Mood { good, warning, bad };

/// What a machine is doing, in a word or two, from the status of a state.
struct Condition {
  std::string text;
  Mood mood = Mood::good;
};
[[nodiscard]] Condition describe_status(std::uint32_t status);

}  // namespace rodeo::viz
