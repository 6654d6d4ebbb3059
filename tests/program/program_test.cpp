// SPDX-License-Identifier: MIT
// The frame of the program as a user meets it: exit status, one sentence on stderr, nothing half-written.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tools/rodeo/output.h"

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

struct Result {
  int status;
  std::string out;
  std::string err;
};

class Program : public testing::Test {
 protected:
  Program() {
    std::string name = testing::TempDir() + "rodeo_program_XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  ~Program() override { fs::remove_all(folder_); }

  Result run(const std::string& arguments) const {
    const std::string command =
        fmt::format("'{0}' {1} >'{2}/out' 2>'{2}/err'", RODEO_PROGRAM, arguments, folder_.string());
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), read(folder_ / "out"), read(folder_ / "err")};
  }

  fs::path folder_;
};

/// An operator's arrow-up must not cost a model, an input or a recording.
TEST_F(Program, WritesOverNothingThatItReads) {
  const std::string model = (folder_ / "m.yaml").string(), input = (folder_ / "in.csv").string();
  const std::string recording = (folder_ / "r.mcap").string(), built = (folder_ / "built").string();
  fs::copy_file(RODEO_SOURCE_DIR "/configs/four_bar.yaml", model);
  std::ofstream(input) << "t,crank\n0,1.0471975511965976\n0.1,1.1\n";
  ASSERT_EQ(run(fmt::format("run {} --duration 0.05 --no-realtime --record {}", model, recording)).status, 0);
  ASSERT_EQ(run(fmt::format("build {} -o {}", model, built)).status, 0);
  const std::string kernel = built + "/kernel.so";
  const std::string drawn = (folder_ / "m.svg").string(), link = (folder_ / "link").string();
  fs::copy_file(model, drawn);
  fs::create_symlink(model, link);
  const std::vector<std::pair<std::string, std::string>> cases{
      {fmt::format("simulate {0} --duration 0.01 -o {0}", model), model},
      {fmt::format("simulate {0} --input {1} -o {1}", model, input), input},
      {fmt::format("run {0} --duration 0.01 --no-realtime --record {0}", model), model},
      {fmt::format("run {} --duration 0.01 --no-realtime --record {}", built, kernel), kernel},
      {fmt::format("equations {0} -o {0}", model), model},
      {fmt::format("equations {0} --format latex -o {1}", model, link), link},
      {fmt::format("scalar {0} -o {0}", model), model},
      {fmt::format("compare {0} --duration 0.1 -o {0}", model), model},
      {fmt::format("draw {0} -o {0}", drawn), drawn},
      {fmt::format("graph {0} -o {0}", drawn), drawn},
      {fmt::format("workspace {0} -o {0}", drawn), drawn},
      {fmt::format("plot {0} -o {0}", drawn), drawn},
      {fmt::format("plot {0} --phases {1} -o {1}", input, drawn), drawn},
      {fmt::format("view {0} --replay {1} --video {1}", model, input), input},
      {fmt::format("replay {0} --take-over 10 --record {0} --overwrite", recording), recording},
      {fmt::format("export {0} -o {0}", recording), recording}};
  for (const auto& [command, file] : cases) {
    const std::string before = read(file);
    const Result result = run(command);
    EXPECT_EQ(result.status, 1) << command;
    EXPECT_EQ(result.err,
              fmt::format("rodeo: cannot write '{}': it is what is read, choose another name\n", file));
    EXPECT_EQ(read(file), before) << command;
  }
  const std::string within = built + "/m.yaml";
  fs::copy_file(model, within);
  EXPECT_EQ(run(fmt::format("build {} -o {}", within, built)).status, 1);
  EXPECT_TRUE(fs::exists(within)) << "build replaces the whole folder";
}

TEST_F(Program, TellsItsVersion) {
  const Result result = run("--version");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "rodeo " RODEO_VERSION "\n");
}

TEST_F(Program, NamesTheLineOfADriveThatStartsOutsideItsRange) {
  const std::string file = (folder_ / "m.yaml").string();
  std::ofstream(file) << "name: m\nground: {points: {O: [0, 0]}}\nbodies: {a: {points: {O: [0, 0]}}}\n"
                         "joints: [{revolute: [ground.O, a.O]}]\ndrives:\n  a: {angle: a, range: [0, 1]}\n"
                         "start: {a: 1.5}\n";
  const Result result =
      run("simulate '" + file + "' --duration 1 -o '" + (folder_ / "no.csv").string() + "'");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, file +
                            ":6: drive 'a' starts at 1.5, outside its range (0 to 1): change 'start' or the "
                            "range\n");
}

TEST_F(Program, HelpsOnEveryCommandWithAnExample) {
  const Result all = run("--help");
  EXPECT_EQ(all.status, 0);
  std::istringstream lines(all.out.substr(all.out.find("Subcommands:")));
  std::string line;
  std::getline(lines, line);
  int commands = 0;
  for (; std::getline(lines, line) && line.starts_with("  "); ++commands) {
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    const Result help = run(name + " --help");
    EXPECT_EQ(help.status, 0) << name;
    EXPECT_THAT(help.out, HasSubstr("rodeo " + name)) << name;
    EXPECT_THAT(help.out, testing::ContainsRegex("[Ee]xample")) << name;
  }
  EXPECT_GE(commands, 1);
}

