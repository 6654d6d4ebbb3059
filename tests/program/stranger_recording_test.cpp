// SPDX-License-Identifier: MIT
// A recording of a stranger, whose kernel does harm as soon as it is loaded: reading never runs it, and what is run with --trust
// has no rights.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/recording_support.h"
#include "tools/rodeo/view_log.h"

namespace rodeo::tools {
namespace {

using namespace testing_support;
namespace fs = std::filesystem;
using testing::HasSubstr;

/// Leaves traces by every way it can think of.
constexpr const char* kEvil = R"(#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
__attribute__((constructor)) static void harm(void) {
  FILE *file = fopen(TRACE, "w");
  if (file) fclose(file);
  if (system("touch " TRACE) == 0) { }
  if (fork() == 0) { execl("/bin/touch", "touch", TRACE, (char *)0); _exit(0); }
  if (socket(AF_INET, SOCK_DGRAM, 0) >= 0) fprintf(stderr, "has a socket\n");
  if (unlink(VICTIM) == 0 || rename(VICTIM, VICTIM ".gone") == 0) fprintf(stderr, "removed a file\n");
}
)";

class StrangerRecording : public testing::Test {
 protected:
  StrangerRecording() {
    run_.record(300);
    const std::string honest = read_file(run_.folder() / "model/kernel.so");
    write_file(run_.folder() / "victim", "x");
    write_file(run_.folder() / "evil.h", kEvil);
    const std::string object = run_.path("evil.so");
    engine::testing_support::compile_four_bar(
        object,
        fmt::format(
            R"(-D_GNU_SOURCE -include '{0}/evil.h' '-DTRACE="{0}/trace"' '-DVICTIM="{0}/victim"' -Wno-error)",
            run_.folder().path().string()));
    engine::ModelFiles files = run_.files();
    for (engine::ModelFile& file : files) {
      if (file.name == "kernel.so") file.bytes = read_file(object);
    }
    record_again(files);
  }
  /// The same run with other files attached, as somebody would write it who wants us to run them.
  void record_again(const engine::ModelFiles& files) {
    RecordedRun other;
    engine::Session session(other.model(), other.session().options(), other.session().conditions());
    engine::Recorder recorder({.path = run_.path("evil.mcap")}, other.model(), files, session);
    engine::testing_support::InputScript script(other.model().kernel.drive_count());
    for (int i = 0; i < 300; ++i) {
      const engine::TickInput input = script.next();
      session.tick(input);
      recorder.record(input, session);
    }
    recorder.close();
  }
  ProgramResult run(const std::string& arguments) const { return run_rodeo(run_.folder().path(), arguments); }
  bool has_harmed() const {
    return fs::exists(run_.folder() / "trace") || !fs::exists(run_.folder() / "victim");
  }

  RecordedRun run_;
};

TEST_F(StrangerRecording, IsReadWithoutBeingRun) {
  for (const char* command : {"export evil.mcap -o log.csv", "export evil.mcap --columns all -o all.csv",
                              "plot evil.mcap -o p.svg", "simulate model --input evil.mcap -o sim.csv"}) {
    const ProgramResult result = run(command);
    EXPECT_EQ(result.status, 0) << command << ": " << result.err;
    EXPECT_FALSE(has_harmed()) << command;
  }
  EXPECT_TRUE(write_view_log(run_.path("evil.mcap"), run_.path("model"), run_.path("view.csv")));
  EXPECT_FALSE(has_harmed());
  run("export run.mcap -o honest.csv");
  EXPECT_EQ(read_file(run_.path("log.csv")), read_file(run_.path("honest.csv")));
}

TEST_F(StrangerRecording, IsNotReplayedWithoutTrust) {
  for (const char* command :
       {"replay evil.mcap", "replay evil.mcap --verify", "replay evil.mcap --take-over 100"}) {
    const ProgramResult result = run(command);
    EXPECT_EQ(result.status, 1) << command;
    EXPECT_EQ(result.err,
              "evil.mcap: carries a kernel that was neither built nor run here: 'rodeo export', 'plot' and "
              "'view' read it "
              "without running it; give --trust to run it all the same, without rights\n");
    EXPECT_FALSE(has_harmed()) << command;
  }
}

TEST_F(StrangerRecording, HasNoRightsWhereItIsTrusted) {
  const ProgramResult result = run("replay evil.mcap --verify --trust");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(", identical\n"));
  EXPECT_EQ(result.err, "");
  EXPECT_FALSE(has_harmed());
  EXPECT_EQ(run("replay evil.mcap --take-over 100 --trust").status, 2);
}

/// Another attachment under another name, and interface.json that points to it.
TEST_F(StrangerRecording, CannotNameAnotherKernelThanTheOneThatIsLookedAt) {
  run("simulate model --duration 0.01 -o known.csv");  // the honest one is known from here on
  engine::ModelFiles files = run_.files();
  for (engine::ModelFile& file : files) {
    if (file.name != "interface.json") continue;
    file.bytes.replace(file.bytes.find("\"kernel.so\""), 11, "\"evil.so\"");
  }
  files.push_back({"evil.so", read_file(run_.folder() / "evil.so")});
  record_again(files);
  static_cast<void>(run("replay evil.mcap --verify"));
  EXPECT_FALSE(has_harmed());
}

}  // namespace
}  // namespace rodeo::tools
