// SPDX-License-Identifier: MIT
#include "kinematics/simulate/inputs.h"

namespace rodeo::simulate {

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
