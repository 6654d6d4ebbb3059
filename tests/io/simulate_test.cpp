// SPDX-License-Identifier: MIT
// `rodeo simulate` as a user meets it, on a folder as `rodeo build` makes it, with the hand-written four-bar.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <map>
#include <vector>

#include "tests/kernel/build_kernel.h"
#include "tools/rodeo/fraction_bar.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;
using testing::HasSubstr;

struct Result {
  int status;
  std::string out;
  std::string err;
};

struct Log {
  std::vector<std::string> names;
  std::map<std::string, std::vector<double>> columns;

  const std::vector<double>& operator[](const std::string& name) const { return columns.at(name); }
};

Log parse(const std::string& text) {
  Log log;
  std::istringstream lines(text);
  std::string line;
  std::string cell;
  std::getline(lines, line);
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) log.names.push_back(cell);
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    for (const std::string& name : log.names) {
      std::getline(cells, cell, ',');
      log.columns[name].push_back(std::stod(cell));
    }
  }
  return log;
}

class Simulate : public testing::Test {
 protected:
  Simulate() { write_model_folder(folder_ / "model"); }

  Result run(const std::string& arguments, const std::string& in = "/dev/null") const {
    const std::string command = fmt::format("cd '{}' && '{}' simulate {} <'{}' >out 2>err",
                                            folder_.path().string(), RODEO_PROGRAM, arguments, in);
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), read_file(folder_ / "out"), read_file(folder_ / "err")};
  }
  void put(const std::string& name, const std::string& text) const { write_file(folder_ / name, text); }
  Log log() const { return parse(read_file(folder_ / "log.csv")); }
  void expect_no_log() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      EXPECT_THAT(entry.path().filename().string(), testing::Not(HasSubstr("log.csv")));
    }
  }

  TemporaryFolder folder_;
};

TEST_F(Simulate, FollowsAnInputWithoutLimitsExactly) {
  put("in.csv", "t,crank\n0,1.0\n2,3.0\n");
  const Result result = run("model --input in.csv --rate 1000 -o log.csv");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const Log got = log();
  ASSERT_EQ(got["t"].size(), 2001U);
  EXPECT_EQ(got["t"][1234], 1.234);
  for (std::size_t i = 0; i <= 2000; ++i) {
    ASSERT_NEAR(got["crank"][i], 1.0 + got["t"][i], 1e-15 * 4);
    ASSERT_EQ(got["crank.angle"][i], got["crank"][i]);
    ASSERT_EQ(got["crank.rate"][i], 1.0);
    ASSERT_LT(got["residual"][i], 1e-14);
  }
}

TEST_F(Simulate, StartsAtTheStartWithLimitsAndKeepsThem) {
  write_model_folder(folder_ / "model", R"("lower": 0, "upper": 1.5, "speed": 0.5, "acceleration": 2)");
  put("in.csv", "t,crank\n0,3\n4,3\n");
  const Result result = run("model --input in.csv -o log.csv --columns all");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("note: crank: at its upper end stop (1.5 rad) from "));
  const Log got = log();
  EXPECT_EQ(got["crank"].front(), 1.0471975511965976);
  EXPECT_EQ(got["crank"].back(), 1.5);
  EXPECT_EQ(got["status"].back(), 1 + 4);
  EXPECT_EQ(got["margin"].size(), got["t"].size());
  for (const double rate : got["crank.rate"]) ASSERT_LE(rate, 0.5);
  for (const double acceleration : got["crank.acceleration"]) ASSERT_LE(std::abs(acceleration), 2.0);
}

TEST_F(Simulate, TakesRatesFromStandardInputAndWritesToStandardOutput) {
  put("in.csv", "t,crank.rate\n0,2\n1,2\n");
  const Result result = run("model --input - -o - --rate 10 -p L1=0.4", "in.csv");
  ASSERT_EQ(result.status, 0) << result.err;
  const Log got = parse(result.out);
  ASSERT_EQ(got["t"].size(), 11U);
  EXPECT_NEAR(got["crank"].back(), 1.0471975511965976 + 2, 1e-14);
}

TEST_F(Simulate, WithoutInputStaysAtTheStartForTheDuration) {
  ASSERT_EQ(run("model --duration 0.5 --rate 7 -o log.csv").status, 0);
  EXPECT_EQ(log()["t"].size(), 4U);
  EXPECT_EQ(log()["crank"].back(), 1.0471975511965976);
  EXPECT_EQ(run("model -o log2.csv").status, 2);
  EXPECT_THAT(run("model -o log2.csv").err, HasSubstr("--duration: is needed without --input"));
}

TEST_F(Simulate, IntegratesOnRequest) {
  put("in.csv", "t,crank\n0,1\n5,6\n");
  ASSERT_EQ(run("model --input in.csv --closure none --method euler -o log.csv").status, 0);
  EXPECT_GT(log()["residual"].back(), 1e-6);
  ASSERT_EQ(run("model --input in.csv --closure baumgarte --gain 20 --method rk4 -o log.csv").status, 0);
  EXPECT_LT(log()["residual"].back(), 1e-10);
  ASSERT_EQ(run("model --input in.csv --method rk4 -o log.csv").status, 0);
  EXPECT_LT(log()["residual"].back(), 1e-14);
  EXPECT_EQ(run("model --input in.csv --method exact --closure none -o log.csv").status, 2);
}

