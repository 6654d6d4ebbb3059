// SPDX-License-Identifier: MIT
#include "viz/feed/chart.h"

#include <cmath>

namespace rodeo::viz {

ChartLines build_chart(const Track& track, const Scene& scene, const Signal& signal, const Sample& now,
                       double seconds) {
  constexpr std::size_t kMost = 400;
  const std::size_t first = track.find_row(now.time - seconds), last = track.find_row(now.time);
  const std::size_t stride = (last - first) / kMost + 1;
  ChartLines lines(1);
  const auto add = [&](double time, double value) {
    if (std::isfinite(value)) lines.back().emplace_back(time, value);
  };
  for (std::size_t r = first; r <= last; ++r) {
    const bool is_begin = r > first && !track.is_joined(r);
    const bool is_end = r < last && !track.is_joined(r + 1);
    if (is_begin && !lines.back().empty()) lines.emplace_back();
    if (is_begin || is_end || (r - first) % stride == 0)
      add(track.time(r), signal.calc_value(scene, track.row(r)));
  }
  add(now.time, signal.calc_value(scene, now));
  return lines;
}

}  // namespace rodeo::viz
