// SPDX-License-Identifier: MIT
// A session as a function of its tick inputs: verbs, latches, safe state, snapshots, the checksum. The oracle of a drive's
// braking is v²/2A.
#include "engine/session/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "tests/session/session_machine.h"
#include "tests/step/count_allocations.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;

constexpr double kPeriod = 1e-3;  // s

class OneDrive {
 public:
  explicit OneDrive(OnStale on_stale = OnStale::resume) : session_(build_four_bar_session(on_stale)) {}

  void tick(Verb verb = Verb::none, std::uint8_t slot = 0, std::uint8_t events = 0,
            std::uint32_t skipped = 0) {
    session_.tick({skipped, verb, slot, events, std::span(&command_, 1)});
  }
  void ticks(int n, std::uint8_t events = 0) {
    for (int i = 0; i < n; ++i) tick(Verb::none, 0, events);
  }
  void command(const Command& command) { command_ = command; }
  [[nodiscard]] const DriveState& drive() const { return session_.stepper().drives()[0]; }
  [[nodiscard]] bool has(std::uint32_t bit) const { return (session_.status() & bit) != 0; }
  const Session& session() const { return session_; }

 private:
  Session session_;
  Command command_ = Command::moving(0.5);
};

/// Ticks of braking from full speed of the command, by v/(A·h).
constexpr int kBrakingTicks = 125;  // 0.5 rad/s / (4 rad/s² · 1 ms)

/// Brakes from 0.5 rad/s and checks every tick's rate: it falls by A·h and by no more.
void expect_brakes_to_rest(OneDrive& machine, std::uint8_t events) {
  double rate = machine.drive().rate;
  const double position = machine.drive().position;
  ASSERT_NEAR(rate, 0.5, 1e-12);
  for (int i = 0; i < kBrakingTicks + 2; ++i) {
    machine.tick(Verb::none, 0, events);
    ASSERT_LE(rate - machine.drive().rate, kAcceleration * kPeriod * (1 + 1e-9));
    ASSERT_LE(machine.drive().rate, rate);
    rate = machine.drive().rate;
  }
  EXPECT_EQ(machine.drive().rate, 0);
  EXPECT_NEAR(machine.drive().position - position, 0.5 * 0.5 / (2 * kAcceleration), 1e-9);
}

TEST(Session, CountsTicksAndSkippedOnesAndItsTimeIsTheirProduct) {
  OneDrive machine;
  EXPECT_EQ(machine.session().tick_number(), 0);
  machine.tick();
  machine.tick(Verb::none, 0, 0, 41);
  EXPECT_EQ(machine.session().tick_number(), 43);
  EXPECT_EQ(machine.session().time(), 43'000'000);
}

TEST(Session, MakesOneStepHoweverManyTicksAreSkipped) {
  OneDrive machine;
  machine.tick(Verb::none, 0, 0, 1000);
  EXPECT_NEAR(machine.drive().rate, kAcceleration * kPeriod, 1e-15);
}

TEST(Session, StaleBrakesWithinTheLimitsAndResumesWithoutAJump) {
  OneDrive machine;
  machine.ticks(300);
  expect_brakes_to_rest(machine, kStaleInput);
  EXPECT_TRUE(machine.has(kStale));
  EXPECT_FALSE(machine.has(kStaleLatched));
  machine.tick();
  EXPECT_FALSE(machine.has(kStale));
  EXPECT_NEAR(machine.drive().rate, kAcceleration * kPeriod, 1e-15);
}

TEST(Session, StaleUnderLatchWaitsForRearm) {
  OneDrive machine(OnStale::latch);
  machine.ticks(300);
  expect_brakes_to_rest(machine, kStaleInput);
  machine.ticks(10);
  EXPECT_FALSE(machine.has(kStale));
  EXPECT_TRUE(machine.has(kStaleLatched));
  EXPECT_EQ(machine.drive().rate, 0);
  machine.tick(Verb::rearm);
  EXPECT_FALSE(machine.has(kStaleLatched));
  EXPECT_GT(machine.drive().rate, 0);
}

struct Latch {
  TickEvent event;
  SessionBit bit;
};