TEST_F(Simulate, HoldsBeforeASingularPoseAndSaysWhy) {
  put("in.csv", "t,crank\n0,1.0\n1,2.0\n2,0.5\n");
  const Result result = run("model --input in.csv -p L1=1.0 -p L2=0.9 -p L3=0.8 -o log.csv --columns all");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("note: held: the command leads into a singular pose (margin 0.0"));
  EXPECT_EQ(log()["crank"].back(), 0.5);
  EXPECT_EQ(log()["status"].back(), 0);
}

TEST_F(Simulate, RunsTheSameTwice) {
  write_model_folder(folder_ / "model", R"("speed": 0.5, "acceleration": 2)");
  put("in.csv", "t,crank\n0,1\n1,2\n2,1.2\n3,1.9\n");
  ASSERT_EQ(run("model --input in.csv -o log.csv --columns all").status, 0);
  const std::string first = read_file(folder_ / "log.csv");
  ASSERT_EQ(run("model --input in.csv -o log.csv --columns all").status, 0);
  EXPECT_EQ(read_file(folder_ / "log.csv"), first);
}

TEST_F(Simulate, RefusesWrongInputWithStatus1AndLeavesNoLog) {
  put("nan.csv", "t,crank\n0,1\n1,nan\n");
  put("back.csv", "t,crank\n0,1\n1,2\n0.5,1\n");
  put("missing.csv", "t\n0\n");
  put("far.csv", "t,crank\n0,1e7\n1,1e7\n");
  const std::map<std::string, std::string> wrong{
      {"model --input nan.csv", "nan.csv:3: 'crank' is 'nan': it must be finite\n"},
      {"model --input back.csv", "back.csv:4: time runs backwards"},
      {"model --input missing.csv", "missing.csv:1: there is no column for drive 'crank'"},
      {"model --input far.csv", "four_bar: the machine cannot go from its start to where the input begins"},
      {"model --input none.csv", "cannot read 'none.csv': there is no such file, and no cycle of that name"},
      {"none --duration 1", "none: there is no such file or folder\n"},
      {"model --duration 1 -p L9=1", "four_bar: the kernel has no parameter 'L9'"},
      {"model --duration 1 -p L1=5", "four_bar: the machine cannot take its start pose (crank = 1.0472 rad)"},
  };
  for (const auto& [arguments, sentence] : wrong) {
    const Result result = run(arguments + " -o log.csv");
    EXPECT_EQ(result.status, 1) << arguments;
    EXPECT_THAT(result.err, testing::StartsWith(sentence)) << arguments;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << arguments;
    expect_no_log();
  }
}

TEST_F(Simulate, RefusesALogThatCannotBeWrittenWithStatus1) {
  for (const char* path : {"none/log.csv", "/dev/full", "model"}) {
    const Result result = run(fmt::format("model --duration 1 -o {}", path));
    EXPECT_EQ(result.status, 1) << path;
    EXPECT_THAT(result.err, testing::StartsWith(fmt::format("cannot write '{}': ", path)));
  }
}

TEST_F(Simulate, RefusesBrokenKernelsWithStatus1) {
  const std::string whole = read_file(folder_ / "model/kernel.so");
  put("model/kernel.so", whole.substr(0, whole.size() / 2));
  write_checksums((folder_ / "model").string());
  const Result cut = run("model --duration 1 -o log.csv");
  EXPECT_EQ(cut.status, 1);
  EXPECT_THAT(cut.err, testing::StartsWith("model/kernel.so: cut off after "));
  compile_four_bar(folder_ / "model/kernel.so", "-DRODEO_TEST_ABI=1");
  write_checksums((folder_ / "model").string());
  const Result old = run("model --duration 1 -o log.csv");
  EXPECT_EQ(old.status, 1);
  EXPECT_EQ(old.err, "model/kernel.so: built for kernel ABI 1, this rodeo has 2: build it again\n");
  expect_no_log();
}

TEST_F(Simulate, InterruptedLeavesNoLog) {
  const std::string command =
      fmt::format("cd '{}' && timeout -s INT 0.5 '{}' simulate model --duration 1e6 -o log.csv 2>err",
                  folder_.path().string(), RODEO_PROGRAM);
  static_cast<void>(std::system(command.c_str()));
  EXPECT_EQ(read_file(folder_ / "err"), "rodeo: stopped before the end, no log was written\n");
  expect_no_log();
}

TEST_F(Simulate, KilledLeavesNothingBesideItsLog) {
  const std::string command =
      fmt::format("cd '{}' && timeout -s KILL 0.5 '{}' simulate model --duration 1e6 -o log.csv 2>err",
                  folder_.path().string(), RODEO_PROGRAM);
  static_cast<void>(std::system(command.c_str()));
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    EXPECT_FALSE(entry.path().filename().string().starts_with("log.csv")) << entry.path();
}

TEST(FractionBar, TellsPartAndTimeLeft) {
  EXPECT_EQ(tools::fraction_line(0.5, 7), "[===============...............] 50 %, 7 s left");
  EXPECT_EQ(tools::fraction_line(0, 1), "[..............................] 0 %, 0 s left");
}

}  // namespace
}  // namespace rodeo::engine
