// SPDX-License-Identifier: MIT
// Senders that command one machine in turns, on a clock of the test's own.
#include "engine/net/sender_watch.h"

#include <gtest/gtest.h>

#include "engine/net/link_log.h"
#include "tests/net/support.h"

namespace rodeo::engine {
namespace {

constexpr std::int64_t kMs = 1'000'000;

Endpoint at(std::uint16_t port) { return {testing_support::kLocal, port}; }

/// Whether there are rivals after packets at these milliseconds from these ports.
bool has_rivals(const std::vector<std::pair<int, std::uint16_t>>& packets) {
  SenderWatch watch;
  for (const auto& [ms, port] : packets) watch.note(at(port), ms * kMs);
  return watch.find_rivals(packets.back().first * kMs).has_value();
}

TEST(SenderWatch, RecognisesTwoThatTakeTurns) {
  SenderWatch watch;
  for (int i = 0; i < 20; ++i) watch.note(at(i % 2 == 0 ? 4000 : 4001), i * 10 * kMs);
  const auto rivals = watch.find_rivals(190 * kMs);
  ASSERT_TRUE(rivals);
  EXPECT_EQ(rivals->first.port + rivals->second.port, 4000 + 4001);
  EXPECT_FALSE(watch.find_rivals(190 * kMs + SenderWatch::kWindow)) << "one of them has stopped";
}

TEST(SenderWatch, AFastAndASlowOneAreTwo) {
  SenderWatch watch;
  for (int ms = 0; ms < 4000; ms += 10) {
    watch.note(at(4000), ms * kMs);
    if (ms % 1000 == 500) watch.note(at(4001), ms * kMs + 1);
  }
  EXPECT_TRUE(watch.find_rivals(4000 * kMs));
}

/// The last packet of a pair that sends at this rate each, and when the second one of them has gone for so long.
bool are_told(int rate, int silence_ms) {
  SenderWatch watch;
  const std::int64_t gap = 1'000'000'000 / rate;
  const std::int64_t gone = 5'000'000'000;
  for (std::int64_t now = 0; now < gone + silence_ms * kMs; now += gap) {
    watch.note(at(4000), now);
    if (now < gone) watch.note(at(4001), now + gap / 2);
  }
  return watch.find_rivals(gone + silence_ms * kMs).has_value();
}

TEST(SenderWatch, TellsOfTwoUntilOneHasGone) {
  for (const int rate : {20, 50, 100, 1000}) {
    EXPECT_TRUE(are_told(rate, 0)) << rate;
    EXPECT_TRUE(are_told(rate, 200)) << rate << ": some losses";
    EXPECT_FALSE(are_told(rate, 450)) << rate;
  }
}

TEST(SenderWatch, TellsOfSlowOnesWithoutAPause) {
  for (const std::int64_t gap : {300, 500, 600}) {
    SenderWatch watch;
    for (std::int64_t ms = 0; ms < 10 * gap; ++ms) {
      if (ms % 10 == 0) watch.note(at(4000), ms * kMs);
      if (ms % gap == gap / 2) watch.note(at(4001), ms * kMs + 1);
      if (ms <= 4 * gap) continue;
      ASSERT_TRUE(watch.find_rivals(ms * kMs)) << gap << ", " << ms;
    }
  }
}

/// What the states have, without a lock, and what JSON and the terminal have.
TEST(LinkLog, EndsTwoSendersForStatesAndReportsAtOnce) {
  LinkLog log;
  for (int i = 0; i < 40; ++i) log.note_accepted(at(i % 2 == 0 ? 4000 : 4001), true, {}, i * 25 * kMs);
  const std::int64_t last = 39 * 25 * kMs;
  EXPECT_TRUE(log.try_summary(last).has_rivals);
  EXPECT_TRUE(log.report(last).rivals);
  EXPECT_EQ(log.report(last).rivals_since, 4 * 25 * kMs) << "A, B, A, B, A";
  for (int i = 1; i < 9; ++i) log.note_accepted(at(4000), true, {}, last + i * 50 * kMs);
  EXPECT_FALSE(log.try_summary(last + 450 * kMs).has_rivals);
  EXPECT_FALSE(log.report(last + 450 * kMs).rivals);
}

TEST(SenderWatch, ThreeAreRecognisedToo) {
  EXPECT_TRUE(has_rivals({{0, 1}, {10, 2}, {20, 3}, {30, 1}, {40, 2}, {50, 3}}));
}

TEST(SenderWatch, OneThatWasRestartedIsNoRival) {
  EXPECT_FALSE(has_rivals({{0, 1}, {10, 1}, {20, 2}, {30, 2}, {40, 2}}));
  EXPECT_FALSE(has_rivals({{0, 1}, {10, 2}, {11, 1}, {20, 2}})) << "its last packet was overtaken";
  EXPECT_FALSE(has_rivals({{0, 1}, {10, 2}, {9000, 1}, {19000, 2}})) << "one after the other";
}

TEST(SenderWatch, AFreshPortForEveryPacketIsOneSender) {
  SenderWatch watch;
  for (std::uint16_t port = 1; port < 100; ++port) watch.note(at(port), port * kMs);
  EXPECT_FALSE(watch.find_rivals(100 * kMs));
}

}  // namespace
}  // namespace rodeo::engine
