// SPDX-License-Identifier: MIT
// The cache of kernels and the folders that are made of it: one's own, healed where damaged, whole or not there.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <chrono>
#include <thread>

#include "tests/codegen/built_kernel.h"
#include "tests/program/recording_support.h"

namespace rodeo::tools {
namespace {

using namespace testing_support;
namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const std::string kFourBar = codegen::config("four_bar");

class Cache : public testing::Test {
 protected:
  /// In the folder, with `before` in front of the command (variables, or another program).
  ProgramResult run(const std::string& arguments, const std::string& before = "") const {
    const std::string command =
        fmt::format("cd '{0}' && RODEO_CACHE='{0}/cache' {1} '{2}' {3} </dev/null >out 2>err",
                    folder_.path().string(), before, RODEO_PROGRAM, arguments);
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), read_file(folder_ / "out"), read_file(folder_ / "err")};
  }
  ProgramResult build(const std::string& target = "built") const {
    return run("build '" + kFourBar + "' -o " + target);
  }
  bool is_whole(const std::string& name) const {
    const std::string command = fmt::format(
        "cd '{}' && b2sum --check --strict --quiet checksums.txt 2>/dev/null", (folder_ / name).string());
    return std::system(command.c_str()) == 0;
  }
  std::vector<fs::path> find_all(const std::string& name) const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "cache")) {
      if (entry.path().filename() == name) found.push_back(entry.path());
    }
    return found;
  }
  /// Everything below the folder whose name says that it is not finished.
  std::vector<std::string> find_drafts() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
      if (entry.path().filename().string().find(".draft.") != std::string::npos)
        found.push_back(entry.path());
    }
    return found;
  }

  engine::testing_support::TemporaryFolder folder_;
};

TEST_F(Cache, IsHealedWhereItIsDamaged) {
  ASSERT_EQ(build().status, 0);
  const std::string whole = read_file(folder_ / "built/kernel.so");
  for (const char* name :
       {"kernel.so", "interface.json", "scene.json", "certificate.json", "checksums.txt"}) {
    for (const fs::path& file : find_all(name))
      write_file(file, read_file(file).substr(0, fs::file_size(file) / 2));
    const ProgramResult again = build();
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_TRUE(is_whole("built")) << name;
    EXPECT_EQ(read_file(folder_ / "built/kernel.so"), whole) << name;
    EXPECT_EQ(run("simulate '" + kFourBar + "' --duration 0.01 -o log.csv").status, 0) << name;
  }
}

TEST_F(Cache, IsOfThisUserAlone) {
  ASSERT_EQ(build().status, 0);
  struct stat status {};
  ASSERT_EQ(::stat((folder_ / "cache").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0700U);
  // A kernel that somebody put there while the folder was open to all is not taken.
  for (const fs::path& file : find_all("kernel.so")) write_file(file, "planted");
  fs::permissions(folder_ / "cache", fs::perms::all);
  const ProgramResult open = build();
  EXPECT_EQ(open.status, 0) << open.err;
  EXPECT_THAT(open.err, HasSubstr("note: kernels are not kept from run to run: "));
  EXPECT_THAT(open.err, HasSubstr("others may write to it"));
  EXPECT_TRUE(is_whole("built"));
  EXPECT_THAT(read_file(folder_ / "built/kernel.so"), Not(HasSubstr("planted")));
}

/// The way of the attack: no HOME, and a folder in the shared temporary directory that another user had made.
TEST_F(Cache, WithoutAHomeIsNotTheSharedTemporaryFolder) {
  const fs::path shared = folder_ / "shared";
  fs::create_directories(shared / "rodeo-cache" / "kernels");
  const ProgramResult result =
      run("build '" + kFourBar + "' -o built",
          fmt::format("env -u HOME -u XDG_CACHE_HOME -u RODEO_CACHE TMPDIR='{}'", shared.string()));
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(is_whole("built"));
  EXPECT_TRUE(fs::is_empty(shared / "rodeo-cache" / "kernels"));
  EXPECT_EQ(std::distance(fs::directory_iterator(shared), fs::directory_iterator()), 1)
      << "nothing is left there";
}

TEST_F(Cache, OfAnotherUserIsNotUsed) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  fs::create_directories(folder_ / "cache");
  ASSERT_EQ(::chown((folder_ / "cache").c_str(), 65534, 65534), 0);
  const ProgramResult result = build();
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("it belongs to another user"));
  EXPECT_TRUE(fs::is_empty(folder_ / "cache"));
  EXPECT_TRUE(is_whole("built"));
}

TEST_F(Cache, ThatCannotBeMadeIsOnlySlow) {
  write_file(folder_ / "cache", "a file");
  const ProgramResult result = build();
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("cache: it is no folder"));
  EXPECT_TRUE(is_whole("built"));
  EXPECT_EQ(run("simulate '" + kFourBar + "' --duration 0.01 -o log.csv").status, 0);
}

TEST_F(Cache, TwentyBuildsIntoOneFolderAllSucceed) {
  ASSERT_EQ(build().status, 0);
  const std::string command = fmt::format(
      "cd '{0}' && export RODEO_CACHE='{0}/cache'; for i in $(seq 20); do '{1}' build '{2}' -o one >out.$i "
      "2>err.$i "
      "& all=\"$all $!\"; done; for one in $all; do wait $one || exit 1; done",
      folder_.path().string(), RODEO_PROGRAM, kFourBar);
  EXPECT_EQ(std::system(command.c_str()), 0) << read_file(folder_ / "err.1");
  EXPECT_TRUE(is_whole("one"));
  EXPECT_EQ(find_drafts(), std::vector<std::string>());
}

