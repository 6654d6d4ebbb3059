// SPDX-License-Identifier: MIT
// Where loci meet, against triangles whose sides are whole numbers. THEORY K3-K5.
#include "kinematics/codegen/intersections.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kinematics/expr/eval.h"

namespace rodeo::codegen {
namespace {

constexpr double kTolerance = 1e-14;  // a handful of roundings of numbers near 1

double value(Expr e) { return expr::calc_value(e, expr::Values{}); }

void expect_place(const Vec& place, double x, double y) {
  EXPECT_NEAR(value(place.x), x, kTolerance);
  EXPECT_NEAR(value(place.y), y, kTolerance);
}

Circle circle(double x, double y, double radius) { return {{x, y}, radius, radius * radius, {x, y}, -1}; }

Line line(double nx, double ny, double offset) { return {{nx, ny}, offset, {nx, ny}}; }

TEST(Intersections, OfTwoLinesHaveTheSineOfTheirAngleAsMargin) {
  const Intersection found = intersect(line(1, 0, 2), line(0.6, 0.8, 2));  // x = 2, 0.6 x + 0.8 y = 2
  expect_place(found.place, 2, 1);
  EXPECT_NEAR(value(found.margin), 0.8, kTolerance);
}

TEST(Intersections, OfALineAndACircleAreOnTheSideOfTheStart) {
  const Line top = line(0, 1, 4);
  const Circle around = circle(0, 0, 5);
  const Intersection right = intersect(top, around, branch_of(top, around, {2.9, 4}));
  expect_place(right.place, 3, 4);
  EXPECT_NEAR(value(right.margin), 0.6, kTolerance);
  expect_place(intersect(top, around, branch_of(top, around, {-2.9, 4})).place, -3, 4);
}

TEST(Intersections, OfTwoCirclesTellTheLinksAndTheirCrossProduct) {
  const Circle a = circle(1, 0, 3), b = circle(6, 0, 4);
  const Dyad above = intersect(a, b, {5.0, 0.0}, branch_of(a, b, {2, 1}));
  expect_place(above.meeting.place, 2.8, 2.4);
  expect_place(above.first, 1.8, 2.4);
  expect_place(above.second, -3.2, 2.4);
  EXPECT_NEAR(value(above.cross), 12, 1e-13);
  EXPECT_NEAR(value(above.inverse_cross), 1.0 / 12, kTolerance);
  EXPECT_NEAR(value(above.meeting.margin), 1, kTolerance);  // the links are square to each other
  const Dyad below = intersect(a, b, {5.0, 0.0}, branch_of(a, b, {2, -1}));
  expect_place(below.meeting.place, 2.8, -2.4);
  EXPECT_NEAR(value(below.cross), -12, 1e-13);
}

TEST(Intersections, OfCirclesThatDoNotMeetHaveNoMargin) {
  const Dyad apart = intersect(circle(0, 0, 1), circle(5, 0, 1), {5.0, 0.0}, 1.0);
  EXPECT_TRUE(std::isnan(value(apart.meeting.margin)));
}

/// The guide passes at 3 from the pin, the point is 5 from it: 4 along the guide, on either side.
TEST(Intersections, OfAGuideWithAPointTurnItsBody) {
  for (const double branch : {1.0, -1.0}) {
    const GuideThroughPoint found = turn_through({5.0, 0.0}, {1.0, 0.0}, 3.0, branch);
    expect_place(carry(found.frame, {4 * branch, 3.0}), 5, 0);
    const Vec unit = carry(found.frame, {1.0, 0.0});
    EXPECT_NEAR(std::hypot(value(unit.x), value(unit.y)), 1, kTolerance);
    EXPECT_NEAR(value(found.margin), 0.8, kTolerance);
  }
}

}  // namespace
}  // namespace rodeo::codegen