TEST_F(Program, RefusesAWrongCommandLineWithStatus2AndOneSentence) {
  for (const char* arguments :
       {"", "nonsense", "--nonsense", "doctor --nonsense", "doctor extra", "doctor --root"}) {
    const Result result = run(arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_EQ(result.out, "") << arguments;
    EXPECT_THAT(result.err, StartsWith("rodeo")) << arguments;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
  EXPECT_THAT(run("nonsense").err, StartsWith("rodeo: there is no command 'nonsense' (there are "));
  EXPECT_THAT(run("").err, StartsWith("rodeo: a command is needed: there are "));
}

TEST_F(Program, ChecksAPartOfPortsAlone) {
  const std::string file = (folder_ / "pin.yaml").string();
  std::ofstream(file) << "name: pin\ndomain: translation\nports: [x, y]\njunctions: {x: 1, y: 0}\n";
  const Result result = run("check '" + file + "'");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("pin\n"));
}

TEST_F(Program, SaysWhatAnOptionMayBe) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"draw m.yaml -o x.doc",
       "rodeo draw: -o: 'x.doc' must end in .svg or be /dev/stdout (see 'rodeo draw --help')\n"},
      {"graph m.yaml -o x.doc",
       "rodeo graph: -o: 'x.doc' must end in .svg, .png, .pdf or .dot (see 'rodeo graph --help')\n"},
      {"view m.yaml --screenshot x.doc",
       "rodeo view: --screenshot: 'x.doc' must end in .png or .ppm (see 'rodeo view --help')\n"},
      {"view m.yaml --samples 17",
       "rodeo view: --samples: '17' must be a whole number between 0 and 16 (see 'rodeo view --help')\n"},
      {"simulate m.yaml --rate -5",
       "rodeo simulate: --rate: '-5' must be a number between 0.001 and 1000000 (see 'rodeo simulate "
       "--help')\n"},
      {"simulate m.yaml --rate fast",
       "rodeo simulate: --rate: 'fast' must be a number between 0.001 and 1000000 (see 'rodeo simulate "
       "--help')\n"}};
  for (const auto& [arguments, sentence] : cases) {
    const Result result = run(arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_EQ(result.err, sentence);
  }
}

TEST_F(Program, FaultsWhenItsReportCannotBeWritten) {
  const std::string command = fmt::format("'{}' doctor 2>/dev/null >/dev/full", RODEO_PROGRAM);
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 3);
}

TEST_F(Program, DoctorReportsAsTableAndAsJson) {
  const Result table = run("doctor");
  EXPECT_THAT(table.out, HasSubstr("clock source"));
  const Result json = run("doctor --json");
  const auto report = nlohmann::json::parse(json.out);
  EXPECT_EQ(json.status, report.at("fit").get<bool>() ? 0 : 1);
  EXPECT_EQ(table.status, json.status);
  EXPECT_EQ(report.at("findings").size(), 10U);
  EXPECT_EQ(report.at("findings").at(0).at("check"), "kernel");
}

TEST_F(Program, DoctorReadsACopyOfAnotherMachine) {
  fs::create_directories(folder_ / "proc/self");
  std::ofstream(folder_ / "proc/self/limits") << "Max realtime priority     0      0\n";
  const Result result = run("doctor --json --root '" + folder_.string() + "'");
  EXPECT_EQ(result.status, 1) << "a script gates on it";
  EXPECT_EQ(nlohmann::json::parse(result.out).at("fit"), false);
}

class WriteFile : public Program {
 protected:
  /// What OutputError says, or "written".
  static std::string attempt(const fs::path& path) {
    try {
      write_file(path.string(), "new");
    } catch (const OutputError& error) {
      return error.what();
    }
    return "written";
  }
  std::ptrdiff_t count_files() const { return std::distance(fs::directory_iterator(folder_), {}); }
};

TEST_F(WriteFile, ReplacesAFileAndLeavesNothingElse) {
  const fs::path path = folder_ / "x.svg";
  write_file(path.string(), "a longer old text");
  write_file(path.string(), "new");
  EXPECT_EQ(read(path), "new");
  EXPECT_EQ(count_files(), 1);
}

TEST_F(WriteFile, GivesANewFileTheUsualPermissionsAndAnOldOneItsOwn) {
  const fs::path path = folder_ / "x.svg";
  const mode_t mask = ::umask(022);
  write_file(path.string(), "1");
  ::umask(mask);
  EXPECT_EQ(static_cast<unsigned>(fs::status(path).permissions()), 0644U);
  fs::permissions(path, fs::perms::owner_all);
  write_file(path.string(), "2");
  EXPECT_EQ(static_cast<unsigned>(fs::status(path).permissions()), 0700U);
}

TEST_F(WriteFile, SaysWhyItCannotWrite) {
  const fs::path missing = folder_ / "none/x.svg";
  EXPECT_EQ(attempt(missing), "cannot write '" + missing.string() + "': No such file or directory");
  EXPECT_EQ(attempt(folder_), "cannot write '" + folder_.string() + "': Is a directory");
  EXPECT_EQ(attempt(""), "cannot write '': No such file or directory");
  EXPECT_EQ(attempt("/dev/full"), "cannot write '/dev/full': No space left on device");
}

TEST_F(WriteFile, WritesToADeviceInPlace) {
  EXPECT_EQ(attempt("/dev/null"), "written");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(WriteFile, KeepsASymbolicLinkAndWritesWhereItPoints) {
  const fs::path target = folder_ / "target.svg";
  const fs::path link = folder_ / "link.svg";
  fs::create_symlink("target.svg", link);
  EXPECT_EQ(attempt(link), "written");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(read(target), "new");
}

}  // namespace
}  // namespace rodeo::tools
