// SPDX-License-Identifier: MIT
#include "viz/plot/thin.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace rodeo::plot {
namespace {

/// Of a pixel: what no eye sees.
constexpr double kUnseen = 0.4;
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

bool is_rising(const std::vector<double>& x) {
  return std::is_sorted(x.begin(), x.end()) && std::isfinite(x.front()) && std::isfinite(x.back());
}

/// Gaps hold the order of std::min_element by chance only; so by hand.
class Column {
 public:
  void add(std::size_t i, const std::vector<double>& y) {
    if (first_ == kNone) first_ = i;
    last_ = i;
    if (std::isnan(y[i])) gap_ = i;
    if (lowest_ == kNone || y[i] < y[lowest_] || std::isnan(y[lowest_])) lowest_ = i;
    if (highest_ == kNone || y[i] > y[highest_] || std::isnan(y[highest_])) highest_ = i;
  }
  void flush(std::vector<std::size_t>& kept) {
    std::vector<std::size_t> ours{first_, lowest_, highest_, gap_, last_};
    std::erase(ours, kNone);
    std::sort(ours.begin(), ours.end());
    ours.erase(std::unique(ours.begin(), ours.end()), ours.end());
    kept.insert(kept.end(), ours.begin(), ours.end());
    *this = Column();
  }

 private:
  std::size_t first_ = kNone, last_ = kNone, lowest_ = kNone, highest_ = kNone, gap_ = kNone;
};

std::vector<std::size_t> keep_by_column(const std::vector<double>& x, const std::vector<double>& y,
                                        std::size_t columns) {
  const double width = (x.back() - x.front()) / static_cast<double>(columns);
  std::vector<std::size_t> kept;
  Column column;
  double at = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double here = width > 0 ? std::floor((x[i] - x.front()) / width) : 0;
    if (here != at) column.flush(kept);
    at = here;
    column.add(i, y);
  }
  column.flush(kept);
  return kept;
}

/// The points where x or y is least or most.
std::vector<std::size_t> find_extremes(const std::vector<double>& x, const std::vector<double>& y) {
  Column by_x, by_y;
  for (std::size_t i = 0; i < x.size(); ++i) {
    by_x.add(i, x);
    by_y.add(i, y);
  }
  std::vector<std::size_t> extremes;
  by_x.flush(extremes);
  by_y.flush(extremes);
  std::sort(extremes.begin(), extremes.end());
  return extremes;
}

std::vector<std::size_t> keep_by_distance(const std::vector<double>& x, const std::vector<double>& y,
                                          std::size_t columns) {
  const Range xs = calc_range(x), ys = calc_range(y);
  const auto pixels = static_cast<double>(columns);
  const double dx = kUnseen * (xs.high - xs.low) / pixels, dy = kUnseen * (ys.high - ys.low) / pixels;
  const std::vector<std::size_t> extremes = find_extremes(x, y);
  std::vector<std::size_t> kept{0};
  for (std::size_t i = 1; i < x.size(); ++i) {
    const std::size_t last = kept.back();
    const bool is_near = std::abs(x[i] - x[last]) <= dx && std::abs(y[i] - y[last]) <= dy;  // false at a gap
    if (!is_near || std::binary_search(extremes.begin(), extremes.end(), i)) kept.push_back(i);
  }
  return kept;
}

}  // namespace

std::vector<std::size_t> find_kept(const std::vector<double>& x, const std::vector<double>& y,
                                   std::size_t columns) {
  if (x.size() <= 4 * columns) {
    std::vector<std::size_t> all(x.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }
  return is_rising(x) ? keep_by_column(x, y, columns) : keep_by_distance(x, y, columns);
}

std::vector<double> pick(const std::vector<double>& values, const std::vector<std::size_t>& kept) {
  std::vector<double> result;
  result.reserve(kept.size());
  for (const std::size_t i : kept) result.push_back(values[i]);
  return result;
}

Range calc_range(const std::vector<double>& values) {
  Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  return range.low > range.high ? Range{} : range;
}

}  // namespace rodeo::plot
