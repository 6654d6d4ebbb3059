// SPDX-License-Identifier: MIT
// Mobility and redundancy of mechanisms whose answer a textbook knows.
#include <gtest/gtest.h>

#include <chrono>

#include "kinematics/machine/pose.h"
#include "tests/pose/machines.h"

namespace rodeo::machine::testing {
namespace {

Mobility mobility_of(const Machine& machine) { return calc_mobility(machine, build_start_pose(machine)); }

TEST(Mobility, FourBarHasOne) {
  const Mobility m = mobility_of(four_bar().start_angle("crank", 1).start_angle("rocker", 1.4).build());
  EXPECT_EQ(m.gruebler, 1);
  EXPECT_EQ(m.mobility, 1);
  EXPECT_EQ(m.free_motions, 1);
  EXPECT_TRUE(m.redundant.empty());
}

TEST(Mobility, DoublePendulumHasTwoAlsoStretchedOut) {
  for (const double angle : {0.0, 0.7}) {
    Builder b("pendulum");
    b.ground({{"O", 0, 0}}).body("a", {{"O", 0, 0}, {"A", 1, 0}}).body("b", {{"A", 0, 0}, {"T", 1, 0}});
    b.pin("ground.O", "a.O").pin("a.A", "b.A").start_angle("a", 0).start_angle("b", angle);
    const Mobility m = mobility_of(b.build());
    EXPECT_EQ(m.gruebler, 2);
    EXPECT_EQ(m.mobility, 2);
    EXPECT_TRUE(m.redundant.empty());
  }
}

TEST(Mobility, ThreeEqualCranksHaveOneWithOneRowRedundantInTheLastJoint) {
  for (const double angle : {0.0, 0.5, 1.2, 90 * kDegree, 180 * kDegree}) {
    const Machine machine = three_cranks(angle).drive_angle("a", "a").start_drive("a", angle).build();
    const Mobility m = mobility_of(machine);
    EXPECT_EQ(m.gruebler, 0) << angle;
    EXPECT_EQ(m.mobility, 1) << angle;
    EXPECT_EQ(m.free_motions, 0) << angle;
    EXPECT_TRUE(m.conflicting_drives.empty()) << angle;
    ASSERT_EQ(m.redundant.size(), 1u) << angle;
    EXPECT_EQ(m.redundant[0].joint, 5) << angle;
  }
}

TEST(Mobility, FlatStartPoseShowsMoreAtStartOnly) {
  EXPECT_EQ(mobility_of(three_cranks(0).build()).start_mobility, 2);
  EXPECT_EQ(mobility_of(three_cranks(1).build()).start_mobility, 1);
}

TEST(Mobility, OneCrankOnePerCentLongerLocksAndNothingIsRedundant) {
  const Mobility m = mobility_of(three_cranks(0.5, 1.01).build());
  EXPECT_EQ(m.gruebler, 0);
  EXPECT_EQ(m.mobility, 0);
  EXPECT_TRUE(m.redundant.empty());
}

TEST(Mobility, StretchedChainThatCannotMoveIsNotRedundant) {
  // Two rods of 1 m between pins 2 m apart: free to first order, stopped at second.
  Builder b("stretched");
  b.ground({{"P", 0, 0}, {"Q", 2, 0}})
      .body("a", {{"P", 0, 0}, {"A", 1, 0}})
      .body("b", {{"A", 0, 0}, {"Q", 1, 0}});
  b.pin("ground.P", "a.P").pin("a.A", "b.A").pin("b.Q", "ground.Q").start_angle("a", 0).start_angle("b", 0);
  const Mobility m = mobility_of(b.build());
  EXPECT_EQ(m.gruebler, 0);
  EXPECT_EQ(m.mobility, 0);
  EXPECT_EQ(m.start_mobility, 1);
  EXPECT_TRUE(m.redundant.empty());
}

TEST(Mobility, ScissorWithSliderHasOne) {
  Builder b("scissor");
  b.ground({{"O", 0, 0}});
  b.body("left", {{"O", 0, 0}, {"M", 0.5, 0}, {"U", 1, 0}})
      .body("right", {{"S", 0, 0}, {"M", 0.5, 0}, {"V", 1, 0}});
  b.body("table", {{"V", 0, 0}, {"W", 0.7, 0}});
  b.pin("ground.O", "left.O").pin("left.M", "right.M").slider("ground.O", "right.S", 0);
  b.pin("right.V", "table.V").slider("table.V", "left.U", 0);
  const Machine machine =
      b.start_angle("left", 0.6).start_angle("right", std::numbers::pi - 0.6).start_angle("table", 0).build();
  const Assembly start = build_start_pose(machine);
  ASSERT_TRUE(start.assembled);
  EXPECT_NEAR(start.pose.bodies[3].angle, 0, 1e-12);
  const Mobility m = calc_mobility(machine, start);
  EXPECT_EQ(m.gruebler, 1);
  EXPECT_EQ(m.mobility, 1);
}

TEST(Mobility, PrismaticPistonHasOne) {
  Builder b("piston");
  b.ground({{"S", 0, 0}}).body("piston", {{"P", 0, 0}}).prismatic("ground.S", "piston.P", 0.3);
  const Mobility m = mobility_of(b.drive_slide("push", "ground.S", "piston.P").build());
  EXPECT_EQ(m.mobility, 1);
  EXPECT_EQ(m.free_motions, 0);
}

TEST(Mobility, PistonGuidedTwiceHasOneRedundantPrismaticJoint) {
  Builder b("piston");
  b.ground({{"S", 0, 0}, {"T", 0, 1}}).body("piston", {{"P", 0, 0}, {"Q", 0, 1}});
  b.prismatic("ground.S", "piston.P", 0).prismatic("ground.T", "piston.Q", 0);
  const Mobility m = mobility_of(b.build());
  EXPECT_EQ(m.gruebler, -1);
  EXPECT_EQ(m.mobility, 1);
  ASSERT_EQ(m.redundant.size(), 2u);
  EXPECT_EQ(m.redundant[0].joint, 1);
  EXPECT_EQ(m.redundant[1].joint, 1);
}

TEST(Mobility, CrankSliderWithPistonBodyHasOne) {
  Builder b("engine");
  b.ground({{"O", 0, 0}})
      .body("crank", {{"O", 0, 0}, {"B", 0.3, 0}})
      .body("rod", {{"B", 0, 0}, {"C", 0.8, 0}});
  b.body("piston", {{"C", 0, 0}});
  b.pin("ground.O", "crank.O")
      .pin("crank.B", "rod.B")
      .pin("rod.C", "piston.C")
      .prismatic("ground.O", "piston.C", 0);
  const Mobility m = mobility_of(b.start_angle("crank", 0).start_angle("rod", 0).build());
  EXPECT_EQ(m.gruebler, 1);
  EXPECT_EQ(m.mobility, 1);
}

TEST(Mobility, SlideDriveAtItsDeadPointIsNoConflict) {
  Builder b = crank_slider();
  b.drive_slide("push", "ground.O", "rod.C").start_angle("crank", 0).start_angle("rod", 0);
  const Mobility m = mobility_of(b.build());
  EXPECT_EQ(m.mobility, 1);
  EXPECT_EQ(m.free_motions, 0);
  EXPECT_TRUE(m.conflicting_drives.empty());
}

TEST(Mobility, CylinderDrivesABoom) {
  Builder b("boom");
  b.ground({{"O", 0, 0}, {"P", 0.5, -0.8}}).body("boom", {{"O", 0, 0}, {"R", 1.2, 0}});
  b.pin("ground.O", "boom.O").drive_cylinder("lift", "ground.P", "boom.R").start_angle("boom", 0.4);
  const Mobility m = mobility_of(b.build());
  EXPECT_EQ(m.mobility, 1);
  EXPECT_EQ(m.free_motions, 0);
  EXPECT_TRUE(m.conflicting_drives.empty());
}

TEST(Mobility, SecondDriveOfAFourBarIsNamedWhetherOrNotItAgrees) {
  for (const double rocker : {0.5, 1.4}) {
    const Machine machine = four_bar()
                                .drive_angle("crank", "crank")
                                .drive_angle("rocker", "rocker")
                                .start_drive("crank", 1)
                                .start_drive("rocker", rocker)
                                .build();
    const Mobility m = mobility_of(machine);
    EXPECT_EQ(m.mobility, 1);
    ASSERT_EQ(m.conflicting_drives.size(), 1u);
    EXPECT_EQ(m.conflicting_drives[0].drive, 1);
  }
}

TEST(Mobility, MissingDrivesAreCounted) {
  Builder b("arm");
  b.ground({{"O", 0, 0}}).body("a", {{"O", 0, 0}, {"A", 1, 0}}).body("b", {{"A", 0, 0}, {"T", 1, 0}});
  b.pin("ground.O", "a.O").pin("a.A", "b.A").drive_angle("lift", "a");
  EXPECT_EQ(mobility_of(b.build()).free_motions, 1);
}

TEST(Mobility, BodyWithoutJointsHasThree) {
  const Mobility m = mobility_of(Builder("free").body("plate", {{"A", 0, 0}, {"B", 1, 0}}).build());
  EXPECT_EQ(m.gruebler, 3);
  EXPECT_EQ(m.mobility, 3);
}

TEST(Mobility, GroundAloneHasNone) { EXPECT_EQ(mobility_of(Builder("ground").build()).mobility, 0); }

TEST(Mobility, ThousandWindowsHaveOne) {
  for (const bool exact : {true, false}) {
    Machine machine = windows(1000, 1.2);
    for (std::size_t b = 1; !exact && b < machine.bodies.size(); ++b) {
      if (b % 3 == 0) *machine.start_angles[b] += 0.05;
    }
    const auto begin = std::chrono::steady_clock::now();
    const Assembly start = build_start_pose(machine);
    const std::chrono::duration<double> assembly = std::chrono::steady_clock::now() - begin;
    const Mobility m = calc_mobility(machine, start);
    const std::chrono::duration<double> all = std::chrono::steady_clock::now() - begin;
    std::printf("1000 windows: assembly %.2f s, with mobility %.2f s, residual %.1e\n", assembly.count(),
                all.count(), start.residual);
    EXPECT_TRUE(start.assembled);
    EXPECT_EQ(m.gruebler, 1);
    EXPECT_EQ(m.mobility, 1);
    EXPECT_EQ(m.free_motions, 0);
  }
}

TEST(Mobility, HundredWindowsStartedFlatHaveOne) {
  const Machine machine = windows(100, 0);
  const Mobility m = mobility_of(machine);
  EXPECT_EQ(m.mobility, 1);
  EXPECT_GT(m.start_mobility, 1);
}

}  // namespace
}  // namespace rodeo::machine::testing
