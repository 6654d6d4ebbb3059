// SPDX-License-Identifier: MIT
// Deadlines and overrun policies as arithmetic: a random course of late ticks against the definitions.
#include "engine/loop/pacer.h"

#include <gtest/gtest.h>

#include <random>

namespace rodeo::engine {
namespace {

constexpr std::int64_t kPeriod = 1000;

TEST(Pacer, DeadlinesAreMultiplesOfThePeriodAndNeverDrift) {
  Pacer pacer(17, kPeriod, Overrun::skip);
  for (std::int64_t k = 1; k <= 100000; ++k) {
    ASSERT_EQ(pacer.deadline(), 17 + k * kPeriod);
    const Beat beat = pacer.try_begin(pacer.deadline() - 300, pacer.deadline() + 999);
    ASSERT_EQ(beat.skipped, 0U);
    ASSERT_FALSE(beat.is_late);
  }
}

TEST(Pacer, ATickThatBeginsAWholePeriodLateHasMissedOne) {
  Pacer pacer(0, kPeriod, Overrun::skip);
  const Beat beat = pacer.try_begin(0, 2000);
  EXPECT_TRUE(beat.is_late);
  EXPECT_EQ(beat.deadline, 1000);
  EXPECT_EQ(beat.skipped, 1U);
  EXPECT_EQ(pacer.deadline(), 3000);
}

TEST(Pacer, ATickWhosePredecessorWasNotDoneIsLateButMissesNone) {
  Pacer pacer(0, kPeriod, Overrun::skip);
  const Beat beat = pacer.try_begin(1000, 1001);
  EXPECT_TRUE(beat.is_late);
  EXPECT_EQ(beat.skipped, 0U);
  EXPECT_EQ(pacer.deadline(), 2000);
}

TEST(Pacer, SlipMakesEveryTickAndMovesTheDeadlines) {
  Pacer pacer(0, kPeriod, Overrun::slip);
  Beat beat = pacer.try_begin(0, 5400);  // due at 1000: 4 whole periods missed
  EXPECT_EQ(beat.skipped, 0U);
  EXPECT_EQ(beat.lag, 4000);
  EXPECT_EQ(pacer.deadline(), 6000);
  beat = pacer.try_begin(5500, 6000);
  EXPECT_FALSE(beat.is_late);
  EXPECT_EQ(beat.lag, 4000) << "it lags for good";
}

TEST(Pacer, CatchUpMakesABoundedBurstThenSkips) {
  Pacer pacer(0, kPeriod, Overrun::catch_up, 3);
  const std::int64_t now = 10500;  // tick 1 was due at 1000
  for (const std::int64_t lag : {9000, 8000, 7000}) {
    const Beat beat = pacer.try_begin(now, now);
    EXPECT_EQ(beat.skipped, 0U);
    EXPECT_EQ(beat.lag, lag);
  }
  const Beat beat = pacer.try_begin(now, now);
  EXPECT_EQ(beat.skipped, 6U);
  EXPECT_EQ(beat.lag, 0);
  EXPECT_EQ(pacer.deadline(), 11000);
}

TEST(Pacer, CatchUpWithinItsBurstLosesNothing) {
  Pacer pacer(0, kPeriod, Overrun::catch_up, 3);
  const std::int64_t now = 3500;  // ticks 1, 2 and 3 are due
  std::uint32_t skipped = 0;
  for (int i = 0; i < 3; ++i) skipped += pacer.try_begin(now, now).skipped;
  EXPECT_EQ(skipped, 0U);
  EXPECT_EQ(pacer.deadline(), 4000);
  EXPECT_FALSE(pacer.try_begin(3600, 4000).is_late);
}

TEST(Pacer, HaltSkipsAndTellsOfEveryLateTick) {
  Pacer pacer(0, kPeriod, Overrun::halt);
  EXPECT_FALSE(pacer.try_begin(0, 1999).is_halted);
  const Beat beat = pacer.try_begin(1999, 4000);
  EXPECT_TRUE(beat.is_halted);
  EXPECT_EQ(beat.skipped, 2U);
  EXPECT_TRUE(pacer.try_begin(5000, 5000).is_halted) << "its predecessor was not done in time";
}

TEST(Pacer, DaysOfSleepAreSkippedInTwoTicks) {
  Pacer pacer(0, 1, Overrun::skip);
  EXPECT_EQ(pacer.try_begin(0, 1 + (std::int64_t{1} << 33)).skipped, 0xffffffffU);
  EXPECT_GT(pacer.try_begin(0, 1 + (std::int64_t{1} << 33)).skipped, 0U);
  EXPECT_GT(pacer.deadline(), std::int64_t{1} << 33);
}

/// Ticks made and jumped over, at random times; the clock goes on by up to 3 periods between two ticks.
class RandomCourse {
 public:
  explicit RandomCourse(Overrun overrun) : pacer_(0, kPeriod, overrun) {}
  void tick() {
    const std::int64_t ready = now_ + static_cast<std::int64_t>(random_() % 3000);
    now_ = std::max(ready, pacer_.deadline()) + static_cast<std::int64_t>(random_() % 500);
    beat_ = pacer_.try_begin(ready, now_);
    number_ += 1 + beat_.skipped;
  }
  std::int64_t number_ = 0;
  std::int64_t now_ = 0;
  Beat beat_;

 private:
  Pacer pacer_;
  std::mt19937 random_{3};
};

TEST(Pacer, SkipAndHaltKeepSimulatedTimeToTheClock) {
  for (const Overrun overrun : {Overrun::skip, Overrun::halt}) {
    RandomCourse course(overrun);
    for (int i = 0; i < 10000; ++i) {
      course.tick();
      ASSERT_EQ(course.number_, course.now_ / kPeriod);
      ASSERT_EQ(course.beat_.lag, 0);
    }
  }
}

TEST(Pacer, SlipAndCatchUpLagByWhatTheyTell) {
  for (const Overrun overrun : {Overrun::slip, Overrun::catch_up}) {
    RandomCourse course(overrun);
    for (int i = 0; i < 10000; ++i) {
      course.tick();
      ASSERT_EQ(course.number_ * kPeriod + course.beat_.lag, course.now_ / kPeriod * kPeriod);
    }
    EXPECT_EQ(course.number_ == 10000, overrun == Overrun::slip);
  }
}

}  // namespace
}  // namespace rodeo::engine
