// SPDX-License-Identifier: MIT
// The loop on the virtual clock: order of events, overrun policies, watchdog, stopping, what is measured, and that none of
// it needs the heap.
#include "engine/loop/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <bit>

#include <array>
#include <cmath>

#include "engine/loop/operator_port.h"
#include "tests/loop/fake_ports.h"
#include "tests/session/session_machine.h"
#include "tests/step/count_allocations.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;

constexpr std::int64_t kMs = 1'000'000;  // ns
constexpr std::int64_t kPeriod = kMs;
constexpr std::int64_t kOrigin = 5'000'000'123;  // no round number

/// A loop with everything around it. The clock starts at kOrigin; tick k is due at kOrigin + k·period.
struct Rig {
  explicit Rig(const LoopOptions& options = {}, std::vector<Packet> packets = {},
               std::function<std::int64_t(std::int64_t)> work = {}, OnStale on_stale = OnStale::resume,
               std::int64_t period = kPeriod)
      : session(build_four_bar_session(on_stale, period)),
        commands(std::move(packets)),
        states(clock, std::move(work)),
        loop(session, clock, options, {&commands, {&states}, nullptr}) {
    loop.start();
  }
  void ticks(int n) {
    for (int i = 0; i < n; ++i) loop.tick();
  }
  [[nodiscard]] const Published& last() const { return states.published.back(); }

  VirtualClock clock{kOrigin};
  Session session;
  FakeCommands commands;
  FakeStates states;
  Loop loop;
};

constexpr std::int64_t due(std::int64_t tick) { return kOrigin + tick * kPeriod; }

