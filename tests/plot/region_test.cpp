// SPDX-License-Identifier: MIT
// Areas and outlines against those of a circle, a ring and a square.
#include "viz/plot/region.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace rodeo::plot {
namespace {

constexpr double kPi = std::numbers::pi;
/// Cells along a side of 2 m.
constexpr std::size_t kCells = 400;

/// A ring of radii r0 to r1 as many triangles, from angle 0 to `end`.
Region build_ring(double r0, double r1, double end) {
  constexpr int kSteps = 720;
  Region region({-1, 1}, {-1, 1}, kCells);
  const auto at = [&](double r, int i) {
    const double angle = end * i / kSteps;
    return Corner{r * std::cos(angle), r * std::sin(angle), r};
  };
  for (int i = 0; i < kSteps; ++i) {
    region.add({at(r0, i), at(r1, i), at(r1, i + 1)});
    region.add({at(r0, i), at(r1, i + 1), at(r0, i + 1)});
  }
  return region;
}

TEST(Region, HasTheAreaOfACircleWithinHalfACellAlongItsOutline) {
  const Region disc = build_ring(0, 1, 2 * kPi);
  EXPECT_NEAR(disc.calc_area(), kPi, 2 * kPi * disc.cell() / 2);
  EXPECT_NEAR(disc.calc_area(), kPi, 2e-3 * kPi) << "in fact far nearer";
}

TEST(Region, HasTheAreaAndBothOutlinesOfARing) {
  const Region ring = build_ring(0.5, 1, 2 * kPi);
  EXPECT_NEAR(ring.calc_area(), kPi * 0.75, 2e-3 * kPi);
  EXPECT_NEAR(calc_length(ring.build_outline()), 2 * kPi * 1.5, 0.02 * 2 * kPi * 1.5);
  const Drawing outline = ring.build_outline();
  EXPECT_EQ(std::count_if(outline.x.begin(), outline.x.end(), [](double x) { return std::isnan(x); }), 2);
  for (std::size_t i = 0; i < outline.x.size(); ++i) {
    if (std::isnan(outline.x[i])) continue;
    const double r = std::hypot(outline.x[i], outline.y[i]);
    EXPECT_LT(std::min(std::abs(r - 0.5), std::abs(r - 1)), 1.5 * ring.cell());
  }
}

TEST(Region, CountsAnOverlapOnce) {
  Region twice = build_ring(0.2, 1, 4 * kPi);
  EXPECT_NEAR(twice.calc_area(), kPi * 0.96, 2e-3 * kPi);
}

TEST(Region, KeepsTheSmallestValueWhereItFolds) {
  Region region({-1, 1}, {-1, 1}, kCells);
  for (const double value : {0.7, 0.3, 0.9}) {
    region.add({Corner{-1, -1, value}, Corner{1, -1, value}, Corner{0, 1, value}});
  }
  for (const double value : region.field().values) {
    if (!std::isnan(value)) {
      EXPECT_NEAR(value, 0.3, 1e-12);
    }
  }
}

TEST(Region, InterpolatesBetweenCorners) {
  const Region disc = build_ring(0, 1, 2 * kPi);  // value = radius
  const Field& field = disc.field();
  for (std::size_t i = 0; i < field.values.size(); i += 97) {
    if (std::isnan(field.values[i])) continue;
    const double x = field.x0 + field.cell * static_cast<double>(i % field.width);
    const double y = field.y0 + field.cell * static_cast<double>(i / field.width);
    EXPECT_NEAR(field.values[i], std::hypot(x, y), 1e-4);
  }
}

TEST(Region, HasNoHolesBetweenNeighbours) {
  const Region disc = build_ring(0, 1, 2 * kPi);
  const Field& field = disc.field();
  for (std::size_t i = 0; i < field.values.size(); ++i) {
    const double x = field.x0 + field.cell * static_cast<double>(i % field.width);
    const double y = field.y0 + field.cell * static_cast<double>(i / field.width);
    if (std::hypot(x, y) < 0.999) {
      EXPECT_FALSE(std::isnan(field.values[i])) << x << " " << y;
    }
  }
}

}  // namespace
}  // namespace rodeo::plot
