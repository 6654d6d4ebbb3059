// SPDX-License-Identifier: MIT
// rodeo_sincos against long double sine and cosine.
#include "engine/kernel/rodeo_math.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <limits>
#include <numbers>

#include "tests/kernel_math/oracle.h"

namespace rodeo::kernel_math {
namespace {

constexpr int kSamples = 1'000'000;  // of each of five distributions
constexpr long double kQuarterTurn = std::numbers::pi_v<long double> / 2;
constexpr int kQuarterTurns = 509'295;  // one less than RODEO_MAX_ANGLE holds

struct SineCosine {
  double s = 7.0;
  double c = 7.0;
};

SineCosine calc(double x) {
  SineCosine result;
  EXPECT_EQ(rodeo_sincos(x, &result.s, &result.c), 1) << x;
  return result;
}

void expect_accurate(const char* name, const std::function<double()>& draw, int samples) {
  Worst sine(std::string("sin, ") + name);
  Worst cosine(std::string("cos, ") + name);
  for (int i = 0; i < samples; ++i) {
    const double x = draw();
    const SineCosine got = calc(x);
    sine.see(got.s, std::sin(static_cast<long double>(x)), x);
    cosine.see(got.c, std::cos(static_cast<long double>(x)), x);
  }
  EXPECT_LE(sine.ulps(), kMaxUlps);
  EXPECT_LE(cosine.ulps(), kMaxUlps);
}

TEST(Sincos, IsWithinOneUlpWhereMachinesTurn) {
  Random random(1);
  expect_accurate(
      "|x| < 7", [&] { return random.uniform(-7.0, 7.0); }, kSamples);
}

TEST(Sincos, IsWithinOneUlpOverTheWholeRange) {
  Random random(2);
  expect_accurate(
      "|x| < 8e5", [&] { return random.uniform(-RODEO_MAX_ANGLE, RODEO_MAX_ANGLE); }, kSamples);
}

TEST(Sincos, IsWithinOneUlpNearMultiplesOfAQuarterTurn) {
  Random random(3);
  const auto near_multiple = [&] {
    const double n = std::round(random.uniform(-kQuarterTurns, kQuarterTurns));
    return static_cast<double>(n * kQuarterTurn) + random.log_uniform(-60.0, -3.0);
  };
  expect_accurate("near n pi/2", near_multiple, kSamples);
}

TEST(Sincos, IsWithinOneUlpForTinyAndSubnormalAngles) {
  Random random(4);
  expect_accurate(
      "1e-16 < |x| < 1", [&] { return random.log_uniform(-53.0, 0.0); }, kSamples);
  expect_accurate(
      "|x| < 1e-16", [&] { return random.log_uniform(-1074.0, -53.0); }, kSamples);
}

/// Where cancellation leaves the fewest bits: the doubles next to every multiple of π/2 there is.
TEST(Sincos, IsWithinOneUlpAtTheNeighboursOfEveryMultipleOfAQuarterTurn) {
  int i = 0;
  const auto neighbour = [&i] {
    const int n = 1 + i / 3;
    const auto nearest = static_cast<double>(n * kQuarterTurn);
    const double towards = std::array{0.0, nearest, 1e6}.at(i++ % 3);
    return std::nextafter(nearest, towards);
  };
  expect_accurate("next to n pi/2", neighbour, 3 * kQuarterTurns);
}

TEST(Sincos, IsExactAtZeroWithItsSign) {
  EXPECT_EQ(calc(0.0).s, 0.0);
  EXPECT_FALSE(std::signbit(calc(0.0).s));
  EXPECT_EQ(calc(-0.0).s, 0.0);
  EXPECT_TRUE(std::signbit(calc(-0.0).s));
  EXPECT_EQ(calc(0.0).c, 1.0);
  EXPECT_EQ(calc(-0.0).c, 1.0);
}

TEST(Sincos, SineIsOddAndCosineEvenToTheBit) {
  Random random(5);
  for (int i = 0; i < kSamples; ++i) {
    const double x = i % 2 == 0 ? random.uniform(0.0, 7.0) : random.uniform(0.0, RODEO_MAX_ANGLE);
    const SineCosine plus = calc(x);
    const SineCosine minus = calc(-x);
    ASSERT_EQ(plus.s, -minus.s) << x;
    ASSERT_EQ(plus.c, minus.c) << x;
  }
}

TEST(Sincos, RefusesWhatItCannotReduceAndLeavesTheOutputsUntouched) {
  const double inf = std::numeric_limits<double>::infinity();
  const double beyond = std::nextafter(RODEO_MAX_ANGLE, inf);
  for (const double x : {beyond, -beyond, 1e200, inf, -inf, std::numeric_limits<double>::quiet_NaN()}) {
    SineCosine out;
    EXPECT_EQ(rodeo_sincos(x, &out.s, &out.c), 0) << x;
    EXPECT_EQ(out.s, 7.0);
    EXPECT_EQ(out.c, 7.0);
  }
  calc(RODEO_MAX_ANGLE);
  calc(-RODEO_MAX_ANGLE);
}

}  // namespace
}  // namespace rodeo::kernel_math
