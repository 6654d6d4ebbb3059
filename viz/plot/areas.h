// SPDX-License-Identifier: MIT
// Where the panels of a figure are in its picture, in pixels from the top left.
#pragma once
#include <vector>

#include "viz/plot/figure.h"

namespace rodeo::plot {

inline constexpr int kTop = 14;  // above everything

struct Size {
  int width = 0;
  int height = 0;
};
/// What is asked for, or what the panels need.
[[nodiscard]] Size calc_size(const Figure& figure);

/// Within the axes.
struct Area {
  double left, right, top, bottom;
};
/// One a panel: they share what axes, legends and title leave over in proportion to what they need.
[[nodiscard]] std::vector<Area> calc_areas(const Figure& figure, const Size& size);

[[nodiscard]] bool has_legend(const Panel& panel);
/// Has it a bar of colours?
[[nodiscard]] bool has_shades(const Panel& panel);

}  // namespace rodeo::plot
