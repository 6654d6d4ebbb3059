// SPDX-License-Identifier: MIT
// Points that pins make one.
#include "kinematics/machine/pins.h"

#include <gtest/gtest.h>

#include "tests/pose/machines.h"

namespace rodeo::machine::testing {
namespace {

/// Points 0 and 1 of the ground, 2 and 3 of the crank, 4 and 5 of the coupler.
Machine three_bodies() {
  return Builder("pins")
      .ground({{"O", 0, 0}, {"Q", 1, 0}})
      .body("crank", {{"O", 0, 0}, {"B", 1, 0}})
      .body("coupler", {{"B", 0, 0}, {"C", 1, 0}})
      .build();
}

TEST(Pins, PointsThatNothingJoinsAreNumberedBodyByBody) {
  const Pins pins(three_bodies());
  EXPECT_EQ(pins.find({0, 0}), 0);
  EXPECT_EQ(pins.find({1, 1}), 3);
  EXPECT_EQ(pins.find({2, 0}), 4);
}

TEST(Pins, JoinedPointsHaveTheNumberOfTheSecond) {
  Pins pins(three_bodies());
  pins.join({1, 1}, {2, 0});
  EXPECT_EQ(pins.find({1, 1}), 4);
  EXPECT_EQ(pins.find({2, 0}), 4);
  EXPECT_EQ(pins.find({1, 0}), 2);
}

TEST(Pins, AllPointsOfTwoPinsAreOneAfterAJointOfAnyOfThem) {
  Pins pins(three_bodies());
  pins.join({0, 0}, {1, 0});
  pins.join({2, 0}, {2, 1});
  pins.join({0, 0}, {2, 0});  // neither has its pin's number
  for (const PointRef ref : {PointRef{0, 0}, {1, 0}, {2, 0}, {2, 1}}) EXPECT_EQ(pins.find(ref), 5);
  EXPECT_EQ(pins.find({0, 1}), 1);
}

TEST(Pins, AJointWithinAPinChangesNothing) {
  Pins pins(three_bodies());
  pins.join({1, 1}, {2, 0});
  pins.join({2, 0}, {1, 1});
  EXPECT_EQ(pins.find({1, 1}), 4);
  EXPECT_EQ(pins.find({2, 0}), 4);
}

}  // namespace
}  // namespace rodeo::machine::testing
