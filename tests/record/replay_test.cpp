// SPDX-License-Identifier: MIT
// A recording run again: the same bits at every tick, every time, without any other file.
#include "engine/record/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/record/load_recording.h"
#include "tests/record/recorded_run.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;

TEST(Replay, HasTheChecksumOfTheRunAtEveryTick) {
  RecordedRun run;
  std::vector<std::uint64_t> checksums;
  run.record(3000, {}, [&](const TickInput&) { checksums.push_back(run.session().checksum()); });
  const Recording recording = testing_support::load_recording(run.path());
  EXPECT_THAT(recording.missing(), testing::IsEmpty());
  EXPECT_EQ(recording.tick_count(), 3000);
  EXPECT_EQ(recording.replayable_count(), 3000);
  EXPECT_EQ(recording.last_tick(), run.session().tick_number());
  Replay replay(recording);
  for (const std::uint64_t checksum : checksums) {
    ASSERT_TRUE(replay.next());
    ASSERT_EQ(replay.session().checksum(), checksum);
  }
  EXPECT_FALSE(replay.next());
  EXPECT_EQ(replay.first_difference(), std::nullopt);
}

/// The script must reach what could be forgotten, or the test above shows little.
TEST(Replay, GoesThroughVerbsEventsSkipsAndBadInput) {
  RecordedRun run;
  std::set<Verb> verbs;
  std::uint32_t bits = 0;
  bool has_skipped = false;
  run.record(3000, {}, [&](const TickInput& input) {
    verbs.insert(input.verb);
    bits |= run.session().status();
    has_skipped |= input.skipped > 0;
  });
  EXPECT_EQ(verbs.size(), 9U);
  const std::uint32_t wanted =
      kFrozen | kStale | kStaleLatched | kStopped | kVerbRefused | kBadInput | kLimited;
  EXPECT_EQ(bits & wanted, wanted);
  EXPECT_TRUE(has_skipped);
}

TEST(Replay, HasOneHashInAHundredRuns) {
  RecordedRun run;
  run.record(500);
  std::set<std::uint64_t> hashes{run.session().checksum()};
  const Recording recording = testing_support::load_recording(run.path());
  for (int i = 0; i < 100; ++i) {
    Replay replay(recording);
    while (replay.next()) {
    }
    EXPECT_EQ(replay.tick_count(), 500);
    hashes.insert(replay.session().checksum());
  }
  EXPECT_EQ(hashes.size(), 1U);
}

TEST(Replay, NeedsNoOtherFileAndLeavesNoneBehind) {
  RecordedRun run;
  run.record(100);
  fs::remove_all(run.folder() / "model");
  const fs::path temporary = run.folder() / "tmp";
  fs::create_directories(temporary);
  setenv("TMPDIR", temporary.c_str(), 1);
  {
    const Recording recording = testing_support::load_recording(run.path());
    Replay replay(recording);
    while (replay.next()) {
    }
    EXPECT_EQ(replay.session().checksum(), run.session().checksum());
    EXPECT_TRUE(fs::is_empty(temporary));
  }
  unsetenv("TMPDIR");
}

TEST(Replay, NamesTheFirstTickThatDiffers) {
  RecordedRun run;
  run.record(50);
  const Recording recording = testing_support::load_recording(run.path());
  SessionOptions other = recording.options();
  other.on_stale = OnStale::resume;
  Session session(recording.model(), other, recording.conditions());
  Replay same(recording);
  Replay different(recording, Session(recording.model(), other, {{"elsewhere", {0.5}}}));
  while (same.next()) {
  }
  while (different.next()) {
  }
  EXPECT_EQ(same.first_difference(), std::nullopt);
  ASSERT_TRUE(different.first_difference().has_value());
  EXPECT_EQ(*different.first_difference(), 1);
  EXPECT_EQ(different.tick_count(), 50);
}

TEST(Recording, GivesBackOptionsParametersLimitsAndConditionsBitForBit) {
  RecordedRun run;
  run.record(1);
  const Recording recording = testing_support::load_recording(run.path());
  EXPECT_EQ(recording.model().name, "four_bar");
  EXPECT_EQ(recording.model().parameters, run.model().parameters);
  EXPECT_EQ(recording.model().start, run.model().start);
  EXPECT_EQ(recording.model().limits[0].upper, 2.5);
  EXPECT_EQ(recording.model().limits[0].acceleration, 40.0);
  EXPECT_EQ(recording.options().period, 2'000'000);
  EXPECT_EQ(recording.options().on_stale, OnStale::latch);
  EXPECT_EQ(recording.options().stepper.warn_margin, 0.15);
  EXPECT_EQ(recording.options().stepper.closure, RODEO_EXACT);
  EXPECT_EQ(recording.options().stepper.method, RODEO_RK4);
  ASSERT_EQ(recording.conditions().size(), 3U);
  EXPECT_EQ(recording.conditions()[2].name, "high");
  EXPECT_EQ(recording.conditions()[2].positions, std::vector{0.1 + 0.2});
}

}  // namespace
}  // namespace rodeo::engine
