// SPDX-License-Identifier: MIT
// Is configs/z_bar_loader.yaml a loader of the 18 to 20 t class, with a Z-bar? Solved by hand: the lift cylinder's
// triangle A P Q gives the boom, and then two apexes give the bellcrank and the bucket:
//   S from |S-T| = tilt, |S-E| = L_bc;  K from |K-F| = L_bl, |K-H| = |HK|
#include <gtest/gtest.h>

#include "plane.h"

namespace rodeo::configs_geometry {
namespace {

struct Stance {
  Vec E, H, S, F, K, tip;
  double boom = 0.0, bellcrank = 0.0, link = 0.0, bucket = 0.0;  // angles of the bodies
};

class ZBarLoader : public testing::Test {
 protected:
  const machine::Machine m_ = build_config("z_bar_loader");
  const Vec A_ = find_point(m_, "ground", "A"), P_ = find_point(m_, "ground", "P"),
            T_ = find_point(m_, "ground", "T"), E_ = find_point(m_, "boom", "E"),
            H_ = find_point(m_, "boom", "H"), Q_ = find_point(m_, "boom", "Q"),
            F_ = find_point(m_, "bellcrank", "F"), K_ = find_point(m_, "bucket", "K"),
            tip_ = find_point(m_, "bucket", "tip");
  const double L_bc_ = find_bar(m_, "bellcrank", "S"), L_bl_ = find_bar(m_, "link", "K");
  const Range lift_ = find_range(m_, "lift"), tilt_ = find_range(m_, "tilt");

  [[nodiscard]] double calc_boom(double lift) const {
    return calc_angle(calc_apex(A_, P_, calc_length(Q_), lift) - A_) - calc_angle(Q_);
  }
  [[nodiscard]] double calc_lift(double hinge_height) const {
    const double boom = std::asin((hinge_height - A_.y) / calc_length(H_)) - calc_angle(H_);
    return calc_length(A_ + turned(Q_, boom) - P_);
  }
  [[nodiscard]] Stance calc_stance(double lift, double tilt) const {
    Stance s;
    s.boom = calc_boom(lift);
    s.E = A_ + turned(E_, s.boom);
    s.H = A_ + turned(H_, s.boom);
    s.S = calc_apex(T_, s.E, tilt, L_bc_);
    s.bellcrank = calc_angle(s.S - s.E);
    s.F = s.E + turned(F_, s.bellcrank);
    s.K = calc_apex(s.F, s.H, L_bl_, calc_length(K_));
    s.link = calc_angle(s.K - s.F);
    s.bucket = calc_wrapped(calc_angle(s.K - s.H) - calc_angle(K_));
    s.tip = s.H + turned(tip_, s.bucket);
    return s;
  }
  [[nodiscard]] double calc_level_tilt(double lift) const {
    return calc_root(tilt_, [&](double tilt) { return calc_stance(lift, tilt).bucket; });
  }
};

TEST_F(ZBarLoader, HingePinHeightAtFullLiftIsThatOfTheClass) {
  EXPECT_NEAR(calc_stance(lift_.high, tilt_.high).H.y, 3.96, 0.005);  // the class asks for 3.8 to 4.2
}

TEST_F(ZBarLoader, BucketStaysWithin1_5DegreesOfLevelOverTheLift) {
  const double on_ground = calc_lift(-tip_.y), level = calc_level_tilt(on_ground);
  EXPECT_NEAR(level, 2.030, 0.001);
  visit_range({on_ground, lift_.high}, 1000,
              [&](double lift) { EXPECT_NEAR(calc_stance(lift, level).bucket, 0.0, 1.5 * kDegree); });
}

TEST_F(ZBarLoader, BucketRollsBack45DegreesAtCarry) {
  EXPECT_GE(calc_stance(calc_lift(0.45), tilt_.high).bucket, 45.0 * kDegree);  // the class asks for 40
}

TEST_F(ZBarLoader, BucketDumps48DegreesAtFullLift) {
  EXPECT_LE(calc_stance(lift_.high, tilt_.low).bucket, -48.0 * kDegree);  // the class asks for 45
  EXPECT_GT(calc_stance(lift_.high, tilt_.low).tip.y, 2.7);
}

TEST_F(ZBarLoader, CuttingEdgeOfTheLevelBucketReachesBelowGround) {
  EXPECT_LE(calc_stance(lift_.low, calc_level_tilt(lift_.low)).tip.y, -0.085);
}

// What makes it a Z: S goes forward on the boom, F goes back, and the bucket rolls back.
TEST_F(ZBarLoader, BellcrankReversesTheMotionOfTheTiltCylinder) {
  const Stance dumped = calc_stance(lift_.low, tilt_.low), back = calc_stance(lift_.low, tilt_.high);
  EXPECT_GT(back.S.x, dumped.S.x + 0.3);
  EXPECT_LT(back.F.x, dumped.F.x - 0.3);
  EXPECT_GT(back.bucket, dumped.bucket + 70.0 * kDegree);
}

// Singular where a bar lines up with the arm it turns; at F the bucket would stand still. Signs are the branch's.
TEST_F(ZBarLoader, NoPoseWithinTheStrokesIsNearSingular) {
  double at_A = 1.0, at_S = 1.0, at_K = 1.0, at_F = 1.0;
  visit_range(lift_, 200, [&](double lift) {
    visit_range(tilt_, 200, [&](double tilt) {
      const Stance s = calc_stance(lift, tilt);
      at_A = std::min(at_A, calc_sine(P_ - A_, turned(Q_, s.boom)));
      at_S = std::min(at_S, calc_sine(T_ - s.S, s.E - s.S));
      at_K = std::min(at_K, calc_sine(s.F - s.K, s.H - s.K));
      at_F = std::min(at_F, calc_sine(s.K - s.F, s.E - s.F));
      ASSERT_TRUE(std::isfinite(s.bucket)) << lift << ' ' << tilt;
      ASSERT_GT(calc_stance(lift, tilt + 1e-6).bucket, s.bucket) << lift << ' ' << tilt;
    });
  });
  EXPECT_GE(at_A, 0.59);
  EXPECT_GE(at_S, 0.75);
  EXPECT_GE(at_K, 0.33);
  EXPECT_GE(at_F, 0.33);
}

TEST_F(ZBarLoader, CylindersCanBeBuilt) {
  EXPECT_TRUE(is_buildable(lift_));
  EXPECT_TRUE(is_buildable(tilt_));
}

TEST_F(ZBarLoader, StartAnglesAreThoseOfTheHandSolve) {
  const Stance s = calc_stance(find_start_drive(m_, "lift"), find_start_drive(m_, "tilt"));
  EXPECT_NEAR(find_start_angle(m_, "boom"), s.boom, kWrittenAngle);
  EXPECT_NEAR(find_start_angle(m_, "bellcrank"), s.bellcrank, kWrittenAngle);
  EXPECT_NEAR(find_start_angle(m_, "link"), s.link, kWrittenAngle);
  EXPECT_NEAR(find_start_angle(m_, "bucket"), s.bucket, kWrittenAngle);
}

}  // namespace
}  // namespace rodeo::configs_geometry
