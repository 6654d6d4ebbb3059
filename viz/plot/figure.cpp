// SPDX-License-Identifier: MIT
#include "viz/plot/figure.h"

#include <algorithm>
#include <cmath>

namespace rodeo::plot {
namespace {

constexpr double kRoom = 0.05;       // around what is shown
constexpr double kFlatRoom = 0.05;   // of the value itself, around a curve that does not vary
constexpr double kLetterRoom = 0.1;  // above curves, for the letters of phases
constexpr double kNoise = 1e-6;      // a curve that varies less than this, of its size, is flat

void include(std::optional<Range>& all, const Range& range) {
  if (!all) all = range;
  all = Range{std::min(all->low, range.low), std::max(all->high, range.high)};
}

double middle(const Range& range) { return (range.low + range.high) / 2; }
double size(const Range& range) { return range.high - range.low; }

Range widen(const Range& range, double room) {
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  const bool is_flat = size(range) <= kNoise * largest;
  const double pad = is_flat ? kFlatRoom * largest : room * size(range);
  return pad > 0 ? Range{range.low - pad, range.high + pad} : Range{range.low - 1, range.high + 1};
}

Range grow(const Range& range, double wanted) {
  return {middle(range) - wanted / 2, middle(range) + wanted / 2};
}

}  // namespace

Colour calc_shade(double value) {
  const double at = std::clamp(value, 0.0, 1.0) * static_cast<double>(kShadeCount - 1);
  const auto first = std::min(static_cast<std::size_t>(at), kShadeCount - 2);
  const double part = at - static_cast<double>(first);
  const auto mix = [&](int a, int b) { return static_cast<int>(std::lround(a + part * (b - a))); };
  const Colour& a = kShades[first];
  const Colour& b = kShades[first + 1];
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

Frame calc_frame(const Panel& panel) {
  std::optional<Range> x, y;
  const auto add = [&](const auto& curve) {
    include(x, calc_range(curve.x));
    include(y, calc_range(curve.y));
  };
  std::for_each(panel.series.begin(), panel.series.end(), add);
  std::for_each(panel.drawings.begin(), panel.drawings.end(), add);
  if (!x || !y) return {{0, 1}, {0, 1}};
  if (panel.is_equal) return {widen(*x, kRoom), widen(*y, kRoom)};
  const bool has_letters =
      std::any_of(panel.marks.begin(), panel.marks.end(), [](const Mark& mark) { return !mark.y; });
  Frame frame{size(*x) > 0 ? *x : widen(*x, 0), widen(*y, kRoom)};
  if (has_letters) frame.y.high += kLetterRoom * size(frame.y);
  return frame;
}

Frame calc_equal(Frame frame, double width, double height) {
  const double scale = std::max(size(frame.x) / width, size(frame.y) / height);
  return {grow(frame.x, scale * width), grow(frame.y, scale * height)};
}

}  // namespace rodeo::plot
