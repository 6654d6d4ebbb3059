// SPDX-License-Identifier: MIT
// The limiter's promises on random commands: limits kept, motion consistent, targets reached, end stops not passed.
#include "engine/step/limiter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace rodeo::engine {
namespace {

constexpr double kPeriod = 1e-3;
constexpr DriveLimits kAll{-1.0, 2.0, 0.7, 3.0};
/// x' is the integral of v up to the rounding of positions of about 2, and of settling (limiter.cpp).
constexpr double kPositionRounding = 1e-14;

/// Moves a drive and checks what must hold between any two ticks.
class Drive {
 public:
  explicit Drive(const DriveLimits& limits, double start = 0, double period = kPeriod)
      : limiter_(limits, period), h_(period), state_{start, 0, 0} {}

  void tick(const Command& command) {
    const LimitedState next = limiter_.calc_next(state_, command);
    check_limits(next.state);
    if (limiter_.has_acceleration()) check_motion(next.state);
    state_ = next.state;
    status_ = next.status;
  }
  void ticks(int n, const Command& command) {
    for (int i = 0; i < n; ++i) tick(command);
  }
  [[nodiscard]] const DriveState& state() const { return state_; }
  [[nodiscard]] std::uint32_t status() const { return status_; }
  [[nodiscard]] const DriveLimiter& limiter() const { return limiter_; }

 private:
  void check_limits(const DriveState& next) const {
    const DriveLimits& limits = limiter_.limits();
    if (limits.lower) {
      ASSERT_GE(next.position, *limits.lower);
    }
    if (limits.upper) {
      ASSERT_LE(next.position, *limits.upper);
    }
    if (limits.speed) {
      ASSERT_LE(std::abs(next.rate), *limits.speed);
    }
    if (limits.acceleration) {
      ASSERT_LE(std::abs(next.acceleration), *limits.acceleration);
    }
  }
  void check_motion(const DriveState& next) const {
    const double scale = 1 + std::abs(next.position);
    ASSERT_NEAR(next.rate, state_.rate + h_ * next.acceleration, kPositionRounding * scale / h_);
    const double middle = state_.rate * h_ + next.acceleration * h_ * h_ / 2;
    ASSERT_NEAR(next.position, state_.position + middle, kPositionRounding * scale);
  }

