// SPDX-License-Identifier: MIT
// Two at once against one at a time: the same bits, for all sizes and signs, and the same refusals.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <limits>

#include "engine/kernel/rodeo_math.h"
#include "tests/kernel_math/oracle.h"

namespace rodeo::kernel_math {
namespace {

constexpr int kSamples = 1'000'000;

/// Mostly of the size of links; now and then zero of either sign, a denormal, or enormous.
double any_coordinate(Random& random, int i) {
  constexpr std::array kRare{0.0, -0.0, 5e-324, -3e-310, 1e300, -1.7e308, 1e-19, 0x1p-63, 0x1p63};
  return i % 7 == 0 ? kRare[static_cast<std::size_t>(i / 7) % kRare.size()] : random.uniform(-3.0, 3.0);
}

bool is_same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

TEST(Pair, OfSinesHasTheBitsOfEach) {
  Random random(1);
  for (int i = 0; i < kSamples; ++i) {
    const double x0 = random.uniform(-1.0, 1.0) * (i % 2 == 0 ? RODEO_MAX_ANGLE : 4.0);
    const double x1 = i % 5 == 0 ? -0.0 : random.uniform(-4.0, 4.0);
    double s[4], c[4];
    ASSERT_EQ(rodeo_sincos_pair(x0, x1, &s[0], &c[0], &s[1], &c[1]), 1);
    ASSERT_EQ(rodeo_sincos(x0, &s[2], &c[2]) + rodeo_sincos(x1, &s[3], &c[3]), 2);
    for (int k : {0, 1}) ASSERT_TRUE(is_same(s[k], s[k + 2]) && is_same(c[k], c[k + 2])) << x0 << " " << x1;
  }
}

TEST(Pair, OfSinesRefusesIfOneIsOutOfRange) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double bad : {kNan, kInfinity, -kInfinity, 8.1e5}) {
    double s0 = 7, c0 = 7, s1 = 7, c1 = 7;
    EXPECT_EQ(rodeo_sincos_pair(bad, 1.0, &s0, &c0, &s1, &c1), 0);
    EXPECT_EQ(rodeo_sincos_pair(1.0, bad, &s0, &c0, &s1, &c1), 0);
    EXPECT_EQ(s0 + c0 + s1 + c1, 28) << bad;
  }
}

TEST(Pair, OfAnglesHasTheBitsOfEach) {
  Random random(2);
  for (int i = 0; i < kSamples; ++i) {
    const double y0 = any_coordinate(random, i), x0 = any_coordinate(random, i + 1);
    const double y1 = any_coordinate(random, i + 2), x1 = any_coordinate(random, i + 3);
    const double near0 = random.uniform(-100.0, 100.0), near1 = random.uniform(-4.0, 4.0);
    double a0 = 0, a1 = 0;
    rodeo_angle_pair(y0, x0, near0, y1, x1, near1, &a0, &a1);
    ASSERT_TRUE(is_same(a0, rodeo_unwrap(rodeo_atan2(y0, x0), near0))) << y0 << " " << x0 << " " << near0;
    ASSERT_TRUE(is_same(a1, rodeo_unwrap(rodeo_atan2(y1, x1), near1))) << y1 << " " << x1 << " " << near1;
  }
}

}  // namespace
}  // namespace rodeo::kernel_math
