// SPDX-License-Identifier: MIT
// What the recorder promises the loop and the user: no allocation, no waiting, nothing lost in silence, nothing lost beyond the
// promise when the run is killed, and a full disk that stops the recording only.
#include "engine/record/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "engine/io/input.h"
#include "engine/record/replay.h"
#include "tests/record/load_recording.h"
#include "tests/record/recorded_run.h"
#include "tests/step/count_allocations.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::IsEmpty;

std::uint64_t replay_checksum(const std::string& path) {
  const Recording recording = testing_support::load_recording(path);
  Replay replay(recording);
  while (replay.next()) {
  }
  EXPECT_EQ(replay.first_difference(), std::nullopt);
  return replay.session().checksum();
}

TEST(Recorder, TakesTicksWithoutAllocation) {
  RecordedRun run;
  Recorder recorder({.path = run.path(), .room = 300}, run.model(), run.files(), run.session());
  InputScript script(1);
  long allocations = 0;
  int refused = 0;
  for (int i = 0; i < 100'000; ++i) {
    const TickInput input = script.next();
    run.session().tick(input);
    const long before = thread_allocation_count();
    refused += recorder.try_record(input, run.session()) ? 0 : 1;
    allocations += thread_allocation_count() - before;
  }
  EXPECT_EQ(allocations, 0);
  EXPECT_EQ(refused, 0);
  recorder.close();
  EXPECT_EQ(recorder.status().recorded, 100'000U);
  EXPECT_EQ(replay_checksum(run.path()), run.session().checksum());
}

/// The count above would be zero too if nothing were counted.
TEST(Recorder, AllocationsWouldBeCounted) {
  if (thread_allocation_count() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  const long before = thread_allocation_count();
  void* memory = std::malloc(100);
  asm volatile("" : : "g"(memory) : "memory");  // else the compiler leaves both out
  std::free(memory);
  EXPECT_EQ(thread_allocation_count() - before, 1);
}

TEST(Recorder, CountsAndMarksWhatAFullRingLoses) {
  RecordedRun run;
  Recorder recorder({.path = run.path(), .room = 0}, run.model(), run.files(), run.session());
  InputScript script(1);
  std::uint64_t lost = 0;
  std::int64_t first_lost = 0;
  for (int i = 0; i < 100'000 || lost == 0; ++i) {
    const TickInput input = script.next();
    run.session().tick(input);
    if (recorder.try_record(input, run.session())) continue;
    if (lost++ == 0) first_lost = run.session().tick_number() - input.skipped;
  }
  recorder.close();
  const RecorderStatus status = recorder.status();
  EXPECT_EQ(status.lost, lost);
  EXPECT_EQ(status.error, 0);
  EXPECT_THAT(describe(status, "a.mcap"),
              testing::MatchesRegex("the recording 'a.mcap' has lost [0-9]+ tick.*"));
  const Recording recording = testing_support::load_recording(run.path());
  EXPECT_EQ(static_cast<std::uint64_t>(recording.tick_count()), status.recorded);
  EXPECT_EQ(recording.last_tick(), first_lost - 1) << "a replay goes to the first gap";
  ASSERT_THAT(recording.missing(), testing::Not(IsEmpty()));
  EXPECT_THAT(recording.missing().front(), HasSubstr("lost while recording, as the disk did not keep up"));
  Replay replay(recording);
  while (replay.next()) {
  }
  EXPECT_EQ(replay.first_difference(), std::nullopt);
}

/// One tick is far from a chunk of 64 KB: time alone must bring it to the disk.
TEST(Recorder, SyncsWhatIsOldWithoutBeingAsked) {
  RecordedRun run;
  Recorder recorder({.path = run.path()}, run.model(), run.files(), run.session());
  const std::vector<Command> commands(1);
  const TickInput input{.commands = commands};
  run.session().tick(input);
  ASSERT_TRUE(recorder.try_record(input, run.session()));
  while (recorder.status().synced_tick != 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const Recording recording = testing_support::load_recording(run.path());  // while it is being written
  EXPECT_EQ(recording.last_tick(), 1);
  EXPECT_THAT(recording.missing(),
              testing::ElementsAre(run.path() + ": was not closed: what came after tick 1 is missing"));
}

TEST(Recorder, KeepsWhoSentAStopAndAVerb) {
  RecordedRun run;
  const std::vector<Command> commands(1, Command::moving(0));
  const auto from = [](const std::string& name, std::uint64_t session) {
    Origin origin{{}, session};
    std::copy(name.begin(), name.end(), origin.name.begin());
    return origin;
  };
  const std::vector<TickInput> inputs{
      {.events = kEmergencyStop,
       .commands = commands,
       .origin = from("[fe80::1%2]:40321", 0xfedcba9876543210)},
      {.commands = commands},
      {.verb = Verb::rearm, .events = kTwoSteps, .commands = commands, .origin = from("terminal", 0)}};
  {
    Recorder recorder({.path = run.path()}, run.model(), run.files(), run.session());
    for (const TickInput& input : inputs) {
      run.session().tick(input);
      recorder.record(input, run.session());
    }
  }
  const Recording recording = testing_support::load_recording(run.path());
  TickReader reader(recording);
  RecordedTick tick;
  for (const TickInput& input : inputs) {
    ASSERT_TRUE(reader.next(tick));
    EXPECT_STREQ(tick.input.origin.name.data(), input.origin.name.data());
    EXPECT_EQ(tick.input.origin.session, input.origin.session);
  }
  EXPECT_EQ(run.session().status() & kStopped, 0U) << "and it was released";
}

TEST(Recorder, ThinsStatesButNeverInputs) {
  RecordedRun all;
  all.record(1000, {.path = all.path("all.mcap")});
  RecordedRun tenth;
  tenth.record(1000, {.path = tenth.path("tenth.mcap"), .state_every = 10});
  RecordedRun none;
  none.record(1000, {.path = none.path("none.mcap"), .state_every = 0});
  EXPECT_LT(fs::file_size(tenth.path("tenth.mcap")), fs::file_size(all.path("all.mcap")));
  EXPECT_LT(fs::file_size(none.path("none.mcap")), fs::file_size(tenth.path("tenth.mcap")));
  EXPECT_EQ(replay_checksum(tenth.path("tenth.mcap")), all.session().checksum());
  EXPECT_EQ(replay_checksum(none.path("none.mcap")), all.session().checksum());
}

std::string why_not(RecordedRun& run, const std::string& path) {
  try {
    const Recorder recorder({.path = path}, run.model(), run.files(), run.session());
  } catch (const IoError& error) {
    return error.what();
  }
  return "";
}

TEST(Recorder, RefusesWhatCannotBeWrittenFromTheStart) {
  RecordedRun run;
  EXPECT_EQ(why_not(run, ""), "cannot write '': No such file or directory");
  EXPECT_EQ(why_not(run, "/dev/full"), "cannot write '/dev/full': No space left on device");
  const std::string folder = run.folder().path().string();
  EXPECT_EQ(why_not(run, folder), "cannot write '" + folder + "': Is a directory");
  EXPECT_EQ(why_not(run, folder + "/no/x.mcap"),
            "cannot write '" + folder + "/no/x.mcap': No such file or directory");
}

TEST(Recorder, RefusesAFileThatIsBeingRecordedAndReplacesOneThatIsNot) {
  RecordedRun run;
  run.record(10);
  RecordedRun other;
  {
    const Recorder first({.path = run.path()}, other.model(), other.files(), other.session());
    EXPECT_EQ(why_not(run, run.path()),
              "cannot write '" + run.path() + "': another rodeo is recording to it");
  }
  EXPECT_EQ(testing_support::load_recording(run.path()).tick_count(), 0);
}

struct SmallDisk {
  RecorderStatus status;
  std::uint64_t tried = 0;  // ticks
};

/// Ticks until the recording has ended, in a process whose files may not grow beyond `bytes`. Its status, through a pipe.
SmallDisk record_into_small_disk(RecordedRun& run, rlim_t bytes) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);  // SIGXFSZ keeps its default: death
    Recorder recorder({.path = run.path()}, run.model(), run.files(), run.session());
    InputScript script(1);
    SmallDisk result;
    for (; recorder.status().error == 0; ++result.tried) {
      const TickInput input = script.next();
      run.session().tick(input);
      if (!recorder.record(input, run.session())) break;
    }
    for (int i = 0; i < 10; ++i, ++result.tried) {  // the machine goes on
      const TickInput input = script.next();
      run.session().tick(input);
      static_cast<void>(recorder.try_record(input, run.session()));
    }
    recorder.close();
    result.status = recorder.status();
    static_cast<void>(!write(ends[1], &result, sizeof result));
    _exit(0);
  }
  close(ends[1]);
  SmallDisk result;
  const ssize_t got = read(ends[0], &result, sizeof result);
  close(ends[0]);
  int how = 0;
  waitpid(child, &how, 0);
  EXPECT_TRUE(WIFEXITED(how) && WEXITSTATUS(how) == 0) << how;
  EXPECT_EQ(got, static_cast<ssize_t>(sizeof result));
  return result;
}

