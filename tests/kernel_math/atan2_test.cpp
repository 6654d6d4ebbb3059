// SPDX-License-Identifier: MIT
// rodeo_atan2 against the long double arc tangent.
#include "engine/kernel/rodeo_math.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <numbers>
#include <utility>

#include "tests/kernel_math/oracle.h"

namespace rodeo::kernel_math {
namespace {

constexpr int kSamples = 1'000'000;  // of each of six distributions
constexpr double kPi = std::numbers::pi;
constexpr double kMin = std::numeric_limits<double>::denorm_min();
constexpr double kMax = std::numeric_limits<double>::max();

struct Vector {
  double x;
  double y;
};

void expect_accurate(const char* name, const std::function<Vector()>& draw) {
  Worst worst(std::string("atan2, ") + name);
  for (int i = 0; i < kSamples; ++i) {
    const Vector v = draw();
    worst.see(rodeo_atan2(v.y, v.x), std::atan2(static_cast<long double>(v.y), static_cast<long double>(v.x)),
              v.y, v.x);
  }
  EXPECT_LE(worst.ulps(), kMaxUlps);
}

TEST(Atan2, IsWithinOneUlpInASquare) {
  Random random(1);
  expect_accurate("|x|, |y| < 1", [&] {
    return Vector{random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
  });
}

TEST(Atan2, IsWithinOneUlpForAllSizes) {
  Random random(2);
  expect_accurate("all sizes", [&] {
    return Vector{random.log_uniform(-1074.0, 1023.9), random.log_uniform(-1074.0, 1023.9)};
  });
  expect_accurate("all sizes, ratios 2^-70 to 2^70", [&] {
    const double x = random.log_uniform(-1074.0, 1023.9);
    return Vector{x, x * random.log_uniform(-70.0, std::min(70.0, 1023.9 - std::log2(std::abs(x))))};
  });
}

TEST(Atan2, IsWithinOneUlpNearTheAxes) {
  Random random(3);
  expect_accurate("near the axes", [&] {
    const Vector v{random.sign() * random.uniform(0.5, 2.0), random.log_uniform(-60.0, -1.0)};
    return random.sign() > 0.0 ? v : Vector{v.y, v.x};
  });
}

TEST(Atan2, IsWithinOneUlpNearTheDiagonals) {
  Random random(4);
  expect_accurate("near the diagonals", [&] {
    const double x = random.sign() * random.uniform(0.5, 2.0);
    return Vector{x, random.sign() * x * (1.0 + random.log_uniform(-53.0, -2.0))};
  });
}

/// |y/x| = 1/4 and 4 change the formula.
TEST(Atan2, IsWithinOneUlpNearTheSeams) {
  Random random(5);
  expect_accurate("near the seams", [&] {
    const Vector v{random.sign() * random.uniform(0.5, 2.0), 0.0};
    const double y = random.sign() * 0.25 * v.x * (1.0 + random.log_uniform(-53.0, -2.0));
    return random.sign() > 0.0 ? Vector{v.x, y} : Vector{y, v.x};
  });
}

struct Special {
  double y;
  double x;
  double angle;
};

TEST(Atan2, IsExactOnTheAxesWithTheSignsOfC) {
  for (const Special& s : {Special{0.0, 0.0, 0.0},
                           {0.0, -0.0, kPi},
                           {0.0, 3.0, 0.0},
                           {0.0, -3.0, kPi},
                           {3.0, 0.0, kPi / 2},
                           {3.0, -0.0, kPi / 2},
                           {0.0, kMin, 0.0},
                           {0.0, -kMin, kPi},
                           {kMin, 0.0, kPi / 2},
                           {kMax, -0.0, kPi / 2},
                           {0.0, kMax, 0.0},
                           {0.0, -kMax, kPi},
                           {kMin, 1.0, kMin},
                           {kMin, -kMax, kPi},
                           {kMax, kMin, kPi / 2},
                           {kMin, kMin, kPi / 4},
                           {kMax, kMax, kPi / 4},
                           {5.0, 5.0, kPi / 4}}) {
    for (const double sign : {1.0, -1.0}) {
      const double angle = rodeo_atan2(sign * s.y, s.x);
      EXPECT_EQ(angle, sign * s.angle) << s.y << " " << s.x;
      EXPECT_EQ(std::signbit(angle), sign < 0.0) << s.y << " " << s.x;
    }
  }
}

TEST(Atan2, IsOddInYToTheBit) {
  Random random(6);
  for (int i = 0; i < kSamples; ++i) {
    const double x = random.uniform(-1.0, 1.0);
    const double y = random.log_uniform(-60.0, 3.0);
    ASSERT_EQ(rodeo_atan2(y, x), -rodeo_atan2(-y, x)) << y << " " << x;
  }
}

TEST(Atan2, StaysANumberOnlyIfBothAre) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double other : {0.0, -0.0, 1.0, -1e300, kMin, nan}) {
    EXPECT_TRUE(std::isnan(rodeo_atan2(nan, other)));
    EXPECT_TRUE(std::isnan(rodeo_atan2(other, nan)));
  }
}

}  // namespace
}  // namespace rodeo::kernel_math
