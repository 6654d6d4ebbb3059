// SPDX-License-Identifier: MIT
// How long an explicit step may be: against the limits of stability that every textbook has (Hairer and Wanner, IV.2).
#include "engine/step/step_length.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rodeo::engine {
namespace {

using Complex = std::complex<double>;
constexpr double kScan = 0.03;  // of |λh|: how finely limits are looked for, and 2 % of growth

TEST(StepLength, OfRungeAndKuttaIsTwoRootsOfTwoForAnOscillation) {
  EXPECT_NEAR(calc_longest_step(RODEO_RK4, Complex(0, 100)) * 100, 2 * std::sqrt(2.0), kScan);
  EXPECT_NEAR(calc_longest_step(RODEO_RK4, Complex(-100, 0)) * 100, 2.785, kScan);
}

TEST(StepLength, OfEulerAndHeunIsTwoForADamper) {
  EXPECT_NEAR(calc_longest_step(RODEO_EULER, Complex(-1e4, 0)) * 1e4, 2.0, kScan);
  EXPECT_NEAR(calc_longest_step(RODEO_HEUN, Complex(-1e4, 0)) * 1e4, 2.0, kScan);
}

TEST(StepLength, IsAnyForAnElementThatDoesNothing) {
  EXPECT_TRUE(std::isinf(calc_longest_step(RODEO_RK4, 0.0)));
  EXPECT_EQ(find_stiffest({}, RODEO_RK4), nullptr);
}

/// R(z) is the series of exp: |R(iy)|² of order 4 is 1 - y⁶/72 + y⁸/576.
TEST(StepLength, GrowthIsThatOfTheSeries) {
  for (const double y : {0.5, 1.5, 3.0}) {
    const double square = 1 - std::pow(y, 6) / 72 + std::pow(y, 8) / 576;
    EXPECT_NEAR(calc_growth(RODEO_RK4, Complex(0, y)), std::sqrt(square), 1e-12);
    EXPECT_NEAR(calc_growth(RODEO_EULER, Complex(0, y)), std::hypot(1, y), 1e-15);
  }
}

TEST(StepLength, NamesTheStiffestElementAndARateThatWouldDo) {
  const std::vector<StiffElement> elements{{"spring 'soft'", Complex(0, 30)},
                                           {"spring 'shock'", Complex(0, 6000)}};
  EXPECT_EQ(
      describe_long_step(elements, RODEO_RK4, 1e-3),
      "the step of 0.001 s is too long for spring 'shock' with the mass that it moves (6e+03 1/s): take "
      "--rate 4300");
  EXPECT_EQ(describe_long_step(elements, RODEO_RK4, 1.0 / 4300), "");
  EXPECT_LT(calc_growth(RODEO_RK4, elements[1].eigenvalue / 4300.0), 1.0);
}

}  // namespace
}  // namespace rodeo::engine