TEST_F(Cache, KilledBuildsLeaveNothingThatTheNextDoesNotClear) {
  const std::string at = folder_.path().string();
  for (int i = 0; i < 12; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::setenv("RODEO_CACHE", (at + "/cache").c_str(), 1);
      if (::chdir(at.c_str()) != 0) ::_exit(127);
      const std::string vary = "L1=0.5" + std::to_string(i);
      ::execl(RODEO_PROGRAM, "rodeo", "build", kFourBar.c_str(), "-p", vary.c_str(), "-o", "built", nullptr);
      ::_exit(127);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + 37 * i));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(!fs::exists(folder_ / "built") || is_whole("built")) << i;
  }
  EXPECT_EQ(build().status, 0);
  EXPECT_TRUE(is_whole("built"));
  EXPECT_THAT(find_drafts(), testing::IsEmpty()) << "of other fingerprints neither";
}

/// A draft of another build that is still running is locked, and stays.
TEST_F(Cache, ClearsOnlyWhatNobodyWorksOn) {
  const fs::path dead = folder_ / "cache/models/.0123.draft.aaaaaa",
                 live = folder_ / "cache/kernels/.4567.draft.bbbbbb";
  for (const fs::path& draft : {dead, live}) fs::create_directories(draft);
  fs::permissions(folder_ / "cache", fs::perms::owner_all);
  const int lock = ::open(live.c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);
  EXPECT_EQ(build().status, 0);
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(fs::exists(live));
  ::close(lock);
}

/// A small disk of its own for the cache, where the machine lets us have one.
TEST_F(Cache, OnAFullDiskIsOnlySlow) {
  const std::string command = fmt::format(
      "cd '{0}' && mkdir -m 700 cache && unshare --mount sh -c 'mount -t tmpfs -o size=64k,mode=700 none "
      "cache && "
      "export RODEO_CACHE={0}/cache && \"{1}\" simulate \"{2}\" --duration 0.01 -o log.csv && "
      "\"{1}\" build \"{2}\" -o built' >out 2>err",
      folder_.path().string(), RODEO_PROGRAM, kFourBar);
  if (std::system("unshare --mount sh -c 'mount -t tmpfs none /mnt' 2>/dev/null") != 0)
    GTEST_SKIP() << "no disk of one's own here";
  EXPECT_EQ(std::system(command.c_str()), 0) << read_file(folder_ / "err");
  EXPECT_THAT(read_file(folder_ / "err"), HasSubstr("note: kernels are not kept from run to run: "));
  EXPECT_THAT(read_file(folder_ / "err"), HasSubstr("No space left on device"));
  EXPECT_TRUE(is_whole("built"));
}

TEST_F(Cache, EveryFileOfAFolderMustBeListed) {
  ASSERT_EQ(build().status, 0);
  const std::string whole = read_file(folder_ / "built/checksums.txt");
  for (const char* name : {"certificate.json", "kernel.c", "kernel.so", "interface.json", "scene.json"}) {
    std::string text;
    std::istringstream lines(whole);
    for (std::string line; std::getline(lines, line);) {
      if (!line.ends_with(std::string("  ") + name)) text += line + "\n";
    }
    ASSERT_LT(text.size(), whole.size()) << name;
    write_file(folder_ / "built/checksums.txt", text);
    for (const char* command : {"run built --duration 0.01 --no-realtime",
                                "simulate built --duration 0.01 -o x.csv", "bench built --seconds 0.01"}) {
      const ProgramResult result = run(command);
      EXPECT_EQ(result.status, 1) << command << name;
      EXPECT_EQ(result.err,
                fmt::format("built/checksums.txt: does not list {}: build the folder again\n", name));
    }
  }
}

TEST_F(Cache, AMeshThatWasEditedIsTakenAgain) {
  write_file(folder_ / "arm.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  std::string text = read_file(kFourBar);
  const std::size_t at = text.find("points:", text.find("crank:"));
  text.insert(at, "mesh: arm.obj, ");
  write_file(folder_ / "m.yaml", text);
  ASSERT_EQ(run("build m.yaml -o built").status, 0) << read_file(folder_ / "err");
  write_file(folder_ / "arm.obj", "v 0 0 0\nv 2 0 0\nv 0 2 0\nf 1 2 3\n");
  ASSERT_EQ(run("build m.yaml -o built").status, 0);
  EXPECT_THAT(read_file(folder_ / "built/meshes/crank/arm.obj"), HasSubstr("v 2 0 0"));
  EXPECT_TRUE(is_whole("built"));
}

TEST_F(Cache, ADamagedFolderIsRefusedByEveryCommandThatTakesOne) {
  ASSERT_EQ(build().status, 0);
  std::string text = read_file(folder_ / "built/interface.json");
  text.replace(text.find("rad"), 3, "dar");
  write_file(folder_ / "built/interface.json", text);
  const std::string sentence =
      "built/interface.json: is not what 'rodeo build' wrote (damaged or edited, see checksums.txt): build "
      "the "
      "folder again\n";
  for (const char* command :
       {"run built --duration 0.01 --no-realtime", "simulate built --duration 0.01 -o x.csv",
        "bench built --seconds 0.01", "packet built --format c", "workspace built -o x.svg",
        "view built --screenshot x.png"}) {
    const ProgramResult result = run(command);
    EXPECT_EQ(result.status, 1) << command << result.out;
    EXPECT_EQ(result.err, sentence) << command;
  }
}

}  // namespace
}  // namespace rodeo::tools
