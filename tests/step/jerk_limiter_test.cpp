// SPDX-License-Identifier: MIT
// The promises of a drive with a jerk limit, on random commands and on those that a machine is given: every limit kept from tick to
// tick, a command within the limits followed exactly, targets reached exactly and at rest, no chatter on the way.
#include "engine/step/jerk_limiter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace rodeo::engine {
namespace {

constexpr double kPeriod = 1e-3;
/// A cylinder of the loader: 0.76 m, 0.15 m/s, 0.6 m/s² within 50 ms.
constexpr DriveLimits kLift{1.23, 1.99, 0.15, 0.6, 12.0};
constexpr DriveLimits kAll{-1.0, 2.0, 0.7, 3.0, 60.0};
constexpr double kRounding = 1e-13;

class Drive {
 public:
  explicit Drive(const DriveLimits& limits, double start = 0, double period = kPeriod)
      : limiter_(limits, period), h_(period), state_{start, 0, 0} {}

  void tick(const Command& command) {
    const LimitedState next = limiter_.calc_next(state_, command);
    check_limits(next.state);
    check_motion(next.state);
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
    ASSERT_GE(next.position, limits.lower.value_or(-INFINITY));
    ASSERT_LE(next.position, limits.upper.value_or(INFINITY));
    ASSERT_LE(std::abs(next.rate), limits.speed.value_or(INFINITY));
    ASSERT_LE(std::abs(next.acceleration), *limits.acceleration);
    ASSERT_LE(std::abs(next.acceleration - state_.acceleration), *limits.jerk * h_ * (1 + 1e-8));
  }
  /// Some motion within the limits of acceleration and jerk leads there: its integrals are within these of the trapezoid's.
  void check_motion(const DriveState& next) const {
    const double A = *limiter_.limits().acceleration;
    const double J = *limiter_.limits().jerk;
    const double mean = (state_.acceleration + next.acceleration) / 2;
    ASSERT_NEAR(next.rate, state_.rate + h_ * mean, std::min(J * h_ / 2, A) * h_ + kRounding);
    const double way = h_ * (state_.rate + next.rate) / 2;
    ASSERT_NEAR(next.position, state_.position + way, std::min(1.1 * J * h_, A / 2) * h_ * h_ + kRounding);
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
class JerkLimitsOf : public testing::TestWithParam<Case> {};

TEST_P(JerkLimitsOf, AreKeptOnRandomCommands) {
  std::mt19937_64 random(20261117);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto [limits, h] = GetParam();
  Drive drive(limits, 0, h);
  for (int segment = 0; segment < 1500 && !testing::Test::HasFatalFailure(); ++segment) {
    const double scale = segment % 7 == 0 ? 1e6 : 3;
    double target = scale * uniform(random);
    const double rate = scale * uniform(random);
    const double bend = scale * uniform(random);
    const int kind = segment % 5;
    for (int i = static_cast<int>(400 * std::abs(uniform(random))); i >= 0; --i) {
      if (kind == 2) target += rate * h;
      if (kind == 3) target = uniform(random);  // noise
      if (kind == 4) target = 0.5 + 0.4 * std::sin(0.01 * bend * i);
      if (kind == 0) drive.tick(Command::moving(rate, segment % 2 == 0 ? bend : 0));
      if (kind == 1) drive.tick(Command::at(target));
      if (kind >= 2) drive.tick(Command::at(target, kind == 2 ? rate : 0, kind == 4 ? bend : 0));
      if (testing::Test::HasFatalFailure())
        FAIL() << "segment " << segment << " kind " << kind << " left " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Every, JerkLimitsOf,
    testing::Values(Case{kAll, 1e-3}, Case{kAll, 1e-4}, Case{kAll, 0.01}, Case{kAll, 0.1}, Case{kAll, 1.0},
                    Case{{-1.0, 2.0, {}, 3.0, 60.0}, 1e-3}, Case{{{}, {}, 0.7, 3.0, 60.0}, 1e-3},
                    Case{{{}, 2.0, 0.7, 1e4, 1e5}, 1e-3}, Case{{-1.0, 2.0, 0.7, 3.0, 3.0}, 1e-3},
                    Case{{0.0, 0.0, 0.7, 3.0, 60.0}, 1e-3}));

TEST(JerkLimiter, IsOnACommandThatKeepsTheLimitsExactly) {
  const auto at = [](double t) {
    return Command::at(1.6 - 0.2 * std::cos(0.7 * t), 0.14 * std::sin(0.7 * t), 0.098 * std::cos(0.7 * t));
  };
  Drive drive(kLift, 1.4);
  for (int i = 1; i < 20000; ++i) {
    const Command command = at(i * kPeriod);
    drive.tick(command);
    if (i < 1000) continue;  // it stood still before and has to catch up with 0.098 m/s² at first
    ASSERT_EQ(drive.state(), (DriveState{command.position, command.rate, command.acceleration})) << i;
    ASSERT_EQ(drive.status(), 0U);
  }
}

TEST(JerkLimiter, CatchesUpWithASineAndThenIsOnIt) {
  for (const double phase : {0.0, 1.0, 2.0, 3.0, 4.0, 5.0}) {
    const auto at = [&](double t) {
      const double p = 0.5 * t + phase;
      return Command::at(1.6 + 0.2 * std::sin(p), 0.1 * std::cos(p), -0.05 * std::sin(p));
    };
    Drive drive(kLift, 1.3);
    int on = 0;
    for (int i = 1; i < 20000; ++i) {
      drive.tick(at(i * kPeriod));
      if (on == 0 && drive.state().position == at(i * kPeriod).position) on = i;
      ASSERT_TRUE(on == 0 || drive.state().position == at(i * kPeriod).position) << "off again at " << i;
    }
    EXPECT_GT(on, 0);
    EXPECT_LT(on, 12000) << phase;
  }
}

/// A sine that begins at its full rate. Braking and catching up with v at A and J takes v·(v/A + A/J) and more; twice that is allowed.
TEST(JerkLimiter, CatchesUpWithAJumpOfTheRateAtAnyTick) {
  const DriveLimits limits{0.0, 2.0, 0.5, 4.0, 100.0};
  const double w = 2, amplitude = 0.1, v = w * amplitude;
  for (const double rate : {10.0, 20.0, 30.0, 50.0, 100.0, 300.0, 1000.0, 5000.0}) {
    const auto at = [&](double t) {
      if (t < 0.99) return Command::at(0.7);
      const double p = w * (t - 0.99);
      return Command::at(0.7 + amplitude * std::sin(p), v * std::cos(p), -v * w * std::sin(p));
    };
    Drive drive(limits, 0.7, 1 / rate);
    double late = 0, last = 0;
    for (int i = 1; i / rate < 4; ++i) {
      const Command command = at(i / rate);
      drive.tick(command);
      const double error = std::abs(drive.state().position - command.position);
      late = std::max(late, error);
      if (error > 1e-3) last = i / rate;
    }
    EXPECT_LT(late, 2 * v * (v / 4.0 + 4.0 / 100) + 0.5 * v / rate) << rate;
    EXPECT_LT(last, 1.25 + 5 / rate) << rate;
  }
}

TEST(JerkLimiter, IsOnASmoothRateExactly) {
  Drive drive(kLift, 1.4);
  for (int i = 1; i < 20000; ++i) {
    const double t = i * kPeriod;
    drive.tick(Command::moving(0.1 * std::sin(0.5 * t), 0.05 * std::cos(0.5 * t)));
    if (i < 100) continue;
    ASSERT_EQ(drive.state().rate, 0.1 * std::sin(0.5 * t));
    ASSERT_EQ(drive.state().acceleration, 0.05 * std::cos(0.5 * t));
    ASSERT_EQ(drive.status(), 0U);
  }
  // ∫ 0.1 sin(t/2) from 1.4, but for the first ticks
  EXPECT_NEAR(drive.state().position, 1.4 + 0.2 * (1 - std::cos(0.5 * 19999 * kPeriod)), 1e-4);
}

TEST(JerkLimiter, ReachesATargetExactlyAtRestAndNeverPassesIt) {
  for (const double target : {1.5, 0.3, 1e-3, 1e-5, 2e-6, 1e-9, -0.9}) {
    Drive drive(kAll);
    const double sign = target < 0 ? -1 : 1;
    for (int i = 0; i < 4000; ++i) {
      drive.tick(Command::at(target));
      ASSERT_LE(sign * drive.state().position, sign * target) << target << " " << i;
    }
    EXPECT_EQ(drive.state(), (DriveState{target, 0, 0}));
    EXPECT_EQ(drive.status(), 0U);
  }
}

// Rest to rest over d at V, A and J: d/V + V/A + A/J. Two ticks for whole ticks.
TEST(JerkLimiter, NeedsNoMoreThanTheLeastTimeAndTwoTicks) {
  Drive drive(kAll);
  int ticks = 0;
  for (; drive.state().position != 1.4 && ticks < 10000; ++ticks) drive.tick(Command::at(1.4));
  EXPECT_LE(ticks, std::ceil((1.4 / 0.7 + 0.7 / 3 + 3.0 / 60) / kPeriod) + 2);
}

/// Turns of the jerk's sign: a way from rest to rest at constant speed has four.
TEST(JerkLimiter, DoesNotChatterOnItsWay) {
  Drive drive(kAll);
  double before = 0;
  int turns = 0;
  double sign = 0;
  for (int i = 0; i < 4000; ++i) {
    drive.tick(Command::at(1.4));
    const double change = drive.state().acceleration - before;
    before = drive.state().acceleration;
    if (std::abs(change) < 1e-9) continue;
    turns += change * sign < 0 ? 1 : 0;
    sign = change;
  }
  EXPECT_LE(turns, 2) << "+, - to cruise and on to brake, +";
}

TEST(JerkLimiter, CatchesUpWithARampAndThenIsOnIt) {
  Drive drive(kAll);
  for (int i = 1; i <= 2000; ++i) drive.tick(Command::at(0.5 * i * kPeriod, 0.5));
  EXPECT_EQ(drive.state(), (DriveState{0.5 * 2000 * kPeriod, 0.5, 0}));
  drive.ticks(3000, Command::at(1.0));
  EXPECT_EQ(drive.state(), (DriveState{1.0, 0, 0})) << "and back after its end, which is a kink";
}

TEST(JerkLimiter, ChasesARampThatIsTooFastAtFullSpeedAndSaysSo) {
  Drive drive(kAll);
  for (int i = 1; i <= 1000; ++i) drive.tick(Command::at(1.5 * i * kPeriod, 1.5));
  EXPECT_EQ(drive.state().rate, 0.7);
  EXPECT_EQ(drive.status(), kLimited);
}

TEST(JerkLimiter, StopsAtTheEndStopExactlyAndSaysSo) {
  for (const Command& command :
       {Command::at(5), Command::moving(0.6), Command::moving(100), Command::at(2.5, 0.5)}) {
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

TEST(JerkLimiter, BrakesToWhereItSaysThatItWould) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> rate(-0.7, 0.7);
  for (int i = 0; i < 200; ++i) {
    Drive drive({{}, {}, 0.7, 3.0, 60.0});
    drive.ticks(100 + i, Command::moving(rate(random)));
    DriveState state = drive.state();
    const double rest = drive.limiter().calc_rest(state);
    for (int tick = 0; tick < 400; ++tick) {
      state = drive.limiter().calc_braked(state);
      ASSERT_NEAR(drive.limiter().calc_rest(state), rest, kRounding);
    }
    EXPECT_EQ(state.rate, 0);
    EXPECT_EQ(state.acceleration, 0);
    EXPECT_NEAR(state.position, rest, kRounding);
  }
}

TEST(JerkLimiter, ComesBackIntoItsRangeWithoutAJump) {
  DriveLimiter limiter(kAll, kPeriod);
  DriveState state{2.5, 0, 0};
  for (int i = 0; i < 4000; ++i) {
    const DriveState next = limiter.calc_next(state, Command::at(5)).state;
    ASSERT_LE(std::abs(next.acceleration - state.acceleration), 60 * kPeriod * (1 + 1e-8));
    ASSERT_LE(std::abs(next.position - state.position), 0.7 * kPeriod * (1 + 1e-9));
    state = next;
  }
  EXPECT_EQ(state, (DriveState{2.0, 0, 0}));
}

TEST(JerkLimiter, PathOfATickIntegratesToItsWay) {
  Drive drive(kAll);
  for (int i = 0; i < 1500; ++i) {
    const DriveState from = drive.state();
    drive.tick(Command::at(1.4));
    const auto path = drive.limiter().calc_path(from, drive.state());
    const double way = kPeriod * (path[0].rate + 4 * path[1].rate + path[2].rate) / 6;
    ASSERT_NEAR(way, drive.state().position - from.position, 1e-15);
  }
}

/// The change of rate by a fine sum, which shares nothing with the formulae: rates, ends and turning points.
TEST(RateChange, IsItsOwnIntegral) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  constexpr double kStep = 1e-5;
  for (int i = 0; i < 100; ++i) {
    const DriveState from{uniform(random), uniform(random), 3 * uniform(random)};
    const RateChange change(from, 0, {3.0, 60.0});
    double position = from.position;
    double rate = from.rate;
    double extreme = 0;
    for (int k = 0; k < 60000; ++k) {
      const double a0 = change.calc_at(k * kStep).acceleration;
      const double a1 = change.calc_at((k + 1) * kStep).acceleration;
      ASSERT_LE(std::abs(a1 - a0), 60 * kStep * (1 + 1e-6));
      const double next = rate + kStep * (a0 + a1) / 2;
      position += kStep * (rate + next) / 2;
      if (rate * next < 0 && std::abs(rate) > 1e-7) extreme = position - change.calc_turn();
      rate = next;
    }
    EXPECT_NEAR(rate, 0, 1e-8);
    EXPECT_NEAR(position, change.calc_end(), 1e-7);
    EXPECT_NEAR(extreme, 0, 1e-6);
  }
}

}  // namespace
}  // namespace rodeo::engine
