// SPDX-License-Identifier: MIT
// The last packets of a stream, and what they say of position, rate and acceleration at the moment of one of them: the parabola
// nearest to those around it (least squares), so that the jitter of a sender's clock or the steps of a lever's
// converter do not become accelerations. Positions alone may be those of a lever (LeverFilter). What the packets give themselves is taken as it is. No heap after construction.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "engine/net/lever_filter.h"
#include "engine/net/packet.h"
#include "engine/step/limiter.h"

namespace rodeo::engine {

class StreamFit {
 public:
  /// s before and after a packet within which its neighbours are asked.
  struct Window {
    double past;
    double ahead;
  };
  /// Limits: one a drive.
  StreamFit(std::span<const DriveLimits> limits, std::size_t forces);

  void clear(CommandMode mode) noexcept;
  /// Times rise. One that follows faster than any loop needs replaces the one before it.
  void add(double time, std::span<const Command> commands, std::span<const double> forces) noexcept;

  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// 0: the oldest that is kept.
  [[nodiscard]] double time(std::size_t index) const noexcept { return times_[slot(index)]; }
  [[nodiscard]] const Command& raw(std::size_t index, std::size_t drive) const noexcept {
    return values_[slot(index) * drives_ + drive];
  }
  [[nodiscard]] std::span<const double> forces(std::size_t index) const noexcept {
    return std::span(forces_of_).subspan(slot(index) * forces_, forces_);
  }
  /// The first one at or after this time; count() if there is none.
  [[nodiscard]] std::size_t find_from(double time) const noexcept;
  /// At the moment of a packet. `spread`: s around it over which positions that come with rates are averaged. Of rates the
  /// position is 0.
  [[nodiscard]] DriveState calc_at(std::size_t index, std::size_t drive, const Window& window,
                                   double spread) const noexcept;
  /// Whether the rates around a packet jump by more than the drive can.
  [[nodiscard]] bool has_step(std::size_t index, std::size_t drive, const Window& window) const noexcept;

 private:
  static constexpr std::size_t kSize = 512;
  struct Range {
    std::size_t begin;
    std::size_t end;
  };
  [[nodiscard]] std::size_t slot(std::size_t index) const noexcept { return (first_ + index) % kSize; }
  [[nodiscard]] Range find_around(std::size_t index, const Window& window) const noexcept;
  [[nodiscard]] DriveState calc_parabola(std::size_t index, std::size_t drive, const Window& window,
                                         double Command::*value) const noexcept;
  [[nodiscard]] DriveState calc_rate(std::size_t index, std::size_t drive,
                                     const Window& window) const noexcept;
  [[nodiscard]] double calc_position(std::size_t index, std::size_t drive, double spread,
                                     double acceleration) const noexcept;

  std::size_t drives_;
  std::size_t forces_;
  CommandMode mode_ = CommandMode::none;
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  std::vector<double> times_;
  std::vector<Command> values_;
  std::vector<double> forces_of_;
  std::vector<double> coarsest_;      // one a drive: the largest count of a converter
  std::vector<LeverFilter> filters_;  // the same
  std::vector<double> most_;          // the same: acceleration; infinite without a limit
};

}  // namespace rodeo::engine
