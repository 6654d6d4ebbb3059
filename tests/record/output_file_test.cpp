// SPDX-License-Identifier: MIT
// Whose recording a name is: of several that start together one gets it and the others are told; what was there is kept.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/io/input.h"
#include "engine/record/output_file.h"
#include "tests/record/load_recording.h"
#include "tests/record/recorded_run.h"

namespace rodeo::engine {
namespace {

using testing_support::read_file;
using testing_support::RecordedRun;
using testing_support::TemporaryFolder;
namespace fs = std::filesystem;

/// Processes that open `path` at the same moment and keep it until all have tried: how many have it.
int count_winners(const std::string& path, int processes) {
  int go[2], result[2];
  EXPECT_EQ(pipe(go), 0);
  EXPECT_EQ(pipe(result), 0);
  for (int i = 0; i < processes; ++i) {
    if (fork() != 0) continue;
    char byte = 0;
    close(go[1]);
    static_cast<void>(!read(go[0], &byte, 1));  // the parent closes its end
    try {
      OutputFile file(path);
      byte = file.write("x") == 0 && file.is_there() ? 1 : 0;
      static_cast<void>(!write(result[1], &byte, 1));
      usleep(50'000);
    } catch (const IoError&) {
      static_cast<void>(!write(result[1], &byte, 1));
    }
    _exit(0);
  }
  close(go[0]);
  close(go[1]);
  close(result[1]);
  int winners = 0;
  for (char byte = 0; read(result[0], &byte, 1) == 1;) winners += byte;
  close(result[0]);
  for (int i = 0; i < processes; ++i) wait(nullptr);
  return winners;
}

TEST(OutputFile, GoesToOneOfSeveralThatStartTogether) {
  const TemporaryFolder folder;
  for (int round = 0; round < 40; ++round) {
    fs::remove(folder / "run.mcap");
    ASSERT_EQ(count_winners((folder / "run.mcap").string(), 8), 1) << round;
    ASSERT_EQ(read_file(folder / "run.mcap"), "x");
    ASSERT_FALSE(fs::exists(folder / "run.1.mcap"));
  }
}

TEST(OutputFile, KeepsWhatWasThereUnderTheNextNumber) {
  const TemporaryFolder folder;
  const std::string path = (folder / "run.mcap").string();
  const auto write = [&](const std::string& text, bool replaces = false) {
    OutputFile file(path, replaces);
    EXPECT_EQ(file.write(text), 0);
    return file.kept();
  };
  EXPECT_EQ(write(""), "");
  EXPECT_EQ(write("first"), "") << "an empty one is nothing to keep";
  EXPECT_EQ(write("second"), (folder / "run.1.mcap").string());
  EXPECT_EQ(write("third"), (folder / "run.2.mcap").string());
  EXPECT_EQ(write("fourth", true), "");
  EXPECT_EQ(read_file(path), "fourth");
  EXPECT_EQ(read_file(folder / "run.1.mcap"), "first");
  EXPECT_EQ(read_file(folder / "run.2.mcap"), "second");
  EXPECT_FALSE(fs::exists(folder / "run.3.mcap"));
}

TEST(OutputFile, KeepsALinkAndTheOlderFileBesideItsTarget) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "disk");
  fs::create_symlink("disk/today.mcap", folder / "run.mcap");
  for (int i = 0; i < 2; ++i) {
    OutputFile file((folder / "run.mcap").string());
    EXPECT_EQ(file.write(std::to_string(i)), 0);
  }
  EXPECT_EQ(read_file(folder / "disk/today.1.mcap"), "0");
  EXPECT_EQ(read_file(folder / "run.mcap"), "1");
  EXPECT_TRUE(fs::is_symlink(folder / "run.mcap"));
}

TEST(Recorder, TellsThatItsFileWasTakenAway) {
  RecordedRun run;
  const RecorderStatus status = run.record(20, {}, [&](const TickInput&) { fs::remove(run.path()); });
  EXPECT_EQ(describe(status, "run.mcap"),
            "the recording 'run.mcap' is gone: another program removed or replaced it meanwhile");
  RecordedRun other;
  const RecorderStatus renamed = other.record(20, {}, [&](const TickInput&) {
    if (fs::exists(other.path())) fs::rename(other.path(), other.path("elsewhere.mcap"));
  });
  EXPECT_EQ(describe(renamed, "run.mcap"), "") << "it is only called otherwise";
  EXPECT_EQ(testing_support::load_recording(other.path("elsewhere.mcap")).tick_count(), 20);
}

}  // namespace
}  // namespace rodeo::engine
