// SPDX-License-Identifier: MIT
// Does configs/telehandler.yaml lift 7 m and reach 4 m? Solved by hand: two triangles, A B Q for the boom and H W U for
// the carriage on the inner boom, and the slide along the boom's axis between them.
#include <gtest/gtest.h>

#include "plane.h"

namespace rodeo::configs_geometry {
namespace {

constexpr double kFrontOfWheels = 0.6;  // half of their 1.2 m, about x = 0

struct Stance {
  Vec H, heel, tip;
  double boom = 0.0, carriage = 0.0;  // angles of the bodies
};

class Telehandler : public testing::Test {
 protected:
  const machine::Machine m_ = build_config("telehandler");
  const Vec A_ = find_point(m_, "ground", "A"), B_ = find_point(m_, "ground", "B"),
            Q_ = find_point(m_, "boom", "Q"), S_ = find_point(m_, "boom", "S"),
            H_ = find_point(m_, "inner_boom", "H"), W_ = find_point(m_, "inner_boom", "W"),
            U_ = find_point(m_, "carriage", "U"), heel_ = find_point(m_, "carriage", "heel"),
            tip_ = find_point(m_, "carriage", "tip");
  const Range lift_ = find_range(m_, "lift"), extension_ = find_range(m_, "extension"),
              tilt_ = find_range(m_, "tilt");

  [[nodiscard]] double calc_boom(double lift) const {
    return calc_angle(calc_apex(A_, B_, calc_length(Q_), lift) - A_) - calc_angle(Q_);
  }
  /// The carriage's angle on the boom.
  [[nodiscard]] double calc_carriage(double tilt) const {
    return calc_wrapped(calc_angle(calc_apex(W_, H_, tilt, calc_length(U_)) - H_) - calc_angle(U_));
  }
  [[nodiscard]] Stance calc_stance(double lift, double extension, double tilt) const {
    Stance s;
    s.boom = calc_boom(lift);
    s.carriage = s.boom + calc_carriage(tilt);
    s.H = A_ + turned(S_ + Vec{extension, 0.0} + H_,
                      s.boom);  // P, the inner boom's origin, lies on the boom's x axis
    s.heel = s.H + turned(heel_, s.carriage);
    s.tip = s.H + turned(tip_, s.carriage);
    return s;
  }
  /// The pose with level forks.
  [[nodiscard]] Stance calc_level(double lift, double extension) const {
    const double boom = calc_boom(lift);
    const double tilt = calc_root(tilt_, [&](double t) { return boom + calc_carriage(t); });
    const Stance s = calc_stance(lift, extension, tilt);
    EXPECT_NEAR(s.carriage, 0.0, 1e-12);
    return s;
  }
};

TEST_F(Telehandler, LevelForksGoFromTheGroundTo7Metres) {
  EXPECT_NEAR(calc_level(lift_.low, extension_.low).heel.y, 0.04, 0.005);
  EXPECT_NEAR(calc_level(lift_.high, extension_.high).heel.y, 7.0, 0.02);
}

TEST_F(Telehandler, ReachesFourMetresAheadOfItsWheels) {
  double reach = 0.0;
  visit_range(lift_, 500,
              [&](double lift) { reach = std::max(reach, calc_level(lift, extension_.high).heel.x); });
  EXPECT_NEAR(reach - kFrontOfWheels, 4.04, 0.01);
}

TEST_F(Telehandler, BoomAndForksTurnAsFarAsTheFileSays) {
  constexpr double kWritten = 0.5 * kDegree;
  EXPECT_NEAR(calc_boom(lift_.low), -5.9 * kDegree, kWritten);
  EXPECT_NEAR(calc_boom(lift_.high), 69 * kDegree, kWritten);
  EXPECT_NEAR(calc_carriage(tilt_.low) - calc_carriage(tilt_.high), 123 * kDegree, kWritten);
  EXPECT_NEAR(calc_stance(lift_.low, 0.0, tilt_.low).carriage, 17.7 * kDegree, kWritten);
  EXPECT_NEAR(calc_stance(lift_.high, 0.0, tilt_.high).carriage, -31 * kDegree, kWritten);
}

TEST_F(Telehandler, InnerBoomStaysInTheBoom) {
  const double end = find_bar(m_, "boom", "end");
  EXPECT_EQ(S_.y, 0.0);
  EXPECT_GE(S_.x + extension_.low, 0.0);
  EXPECT_LE(S_.x + extension_.high, end - 0.4);  // a telescope keeps an overlap
}

TEST_F(Telehandler, NoPoseWithinTheRangesIsNearSingular) {
  EXPECT_GE(calc_least(lift_, [&](double l) { return calc_sine(B_ - A_, turned(Q_, calc_boom(l))); }), 0.50);
  EXPECT_GE(calc_least(tilt_, [&](double l) { return calc_sine(turned(U_, calc_carriage(l)), W_ - H_); }),
            0.46);
}

TEST_F(Telehandler, CylindersCanBeBuilt) {
  EXPECT_TRUE(is_buildable(lift_));
  EXPECT_TRUE(is_buildable(tilt_));
}

TEST_F(Telehandler, StartAnglesAreThoseOfTheHandSolve) {
  const Stance s = calc_stance(find_start_drive(m_, "lift"), find_start_drive(m_, "extension"),
                               find_start_drive(m_, "tilt"));
  EXPECT_NEAR(find_start_angle(m_, "boom"), s.boom, kWrittenAngle);
  EXPECT_NEAR(find_start_angle(m_, "inner_boom"), s.boom, kWrittenAngle);
  EXPECT_NEAR(find_start_angle(m_, "carriage"), s.carriage, kWrittenAngle);
}

}  // namespace
}  // namespace rodeo::configs_geometry
