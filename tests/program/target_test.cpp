// SPDX-License-Identifier: MIT
// A target machine: the installed program and a folder that was built elsewhere, without a compiler in sight.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/codegen/built_kernel.h"
#include "tests/program/recording_support.h"

namespace rodeo::tools {
namespace {

using namespace testing_support;
namespace fs = std::filesystem;

class Target : public testing::Test {
 protected:
  /// As on the build machine: staged under DESTDIR, then carried away.
  Target() {
    const fs::path build = fs::path(RODEO_PROGRAM).parent_path();
    const std::string command = fmt::format(
        "DESTDIR='{}' cmake --install '{}' --prefix /usr/local >'{}' 2>&1", (folder_ / "stage").string(),
        (build / "tools" / "rodeo").string(), (folder_ / "install.log").string());
    EXPECT_EQ(std::system(command.c_str()), 0) << read_file(folder_ / "install.log");
    fs::rename(folder_ / "stage" / "usr" / "local", folder_ / "target");
    fs::copy(codegen::built_folder(codegen::config("wheel_loader")), folder_ / "loader",
             fs::copy_options::recursive);
  }
  /// The installed program with nothing else to find.
  ProgramResult run(const std::string& arguments) const {
    const std::string command = fmt::format(
        "cd '{}' && env -i PATH=/nowhere HOME=/nowhere RODEO_CACHE='{}' target/bin/rodeo {} </dev/null >out "
        "2>err",
        folder_.path().string(), (folder_ / "cache").string(), arguments);
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), read_file(folder_ / "out"), read_file(folder_ / "err")};
  }

  engine::testing_support::TemporaryFolder folder_;
};

TEST_F(Target, RunsRecordsAndReplaysABuiltFolderWithoutACompiler) {
  const ProgramResult live = run("run loader --duration 0.2 --no-realtime --record run.mcap");
  EXPECT_EQ(live.status, 0) << live.err;
  const ProgramResult replay = run("replay run.mcap --verify");
  EXPECT_EQ(replay.status, 0) << replay.err;
  EXPECT_THAT(replay.out, testing::HasSubstr(", identical\n"));
  EXPECT_EQ(run("simulate loader --duration 0.1 -o log.csv").status, 0);
}

/// A machine file is for the build machine: the sentence says so.
TEST_F(Target, SaysThatAMachineFileNeedsACompiler) {
  write_file(folder_ / "four_bar.yaml", read_file(codegen::config("four_bar")));
  const ProgramResult result = run("run four_bar.yaml --duration 0.1 --no-realtime");
  EXPECT_NE(result.status, 0);
  EXPECT_THAT(result.err,
              testing::HasSubstr("there is no C compiler 'cc': install gcc, or build on a machine that has "
                                 "one"));
}

}  // namespace
}  // namespace rodeo::tools
