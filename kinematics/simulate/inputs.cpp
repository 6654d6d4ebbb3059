// SPDX-License-Identifier: MIT
#include "kinematics/simulate/inputs.h"

#include <algorithm>
#include <cmath>

namespace rodeo::simulate {

void Inputs::set_interval(double begin, double end) noexcept {
  interval_begin_ = begin;
  interval_end_ = end;
}

double Inputs::calc_inside(double t) const noexcept {
  constexpr double kJustInside = 1e-9;  // of the interval
  const double length = interval_end_ - interval_begin_;
  if (!std::isfinite(length)) return t;
  return std::clamp(t, interval_begin_ + kJustInside * length, interval_end_ - kJustInside * length);
}

std::vector<double> Inputs::find_rows(double begin, double end) const {
  const auto& times = table_.times;
  std::vector<double> rows(std::upper_bound(times.begin(), times.end(), begin),
                           std::lower_bound(times.begin(), times.end(), end));
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

bool Inputs::steps_at(double t) const noexcept {
  const auto [first, last] = std::equal_range(table_.times.begin(), table_.times.end(), t);
  return last - first > 1;
}

void Inputs::sample(double t, double* out) noexcept {
  const auto& times = table_.times;
  const std::size_t count = table_.count;
  const auto value = [&](std::size_t row, std::size_t i) { return table_.values[row * count + i]; };
  // A row at the interval's end begins the segment after it, which is not this interval's.
  const auto has_begun = [&](std::size_t row) {
    return t >= interval_end_ ? times[row] < t : times[row] <= t;
  };
  while (row_ > 0 && !has_begun(row_)) --row_;
  while (row_ + 1 < times.size() && has_begun(row_ + 1)) ++row_;
  const bool is_outside = times.size() < 2 || row_ + 1 == times.size() || t < times.front();
  for (std::size_t i = 0; i < count; ++i) {
    const double first = value(row_, i);
    const double slope = is_outside ? 0.0 : (value(row_ + 1, i) - first) / (times[row_ + 1] - times[row_]);
    out[i] = is_outside ? first : first + slope * (t - times[row_]);
    out[count + i] = slope;
  }
}

}  // namespace rodeo::simulate