TEST(Session, AnEmergencyStopLatchesUntilRearmAndAnOverrunUntilRearmOrReset) {
  for (const Latch latch : {Latch{kEmergencyStop, kStopped}, Latch{kOverrun, kHalted}}) {
    for (const Verb release : {Verb::rearm, Verb::reset}) {
      if (latch.event == kEmergencyStop && release == Verb::reset) continue;
      OneDrive machine;
      machine.ticks(300);
      machine.tick(Verb::none, 0, latch.event);
      machine.ticks(kBrakingTicks);
      EXPECT_TRUE(machine.has(latch.bit));
      EXPECT_EQ(machine.drive().rate, 0);
      for (const Verb useless : {Verb::run, Verb::snapshot, Verb::load}) {
        machine.tick(useless);
        EXPECT_TRUE(machine.has(latch.bit));
        EXPECT_EQ(machine.drive().rate, 0);
      }
      machine.command(Command::moving(0));
      machine.tick(release, 0, kTwoSteps);
      EXPECT_FALSE(machine.has(latch.bit));
      machine.command(Command::moving(0.5));
      machine.tick();
      EXPECT_GT(machine.drive().rate, 0);
    }
  }
}

/// Asks for a rearm and says why it was refused; the machine is stopped before and, unless it was not refused, afterwards.
VerbRefusal rearm(OneDrive& machine, std::uint8_t events) {
  EXPECT_TRUE(machine.has(kStopped));
  machine.tick(Verb::rearm, 0, events);
  const VerbRefusal why = machine.session().verb_refusal();
  EXPECT_EQ(machine.has(kVerbRefused), why != VerbRefusal::none);
  EXPECT_EQ(machine.has(kStopped), why != VerbRefusal::none);
  return why;
}

TEST(Session, AnEmergencyStopIsReleasedOnlyAtRestInTwoStepsAndByAZeroCommand) {
  OneDrive machine;
  machine.ticks(300);
  machine.tick(Verb::none, 0, kEmergencyStop);
  machine.command(Command::moving(0));
  for (int i = 0; i < kBrakingTicks - 2; ++i) ASSERT_EQ(rearm(machine, kTwoSteps), VerbRefusal::moving) << i;
  machine.ticks(5);
  ASSERT_EQ(machine.drive().rate, 0);
  EXPECT_EQ(rearm(machine, 0), VerbRefusal::one_step);
  EXPECT_EQ(rearm(machine, kTwoSteps | kEmergencyStop), VerbRefusal::stopped) << "a stop wins";
  const double here = machine.drive().position;
  for (const Command& away : {Command::moving(0.5), Command::moving(-0.002), Command::at(here + 0.002),
                              Command::at(here - 0.5), Command::at(here, 0.1)}) {
    machine.command(away);
    EXPECT_EQ(rearm(machine, kTwoSteps), VerbRefusal::commanded);
    machine.ticks(3);
    EXPECT_EQ(machine.drive().position, here);
  }
  machine.command(Command::at(here));
  EXPECT_EQ(rearm(machine, kTwoSteps), VerbRefusal::none);
}

TEST(Session, WithoutCommandsAStopIsReleasedIntoWaiting) {
  OneDrive machine;
  machine.tick(Verb::none, 0, kEmergencyStop | kStaleInput);
  EXPECT_EQ(rearm(machine, kTwoSteps | kStaleInput | kUnarmed), VerbRefusal::none);
  EXPECT_TRUE(machine.has(kWaiting));
  machine.ticks(3, kStaleInput | kUnarmed);
  EXPECT_EQ(machine.drive().rate, 0);
}

TEST(Session, ARecordingOfTheFirstRulesKeepsThem) {
  SessionOptions options;
  options.rules = 1;
  Session session(four_bar_model(), options, four_bar_conditions());
  const std::array fast{Command::moving(0.5)};
  for (int i = 0; i < 300; ++i) session.tick({.commands = fast});
  session.tick({.verb = Verb::load, .slot = 1, .commands = fast});
  EXPECT_EQ(session.stepper().drives()[0].position, 1.5);
  EXPECT_EQ(session.status(), 0U);
  session.tick({.events = kEmergencyStop, .commands = fast});
  session.tick({.verb = Verb::rearm, .commands = fast});
  EXPECT_EQ(session.status() & kStopped, 0U);
}

