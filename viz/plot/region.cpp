// SPDX-License-Identifier: MIT
#include "viz/plot/region.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace rodeo::plot {
namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();
/// Of a cell: how far the outline may be from the smoothed one when its points are thinned.
constexpr double kStraighten = 0.25;

/// A corner of cells, by its indices: the lower left one of cell (0, 0) is (0, 0).
using Node = std::pair<std::ptrdiff_t, std::ptrdiff_t>;

/// Edges of cells with the covered side to the left, by where they begin. Two begin at a node where covered cells touch by a corner.
using Edges = std::multimap<Node, Node>;

/// Follows edges from `at` until they come back; takes them away.
std::vector<Node> take_loop(Edges& edges) {
  std::vector<Node> loop{edges.begin()->first};
  for (;;) {
    const auto next = edges.find(loop.back());
    if (next == edges.end()) return loop;
    loop.push_back(next->second);
    edges.erase(next);
  }
}

/// The middles of a loop's edges: smoother than its corners.
std::vector<std::array<double, 2>> find_middles(const std::vector<Node>& loop) {
  std::vector<std::array<double, 2>> middles;
  for (std::size_t i = 0; i + 1 < loop.size(); ++i) {
    middles.push_back({static_cast<double>(loop[i].first + loop[i + 1].first) / 2,
                       static_cast<double>(loop[i].second + loop[i + 1].second) / 2});
  }
  middles.push_back(middles.front());
  return middles;
}

/// Each point the mean of its neighbours around the closed path: takes the stairs of the cells away.
std::vector<std::array<double, 2>> smooth(const std::vector<std::array<double, 2>>& path) {
  constexpr std::size_t kReach = 3;
  const std::size_t count = path.size() - 1;  // the last is the first
  if (count < 4 * kReach) return path;
  std::vector<std::array<double, 2>> result(path.size(), {0, 0});
  for (std::size_t i = 0; i <= count; ++i) {
    for (std::size_t k = 0; k <= 2 * kReach; ++k) {
      const auto& point = path[(i + count + k - kReach) % count];
      result[i][0] += point[0] / (2 * kReach + 1);
      result[i][1] += point[1] / (2 * kReach + 1);
    }
  }
  return result;
}

double calc_distance(const std::array<double, 2>& p, const std::array<double, 2>& a,
                     const std::array<double, 2>& b) {
  const double dx = b[0] - a[0], dy = b[1] - a[1], length = std::hypot(dx, dy);
  if (length == 0) return std::hypot(p[0] - a[0], p[1] - a[1]);
  return std::abs(dx * (p[1] - a[1]) - dy * (p[0] - a[0])) / length;
}

/// Marks the points of `path` that must stay (Douglas and Peucker), without recursion: loops are long.
std::vector<bool> find_needed(const std::vector<std::array<double, 2>>& path) {
  std::vector<bool> needed(path.size(), false);
  const std::size_t half = path.size() / 2;  // a closed path needs a third point to begin with
  needed.front() = needed[half] = needed.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> parts{{0, half}, {half, path.size() - 1}};
  while (!parts.empty()) {
    const auto [first, last] = parts.back();
    parts.pop_back();
    std::size_t farthest = first;
    double most = kStraighten;
    for (std::size_t i = first + 1; i < last; ++i) {
      const double distance = calc_distance(path[i], path[first], path[last]);
      if (distance > most) most = distance, farthest = i;
    }
    if (farthest == first) continue;
    needed[farthest] = true;
    parts.emplace_back(first, farthest);
    parts.emplace_back(farthest, last);
  }
  return needed;
}

/// Twice the signed area of a, b and (x, y).
double calc_cross(const Corner& a, const Corner& b, double x, double y) {
  return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

}  // namespace

Region::Region(const Range& x, const Range& y, std::size_t cells) {
  const double longer = std::max(x.high - x.low, y.high - y.low);
  field_.cell = longer > 0 ? longer / static_cast<double>(cells) : 1;
  const auto count = [&](const Range& range) {
    return static_cast<std::size_t>(std::ceil((range.high - range.low) / field_.cell)) + 2;
  };
  field_.width = count(x);
  field_.height = count(y);
  field_.x0 = x.low - field_.cell / 2;
  field_.y0 = y.low - field_.cell / 2;
  field_.values.assign(field_.width * field_.height, kGap);
}

