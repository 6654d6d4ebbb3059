// SPDX-License-Identifier: MIT
// The loop in its thread on the real clock, with others that watch it, put verbs and stop it: what the thread sanitizer looks
// at. Nothing here depends on how long anything takes.
#include <gtest/gtest.h>

#include <thread>

#include "engine/loop/loop.h"
#include "engine/loop/operator_port.h"
#include "engine/loop/realtime.h"
#include "tests/session/session_machine.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;

TEST(MonotonicClock, SleepsUntilAndNotLess) {
  MonotonicClock clock;
  const std::int64_t until = clock.now() + 2'000'000;
  clock.sleep_until(until);
  EXPECT_GE(clock.now(), until);
  clock.sleep_until(until - 1'000'000'000);  // has passed: returns
}

TEST(Loop, InItsThreadIsWatchedGivenVerbsAndStopped) {
  MonotonicClock clock;
  Session session = build_four_bar_session(OnStale::resume, 100'000);
  OperatorPort port;
  Loop loop(session, clock, {}, {&port, {}, nullptr});
  std::thread thread([&] { loop.run(); });
  const LoopStatistics& statistics = loop.statistics();
  while (statistics.ticks.load() < 50) std::this_thread::yield();
  EXPECT_TRUE(port.try_put(Verb::freeze));
  while ((statistics.status.load() & kFrozen) == 0) std::this_thread::yield();
  EXPECT_TRUE(port.try_put(Verb::run));
  port.stop_now();
  while ((statistics.status.load() & kStopped) == 0) static_cast<void>(statistics.wake.calc_quantile(0.99));
  loop.request_stop();
  thread.join();
  EXPECT_EQ(session.tick_number(), static_cast<std::int64_t>(statistics.ticks + statistics.lost));
  EXPECT_EQ(statistics.wake.count(), statistics.ticks.load());
}

TEST(Realtime, WhatIsForbiddenIsASentenceAndTheRestGoesOn) {
  Realtime result;
  std::thread([&] { result = set_up_realtime({.priority = 1000, .core = 4000}); }).join();
  EXPECT_FALSE(result.is_fifo);
  EXPECT_FALSE(result.is_pinned);
  std::string all;
  for (const std::string& warning : result.warnings) all += warning + "\n";
  EXPECT_NE(all.find("no SCHED_FIFO priority 1000: Invalid argument"), std::string::npos) << all;
  EXPECT_NE(all.find("not on core 4000: there is no such core"), std::string::npos) << all;
}

}  // namespace
}  // namespace rodeo::engine
