// SPDX-License-Identifier: MIT
// Who is joined to whom, and what a change lets go on.
#include "kinematics/codegen/agenda.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pose/machines.h"

namespace rodeo::codegen {
namespace {

using machine::Machine;
using machine::testing::Builder;
using testing::ElementsAre;
using testing::IsEmpty;

/// ground - crank - coupler - rocker - ground, and an arm that hangs on the ground alone.
Machine four_bar_and_arm() {
  return Builder("four_bar")
      .ground({{"O", 0, 0}, {"Q", 2, 0}, {"P", 5, 0}})
      .body("crank", {{"O", 0, 0}, {"B", 1, 0}})
      .body("coupler", {{"B", 0, 0}, {"C", 2, 0}})
      .body("rocker", {{"Q", 0, 0}, {"C", 1, 0}})
      .body("arm", {{"P", 0, 0}})
      .pin("ground.O", "crank.O")
      .pin("crank.B", "coupler.B")
      .pin("coupler.C", "rocker.C")
      .pin("ground.Q", "rocker.Q")
      .pin("ground.P", "arm.P")
      .drive_angle("turn", "crank")
      .build();
}

struct Fixture : testing::Test {
  void clear() {
    for (std::set<int>* list : {&agenda.drives, &agenda.joints, &agenda.bodies, &agenda.pins}) list->clear();
  }
  Machine machine = four_bar_and_arm();
  machine::Assembly start;
  Linkage linkage{machine};
  Placement known{linkage, start};
  Agenda agenda{known};
};
using LinkageOf = Fixture;
using AgendaOf = Fixture;

TEST_F(LinkageOf, AFourBarHasItsNeighboursInTheOrderOfTheFile) {
  EXPECT_THAT(linkage.joints_of(0), ElementsAre(0, 3, 4));
  EXPECT_THAT(linkage.joints_of(2), ElementsAre(1, 2));
  EXPECT_THAT(linkage.drives_of(1), ElementsAre(0));
  EXPECT_THAT(linkage.drives_of(3), IsEmpty());
  ASSERT_EQ(linkage.members(linkage.pin({1, 1})).size(), 2u);
  EXPECT_EQ(linkage.pin({1, 1}), linkage.pin({2, 0}));
  EXPECT_NE(linkage.pin({1, 1}), linkage.pin({2, 1}));
}

TEST_F(AgendaOf, AMachineThatIsNotPlacedIsEverythingButTheGround) {
  EXPECT_THAT(agenda.bodies, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(agenda.joints, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(agenda.drives, ElementsAre(0));
  EXPECT_EQ(agenda.pins.size(), 5u);
}

TEST_F(AgendaOf, APlacedPinIsTheBodiesThatCarryIt) {
  clear();
  agenda.touch_pin(linkage.pin({1, 1}));  // crank.B
  EXPECT_THAT(agenda.bodies, ElementsAre(1, 2));
  EXPECT_THAT(agenda.joints, ElementsAre(0, 1, 2));
  EXPECT_TRUE(agenda.pins.contains(linkage.pin({2, 1})));   // the coupler's other end
  EXPECT_FALSE(agenda.pins.contains(linkage.pin({4, 0})));  // the arm has nothing to do with it
}

/// Only a place reaches the bodies beyond: the direction of the crank alone moves none of the coupler's other pins.
TEST_F(AgendaOf, APlacedBodyReachesFurtherThanADirection) {
  clear();
  known.set_frame(1, Frame{}, std::nullopt);
  agenda.touch_body(1);
  EXPECT_THAT(agenda.drives, ElementsAre(0));
  EXPECT_FALSE(agenda.pins.contains(linkage.pin({2, 1})));
  known.set_base(1, {0.0, 0.0}, {0.0, 0.0});
  agenda.touch_body(1);
  EXPECT_TRUE(agenda.pins.contains(linkage.pin({2, 1})));
}

TEST(TryEach, DropsWhatFailsAndStopsAtWhatWorks) {
  std::set<int> list{1, 2, 3, 4};
  EXPECT_TRUE(try_each(list, [](int i) { return i == 3; }));
  EXPECT_THAT(list, ElementsAre(3, 4));
  EXPECT_FALSE(try_each(
      list, [](int) { return false; }, true));
  EXPECT_THAT(list, ElementsAre(3, 4));
  EXPECT_FALSE(try_each(list, [](int) { return false; }));
  EXPECT_THAT(list, IsEmpty());
}

}  // namespace
}  // namespace rodeo::codegen
