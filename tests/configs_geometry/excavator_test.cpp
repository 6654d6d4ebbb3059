// SPDX-License-Identifier: MIT
// Is configs/excavator.yaml an excavator of the 20 to 22 t class? Its linkage is solved by hand in digger.h.
#include <gtest/gtest.h>

#include "digger.h"

namespace rodeo::configs_geometry {
namespace {

class Excavator : public testing::Test {
 protected:
  const machine::Machine m_ = build_config("excavator");
  const Digger d_{m_, "arm", BoomCylinder::below};
};

TEST_F(Excavator, BoomArmAndBucketAreAsLongAsTheClass) {
  EXPECT_EQ(find_bar(m_, "boom", "C"), 5.7);
  EXPECT_EQ(find_bar(m_, "arm", "H"), 2.9);
  EXPECT_NEAR(find_bar(m_, "bucket", "tip"), 1.5, 0.05);
}

TEST_F(Excavator, TeethReachWhereThoseOfTheClassDo) {
  constexpr double kGrid = 0.05;
  const Envelope e = calc_envelope(d_);
  EXPECT_NEAR(e.depth, 6.5, kGrid);
  EXPECT_NEAR(e.reach, 9.83, kGrid);
  EXPECT_NEAR(e.ground_reach, 9.66, kGrid);
  EXPECT_NEAR(e.height, 9.4, kGrid);
  EXPECT_NEAR(e.dump_height, 6.77, kGrid);
}

TEST_F(Excavator, BodiesTurnAsFarAsTheFileSays) {
  constexpr double kWritten = 0.5 * kDegree;  // whole degrees in the file's comment
  EXPECT_NEAR(d_.calc_boom(d_.boom_stroke.high) - d_.calc_boom(d_.boom_stroke.low), 106 * kDegree, kWritten);
  EXPECT_NEAR(d_.calc_arm(d_.arm_stroke.low) - d_.calc_arm(d_.arm_stroke.high), 111 * kDegree, kWritten);
  EXPECT_NEAR(d_.calc_bucket(d_.bucket_stroke.low), 23.6 * kDegree, kWritten);
  EXPECT_NEAR(d_.calc_bucket(d_.bucket_stroke.high), -147.5 * kDegree, kWritten);
}

TEST_F(Excavator, ExtendingRaisesTheBoomDrawsTheArmInAndCurlsTheBucket) {
  constexpr double kStep = 1e-6;
  visit_range(d_.boom_stroke, 100, [&](double l) { ASSERT_GT(d_.calc_boom(l + kStep), d_.calc_boom(l)); });
  visit_range(d_.arm_stroke, 100, [&](double l) { ASSERT_LT(d_.calc_arm(l + kStep), d_.calc_arm(l)); });
  visit_range(d_.bucket_stroke, 100,
              [&](double l) { ASSERT_LT(d_.calc_bucket(l + kStep), d_.calc_bucket(l)); });
}

TEST_F(Excavator, NoPoseWithinTheStrokesIsNearSingular) {
  EXPECT_GE(calc_least(d_.boom_stroke, [&](double l) { return d_.calc_boom_sine(l); }), 0.37);
  EXPECT_GE(calc_least(d_.arm_stroke, [&](double l) { return d_.calc_arm_sine(l); }), 0.47);
  EXPECT_GE(calc_least(d_.bucket_stroke, [&](double l) { return d_.calc_rocker_sine(l); }), 0.54);
  EXPECT_GE(calc_least(d_.bucket_stroke, [&](double l) { return d_.calc_link_sine(l); }), 0.63);
  EXPECT_GE(calc_least(d_.bucket_stroke, [&](double l) { return d_.calc_still_sine(l); }), 0.57);
}

TEST_F(Excavator, CylindersCanBeBuilt) {
  EXPECT_TRUE(is_buildable(d_.boom_stroke));
  EXPECT_TRUE(is_buildable(d_.arm_stroke));
  EXPECT_TRUE(is_buildable(d_.bucket_stroke));
}

TEST_F(Excavator, StartAnglesAreThoseOfTheHandSolve) {
  const DiggerStance s =
      d_.calc_stance(find_start_drive(m_, "boom_cylinder"), find_start_drive(m_, "arm_cylinder"),
                     find_start_drive(m_, "bucket_cylinder"));
  EXPECT_NEAR(find_start_angle(m_, "boom"), s.boom, kWrittenAngle);
  EXPECT_NEAR(find_start_angle(m_, "arm"), s.arm, kWrittenAngle);
  EXPECT_NEAR(find_start_angle(m_, "rocker"), s.rocker, kWrittenAngle);
  EXPECT_NEAR(find_start_angle(m_, "link"), s.link, kWrittenAngle);
  EXPECT_NEAR(find_start_angle(m_, "bucket"), s.bucket, kWrittenAngle);
}

}  // namespace
}  // namespace rodeo::configs_geometry