TEST(Recorder, StopsAtAFullDiskAloneAndKeepsEveryWholeChunk) {
  RecordedRun run;
  run.record(0);
  const auto model_bytes = fs::file_size(run.path());
  const auto [status, tried] = record_into_small_disk(run, model_bytes + 200'000);
  EXPECT_EQ(status.error, EFBIG);
  EXPECT_EQ(status.recorded + status.lost, tried);
  EXPECT_GT(status.synced_tick, 100);
  EXPECT_EQ(describe(status, "a.mcap"),
            fmt::format("the recording 'a.mcap' ended after tick {}, with {} ticks: File too large",
                        status.synced_tick, status.recorded));
  const Recording recording = testing_support::load_recording(run.path());
  EXPECT_EQ(recording.last_tick(), status.synced_tick);
  EXPECT_EQ(static_cast<std::uint64_t>(recording.tick_count()), status.recorded) << "one true number";
  EXPECT_THAT(recording.missing(),
              testing::ElementsAre(fmt::format("{}: was not closed: what came after tick {} is missing",
                                               run.path(), status.synced_tick)));
  replay_checksum(run.path());
}

/// Feeds a recorder for ever and tells the pipe what is synced.
[[noreturn]] void record_until_killed(RecordedRun& run, int to) {
  Recorder recorder({.path = run.path()}, run.model(), run.files(), run.session());
  InputScript script(1);
  for (std::int64_t told = 0;;) {
    const TickInput input = script.next();
    run.session().tick(input);
    recorder.record(input, run.session());
    const std::int64_t synced = recorder.status().synced_tick;
    if (synced == told) continue;
    told = synced;
    static_cast<void>(!write(to, &told, sizeof told));
  }
}

TEST(Recorder, KeepsWhatItSaidWasSyncedWhenItIsKilled) {
  RecordedRun run;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) record_until_killed(run, ends[1]);
  close(ends[1]);
  std::int64_t synced = 0;
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(read(ends[0], &synced, sizeof synced), static_cast<ssize_t>(sizeof synced));
  kill(child, SIGKILL);
  for (std::int64_t last = 0; read(ends[0], &last, sizeof last) == sizeof last;) synced = last;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  const Recording recording = testing_support::load_recording(run.path());
  EXPECT_GE(recording.last_tick(), synced);
  EXPECT_EQ(recording.missing().size(), 1U);
  replay_checksum(run.path());
}

}  // namespace
}  // namespace rodeo::engine
