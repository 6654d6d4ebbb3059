// SPDX-License-Identifier: MIT
// Capabilities that the program was given are gone before a model is loaded, in every thread: looked at from outside, and by a
// kernel that looks at its own as soon as it is loaded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <sstream>

#include "tests/program/live_program.h"
#include "tests/program/recording_support.h"

namespace rodeo::tools {
namespace {

using namespace testing_support;
namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

/// Writes what it may do when it is loaded.
constexpr const char* kCurious = R"(#include <stdio.h>
__attribute__((constructor)) static void look(void) {
  char line[256];
  FILE *from = fopen("/proc/thread-self/status", "r"), *to = fopen(TRACE, "w");
  while (from && to && fgets(line, sizeof line, from)) fputs(line, to);
  if (from) fclose(from);
  if (to) fclose(to);
}
)";

std::string find_line(const std::string& status, const std::string& key) {
  std::istringstream lines(status);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(key + ":\t")) return line.substr(key.size() + 2);
  }
  return "";
}

void expect_nothing(const std::string& status, const std::string& whose) {
  for (const char* set : {"CapEff", "CapPrm", "CapAmb"})
    EXPECT_EQ(find_line(status, set), "0000000000000000") << whose << ' ' << set;
  EXPECT_EQ(find_line(status, "NoNewPrivs"), "1") << whose;
}

class Rights : public testing::Test {
 protected:
  Rights() {
    if (::geteuid() != 0) return;
    write_file(run_.folder() / "curious.h", kCurious);
    engine::testing_support::compile_four_bar(
        run_.folder() / "model/kernel.so",
        fmt::format(R"(-include '{0}/curious.h' '-DTRACE="{0}/trace"')", run_.folder().path().string()));
    engine::write_checksums(run_.path("model"));
  }
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only root has capabilities to give up";
  }
  [[nodiscard]] std::string trace() const { return read_file(run_.folder() / "trace"); }
  ProgramResult run(const std::string& arguments, const std::string& before = "") const {
    return run_rodeo(run_.folder().path(), arguments, before);
  }

  RecordedRun run_;
};

TEST_F(Rights, OfRootAreGivenUpInEveryThreadOfARun) {
  LiveProgram live(run_.folder().path(),
                   {"run", run_.path("model"), "--listen", "127.0.0.1:0", "--record", run_.path("r.mcap")});
  ASSERT_TRUE(live.wait_for_err("runs at")) << live.err();
  int threads = 0;
  for (const auto& task : fs::directory_iterator(fmt::format("/proc/{}/task", live.pid()))) {
    expect_nothing(read_file(task.path() / "status"), task.path().string());
    ++threads;
  }
  EXPECT_GE(threads, 4) << "main, loop, network, recorder";
  expect_nothing(trace(), "the kernel, when it was loaded");
  live.kill(SIGTERM);
  EXPECT_EQ(live.wait(), 0) << live.err();
}

TEST_F(Rights, AreUsedForRealTimeBefore) {
  LiveProgram live(run_.folder().path(), {"run", run_.path("model"), "--json"});
  ASSERT_TRUE(live.wait_for_err("runs at")) << live.err();
  const bool is_forbidden = std::system("chrt -f 10 true 2>/dev/null") != 0;
  int fifo = 0;
  for (const auto& task : fs::directory_iterator(fmt::format("/proc/{}/task", live.pid()))) {
    const pid_t id = std::stoi(task.path().filename().string());
    fifo += (sched_getscheduler(id) & ~SCHED_RESET_ON_FORK) == SCHED_FIFO ? 1 : 0;
  }
  EXPECT_EQ(fifo, is_forbidden ? 0 : 1) << "the loop's thread alone";
  live.kill(SIGTERM);
  EXPECT_EQ(live.wait(), 0) << live.err();
}

/// As a service or setcap gives them to an ordinary user.
TEST_F(Rights, OfAnOrdinaryUserDoNotReachALibrary) {
  fs::permissions(run_.folder().path(), fs::perms::all);
  const std::string given =
      "setpriv --reuid=65534 --clear-groups --inh-caps=-all,+sys_nice,+ipc_lock "
      "--ambient-caps=-all,+sys_nice,+ipc_lock --bounding-set=-all,+sys_nice,+ipc_lock ";
  const ProgramResult own = run_rodeo(run_.folder().path(), "doctor", given);
  if (own.out.find("CAP_SYS_NICE") == std::string::npos) GTEST_SKIP() << "cannot be given here: " << own.err;
  for (const std::string command : {"run model --duration 0.05", "simulate model --duration 0.05 -o log.csv",
                                    "bench model --seconds 0.01"}) {
    fs::remove(run_.folder() / "trace");
    const ProgramResult result = run(command, "RODEO_CACHE=" + run_.path("cache") + " " + given);
    EXPECT_EQ(result.status, 0) << command << result.err;
    EXPECT_THAT(result.err, Not(HasSubstr("no SCHED_FIFO"))) << command;
    expect_nothing(trace(), command);
  }
}

TEST_F(Rights, OfTheFileDoNotReachALibrary) {
  const std::string copy = run_.path("rodeo");
  fs::copy_file(RODEO_PROGRAM, copy);
  if (std::system(("setcap cap_sys_nice,cap_ipc_lock+ep '" + copy + "' 2>/dev/null").c_str()) != 0)
    GTEST_SKIP() << "no setcap here";
  fs::permissions(run_.folder().path(), fs::perms::all);
  const std::string command = fmt::format(
      "cd '{0}' && RODEO_CACHE={0}/cache setpriv --reuid=65534 --clear-groups ./rodeo run model --duration "
      "0.05 >out 2>err",
      run_.folder().path().string());
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 0) << read_file(run_.folder() / "err");
  EXPECT_EQ(find_line(trace(), "Uid"), "65534\t65534\t65534\t65534");
  EXPECT_THAT(read_file(run_.folder() / "err"), Not(HasSubstr("no SCHED_FIFO")));
  expect_nothing(trace(), "setcap");
}

/// Where its working folder is another user's; else it could not even read the model there.
TEST_F(Rights, OverFilesAreRootsInAUsersFolder) {
  ASSERT_EQ(::chown(run_.folder().path().c_str(), 65534, 65534), 0);
  fs::permissions(run_.folder().path(), fs::perms::owner_all);
  const ProgramResult result = run("simulate model --duration 0.05 -o log.csv");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(find_line(trace(), "CapEff"), "0000000000000002") << "CAP_DAC_OVERRIDE";
}

}  // namespace
}  // namespace rodeo::tools
