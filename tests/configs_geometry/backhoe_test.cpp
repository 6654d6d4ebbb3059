// SPDX-License-Identifier: MIT
// Is configs/backhoe.yaml the rear digger of a backhoe loader of the 8 t class? Solved by hand in digger.h.
#include <gtest/gtest.h>

#include "digger.h"

namespace rodeo::configs_geometry {
namespace {

class Backhoe : public testing::Test {
 protected:
  const machine::Machine m_ = build_config("backhoe");
  const Digger d_{m_, "dipper", BoomCylinder::above};
};

TEST_F(Backhoe, TeethReachWhereThoseOfTheClassDo) {
  constexpr double kGrid = 0.05;
  const Envelope e = calc_envelope(d_);
  EXPECT_NEAR(e.depth, 4.34, kGrid);
  EXPECT_NEAR(e.reach, 5.54, kGrid);
  EXPECT_NEAR(e.ground_reach, 5.5, kGrid);
  EXPECT_NEAR(e.dump_height, 3.5, kGrid);
}

TEST_F(Backhoe, BodiesTurnAsFarAsTheFileSays) {
  constexpr double kWritten = 1.0 * kDegree;  // whole degrees in the file's comment
  EXPECT_NEAR(d_.calc_boom(d_.boom_stroke.low) - d_.calc_boom(d_.boom_stroke.high), 127 * kDegree, kWritten);
  EXPECT_NEAR(d_.calc_arm(d_.arm_stroke.low) - d_.calc_arm(d_.arm_stroke.high), 121 * kDegree, kWritten);
  EXPECT_NEAR(d_.calc_bucket(d_.bucket_stroke.low), 20.5 * kDegree, kWritten);
  EXPECT_NEAR(d_.calc_bucket(d_.bucket_stroke.high), -152.5 * kDegree, kWritten);
}

TEST_F(Backhoe, ExtendingLowersTheBoomDrawsTheDipperInAndCurlsTheBucket) {
  constexpr double kStep = 1e-6;
  visit_range(d_.boom_stroke, 100, [&](double l) { ASSERT_LT(d_.calc_boom(l + kStep), d_.calc_boom(l)); });
  visit_range(d_.arm_stroke, 100, [&](double l) { ASSERT_LT(d_.calc_arm(l + kStep), d_.calc_arm(l)); });
  visit_range(d_.bucket_stroke, 100,
              [&](double l) { ASSERT_LT(d_.calc_bucket(l + kStep), d_.calc_bucket(l)); });
}

TEST_F(Backhoe, NoPoseWithinTheStrokesIsNearSingular) {
  EXPECT_GE(calc_least(d_.boom_stroke, [&](double l) { return d_.calc_boom_sine(l); }), 0.38);
  EXPECT_GE(calc_least(d_.arm_stroke, [&](double l) { return d_.calc_arm_sine(l); }), 0.42);
  EXPECT_GE(calc_least(d_.bucket_stroke, [&](double l) { return d_.calc_rocker_sine(l); }), 0.58);
  EXPECT_GE(calc_least(d_.bucket_stroke, [&](double l) { return d_.calc_link_sine(l); }), 0.60);
  EXPECT_GE(calc_least(d_.bucket_stroke, [&](double l) { return d_.calc_still_sine(l); }), 0.60);
}

TEST_F(Backhoe, CylindersCanBeBuilt) {
  EXPECT_TRUE(is_buildable(d_.boom_stroke));
  EXPECT_TRUE(is_buildable(d_.arm_stroke));
  EXPECT_TRUE(is_buildable(d_.bucket_stroke));
}

TEST_F(Backhoe, StartAnglesAreThoseOfTheHandSolve) {
  const DiggerStance s =
      d_.calc_stance(find_start_drive(m_, "boom_cylinder"), find_start_drive(m_, "dipper_cylinder"),
                     find_start_drive(m_, "bucket_cylinder"));
  EXPECT_NEAR(find_start_angle(m_, "boom"), s.boom, kWrittenAngle);
  EXPECT_NEAR(find_start_angle(m_, "dipper"), s.arm, kWrittenAngle);
  EXPECT_NEAR(find_start_angle(m_, "rocker"), s.rocker, kWrittenAngle);
  EXPECT_NEAR(find_start_angle(m_, "link"), s.link, kWrittenAngle);
  EXPECT_NEAR(find_start_angle(m_, "bucket"), s.bucket, kWrittenAngle);
}

}  // namespace
}  // namespace rodeo::configs_geometry
