// SPDX-License-Identifier: MIT
// rodeo_unwrap against long double turns, and together with the sine and the arc tangent on a crank that turns on.
#include "engine/kernel/rodeo_math.h"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/kernel_math/oracle.h"

namespace rodeo::kernel_math {
namespace {

constexpr int kSamples = 1'000'000;
constexpr double kPi = std::numbers::pi;
constexpr long double kTurn = 2 * std::numbers::pi_v<long double>;

TEST(Unwrap, IsTheNearestAngleWithinOneUlp) {
  Random random(1);
  Worst worst("unwrap");
  for (int i = 0; i < kSamples; ++i) {
    const double angle = random.uniform(-kPi, kPi);
    const double near = random.uniform(-1.0, 1.0) * (i % 2 == 0 ? RODEO_MAX_ANGLE : 20.0);
    const long double turns = (near - static_cast<long double>(angle)) / kTurn;
    if (std::abs(std::abs(turns - std::round(turns)) - 0.5L) < 1e-9L) continue;  // either neighbour will do
    worst.see(rodeo_unwrap(angle, near), angle + std::round(turns) * kTurn, angle, near);
  }
  EXPECT_LE(worst.ulps(), kMaxUlps);
}

TEST(Unwrap, LeavesAnAngleThatIsNearAsItIs) {
  Random random(2);
  for (int i = 0; i < kSamples; ++i) {
    const double angle = random.uniform(-kPi, kPi);
    ASSERT_EQ(rodeo_unwrap(angle, angle + random.uniform(-3.1, 3.1)), angle);
  }
}

TEST(Unwrap, IsOddToTheBit) {
  Random random(3);
  for (int i = 0; i < kSamples; ++i) {
    const double angle = random.uniform(-kPi, kPi);
    const double near = random.uniform(-1e5, 1e5);
    ASSERT_EQ(rodeo_unwrap(angle, near), -rodeo_unwrap(-angle, -near)) << angle << " " << near;
  }
}

/// Two roundings of the sine and cosine, one ulp of the arc tangent at π and one of the sum.
TEST(Unwrap, FollowsACrankOver127000Turns) {
  double followed = 0.0;
  for (double angle = 0.0; angle < RODEO_MAX_ANGLE; angle += 1.37) {
    double s = 0.0;
    double c = 0.0;
    ASSERT_EQ(rodeo_sincos(angle, &s, &c), 1);
    followed = rodeo_unwrap(rodeo_atan2(s, c), followed);
    ASSERT_LE(std::abs(followed - angle), 7e-16 + std::nextafter(angle, 1e6) - angle) << angle;
  }
}

}  // namespace
}  // namespace rodeo::kernel_math