void Region::add(const std::array<Corner, 3>& t) {
  const double whole = calc_cross(t[0], t[1], t[2].x, t[2].y);
  if (whole == 0) return;
  const auto [left, right] = std::minmax({t[0].x, t[1].x, t[2].x});
  const auto [low, high] = std::minmax({t[0].y, t[1].y, t[2].y});
  const double cell = field_.cell;
  const auto first = static_cast<std::size_t>(std::max(0.0, std::ceil((left - field_.x0) / cell)));
  const auto bottom = static_cast<std::size_t>(std::max(0.0, std::ceil((low - field_.y0) / cell)));
  constexpr double kRounding = -1e-9;  // a centre on the edge of two triangles must not fall between them
  for (std::size_t row = bottom; row < field_.height; ++row) {
    const double y = field_.y0 + cell * static_cast<double>(row);
    if (y > high) break;
    for (std::size_t column = first; column < field_.width; ++column) {
      const double x = field_.x0 + cell * static_cast<double>(column);
      if (x > right) break;
      const double a = calc_cross(t[1], t[2], x, y) / whole, b = calc_cross(t[2], t[0], x, y) / whole;
      if (a < kRounding || b < kRounding || 1 - a - b < kRounding) continue;
      double& value = field_.values[row * field_.width + column];
      value = std::fmin(value, a * t[0].value + b * t[1].value + (1 - a - b) * t[2].value);
    }
  }
}

double Region::calc_area() const {
  const auto covered =
      std::count_if(field_.values.begin(), field_.values.end(), [](double v) { return !std::isnan(v); });
  return static_cast<double>(covered) * field_.cell * field_.cell;
}

bool Region::is_covered(std::ptrdiff_t column, std::ptrdiff_t row) const {
  if (column < 0 || row < 0) return false;
  const auto c = static_cast<std::size_t>(column), r = static_cast<std::size_t>(row);
  return c < field_.width && r < field_.height && !std::isnan(field_.values[r * field_.width + c]);
}

Drawing Region::build_outline() const {
  Edges edges;
  const auto width = static_cast<std::ptrdiff_t>(field_.width),
             height = static_cast<std::ptrdiff_t>(field_.height);
  for (std::ptrdiff_t r = 0; r < height; ++r) {
    for (std::ptrdiff_t c = 0; c < width; ++c) {
      if (!is_covered(c, r)) continue;
      if (!is_covered(c, r - 1)) edges.insert({{c, r}, {c + 1, r}});
      if (!is_covered(c + 1, r)) edges.insert({{c + 1, r}, {c + 1, r + 1}});
      if (!is_covered(c, r + 1)) edges.insert({{c + 1, r + 1}, {c, r + 1}});
      if (!is_covered(c - 1, r)) edges.insert({{c, r + 1}, {c, r}});
    }
  }
  Drawing outline;
  while (!edges.empty()) {
    const auto path = smooth(find_middles(take_loop(edges)));
    const std::vector<bool> needed = find_needed(path);
    for (std::size_t i = 0; i < path.size(); ++i) {
      if (!needed[i]) continue;
      outline.x.push_back(field_.x0 + field_.cell * (path[i][0] - 0.5));
      outline.y.push_back(field_.y0 + field_.cell * (path[i][1] - 0.5));
    }
    outline.x.push_back(kGap);
    outline.y.push_back(kGap);
  }
  return outline;
}

double calc_length(const Drawing& drawing) {
  double length = 0;
  for (std::size_t i = 1; i < drawing.x.size(); ++i) {
    const double piece = std::hypot(drawing.x[i] - drawing.x[i - 1], drawing.y[i] - drawing.y[i - 1]);
    if (!std::isnan(piece)) length += piece;
  }
  return length;
}

}  // namespace rodeo::plot
