// SPDX-License-Identifier: MIT
// A rig (halt, latch) waits for its first command without latching; that arms it; a latch afterwards waits to be rearmed, and a rearm
// without commands waits again. On a virtual clock.
#include <gtest/gtest.h>

#include "engine/loop/loop.h"
#include "tests/loop/fake_ports.h"
#include "tests/session/session_machine.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;

constexpr std::int64_t kMs = 1'000'000;

LoopOptions rig_options() {
  LoopOptions options;
  options.overrun = Overrun::halt;
  options.timeout = 20 * kMs;
  return options;
}

/// Commands at these ticks; tick `late` takes three periods.
struct Rig {
  explicit Rig(std::vector<std::int64_t> ticks, std::int64_t late = -1)
      : session(build_four_bar_session(OnStale::latch)),
        commands(build_packets(ticks)),
        states(clock, [late](std::int64_t tick) { return tick == late ? 3 * kMs : 0; }),
        loop(session, clock, rig_options(), {&commands, {&states}, nullptr}) {
    loop.start();
  }
  static std::vector<Packet> build_packets(const std::vector<std::int64_t>& ticks) {
    std::vector<Packet> packets;
    for (const std::int64_t tick : ticks) packets.push_back({tick * kMs, Command::moving(0.5)});
    return packets;
  }
  /// Up to tick `number`.
  void go_to(std::int64_t number) {
    while (session.tick_number() < number) loop.tick();
  }
  [[nodiscard]] bool has(std::uint32_t bit) const { return (session.status() & bit) != 0; }
  [[nodiscard]] double rate() const { return session.stepper().drives()[0].rate; }

  VirtualClock clock{0};
  Session session;
  FakeCommands commands;
  FakeStates states;
  Loop loop;
};

TEST(Arming, WaitsForTheFirstCommandWithoutLatchingAndMovesWithIt) {
  Rig rig({100});
  rig.go_to(99);
  EXPECT_TRUE(rig.has(kWaiting));
  EXPECT_TRUE(rig.has(kStale)) << "there is no command";
  EXPECT_FALSE(rig.has(kStaleLatched));
  rig.go_to(100);
  EXPECT_FALSE(rig.has(kWaiting | kSafeState));
  EXPECT_GT(rig.rate(), 0);
}

TEST(Arming, ALateTickBeforeTheFirstCommandDoesNotHaltAndOneAfterItDoes) {
  Rig early({100}, 50);
  early.go_to(110);
  EXPECT_EQ(early.loop.statistics().lost.load(), 2U) << "counted all the same";
  EXPECT_FALSE(early.has(kHalted));
  EXPECT_EQ(early.loop.statistics().halts.load(), 0U);
  EXPECT_GT(early.rate(), 0);
  Rig later({100, 110}, 105);
  later.go_to(112);
  EXPECT_TRUE(later.has(kHalted));
  EXPECT_EQ(later.loop.statistics().halts.load(), 1U);
  EXPECT_EQ(later.loop.statistics().first_halt.load(), 108) << "the first tick after the three periods";
}

TEST(Arming, AStaleMachineThatWasArmedLatches) {
  Rig rig({100, 300});
  rig.go_to(121);
  EXPECT_TRUE(rig.has(kStaleLatched));
  EXPECT_FALSE(rig.has(kWaiting));
  rig.go_to(301);
  EXPECT_TRUE(rig.has(kStaleLatched)) << "a command alone does not release it";
  rig.commands.verbs = {Verb::rearm};
  rig.go_to(303);
  EXPECT_FALSE(rig.has(kSafeState));
  EXPECT_GT(rig.rate(), 0);
}

TEST(Arming, ARearmWithoutCommandsWaitsForTheNextOne) {
  for (const Verb verb : {Verb::rearm, Verb::reset}) {
    Rig rig({100, 300});
    rig.go_to(200);
    ASSERT_TRUE(rig.has(kStaleLatched));
    rig.commands.verbs = {verb};
    rig.go_to(299);
    EXPECT_TRUE(rig.has(kWaiting));
    EXPECT_FALSE(rig.has(kStaleLatched));
    rig.go_to(301);
    EXPECT_FALSE(rig.has(kWaiting | kSafeState));
    EXPECT_GT(rig.rate(), 0);
  }
}

TEST(Arming, AnEmergencyStopLatchesBeforeTheFirstCommandToo) {
  Rig rig({100});
  rig.commands.is_emergency = true;
  rig.go_to(110);
  EXPECT_TRUE(rig.has(kStopped));
  EXPECT_EQ(rig.rate(), 0);
}

TEST(Arming, ALoopWithoutWatchdogNeedsNoArming) {
  Rig rig({});
  LoopOptions options = rig_options();
  options.timeout.reset();
  Loop loop(rig.session, rig.clock, options, {nullptr, {}, nullptr});
  loop.start();
  loop.tick();
  EXPECT_EQ(rig.session.status() & (kWaiting | kStale), 0U);
}

}  // namespace
}  // namespace rodeo::engine
