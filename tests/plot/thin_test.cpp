// SPDX-License-Identifier: MIT
// Thinned curves against a search of every point: no peak is lost, whatever its width.
#include "viz/plot/thin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace rodeo::plot {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Curve {
  std::vector<double> x, y;
};

/// A slow wave with spikes one sample wide.
Curve build_spiky(std::size_t count) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> chance(0, 999);
  Curve curve;
  for (std::size_t i = 0; i < count; ++i) {
    const double t = static_cast<double>(i) * 1e-3;
    const int dice = chance(random);
    curve.x.push_back(t);
    curve.y.push_back(std::sin(t) + (dice == 0 ? 5 : 0) - (dice == 1 ? 5 : 0));
  }
  return curve;
}

TEST(Thin, KeepsTheLowestAndHighestOfEveryColumnOfPixels) {
  constexpr std::size_t kCount = 200'000, kColumns = 300;
  const Curve curve = build_spiky(kCount);
  const auto kept = find_kept(curve.x, curve.y, kColumns);
  EXPECT_LE(kept.size(), 4 * (kColumns + 1));
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
  EXPECT_EQ(kept.front(), 0U);
  EXPECT_EQ(kept.back(), kCount - 1);
  const std::vector<double> x = pick(curve.x, kept), y = pick(curve.y, kept);
  const double width = (curve.x.back() - curve.x.front()) / kColumns;
  std::vector<Range> all(kColumns + 1, {1e9, -1e9}), thinned = all;
  const auto gather = [&](const auto& xs, const auto& ys, std::vector<Range>& ranges) {
    for (std::size_t i = 0; i < xs.size(); ++i) {
      Range& range = ranges[static_cast<std::size_t>(std::floor((xs[i] - curve.x.front()) / width))];
      range = {std::min(range.low, ys[i]), std::max(range.high, ys[i])};
    }
  };
  gather(curve.x, curve.y, all);
  gather(x, y, thinned);
  for (std::size_t c = 0; c <= kColumns; ++c) {
    EXPECT_EQ(thinned[c].low, all[c].low) << c;
    EXPECT_EQ(thinned[c].high, all[c].high) << c;
  }
}

TEST(Thin, LeavesAShortCurveAlone) {
  const Curve curve = build_spiky(1200);
  EXPECT_EQ(find_kept(curve.x, curve.y, 300).size(), 1200U);
}

TEST(Thin, KeepsAGapAGap) {
  Curve curve = build_spiky(10'000);
  curve.y[4321] = kNan;
  const auto kept = find_kept(curve.x, curve.y, 100);
  EXPECT_THAT(kept, testing::Contains(4321U));
  EXPECT_LT(kept.size(), 600U);
}

/// A circle that is gone around many times, with one point far outside.
TEST(Thin, KeepsThePathWithinAPixelAndItsExtremes) {
  constexpr std::size_t kCount = 100'000, kColumns = 200;
  Curve curve;
  for (std::size_t i = 0; i < kCount; ++i) {
    const double angle = static_cast<double>(i) * 1e-4;
    curve.x.push_back(std::cos(angle));
    curve.y.push_back(std::sin(angle));
  }
  curve.x[77'777] = 3;
  const auto kept = find_kept(curve.x, curve.y, kColumns);
  EXPECT_LT(kept.size(), kCount / 5);
  const Range x = calc_range(pick(curve.x, kept)), y = calc_range(pick(curve.y, kept));
  EXPECT_EQ(x.low, calc_range(curve.x).low);
  EXPECT_EQ(x.high, 3);
  EXPECT_EQ(y.low, calc_range(curve.y).low);
  EXPECT_EQ(y.high, calc_range(curve.y).high);
  std::size_t next = 0;
  for (std::size_t i = 0; i < kCount; ++i) {  // every point has the kept one before it within a pixel
    if (next < kept.size() && kept[next] == i) ++next;
    const std::size_t last = kept[next - 1];
    EXPECT_LE(std::abs(curve.x[i] - curve.x[last]), 4.0 / kColumns) << i;
    EXPECT_LE(std::abs(curve.y[i] - curve.y[last]), 2.0 / kColumns) << i;
  }
}

TEST(CalcRange, IsOfWhatIsFinite) {
  const Range range = calc_range({kNan, 2, -1, kNan, 5});
  EXPECT_EQ(range.low, -1);
  EXPECT_EQ(range.high, 5);
  EXPECT_EQ(calc_range({kNan}).high, 0);
}

}  // namespace
}  // namespace rodeo::plot