TEST(Loop, WakesAtAbsoluteDeadlinesHoweverLongTheWorkTakes) {
  Rig rig({}, {}, [](std::int64_t) { return kPeriod * 9 / 10; });
  rig.clock.set_lateness([](std::int64_t) { return 50'000; });
  rig.ticks(1000);
  EXPECT_EQ(rig.last().tick, 1000);
  EXPECT_EQ(rig.last().report.begin, due(1000) + 50'000);
  EXPECT_EQ(rig.last().report.late, 0U);
}

TEST(Loop, RunsFromOneHertzToTenKilohertzInIntegerNanoseconds) {
  for (const std::int64_t period : {1'000'000'000, 1'000'000, 333'333, 100'000}) {
    Rig rig({}, {}, {}, OnStale::resume, period);
    rig.ticks(100);
    EXPECT_EQ(rig.last().time, 100 * period);
    EXPECT_EQ(rig.last().now, kOrigin + 100 * period);
  }
}

TEST(Loop, ACommandThatArrivesBeforeTheSampleOfTickKIsInTheStatePublishedAtTickK) {
  for (const std::int64_t early : {0, 1, 999'999}) {  // ns before the sample of tick 100
    Rig rig({}, {{due(100) - early, Command::moving(1.0)}});
    rig.ticks(99);
    EXPECT_EQ(rig.last().drive.rate, 0);
    rig.ticks(1);
    EXPECT_EQ(rig.last().tick, 100);
    EXPECT_NEAR(rig.last().drive.rate, kAcceleration * 1e-3, 1e-15);
    EXPECT_EQ(rig.last().report.input_age, early);
    EXPECT_EQ(rig.last().now, due(100)) << "published within the same tick";
  }
}

TEST(Loop, ACommandThatArrivesAfterTheSampleOfTickKIsInTheStateOfTheNext) {
  Rig rig({}, {{due(100) + 1, Command::moving(1.0)}});
  rig.ticks(100);
  EXPECT_EQ(rig.last().drive.rate, 0);
  rig.ticks(1);
  EXPECT_GT(rig.last().drive.rate, 0);
  EXPECT_EQ(rig.last().report.input_age, kPeriod - 1);
}

TEST(Loop, TellsThePortTheSimulatedTimeOfTheTickToBeMade) {
  Rig rig;
  rig.ticks(3);
  EXPECT_EQ(rig.commands.sampled_time, 3 * kPeriod);
  EXPECT_EQ(rig.commands.sampled_at, due(3));
  rig.clock.advance(5 * kPeriod + 1);
  rig.ticks(1);
  EXPECT_EQ(rig.commands.sampled_time, 8 * kPeriod) << "ticks 4 to 7 are skipped";
  EXPECT_EQ(rig.last().time, 8 * kPeriod);
}

/// One tick, the 50th, that takes `periods` and a half.
Rig build_overrun(Overrun overrun, int periods) {
  const auto work = [=](std::int64_t tick) { return tick == 50 ? periods * kPeriod + kPeriod / 2 : 1000; };
  LoopOptions options;
  options.overrun = overrun;
  return Rig(options, {{0, Command::moving(1.0)}}, work);
}

TEST(Overrun, SkipJumpsTheCounterAndKeepsSimulatedTimeToTheClock) {
  Rig rig = build_overrun(Overrun::skip, 20);
  rig.ticks(50);
  const DriveState before = rig.last().drive;
  rig.ticks(1);
  EXPECT_EQ(rig.last().tick, 70) << "51 to 69 are lost";
  EXPECT_EQ(rig.last().report.lost, 19U);
  EXPECT_EQ(rig.last().report.late, 1U);
  EXPECT_EQ(rig.last().report.lag, 0);
  EXPECT_NEAR(rig.last().drive.rate - before.rate, kAcceleration * 20e-3, 1e-12)
      << "on through the lost ticks, within its limits";
  rig.ticks(30);
  EXPECT_EQ(rig.last().tick, 100);
  EXPECT_EQ(rig.last().time, rig.last().now - kOrigin);
  EXPECT_EQ(rig.last().report.late, 1U);
}

TEST(Overrun, SlipMakesEveryTickAndPublishesTheLag) {
  Rig rig = build_overrun(Overrun::slip, 20);
  rig.ticks(100);
  EXPECT_EQ(rig.last().tick, 100);
  EXPECT_EQ(rig.last().report.lost, 0U);
  EXPECT_EQ(rig.last().report.late, 1U);
  EXPECT_EQ(rig.last().report.lag, 19 * kPeriod);
  EXPECT_EQ(rig.last().time + rig.last().report.lag, rig.last().now - kOrigin);
  EXPECT_EQ(rig.loop.statistics().lag_max.load(), 19 * kPeriod);
}

TEST(Overrun, CatchUpMakesTheMissedTicksInABurst) {
  Rig rig = build_overrun(Overrun::catch_up, 8);
  rig.ticks(51);
  EXPECT_EQ(rig.last().report.lag, 7 * kPeriod);
  rig.ticks(49);
  EXPECT_EQ(rig.last().tick, 100);
  EXPECT_EQ(rig.last().report.lost, 0U);
  EXPECT_EQ(rig.last().time, rig.last().now - kOrigin) << "it has caught up";
  EXPECT_EQ(rig.last().report.lag, 0);
  for (std::size_t i = 1; i < 100; ++i) {  // even in the burst
    const auto& p = rig.states.published;
    ASSERT_LE(p[i].drive.rate - p[i - 1].drive.rate, kAcceleration * 1e-3 * (1 + 1e-9));
  }
}

TEST(Overrun, CatchUpSkipsWhatItsBurstDoesNotReach) {
  Rig rig = build_overrun(Overrun::catch_up, 100);
  rig.ticks(50 + kBurst);
  EXPECT_EQ(rig.last().tick, 50 + kBurst);
  rig.ticks(1);
  EXPECT_EQ(rig.last().tick, 150);
  EXPECT_EQ(rig.last().report.lost, 89U);
  rig.ticks(1);
  EXPECT_EQ(rig.last().now, due(151));
}

TEST(Overrun, HaltBrakesToRestWithinTheLimitsAndLatches) {
  Rig rig = build_overrun(Overrun::halt, 1);
  rig.ticks(50);
  EXPECT_EQ(rig.last().status & kHalted, 0U);
  rig.ticks(1);
  EXPECT_NE(rig.last().status & kHalted, 0U);
  double rate = rig.states.published[49].drive.rate;
  ASSERT_GT(rate, 0.1);
  for (int i = 0; i < 100; ++i) {
    ASSERT_LE(rate - rig.last().drive.rate, kAcceleration * 1e-3 * (1 + 1e-9));
    rate = rig.last().drive.rate;
    rig.ticks(1);
  }
  EXPECT_EQ(rig.last().drive.rate, 0);
  EXPECT_NE(rig.last().status & kHalted, 0U) << "latched, though every tick is in time again";
  rig.commands.verbs = {Verb::rearm};
  rig.ticks(2);
  EXPECT_EQ(rig.last().status & kHalted, 0U);
  EXPECT_GT(rig.last().drive.rate, 0);
}

TEST(Overrun, AWakeUpThatIsTooLateIsOneToo) {
  Rig rig;
  rig.clock.set_lateness([](std::int64_t until) { return until == due(10) ? 3 * kPeriod : 0; });
  rig.ticks(10);
  EXPECT_EQ(rig.last().tick, 13);
  EXPECT_EQ(rig.last().report.lost, 3U);
  EXPECT_EQ(rig.loop.statistics().wake.max(), 3 * kPeriod);
}

LoopOptions with_timeout(std::int64_t timeout) {
  LoopOptions options;
  options.timeout = timeout;
  return options;
}

TEST(Watchdog, IsStaleBeforeTheFirstPacket) {
  Rig rig(with_timeout(200 * kMs), {{due(5), Command::moving(1.0)}});
  rig.ticks(4);
  for (const Published& each : rig.states.published) EXPECT_NE(each.status & kStale, 0U);
  rig.ticks(1);
  EXPECT_EQ(rig.last().status & kStale, 0U);
  EXPECT_GT(rig.last().drive.rate, 0);
  EXPECT_EQ(rig.loop.statistics().stale.load(), 4U);
}

TEST(Watchdog, BrakesTheMachineOnceTheTimeoutHasPassedAndLetsItResume) {
  Rig rig(with_timeout(200 * kMs), {{due(1), Command::moving(1.0)}, {due(900), Command::moving(1.0)}});
  rig.ticks(201);
  EXPECT_EQ(rig.last().status & kStale, 0U) << "200 ms old";
  rig.ticks(1);
  EXPECT_NE(rig.last().status & kStale, 0U) << "201 ms old";
  rig.ticks(697);
  EXPECT_EQ(rig.last().drive.rate, 0);
  rig.ticks(1);
  EXPECT_EQ(rig.last().tick, 900);
  EXPECT_EQ(rig.last().status & kStale, 0U);
  EXPECT_NEAR(rig.last().drive.rate, kAcceleration * 1e-3, 1e-15) << "no jump";
}

TEST(Watchdog, UnderLatchWaitsForRearm) {
  Rig rig(with_timeout(10 * kMs), {{due(1), Command::moving(1.0)}, {due(900), Command::moving(1.0)}}, {},
          OnStale::latch);
  rig.commands.verbs = {Verb::rearm};  // with the first packet: it is stale before
  rig.ticks(900);
  EXPECT_EQ(rig.last().drive.rate, 0);
  EXPECT_EQ(rig.last().status & kStale, 0U);
  EXPECT_NE(rig.last().status & kStaleLatched, 0U);
  rig.commands.verbs.push_back(Verb::rearm);
  rig.ticks(1);
  EXPECT_GT(rig.last().drive.rate, 0);
}

TEST(Watchdog, WithoutATimeoutNeverBarks) {
  Rig rig;
  rig.ticks(1000);
  EXPECT_EQ(rig.loop.statistics().status_any.load() & kSafeState, 0U);
}

TEST(Loop, AnEmergencyStopReachesTheSession) {
  Rig rig({}, {{0, Command::moving(1.0)}});
  rig.ticks(100);
  rig.commands.is_emergency = true;
  rig.ticks(200);
  EXPECT_NE(rig.last().status & kStopped, 0U);
  EXPECT_EQ(rig.last().drive.rate, 0);
}

TEST(Loop, TakesOneVerbATick) {
  Rig rig({}, {{0, Command::moving(1.0)}});
  rig.commands.verbs = {Verb::freeze, Verb::run, Verb::freeze};
  for (const bool is_frozen : {true, false, true, true}) {
    rig.ticks(1);
    EXPECT_EQ((rig.last().status & kFrozen) != 0, is_frozen);
  }
}

TEST(Loop, NotesEveryVerbAndTheBeginOfAStop) {
  Rig rig;
  rig.commands.verbs = {Verb::none, Verb::restore, Verb::freeze, Verb::rearm};
  rig.ticks(2);
  rig.commands.is_emergency = true;
  rig.ticks(1);
  rig.commands.is_emergency = true;  // it is stopped already
  rig.ticks(1);
  std::vector<std::tuple<std::int64_t, bool, Verb, VerbRefusal>> noted;
  for (TickNote note; rig.loop.try_take_note(note);)
    noted.emplace_back(note.time, note.is_stop, note.verb, note.refusal);
  EXPECT_THAT(noted, testing::ElementsAre(std::tuple(2 * kPeriod, false, Verb::restore, VerbRefusal::missing),
                                          std::tuple(3 * kPeriod, true, Verb::none, VerbRefusal::none),
                                          std::tuple(3 * kPeriod, false, Verb::freeze, VerbRefusal::none),
                                          std::tuple(4 * kPeriod, false, Verb::rearm, VerbRefusal::stopped)));
}

TEST(Loop, KnowsTheTickOfEveryChangeOfItsStatus) {
  constexpr auto kBit = std::countr_zero(std::uint32_t{kFrozen});
  Rig rig;
  rig.commands.verbs.assign(12, Verb::none);
  rig.commands.verbs[3] = Verb::freeze;
  rig.commands.verbs[8] = Verb::run;
  rig.ticks(12);
  EXPECT_EQ(rig.loop.statistics().risen[kBit], 4 * kPeriod);
  EXPECT_EQ(rig.loop.statistics().fallen[kBit], 9 * kPeriod);
}

TEST(Loop, EndsAfterItsLastTick) {
  LoopOptions options;
  options.last_tick = 250;
  Rig rig(options);
  rig.loop.run();
  EXPECT_EQ(rig.session.tick_number(), 250);
  EXPECT_EQ(rig.loop.statistics().ticks.load(), 250U);
}

TEST(Loop, AskedToStopBrakesToRestFirst) {
  Rig rig({}, {{0, Command::moving(1.0)}});
  rig.ticks(300);
  ASSERT_NEAR(rig.last().drive.rate, 1.0, 1e-12);
  rig.loop.request_stop();
  rig.commands.verbs = {Verb::reset};  // too late
  rig.loop.run();
  EXPECT_EQ(rig.last().tick, 300 + 250) << "1 rad/s / (4 rad/s² · 1 ms)";
  EXPECT_EQ(rig.last().drive.rate, 0);
  EXPECT_GT(rig.last().drive.position, kStart);
}

TEST(Loop, AskedToStopEndsAtOnceIfTheMachineRestsOrIsFrozen) {
  Rig resting;
  resting.ticks(10);
  resting.loop.request_stop();
  resting.loop.run();
  EXPECT_EQ(resting.session.tick_number(), 10);
  Rig frozen({}, {{0, Command::moving(1.0)}});
  frozen.ticks(300);
  frozen.commands.verbs = {Verb::freeze};
  frozen.ticks(1);
  frozen.loop.request_stop();
  frozen.loop.run();
  EXPECT_EQ(frozen.session.tick_number(), 301);
}

TEST(Loop, WaitsForRestNoLongerThanItIsAllowedTo) {
  LoopOptions options;
  options.brake_time = 100 * kMs;
  Rig rig(options, {{0, Command::moving(1.0)}});
  rig.ticks(300);
  rig.loop.request_stop();
  rig.loop.run();
  EXPECT_EQ(rig.session.tick_number(), 400);
}

TEST(Loop, WithoutAPortTheMachineRestsAtItsStart) {
  VirtualClock clock;
  Session session = build_four_bar_session();
  LoopOptions options;
  options.last_tick = 100;
  Loop loop(session, clock, options, {});
  loop.run();
  EXPECT_EQ(session.stepper().drives()[0], (DriveState{kStart, 0, 0}));
  EXPECT_EQ(loop.statistics().send.count(), 0U);
}

TEST(Loop, MeasuresWakeUpInputAgeAndSendingInEveryTick) {
  Rig rig({}, {{due(1) - 500, Command::moving(1.0)}}, [](std::int64_t) { return 7000; });
  rig.clock.set_lateness([](std::int64_t) { return 60; });
  rig.ticks(100);
  const LoopStatistics& statistics = rig.loop.statistics();
  for (const Histogram* each :
       {&statistics.wake, &statistics.step, &statistics.input_age, &statistics.send}) {
    EXPECT_EQ(each->count(), 100U);
  }
  EXPECT_EQ(statistics.wake.max(), 60);
  EXPECT_EQ(statistics.input_age.max(), 99 * kPeriod + 560);
  EXPECT_EQ(statistics.send.max(), 7000);
  EXPECT_EQ(statistics.checksum.load(), rig.session.checksum());
  EXPECT_EQ(statistics.residual_max.load(), rig.last().report.residual_max);
}

/// Takes every other tick.
class ForgetfulRecord : public RecordPort {
 public:
  [[nodiscard]] bool try_record(const TickInput& input, const Session& session) noexcept override {
    number_ += 1 + input.skipped;
    is_in_step = is_in_step && number_ == session.tick_number();
    return number_ % 2 == 0;
  }
  bool is_in_step = true;

 private:
  std::int64_t number_ = 0;
};

TEST(Loop, HandsEveryTickToTheRecordAndCountsWhatItRefuses) {
  VirtualClock clock;
  clock.set_lateness([](std::int64_t until) { return until % (7 * kPeriod) == 0 ? 2 * kPeriod : 0; });
  Session session = build_four_bar_session();
  ForgetfulRecord record;
  LoopOptions options;
  options.last_tick = 1000;
  Loop loop(session, clock, options, {nullptr, {}, &record});
  loop.run();
  EXPECT_TRUE(record.is_in_step);
  EXPECT_GT(loop.statistics().lost.load(), 100U);
  EXPECT_EQ(loop.statistics().ticks.load() + loop.statistics().lost.load(), 1000U);
  EXPECT_EQ(loop.statistics().unrecorded.load(), loop.report().unrecorded);
  EXPECT_GT(loop.report().unrecorded, 100U);
}

TEST(OperatorPort, AddsVerbsOneATickInOrder) {
  OperatorPort port;
  EXPECT_TRUE(port.try_put(Verb::freeze));
  EXPECT_TRUE(port.try_put(Verb::load, 2));
  Sample sample;
  EXPECT_FALSE(port.try_sample(0, sample));
  EXPECT_EQ(sample.verb, Verb::freeze);
  sample.verb = Verb::none;
  EXPECT_FALSE(port.try_sample(0, sample));
  EXPECT_EQ(sample.verb, Verb::load);
  EXPECT_EQ(sample.slot, 2);
  sample.verb = Verb::none;
  EXPECT_FALSE(port.try_sample(0, sample));
  EXPECT_EQ(sample.verb, Verb::none);
}

TEST(OperatorPort, ARearmIsAKeyThatIsPressedAfterTheStopAndNotHeldDown) {
  OperatorPort port;
  const auto take = [&](std::int64_t now) {
    Sample sample;
    static_cast<void>(port.try_sample(now, sample));
    EXPECT_STREQ(sample.origin.name.data(), "terminal");
    return sample.verb == Verb::rearm && sample.two_steps && !sample.emergency_stop;
  };
  constexpr std::int64_t kSecond = 1'000'000'000;
  port.try_put(Verb::rearm);
  port.try_put(Verb::rearm);
  port.stop_now();
  EXPECT_FALSE(take(0)) << "with the stop";
  EXPECT_FALSE(take(10 * kSecond)) << "waited since before the stop";
  for (std::int64_t i = 1; i < 50; ++i) {
    port.try_put(Verb::rearm);
    EXPECT_FALSE(take(10 * kSecond + i * kSecond / 2)) << "held down";
  }
  port.try_put(Verb::rearm);
  EXPECT_TRUE(take(60 * kSecond));
}

TEST(OperatorPort, LetsTheOtherPortGoFirstAndLosesNothing) {
  FakeCommands inner;
  inner.verbs = {Verb::snapshot};
  OperatorPort port(&inner);
  EXPECT_TRUE(port.try_put(Verb::freeze));
  Sample sample;
  EXPECT_FALSE(port.try_sample(0, sample));
  EXPECT_EQ(sample.verb, Verb::snapshot);
  sample.verb = Verb::none;
  EXPECT_FALSE(port.try_sample(0, sample));
  EXPECT_EQ(sample.verb, Verb::freeze);
}

TEST(OperatorPort, TellsOfAnEmergencyStopOnceAndRefusesWhatItHasNoRoomFor) {
  OperatorPort port;
  port.stop_now();
  Sample sample;
  EXPECT_FALSE(port.try_sample(0, sample));
  EXPECT_TRUE(sample.emergency_stop);
  sample.emergency_stop = false;
  EXPECT_FALSE(port.try_sample(0, sample));
  EXPECT_FALSE(sample.emergency_stop);
  int taken = 0;
  while (taken < 1000 && port.try_put(Verb::run)) ++taken;
  EXPECT_EQ(taken, 64);
}

/// A packet every third tick, a verb every hundredth, an emergency stop and its release now and then: all from members.
class Traffic : public CommandPort {
 public:
  [[nodiscard]] bool try_sample(std::int64_t now, Sample& out) noexcept override {
    ++count_;
    if (count_ % 100 == 0) out.verb = static_cast<Verb>(1 + count_ / 100 % 8);
    out.emergency_stop = count_ % 5000 == 0;
    if (count_ % 3 != 0) return false;
    out.commands[0] = Command::at(1.0 + 0.3 * std::sin(1e-9 * static_cast<double>(out.time)));
    out.arrival = now;
    return out.has_any = true;
  }

 private:
  int count_ = 0;
};

/// Packs the state into its own buffer, as a publisher does.
class Packing : public StatePort, public RecordPort {
 public:
  void try_publish(const Session& session, const LoopReport& report, std::int64_t now) noexcept override {
    sum += session.stepper().outputs()[0] + report.residual_max + static_cast<double>(now);
  }
  [[nodiscard]] bool try_record(const TickInput& input, const Session& session) noexcept override {
    sum += input.commands[0].position + session.stepper().margin();
    return true;
  }
  double sum = 0;
};

TEST(Loop, MakesAHundredThousandTicksWithTrafficWithoutTheHeap) {
  VirtualClock clock;
  clock.set_lateness([](std::int64_t until) { return until % (1013 * kPeriod) == 0 ? 3 * kPeriod : 20'000; });
  Session session = build_four_bar_session();
  Traffic traffic;
  OperatorPort port(&traffic);
  Packing packing;
  Loop loop(session, clock, with_timeout(kPeriod), {&port, {&packing, &packing}, &packing});
  loop.start();
  const long before = allocation_count();
  for (int i = 0; i < 100'000; ++i) loop.tick();
  EXPECT_EQ(allocation_count(), before);
  EXPECT_GT(loop.statistics().lost.load(), 100U);
  EXPECT_GT(loop.statistics().stale.load(), 1000U);
  EXPECT_NE(loop.statistics().status_any.load() & kStopped, 0U);
  EXPECT_NE(packing.sum, 0);
}

}  // namespace
}  // namespace rodeo::engine
