// SPDX-License-Identifier: MIT
#include "viz/plot/areas.h"

#include <algorithm>
#include <cmath>

namespace rodeo::plot {
namespace {

// Pixels.
constexpr int kWidth = 960;
constexpr int kPanelHeight = 260;
constexpr int kAloneHeight = 460;
constexpr int kLeastEqual = 340;
constexpr int kMostEqual = 660;
constexpr int kLeft = 84;
constexpr int kRight = 24;
constexpr int kShadeRight = 110;  // room for the bar of colours
constexpr int kTitle = 30;
constexpr int kLegend = 22;
constexpr int kGap = 14;
constexpr int kBottom = 56;

/// Lines that the legend takes, at about 8 pixels a letter.
int count_legend_rows(const Panel& panel, int width) {
  if (!has_legend(panel)) return 0;
  std::size_t longest = 0;
  for (const Series& series : panel.series) longest = std::max(longest, series.name.size());
  const int each = static_cast<int>(longest) * 8 + 60;
  const int in_row = std::max(1, width / each);
  return (static_cast<int>(panel.series.size()) + in_row - 1) / in_row;
}

int calc_right(const Figure& figure) {
  const bool any = std::any_of(figure.panels.begin(), figure.panels.end(), has_shades);
  return any ? kShadeRight : kRight;
}

int calc_gap(const Panel& panel) { return panel.is_equal ? kBottom + kGap / 2 : kGap; }

int calc_head(const Figure& figure) { return kTop + (figure.title.empty() ? 0 : kTitle); }

/// Below every panel but the last; one with an axis of its own needs room for its numbers.
int calc_gaps(const Figure& figure) {
  int sum = 0;
  for (std::size_t i = 0; i + 1 < figure.panels.size(); ++i) sum += calc_gap(figure.panels[i]);
  return sum;
}

double calc_ratio(const Panel& panel) {
  const Frame frame = calc_frame(panel);
  return (frame.y.high - frame.y.low) / (frame.x.high - frame.x.low);
}

/// A path alone that is higher than wide makes the picture narrow.
int calc_plot_width(const Figure& figure) {
  const int usual = kWidth - kLeft - calc_right(figure);
  if (figure.panels.size() != 1 || !figure.panels.front().is_equal) return usual;
  const double fit = kMostEqual / calc_ratio(figure.panels.front());
  return std::clamp(static_cast<int>(fit), std::min(kLeastEqual, usual), usual);
}

int calc_panel_height(const Figure& figure, const Panel& panel, int plot_width) {
  if (!panel.is_equal) return figure.panels.size() == 1 ? kAloneHeight : kPanelHeight;
  return std::clamp(static_cast<int>(std::lround(plot_width * calc_ratio(panel))), kLeastEqual, kMostEqual);
}

}  // namespace

bool has_legend(const Panel& panel) {
  return std::any_of(panel.series.begin(), panel.series.end(),
                     [](const Series& s) { return !s.name.empty(); });
}

bool has_shades(const Panel& panel) { return !panel.shade_label.empty(); }

std::vector<Area> calc_areas(const Figure& figure, const Size& size) {
  const int plot_width = size.width - kLeft - calc_right(figure);
  int fixed = calc_head(figure) + kBottom + calc_gaps(figure);
  double needed = 0;
  for (const Panel& panel : figure.panels) {
    fixed += kLegend * count_legend_rows(panel, plot_width);
    needed += calc_panel_height(figure, panel, plot_width);
  }
  const double stretch = std::max(1, size.height - fixed) / needed;
  std::vector<Area> areas;
  double y = calc_head(figure);
  for (const Panel& panel : figure.panels) {
    const double top = y + kLegend * count_legend_rows(panel, plot_width);
    const double bottom = top + stretch * calc_panel_height(figure, panel, plot_width);
    areas.push_back({kLeft, static_cast<double>(kLeft + plot_width), top, bottom});
    y = bottom + calc_gap(panel);
  }
  return areas;
}

Size calc_size(const Figure& figure) {
  const int sides = kLeft + calc_right(figure);
  Size size{figure.width > 0 ? figure.width : calc_plot_width(figure) + sides, figure.height};
  if (size.height > 0) return size;
  const int plot_width = size.width - sides;
  size.height = calc_head(figure) + kBottom + calc_gaps(figure);
  for (const Panel& panel : figure.panels) {
    size.height +=
        kLegend * count_legend_rows(panel, plot_width) + calc_panel_height(figure, panel, plot_width);
  }
  return size;
}

}  // namespace rodeo::plot
