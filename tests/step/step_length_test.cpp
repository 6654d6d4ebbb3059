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

TEST(StepLength, OfASwingIsNoMoreThanARadian) {
  EXPECT_NEAR(calc_followed_step(RODEO_RK4, Complex(-10, 100)) * 100, 1, 1e-12);
  EXPECT_EQ(calc_followed_step(RODEO_RK4, Complex(-100, 0)), calc_longest_step(RODEO_RK4, Complex(-100, 0)));
}

TEST(StepLength, NamesTheStiffestElement) {
  const std::vector<StiffElement> elements{{"spring 'soft'", Complex(0, 30)},
                                           {"spring 'shock'", Complex(0, 6000)}};
  EXPECT_EQ(describe_long_step(elements, RODEO_RK4, 1e-3),
            "the step of 0.001 s is too long for spring 'shock' with the mass that it moves (6e+03 1/s)");
  EXPECT_EQ(describe_long_step(elements, RODEO_RK4, 1.0 / 6000), "");
}

/// Runs that are good from `good` Hz on, and without a fault from `whole` on.
TryRun runs_from(double whole, double good, std::vector<double>* tried = nullptr) {
  return [=](rodeo_method, double rate) {
    if (tried != nullptr) tried->push_back(rate);
    return rate >= good ? Trial::good : rate >= whole ? Trial::lossy : Trial::faulty;
  };
}

TEST(Remedy, IsTheFirstRateThatWasTriedAndDoes) {
  const Remedy found = find_remedy({}, RODEO_RK4, 1000, 1e6, runs_from(3000, 9000));
  EXPECT_EQ(found.rate, 16000);
  EXPECT_EQ(describe_remedy(found, RODEO_RK4, 1e-3), "take --rate 16000");
  EXPECT_EQ(find_remedy({}, RODEO_RK4, 1000, 10000, runs_from(3000, 9e9)).rate, 4000);
}

TEST(Remedy, IsNoneOfWhichAWarningWouldBeGiven) {
  const std::vector<StiffElement> elements{{"spring 'shock'", Complex(0, 6000)}};
  std::vector<double> tried;
  EXPECT_EQ(find_remedy(elements, RODEO_RK4, 1000, 1e6, runs_from(0, 0, &tried)).rate, 8000);
  EXPECT_EQ(tried, std::vector{8000.0});
}

TEST(Remedy, IsAnotherMethodWhereNoRateDoes) {
  const TryRun by_method = [](rodeo_method method, double rate) {
    return method == RODEO_RK4 && rate >= 50 ? Trial::good : Trial::faulty;
  };
  EXPECT_EQ(describe_remedy(find_remedy({}, RODEO_EULER, 50, 1e4, by_method), RODEO_EULER, 0.02),
            "take --method rk4");
  EXPECT_EQ(describe_remedy(find_remedy({}, RODEO_EULER, 20, 1e4, by_method), RODEO_EULER, 0.05, "--solver"),
            "take --solver rk4 --rate 80");
}

TEST(Remedy, SaysHowFarItWasLookedFor) {
  const Remedy none = find_remedy({}, RODEO_RK4, 1000, 1e4, runs_from(1e9, 1e9));
  EXPECT_EQ(describe_fault({}, none, RODEO_RK4, 1e-3),
            "the step of 0.001 s is too long for the forces: no rate up to 8000 Hz does: soften it, give its "
            "bodies mass, or keep the machine from the pose where it locks");
}

}  // namespace
}  // namespace rodeo::engine
