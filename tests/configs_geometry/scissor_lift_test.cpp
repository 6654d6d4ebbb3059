// SPDX-License-Identifier: MIT
// configs/scissor_lift.yaml solved by hand, pin by pin from the base up, without supposing that it is symmetric: the
// cylinder's triangle O P Q gives the lower arm; W lies on the rail with |W-M| = L/2; N is the apex over S and R.
#include <gtest/gtest.h>

#include "plane.h"

namespace rodeo::configs_geometry {
namespace {

struct Stance {
  Vec M, R, W, S, N, Y, Z;
  double inner = 0.0, platform = 0.0;  // angles of the lower arm O-R and of the platform
};

class ScissorLift : public testing::Test {
 protected:
  const machine::Machine m_ = build_config("scissor_lift");
  const Vec O_ = find_point(m_, "ground", "O"), P_ = find_point(m_, "ground", "P"),
            Q_ = find_point(m_, "lower_inner", "Q"), front_ = find_point(m_, "platform", "front");
  const double L_ = find_bar(m_, "lower_inner", "R");
  const Range stroke_ = find_range(m_, "cylinder");

  [[nodiscard]] Stance calc_stance(double cylinder) const {
    const double half = L_ / 2.0;
    Stance s;
    s.inner = calc_angle(calc_apex(O_, P_, calc_length(Q_), cylinder) - O_) - calc_angle(Q_);
    s.M = O_ + turned({half, 0.0}, s.inner);
    s.R = O_ + turned({L_, 0.0}, s.inner);
    s.W = {s.M.x + std::sqrt(half * half - (s.M.y - O_.y) * (s.M.y - O_.y)), O_.y};
    s.S = s.W + 2.0 * (s.M - s.W);
    s.N = calc_apex(s.S, s.R, half, half);
    s.Z = s.S + 2.0 * (s.N - s.S);
    s.Y = s.R + 2.0 * (s.N - s.R);
    s.platform = calc_angle(s.Z - s.Y);
    return s;
  }
  [[nodiscard]] double calc_deck(double cylinder) const {
    const Stance s = calc_stance(cylinder);
    return (s.Y + turned(front_, s.platform)).y;
  }
};

TEST_F(ScissorLift, ArmsAreAlikeAndPinnedInTheirMiddle) {
  EXPECT_EQ(L_, 2.4);
  EXPECT_EQ(find_bar(m_, "lower_outer", "S"), L_);
  EXPECT_EQ(find_bar(m_, "upper_inner", "Z"), L_);
  EXPECT_EQ(find_bar(m_, "upper_outer", "Y"), L_);
  for (const auto& [arm, cross] :
       {std::pair{"lower_inner", "M"}, {"lower_outer", "M"}, {"upper_inner", "N"}, {"upper_outer", "N"}}) {
    EXPECT_EQ(find_bar(m_, arm, cross), L_ / 2.0) << arm;
  }
}

TEST_F(ScissorLift, DeckRisesFrom1_01To4_57Metres) {
  EXPECT_NEAR(calc_deck(stroke_.low), 1.01, 0.005);
  EXPECT_NEAR(calc_deck(stroke_.high), 4.57, 0.005);
  EXPECT_NEAR(calc_stance(stroke_.low).inner, 6.8 * kDegree, 0.1 * kDegree);
  EXPECT_NEAR(calc_stance(stroke_.high).inner, 59.4 * kDegree, 0.1 * kDegree);
  visit_range(stroke_, 1000, [&](double l) { ASSERT_GT(calc_deck(l + 1e-6), calc_deck(l)); });
}

// Height and rail travel of the file's comment: base + 2 L sin h, L cos h.
TEST_F(ScissorLift, PlatformIsLevelAndOverTheBaseAllTheWay) {
  constexpr double kRounding = 1e-14;
  visit_range(stroke_, 1000, [&](double l) {
    const Stance s = calc_stance(l);
    ASSERT_NEAR(s.platform, 0.0, kRounding);
    ASSERT_NEAR(s.Y.x, O_.x, kRounding);
    ASSERT_NEAR(s.Y.y, O_.y + 2.0 * L_ * std::sin(s.inner), kRounding);
    ASSERT_NEAR(s.Z.x, s.W.x, kRounding);
    ASSERT_NEAR(s.W.x, O_.x + L_ * std::cos(s.inner), kRounding);
  });
}

TEST_F(ScissorLift, RollersStayOnTheirRails) {
  const double out = calc_stance(stroke_.low).Z.x, in = calc_stance(stroke_.high).Z.x;
  EXPECT_NEAR(out - in, 1.16, 0.005);
  EXPECT_LT(out, find_bar(m_, "platform", "end"));
  EXPECT_GT(in, 1.0);
}

TEST_F(ScissorLift, NoPoseWithinTheStrokeIsNearSingular) {
  const auto cylinder = [&](double l) { return calc_sine(P_ - O_, turned(Q_, calc_stance(l).inner)); };
  const auto rail = [&](double l) {
    const Stance s = calc_stance(l);
    return std::abs(calc_sine({0.0, 1.0}, s.M - s.W));
  };
  const auto arms = [&](double l) {
    const Stance s = calc_stance(l);
    return calc_sine(s.S - s.N, s.R - s.N);
  };
  EXPECT_GE(calc_least(stroke_, cylinder), 0.37);
  EXPECT_GE(calc_least(stroke_, rail), 0.50);
  EXPECT_GE(calc_least(stroke_, arms), 0.23);
}

TEST_F(ScissorLift, CylinderCanBeBuilt) { EXPECT_TRUE(is_buildable(stroke_)); }

TEST_F(ScissorLift, StartAnglesAreThoseOfTheHandSolve) {
  const Stance s = calc_stance(find_start_drive(m_, "cylinder"));
  EXPECT_NEAR(find_start_angle(m_, "lower_inner"), s.inner, kWrittenAngle);
  EXPECT_NEAR(find_start_angle(m_, "lower_outer"), calc_angle(s.S - s.W), kWrittenAngle);
  EXPECT_NEAR(find_start_angle(m_, "upper_inner"), calc_angle(s.Z - s.S), kWrittenAngle);
  EXPECT_NEAR(find_start_angle(m_, "upper_outer"), calc_angle(s.Y - s.R), kWrittenAngle);
  EXPECT_NEAR(find_start_angle(m_, "platform"), s.platform, kWrittenAngle);
}

}  // namespace
}  // namespace rodeo::configs_geometry
