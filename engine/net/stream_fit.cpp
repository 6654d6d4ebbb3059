// SPDX-License-Identifier: MIT
#include "engine/net/stream_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rodeo::engine {
namespace {

/// s: packets that come faster are thinned out.
constexpr double kFastest = 0.0004;
/// Of a converter over the range of its drive: 8 bits, or a little less.
constexpr double kFewestCounts = 200;

}  // namespace

StreamFit::StreamFit(std::span<const DriveLimits> limits, std::size_t forces)
    : drives_(limits.size()),
      forces_(forces),
      times_(kSize),
      values_(kSize * limits.size()),
      forces_of_(kSize * forces),
      filters_(limits.size()) {
  for (const DriveLimits& each : limits) {
    const bool has_range = each.lower && each.upper;
    coarsest_.push_back(has_range ? (*each.upper - *each.lower) / kFewestCounts : 0);
    most_.push_back(each.acceleration.value_or(std::numeric_limits<double>::infinity()));
  }
}

void StreamFit::clear(CommandMode mode) noexcept {
  mode_ = mode;
  first_ = count_ = 0;
  for (std::size_t d = 0; d < drives_; ++d) filters_[d].clear(coarsest_[d]);
}

void StreamFit::add(double time, std::span<const Command> commands, std::span<const double> forces) noexcept {
  const bool is_thin = count_ >= 2 && this->time(count_ - 1) - this->time(count_ - 2) < kFastest;
  if (is_thin) --count_;
  if (count_ == kSize) {
    first_ = (first_ + 1) % kSize;
    --count_;
  }
  times_[slot(count_)] = time;
  std::copy(commands.begin(), commands.end(),
            values_.begin() + static_cast<std::ptrdiff_t>(slot(count_) * drives_));
  for (std::size_t d = 0; mode_ == CommandMode::position && d < drives_; ++d) {
    double& position = values_[slot(count_) * drives_ + d].position;
    position = filters_[d].calc_next(time, position);
  }
  std::copy(forces.begin(), forces.end(),
            forces_of_.begin() + static_cast<std::ptrdiff_t>(slot(count_) * forces_));
  ++count_;
}

std::size_t StreamFit::find_from(double time) const noexcept {
  std::size_t index = count_;
  while (index > 0 && this->time(index - 1) >= time) --index;
  return index;
}

/// Those within the window; a neighbour on each side in any case, and three, where there are so many.
StreamFit::Range StreamFit::find_around(std::size_t index, const Window& window) const noexcept {
  Range range{index, index + 1};
  const double at = time(index);
  while (range.begin > 0 && (range.begin == index || at - time(range.begin - 1) <= window.past))
    --range.begin;
  while (range.end < count_ && (range.end == index + 1 || time(range.end) - at <= window.ahead)) ++range.end;
  while (range.end - range.begin < 3 && range.begin > 0) --range.begin;
  while (range.end - range.begin < 3 && range.end < count_) ++range.end;
  return range;
}

/// y = c₀ + c₁u + c₂u², u = (t - t_index)/scale, by the normal equations; lower order where there are fewer.
DriveState StreamFit::calc_parabola(std::size_t index, std::size_t drive, const Window& window,
                                    double Command::*value) const noexcept {
  const Range range = find_around(index, window);
  const double middle = raw(index, drive).*value;
  if (range.end - range.begin < 2) return {middle, 0, 0};
  const double scale = std::max(time(range.end - 1) - time(index), time(index) - time(range.begin));
  double s[5] = {};
  double b[3] = {};
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const double u = (time(i) - time(index)) / scale;
    const double y = raw(i, drive).*value - middle;
    const double powers[5] = {1, u, u * u, u * u * u, u * u * u * u};
    for (int k = 0; k < 5; ++k) s[k] += powers[k];
    for (int k = 0; k < 3; ++k) b[k] += powers[k] * y;
  }
  const double two = s[0] * s[2] - s[1] * s[1];
  if (range.end - range.begin == 2) {
    return {middle + (b[0] * s[2] - b[1] * s[1]) / two, (s[0] * b[1] - s[1] * b[0]) / two / scale, 0};
  }
  // Elimination of c₀, then of c₁.
  const double m12 = s[3] - s[1] * s[2] / s[0];
  const double m22 = s[4] - s[2] * s[2] / s[0];
  const double m11 = two / s[0];
  const double r1 = b[1] - s[1] * b[0] / s[0];
  const double r2 = b[2] - s[2] * b[0] / s[0];
  const double c2 = (r2 - m12 * r1 / m11) / (m22 - m12 * m12 / m11);
  const double c1 = (r1 - m12 * c2) / m11;
  const double c0 = (b[0] - s[1] * c1 - s[2] * c2) / s[0];
  return {middle + c0, c1 / scale, 2 * c2 / (scale * scale)};
}

bool StreamFit::has_step(std::size_t index, std::size_t drive, const Window& window) const noexcept {
  const Range range = find_around(index, window);
  for (std::size_t i = range.begin + 1; i < range.end; ++i) {
    const double change = raw(i, drive).rate - raw(i - 1, drive).rate;
    if (std::abs(change) > most_[drive] * (time(i) - time(i - 1))) return true;
  }
  return false;
}

/// A lever that is pushed is no motion to be rounded: a parabola through its step would begin the other way and pass what was asked.
DriveState StreamFit::calc_rate(std::size_t index, std::size_t drive, const Window& window) const noexcept {
  return has_step(index, drive, window) ? DriveState{raw(index, drive).rate, 0, 0}
                                        : calc_parabola(index, drive, window, &Command::rate);
}

/// The mean of what the packets around say of it: x_j - v_j·u + a·u²/2.
double StreamFit::calc_position(std::size_t index, std::size_t drive, double spread,
                                double acceleration) const noexcept {
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const double u = time(i) - time(index);
    if (std::abs(u) > spread) continue;
    const Command& at = raw(i, drive);
    sum += at.position - raw(index, drive).position - at.rate * u + acceleration * u * u / 2;
    ++count;
  }
  return raw(index, drive).position + sum / count;
}

DriveState StreamFit::calc_at(std::size_t index, std::size_t drive, const Window& window,
                              double spread) const noexcept {
  const Command& own = raw(index, drive);
  switch (mode_) {
    case CommandMode::position: return calc_parabola(index, drive, window, &Command::position);
    case CommandMode::rate: {
      const DriveState rates = calc_rate(index, drive, window);
      return {0, rates.position, rates.rate};
    }
    case CommandMode::position_rate: {
      const DriveState rates = calc_parabola(index, drive, window, &Command::rate);
      return {calc_position(index, drive, spread, rates.rate), rates.position, rates.rate};
    }
    case CommandMode::motion:
      return {calc_position(index, drive, spread, own.acceleration), own.rate, own.acceleration};
    default: return {0, own.rate, own.acceleration};
  }
}

}  // namespace rodeo::engine