TEST(Session, ACauseThatLastsLatchesAgainAtOnce) {
  OneDrive machine;
  machine.tick(Verb::none, 0, kEmergencyStop);
  machine.tick(Verb::rearm, 0, kEmergencyStop);
  EXPECT_TRUE(machine.has(kStopped));
  machine.tick(Verb::reset, 0, kEmergencyStop);
  EXPECT_TRUE(machine.has(kStopped));
}

TEST(Session, FreezeHoldsPoseAndRatesAndRunGoesOnFromThere) {
  OneDrive machine;
  machine.ticks(300);
  const DriveState before = machine.drive();
  machine.tick(Verb::freeze);
  machine.ticks(50);
  EXPECT_EQ(machine.drive(), before);
  EXPECT_TRUE(machine.has(kFrozen));
  EXPECT_EQ(machine.session().tick_number(), 351) << "the counter goes on";
  machine.tick(Verb::run);
  EXPECT_FALSE(machine.has(kFrozen));
  EXPECT_NEAR(machine.drive().position - before.position, 0.5 * kPeriod, 1e-12);
}

TEST(Session, StepMakesOneTickAndFreezes) {
  OneDrive machine;
  machine.ticks(300);
  for (int i = 0; i < 3; ++i) {
    const double before = machine.drive().position;
    machine.tick(Verb::step);
    machine.ticks(5);
    EXPECT_NEAR(machine.drive().position - before, 0.5 * kPeriod, 1e-12);
    EXPECT_TRUE(machine.has(kFrozen));
  }
}

TEST(Session, AFrozenMachineThatWasStoppedBrakesWhenItRuns) {
  OneDrive machine;
  machine.ticks(300);
  machine.tick(Verb::freeze);
  machine.tick(Verb::none, 0, kEmergencyStop);
  EXPECT_NEAR(machine.drive().rate, 0.5, 1e-12);
  machine.tick(Verb::run);
  EXPECT_NEAR(machine.drive().rate, 0.5 - kAcceleration * kPeriod, 1e-12);
}

constexpr std::array kJumps{Verb::reset, Verb::load, Verb::restore};

TEST(Session, JumpsAreRefusedInMotionAndInEmergencyStop) {
  OneDrive machine;
  machine.tick(Verb::snapshot, 1);
  machine.ticks(300);
  for (const Verb jump : kJumps) {
    const double before = machine.drive().position;
    machine.tick(jump, 1);
    EXPECT_TRUE(machine.has(kVerbRefused));
    EXPECT_EQ(machine.session().verb_refusal(), VerbRefusal::moving);
    EXPECT_FALSE(machine.has(kJumped));
    EXPECT_NEAR(machine.drive().position - before, 0.5 * kPeriod, 1e-12) << "0.21 m within a tick was seen";
  }
  machine.tick(Verb::none, 0, kEmergencyStop);
  machine.ticks(kBrakingTicks + 2);
  for (const Verb before : {Verb::none, Verb::freeze}) {
    machine.tick(before);
    const DriveState rest = machine.drive();
    for (const Verb jump : kJumps) {
      machine.tick(jump, 1);
      EXPECT_EQ(machine.session().verb_refusal(), VerbRefusal::stopped);
      EXPECT_TRUE(machine.has(kVerbRefused) && machine.has(kStopped));
      EXPECT_EQ(machine.drive(), rest);
    }
  }
}

TEST(Session, JumpsAtRestOrFrozenAreMarkedForOneTick) {
  for (const bool is_frozen : {false, true}) {
    for (const Verb jump : kJumps) {
      OneDrive machine;
      machine.tick(Verb::snapshot, 1);
      machine.ticks(300);
      if (is_frozen) machine.tick(Verb::freeze);
      if (!is_frozen) machine.ticks(kBrakingTicks + 2, kStaleInput);
      EXPECT_FALSE(machine.has(kJumped));
      machine.tick(jump, 1, is_frozen ? 0 : kStaleInput);
      EXPECT_TRUE(machine.has(kJumped));
      EXPECT_FALSE(machine.has(kVerbRefused));
      EXPECT_EQ(machine.drive(), (DriveState{jump == Verb::load ? 1.5 : kStart, 0, 0}));
      machine.tick();
      EXPECT_FALSE(machine.has(kJumped));
    }
  }
}

