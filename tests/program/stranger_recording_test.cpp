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

/// A recording of somebody else's rodeo of the same version: here with a cache of his own.
class ForeignRecording : public testing::Test {
 protected:
  ForeignRecording() {
    const ProgramResult result =
        run("run '" + kFourBar + "' --no-realtime --duration 0.3 --record foreign.mcap", "theirs");
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(run("export foreign.mcap -o before.csv", "theirs").status, 0);
  }
  /// `cache`: whose.
  ProgramResult run(const std::string& arguments, const std::string& cache) const {
    return run_rodeo(folder_.path(), arguments, "RODEO_CACHE='" + path(cache) + "'");
  }
  /// The recording with other files attached.
  void attach(const std::string& name, const std::function<std::string(std::string)>& change) const {
    const engine::Recording recording = engine::Recording::build_runnable(
        path("foreign.mcap"), [](const auto&, const auto&) { return std::nullopt; });
    engine::ModelFiles files = recording.files();
    for (engine::ModelFile& file : files) {
      if (file.name == name) file.bytes = change(file.bytes);
    }
    engine::Session session = recording.build_session();
    engine::Recorder recorder({.path = path("changed.mcap"), .replaces = true}, recording.model(), files,
                              session);
    engine::TickReader reader(recording);
    for (engine::RecordedTick tick; reader.next(tick);) {
      session.tick(tick.input);
      recorder.record(tick.input, session);
    }
    recorder.close();
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  const std::string kFourBar = std::string(RODEO_SOURCE_DIR) + "/configs/four_bar.yaml";
  engine::testing_support::TemporaryFolder folder_;
};

TEST_F(ForeignRecording, IsRunByOurOwnBuildOfItsMachineWithoutTrust) {
  const ProgramResult verified = run("replay foreign.mcap --verify", "ours");
  EXPECT_EQ(verified.status, 0) << verified.err;
  EXPECT_THAT(verified.out, HasSubstr(", identical\n"));
  const ProgramResult live =
      run("replay foreign.mcap --take-over 100 --no-realtime --duration 0.05 --record on.mcap", "ours");
  EXPECT_EQ(live.status, 0) << live.err;
  EXPECT_EQ(run("replay on.mcap --verify", "others").status, 0);
}

TEST_F(ForeignRecording, NeedsTrustWhereThereIsNoCompiler) {
  fs::create_directory(folder_ / "nothing");
  const std::string bare = "PATH='" + path("nothing") + "' RODEO_CACHE='" + path("ours") + "'";
  const ProgramResult refused = run_rodeo(folder_.path(), "replay foreign.mcap --verify", bare);
  EXPECT_EQ(refused.status, 1);
  EXPECT_EQ(refused.err,
            "foreign.mcap: carries a kernel that was neither built nor run here, and there is no C compiler "
            "'cc' here "
            "to build it with: 'rodeo export', 'plot' and 'view' read it without running it; give --trust to "
            "run it "
            "all the same, without rights\n");
  EXPECT_EQ(run_rodeo(folder_.path(), "replay foreign.mcap --verify --trust", bare).status, 0);
}

/// Machine code that does harm, beside an honest machine file and an honest kernel.c: never loaded.
TEST_F(ForeignRecording, WithEvilMachineCodeRunsOurs) {
  write_file(folder_ / "evil.c",
             "#include <stdio.h>\n__attribute__((constructor)) static void harm(void) { fclose(fopen(\"" +
                 path("trace") + "\", \"w\")); }\n");
  engine::testing_support::compile(path("evil.c"), folder_ / "evil.so");
  attach("kernel.so", [&](const std::string&) { return read_file(folder_ / "evil.so"); });
  const ProgramResult result = run("replay changed.mcap --verify", "ours");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(", identical\n"));
  EXPECT_FALSE(fs::exists(folder_ / "trace"));
}

TEST_F(ForeignRecording, WithAnotherKernelTextOrMachineNeedsTrust) {
  const auto expect_refused = [&](const std::string& what) {
    const ProgramResult result = run("replay changed.mcap --verify", "ours");
    EXPECT_EQ(result.status, 1) << what;
    EXPECT_THAT(result.err, HasSubstr("changed.mcap: carries a kernel that was neither built nor run here"))
        << what;
    EXPECT_EQ(run("replay changed.mcap --verify --trust", "ours").status, 0) << what;
  };
  attach("kernel.c", [](std::string text) { return text + "/* more */\n"; });
  expect_refused("one comment more");
  attach("source.json", [](std::string text) { return text.replace(text.find("L0: 1.4"), 7, "L0: 1.5"); });
  expect_refused("another length");
  attach("source.json",
         [](std::string text) { return text.replace(text.find("four_bar.yaml"), 13, "../../a.yaml"); });
  expect_refused("a name that leads out");
  attach("source.json", [](std::string text) { return text.substr(0, text.size() / 2); });
  expect_refused("cut off");
}

}  // namespace
}  // namespace rodeo::tools
