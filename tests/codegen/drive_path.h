// SPDX-License-Identifier: MIT
// Smooth paths of the drives through their ranges, from the start values, with both derivatives.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/codegen/built_kernel.h"
#include "tests/reference/absolute_oracle.h"

namespace rodeo::codegen {

using reference::Command;

/// A drive with a range swings over 98 % of it; one without, over `reach` about its start (radians, or sizes of the
/// machine); a lone angle without a range turns on and on. Every drive at its own pace.
class DrivePath {
 public:
  DrivePath(const machine::Machine& machine, std::vector<double> start, double size, double reach)
      : start_(std::move(start)), reach_(reach), turns_(machine.drives.size() == 1 && reach >= 1.0) {
    for (std::size_t d = 0; d < start_.size(); ++d) {
      const machine::Drive& drive = machine.drives[d];
      const bool is_angle =
          drive.kind == machine::DriveKind::angle || drive.kind == machine::DriveKind::relative_angle;
      const bool has_range = drive.lower && drive.upper && drive.upper->value - drive.lower->value < 15.0;
      turns_ = turns_ && is_angle && !has_range;
      double half = is_angle ? reach : 0.25 * reach * size;
      double middle = start_[d];
      if (has_range) {
        const double whole = 0.49 * (drive.upper->value - drive.lower->value);
        half = std::min(1.0, reach) * whole;
        middle = std::clamp(start_[d], drive.lower->value + 0.02 * whole + half,
                            drive.upper->value - 0.02 * whole - half);
        start_[d] = std::clamp(start_[d], middle - half, middle + half);
      }
      waves_.push_back({middle, half, 0.7 + 0.23 * static_cast<double>(d),
                        std::asin(std::clamp((start_[d] - middle) / half, -1.0, 1.0))});
    }
  }

  [[nodiscard]] Command at(double t) const {
    Command command;
    for (std::size_t d = 0; d < waves_.size(); ++d) {
      const Wave& w = waves_[d];
      const double angle = w.pace * t + w.phase;
      command.position.push_back(w.middle + w.half * std::sin(angle));
      command.rate.push_back(w.half * w.pace * std::cos(angle));
      command.acceleration.push_back(-w.half * w.pace * w.pace * std::sin(angle));
      if (!turns_) continue;  // 0.8 t + 0.2 sin 1.7 t: both directions of acceleration, 12.8 rad in 16 s
      command.position.back() = start_[d] + 0.8 * t + 0.2 * std::sin(1.7 * t);
      command.rate.back() = 0.8 + 0.34 * std::cos(1.7 * t);
      command.acceleration.back() = -0.578 * std::sin(1.7 * t);
    }
    return command;
  }

  /// 1: ranges are used whole, angles without a range turn.
  [[nodiscard]] double reach() const noexcept { return reach_; }

  static constexpr double kDuration = 16.0;

 private:
  struct Wave {
    double middle, half, pace, phase;
  };
  std::vector<double> start_;
  double reach_;
  std::vector<Wave> waves_;
  bool turns_;
};

/// As step() takes it.
inline std::vector<double> to_drives(const Command& command) {
  std::vector<double> drives;
  for (std::size_t d = 0; d < command.position.size(); ++d)
    drives.insert(drives.end(), {command.position[d], command.rate[d], command.acceleration[d]});
  return drives;
}

/// The widest path that the kernel takes to its end at 1 kHz: the reach shrinks until nothing is refused.
inline DrivePath find_path(const machine::Machine& machine, const rodeo_kernel* kernel, double size,
                           const std::vector<double>& parameters, const std::vector<double>& start) {
  for (double reach = 1.0; reach > 0.01; reach *= 0.8) {
    const DrivePath path(machine, start, size, reach);
    Instance instance(kernel);
    std::vector<double> outputs;
    bool whole = instance.init(parameters, start) == RODEO_OK;
    for (int i = 0; whole && i <= static_cast<int>(1000 * DrivePath::kDuration); ++i)
      whole = instance.step(to_drives(path.at(0.001 * i)), outputs) == RODEO_OK;
    if (whole) return path;
  }
  throw std::runtime_error("the kernel refuses every path");
}

}  // namespace rodeo::codegen