  DriveLimiter limiter_;
  double h_;
  DriveState state_;
  std::uint32_t status_ = 0;
};

struct Case {
  DriveLimits limits;
  double period;
};

class LimitsOf : public testing::TestWithParam<Case> {};

/// Positions, jumps, ramps and rates, each for a random while, far beyond all limits now and then.
TEST_P(LimitsOf, AreKeptOnRandomCommandsAndMotionIsConsistent) {
  std::mt19937_64 random(20240607);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Drive drive(GetParam().limits, 0, GetParam().period);
  for (int segment = 0; segment < 1500 && !testing::Test::HasFatalFailure(); ++segment) {
    const double scale = segment % 7 == 0 ? 1e6 : 3;
    double target = scale * uniform(random);
    const double rate = scale * uniform(random);
    const int kind = segment % 3;
    for (int i = static_cast<int>(400 * std::abs(uniform(random))); i >= 0; --i) {
      if (kind == 2) target += rate * GetParam().period;
      drive.tick(kind == 0 ? Command::moving(rate) : Command::at(target, kind == 2 ? rate : 0));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, LimitsOf,
                         testing::Values(Case{kAll, 1e-3}, Case{kAll, 1e-4}, Case{kAll, 0.1}, Case{kAll, 1.0},
                                         Case{{-1.0, 2.0, {}, 3.0}, 1e-3}, Case{{{}, {}, 0.7, 3.0}, 1e-3},
                                         Case{{-1.0, 2.0, 0.7, {}}, 1e-3}, Case{{-1.0, 2.0, {}, {}}, 1e-3},
                                         Case{{{}, 2.0, 0.7, 1e4}, 1e-3}, Case{{0.0, 0.0, 0.7, 3.0}, 1e-3}));

TEST(DriveLimiter, ReachesATargetExactlyAtRestAndNeverPassesIt) {
  for (const double target : {1.5, 0.3, 1e-3, 1e-5, 2e-6, 1e-9, -0.9}) {
    Drive drive(kAll);
    const double sign = target < 0 ? -1 : 1;
    for (int i = 0; i < 4000; ++i) {
      drive.tick(Command::at(target));
      ASSERT_LE(sign * drive.state().position, sign * target);
    }
    EXPECT_EQ(drive.state(), (DriveState{target, 0, 0}));
    EXPECT_EQ(drive.status(), 0U);
  }
}

// Rest to rest over d at V and A takes d/V + V/A (d >= V²/A): 1.4/0.7 + 0.7/3 s. Two ticks for whole ticks.
TEST(DriveLimiter, NeedsNoMoreThanTheLeastTimeAndTwoTicks) {
  Drive drive(kAll);
  int ticks = 0;
  for (; drive.state().position != 1.4 && ticks < 10000; ++ticks) drive.tick(Command::at(1.4));
  EXPECT_LE(ticks, std::ceil((1.4 / 0.7 + 0.7 / 3) / kPeriod) + 2);
}

// A smooth input within the limits: the error of a rate that is linear over a tick is a·h²/4.
TEST(DriveLimiter, FollowsAnInputThatKeepsTheLimits) {
  const auto position = [](double t) { return 0.2 - 0.2 * std::cos(2 * t); };
  Drive drive(kAll);
  for (int i = 1; i < 10000; ++i) {
    const double t = i * kPeriod;
    drive.tick(Command::at(position(t), (position(t) - position(t - kPeriod)) / kPeriod));
    ASSERT_NEAR(drive.state().position, position(t), 0.8 * kPeriod * kPeriod / 2);
    ASSERT_NEAR(drive.state().rate, 0.4 * std::sin(2 * t), 2 * 0.8 * kPeriod);
    ASSERT_EQ(drive.status() & kLimited, 0U);
  }
}

TEST(DriveLimiter, CatchesUpWithARampAndThenIsOnIt) {
  Drive drive(kAll);
  for (int i = 1; i <= 2000; ++i) drive.tick(Command::at(0.5 * i * kPeriod, 0.5));
  EXPECT_EQ(drive.state().position, 0.5 * 2000 * kPeriod);
  EXPECT_EQ(drive.state().rate, 0.5);
}

TEST(DriveLimiter, ChasesARampThatIsTooFastAtFullSpeedAndSaysSo) {
  Drive drive(kAll);
  for (int i = 1; i <= 1000; ++i) drive.tick(Command::at(1.5 * i * kPeriod, 1.5));
  EXPECT_EQ(drive.state().rate, 0.7);
  EXPECT_EQ(drive.status(), kLimited);
}

TEST(DriveLimiter, StopsAtTheEndStopExactlyAndSaysSo) {
  for (const Command& command : {Command::at(5), Command::moving(0.6), Command::moving(100)}) {
    Drive drive(kAll);
    drive.ticks(6000, command);
    EXPECT_EQ(drive.state(), (DriveState{2.0, 0, 0}));
    EXPECT_EQ(drive.status(), kLimited | kAtUpper);
    drive.ticks(1, Command::moving(-0.1));
    EXPECT_LT(drive.state().position, 2.0);
    EXPECT_EQ(drive.status() & kAtUpper, 0U);
  }
  Drive drive(kAll);
  drive.ticks(6000, Command::moving(-0.6));
  EXPECT_EQ(drive.state(), (DriveState{-1.0, 0, 0}));
  EXPECT_EQ(drive.status(), kLimited | kAtLower);
}

TEST(DriveLimiter, CommandedToTheEndStopItselfIsNotBeyondIt) {
  Drive drive(kAll);
  drive.ticks(6000, Command::at(2.0));
  EXPECT_EQ(drive.state(), (DriveState{2.0, 0, 0}));
  EXPECT_EQ(drive.status(), 0U);
}

TEST(DriveLimiter, BrakesToWhereItSaysThatItWould) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> rate(-0.7, 0.7);
  for (int i = 0; i < 200; ++i) {
    Drive drive({{}, {}, 0.7, 3.0});
    drive.ticks(500, Command::moving(rate(random)));
    DriveState state = drive.state();
    const double rest = drive.limiter().calc_rest(state);
    for (int tick = 0; tick < 300; ++tick) state = drive.limiter().calc_braked(state);
    EXPECT_EQ(state.rate, 0);
    EXPECT_NEAR(state.position, rest, kPositionRounding);
  }
}

TEST(DriveLimiter, WithoutLimitsIsTheInputItself) {
  Drive drive({});
  drive.tick(Command::at(3.25, -0.5));
  EXPECT_EQ(drive.state(), (DriveState{3.25, -0.5, 0}));
  EXPECT_EQ(drive.status(), 0U);
  drive.tick(Command::at(3.24, -0.4, 17.5));
  EXPECT_EQ(drive.state(), (DriveState{3.24, -0.4, 17.5}));
}

TEST(DriveLimiter, HasNoAccelerationOfATargetThatItDoesNotFollow) {
  Drive drive({-1.0, 2.0, 0.5, {}}, 1.9999);
  drive.tick(Command::at(2.0001, 0.2, 17.5));
  EXPECT_EQ(drive.state(), (DriveState{2.0, 0, 0})) << "beyond its end stop";
  drive.tick(Command::at(1.9999, -0.6, 17.5));
  EXPECT_EQ(drive.state(), (DriveState{1.9999, 0, 0})) << "faster than its speed";
  drive.tick(Command::at(1.5, -0.4, 17.5));
  EXPECT_EQ(drive.state(), (DriveState{1.9999 - 0.0005, -0.5, 0})) << "behind";
}

TEST(DriveLimiter, WithoutLimitsIntegratesRatesThatAreLinearBetweenTicks) {
  Drive drive({}, 0, 0.5);
  drive.tick(Command::moving(1.0));
  EXPECT_EQ(drive.state(), (DriveState{0.25, 1.0, 2.0}));
  drive.tick(Command::moving(1.0));
  EXPECT_EQ(drive.state(), (DriveState{0.75, 1.0, 0.0}));
}

TEST(DriveLimiter, WithSpeedAloneMovesAtItAndArrives) {
  Drive drive({{}, {}, 0.5, {}}, 0, 0.5);
  drive.tick(Command::at(0.6));
  EXPECT_EQ(drive.state(), (DriveState{0.25, 0.5, 0}));
  EXPECT_EQ(drive.status(), kLimited);
  drive.ticks(2, Command::at(0.6));
  EXPECT_EQ(drive.state(), (DriveState{0.6, 0, 0}));
  EXPECT_EQ(drive.status(), 0U);
}

TEST(DriveLimiter, ComesBackIntoItsRangeWithoutAJump) {
  DriveLimiter limiter(kAll, kPeriod);
  DriveState state{2.5, 0, 0};
  for (int i = 0; i < 4000; ++i) {
    const DriveState next = limiter.calc_next(state, Command::at(5)).state;
    ASSERT_LE(std::abs(next.acceleration), 3.0);
    ASSERT_LE(std::abs(next.position - state.position), 0.7 * kPeriod * (1 + 1e-9));
    state = next;
  }
  EXPECT_EQ(state, (DriveState{2.0, 0, 0}));
}

TEST(DriveLimiter, RatesOfATickIntegrateToItsWay) {
  const DriveLimiter copied({}, kPeriod);
  const auto kink = copied.calc_rates({0, 1, 0}, {0.001, -5, 0});
  EXPECT_DOUBLE_EQ(kink[0], 1.0);
  EXPECT_DOUBLE_EQ(kink[2], 1.0);
  const DriveLimiter limited(kAll, kPeriod);
  const auto smooth = limited.calc_rates({0, 0.1, 0}, {0.00015, 0.2, 100});
  EXPECT_EQ(smooth[0], 0.1);
  EXPECT_DOUBLE_EQ(smooth[1], 0.15);
  EXPECT_EQ(smooth[2], 0.2);
}

TEST(DriveLimiter, PathOfATickIsTheCubicThatTheInputIs) {
  constexpr double h = 0.125;
  const auto x = [](double t) { return DriveState{t * t * (3 - 2 * t), 6 * t * (1 - t), 6 - 12 * t}; };
  const DriveLimiter copied({}, h);
  for (double t = 0; t < 1; t += h) {
    const auto path = copied.calc_path(x(t), x(t + h));
    for (std::size_t i = 0; i < 3; ++i) {
      const DriveState at = x(t + 0.5 * h * static_cast<double>(i));
      // The middle position is that of rates which are linear over each half of the tick: h³·x'''/96 away.
      EXPECT_NEAR(path[i].position, at.position, i == 1 ? 12 * h * h * h / 96 * 1.001 : 1e-15) << t;
      EXPECT_NEAR(path[i].rate, at.rate, 1e-14) << t;
      EXPECT_NEAR(path[i].acceleration, at.acceleration, 1e-13) << t;
    }
  }
}

}  // namespace
}  // namespace rodeo::engine