TEST(Session, ResetAndLoadPlaceTheMachineAtRest) {
  OneDrive machine;
  machine.ticks(300);
  machine.tick(Verb::freeze);
  machine.tick(Verb::load, 1);
  EXPECT_EQ(machine.drive(), (DriveState{1.5, 0, 0}));
  EXPECT_EQ(machine.session().stepper().outputs()[0], 1.5);
  machine.tick(Verb::load, 2);
  EXPECT_EQ(machine.drive(), (DriveState{0.5, 0, 0}));
  machine.ticks(10);
  machine.tick(Verb::reset);
  EXPECT_EQ(machine.drive(), (DriveState{kStart, 0, 0}));
}

TEST(Session, RefusesAVerbThatItCannotDoAndMovesOn) {
  OneDrive machine;
  machine.ticks(300);
  for (const auto& [verb, slot] :
       {std::pair{Verb::load, 3}, {Verb::restore, 0}, {Verb::restore, 16}, {Verb::snapshot, 16}}) {
    const double before = machine.drive().position;
    machine.tick(verb, static_cast<std::uint8_t>(slot));
    EXPECT_TRUE(machine.has(kVerbRefused));
    EXPECT_NEAR(machine.drive().position - before, 0.5 * kPeriod, 1e-12);
    machine.tick();
    EXPECT_FALSE(machine.has(kVerbRefused));
  }
}

TEST(Session, RefusesAVerbOfAnUnknownNumber) {
  OneDrive machine;
  machine.tick(static_cast<Verb>(200));
  EXPECT_TRUE(machine.has(kVerbRefused));
}

TEST(Session, ReturnsToASnapshotWithItsRatesAndGoesTheSameWayAgain) {
  OneDrive machine;
  machine.ticks(100);
  machine.tick(Verb::snapshot, 3);
  const DriveState kept = machine.drive();
  machine.ticks(50);
  const DriveState later = machine.drive();
  machine.command(Command::at(2.0));
  machine.ticks(200);
  machine.command(Command::moving(0.5));
  machine.tick(Verb::freeze);
  machine.tick(Verb::restore, 3);
  EXPECT_NE(kept.rate, 0);
  // The snapshot is taken before the tick's own motion, and the tick of the return makes none.
  machine.tick(Verb::run);
  EXPECT_EQ(machine.drive(), kept);
  machine.ticks(50);
  EXPECT_EQ(machine.drive(), later);
}

TEST(Session, BrakesOnACommandThatIsNotFiniteAndSaysSo) {
  OneDrive machine;
  machine.ticks(300);
  machine.command(Command::moving(std::numeric_limits<double>::quiet_NaN()));
  expect_brakes_to_rest(machine, 0);
  EXPECT_TRUE(machine.has(kBadInput));
}

TEST(Session, RefusesAnInitialConditionThatTheMachineCannotTake) {
  SessionOptions options;
  const auto build = [&] { return Session(four_bar_model(), options, {{"start", {1.0}}, {"far", {1e7}}}); };
  try {
    build();
    FAIL() << "it took it";
  } catch (const KernelError& error) {
    EXPECT_STREQ(error.what(), "four_bar: the machine cannot take the initial condition 'far'");
  }
}

/// Commands, verbs, slots, events and skips from a fixed seed.
std::uint64_t run_at_random(unsigned seed, int ticks) {
  std::mt19937 random(seed);
  Session session = build_four_bar_session();
  const auto one_in = [&](unsigned n) { return random() % n == 0; };
  for (int i = 0; i < ticks; ++i) {
    const double value = static_cast<double>(random() % 2000) / 1000.0;
    const Command command = one_in(2) ? Command::at(value) : Command::moving(value - 1);
    TickInput input;
    input.commands = std::span(&command, 1);
    if (one_in(20)) input.verb = static_cast<Verb>(random() % 10);
    input.slot = static_cast<std::uint8_t>(random() % 4);
    if (one_in(50)) input.events = static_cast<std::uint8_t>(random() % 8);
    if (one_in(50)) input.skipped = static_cast<std::uint32_t>(random() % 100);
    session.tick(input);
  }
  return session.checksum();
}

