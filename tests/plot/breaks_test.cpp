// SPDX-License-Identifier: MIT
// A curve has a gap where the machine was put elsewhere, and only there.
#include "viz/plot/breaks.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rodeo::plot {
namespace {

/// A body that swings, reset to 0 at a row; 0: never.
Table build_swing(std::size_t reset, double dt, double speed = 2) {
  Table table{"log.csv", {"t", "boom.angle", "boom.rate", "tip.x"}, {{}, {}, {}, {}}};
  double begin = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    const double t = static_cast<double>(i) * dt;
    if (reset != 0 && i == reset) begin = t;
    const double angle = std::sin(speed * (t - begin)), rate = speed * std::cos(speed * (t - begin));
    const double row[]{t, angle, rate, std::cos(angle)};
    for (std::size_t c = 0; c < 4; ++c) table.columns[c].push_back(row[c]);
  }
  return table;
}

TEST(Breaks, OfAMotionAreNone) {
  for (const double dt : {1e-4, 1e-3, 0.05}) {
    Table table = build_swing(0, dt, dt < 0.01 ? 2 : 0.7);
    break_at_jumps(table);
    EXPECT_EQ(table.row_count(), 1000U) << dt;
  }
}

TEST(Breaks, OfAResetAreOneRowOfGaps) {
  Table table = build_swing(400, 1e-3);
  break_at_jumps(table);
  ASSERT_EQ(table.row_count(), 1001U);
  EXPECT_EQ(table.columns[0][400], table.columns[0][401]) << "the time stays a number that rises";
  for (std::size_t c = 1; c < 4; ++c) {
    EXPECT_TRUE(std::isnan(table.columns[c][400])) << c;
    EXPECT_FALSE(std::isnan(table.columns[c][399]) || std::isnan(table.columns[c][401])) << c;
  }
  EXPECT_EQ(table.columns[1][401], 0);
}

/// An impact: the rate jumps, the position does not.
TEST(Breaks, OfAnImpactAreNone) {
  Table table = build_swing(0, 1e-3);
  for (std::size_t i = 500; i < 1000; ++i) {
    table.columns[1][i] = 2 * table.columns[1][499] - table.columns[1][i];
    table.columns[2][i] *= -1;
  }
  break_at_jumps(table);
  EXPECT_EQ(table.row_count(), 1000U);
}

TEST(Breaks, NeedARateToKnow) {
  Table table = build_swing(400, 1e-3);
  table.names[2] = "boom.other";
  break_at_jumps(table);
  EXPECT_EQ(table.row_count(), 1000U);
}

}  // namespace
}  // namespace rodeo::plot
