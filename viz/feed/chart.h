// SPDX-License-Identifier: MIT
// The last seconds of a signal as lines to draw: one ends where the machine is put elsewhere, by a reset or the like.
#pragma once
#include <utility>
#include <vector>

#include "viz/feed/signal.h"

namespace rodeo::viz {

/// Times and values, each line on its own.
using ChartLines = std::vector<std::vector<std::pair<double, double>>>;

/// From `seconds` before `now` to `now`, with a few hundred points at most besides ends of lines. The track is not empty.
[[nodiscard]] ChartLines build_chart(const Track& track, const Scene& scene, const Signal& signal,
                                     const Sample& now, double seconds);

}  // namespace rodeo::viz