TEST(Session, IsAFunctionOfItsInputs) {
  EXPECT_EQ(run_at_random(1, 20000), run_at_random(1, 20000));
  EXPECT_NE(run_at_random(1, 20000), run_at_random(2, 20000));
}

TEST(Session, NeverMovesPastALimitWhateverIsAsked) {
  std::mt19937 random(7);
  Session session = build_four_bar_session();
  for (int i = 0; i < 20000; ++i) {
    const DriveState before = session.stepper().drives()[0];
    const Command command = Command::at(static_cast<double>(random() % 3000) / 1000.0);
    TickInput input;
    input.commands = std::span(&command, 1);
    if (random() % 30 == 0) input.events = static_cast<std::uint8_t>(random() % 8);
    if (random() % 30 == 0) input.verb = Verb::rearm;
    if (random() % 10 == 0) input.skipped = static_cast<std::uint32_t>(random() % 100);
    session.tick(input);
    const DriveState& now = session.stepper().drives()[0];
    const double passed = (1 + input.skipped) * kPeriod;
    ASSERT_LE(std::abs(now.rate), kSpeed);
    ASSERT_LE(std::abs(now.position - before.position), kSpeed * passed * (1 + 1e-9));
    ASSERT_LE(std::abs(now.rate - before.rate), kAcceleration * passed * (1 + 1e-9));
  }
}

/// Ticks are lost while the crank turns evenly: how far it is behind after them, rad.
double calc_lag_after_loss(std::uint32_t lost, int rules) {
  SessionOptions options;
  options.rules = rules;
  Session session(four_bar_model(), options, four_bar_conditions());
  const std::array even{Command::moving(0.5)};
  for (int i = 0; i < 300; ++i) session.tick({.commands = even});
  const double before = session.stepper().drives()[0].position;
  session.tick({.skipped = lost, .commands = even});
  return before + 0.5 * kPeriod * (1 + lost) - session.stepper().drives()[0].position;
}

TEST(Session, DrivesGoOnThroughTicksThatAreLost) {
  EXPECT_NEAR(calc_lag_after_loss(20, kSessionRules), 0, 1e-12);
  EXPECT_NEAR(calc_lag_after_loss(20, 2), 0.5 * 20 * kPeriod, 1e-12) << "as recordings of before replay";
  EXPECT_NEAR(calc_lag_after_loss(50, kSessionRules), 0, 1e-12);
  EXPECT_NEAR(calc_lag_after_loss(51, kSessionRules), 0.5 * 51 * kPeriod, 1e-12) << "no leap of over 50 ms";
}

TEST(Session, ItsChecksumKnowsWhatAPublishedStateDoesNotShow) {
  const auto checksum_after = [](const TickInput& input) {
    Session session = build_four_bar_session();
    session.tick(input);
    return session.checksum();
  };
  const std::array slow{Command::moving(0.0)}, fast{Command::moving(std::nextafter(0.001, 1))};
  const std::uint64_t plain = checksum_after({0, Verb::none, 0, 0, slow});
  EXPECT_NE(plain, checksum_after({1, Verb::none, 0, 0, slow})) << "a skipped tick";
  EXPECT_NE(plain, checksum_after({0, Verb::freeze, 0, 0, slow})) << "a verb";
  EXPECT_NE(plain, checksum_after({0, Verb::none, 0, kStaleInput, slow})) << "a verdict";
  EXPECT_NE(plain, checksum_after({0, Verb::none, 0, 0, fast})) << "a command";
}

TEST(Session, TicksWithoutTheHeap) {
  Session session = build_four_bar_session();
  const Command command = Command::at(1.2);
  const std::array verbs{Verb::none,     Verb::freeze,  Verb::step,  Verb::run,  Verb::reset,
                         Verb::snapshot, Verb::restore, Verb::rearm, Verb::load, Verb::none};
  const long before = allocation_count();
  for (int i = 0; i < 10000; ++i) {
    session.tick({0, verbs[static_cast<std::size_t>(i) % verbs.size()], 1,
                  static_cast<std::uint8_t>(i % 8 == 0 ? kStaleInput : 0), std::span(&command, 1)});
  }
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace rodeo::engine
