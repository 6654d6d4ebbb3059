// SPDX-License-Identifier: MIT
// What a cycle asks beyond the limits of its drives is told: which drive, how many rows, when first, how far.
#include "engine/io/csv_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <sstream>

#include "tests/kernel/build_kernel.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> beyond(const std::string& text, const DriveLimits& limits) {
  std::istringstream in(text);
  return list_beyond_limits(build_csv(in, "in.csv", {"lift"}), "in.csv", {{"lift", "m", limits}});
}

const DriveLimits kLimits{0.9, 1.45, 0.5, std::nullopt};

TEST(BeyondLimits, OfRowsWithinAreNone) {
  EXPECT_THAT(beyond("t,lift\n0,0.9\n1,1.45\n", kLimits), IsEmpty());
  EXPECT_THAT(beyond("t,lift\n0,0.8999999999999\n1,1.4500000000001\n", kLimits), IsEmpty()) << "a rounding";
  EXPECT_THAT(beyond("t,lift\n0,-7\n1,9\n", {}), IsEmpty()) << "no limits";
}

TEST(BeyondLimits, OfPositionsNameRowsTimeAndDistance) {
  EXPECT_THAT(
      beyond("t,lift\n0,1\n2,1.5\n3,1.6\n4,1.2\n5,0.85\n", kLimits),
      ElementsAre("in.csv: drive 'lift': 3 of 5 rows are beyond its range of 0.9 to 1.45 m, first at 2 s, at "
                  "most by 0.15 m (1.6 m at 3 s): the drive is kept at its limit"));
  EXPECT_THAT(
      beyond("t,lift\n0,1\n2,0.5\n", {0.9, {}, {}, {}}),
      ElementsAre("in.csv: drive 'lift': 1 of 2 rows is beyond its lower end of 0.9 m, first at 2 s, at most "
                  "by 0.4 m (0.5 m at 2 s): the drive is kept at its limit"));
}

TEST(BeyondLimits, OfRatesAreThoseBeyondTheSpeed) {
  EXPECT_THAT(
      beyond("t,lift.rate\n0,0.1\n1,-0.6\n2,0\n", kLimits),
      ElementsAre(
          "in.csv: drive 'lift': 1 of 3 rows is beyond its speed of 0.5 m/s, first at 1 s, at most by "
          "0.1 m/s (-0.6 m/s at 1 s): the drive is kept at its limit"));
}

/// From 1.4 at 0.4 m/s to 1.4 at -0.4 m/s in 1 s: the cubic rises by 0.1 to 1.5 in the middle.
TEST(BeyondLimits, OfACubicAreSeenBetweenItsRows) {
  EXPECT_THAT(
      beyond("t,lift,lift.rate\n0,1.4,0.4\n1,1.4,-0.4\n", kLimits),
      ElementsAre(testing::MatchesRegex(
          "in.csv: drive 'lift': its cubic goes between the rows beyond its range of 0.9 to 1.45 m, first at "
          "0.[0-9]+ s, at most by 0.05 m .1.5 m at 0.5 s.: the drive is kept at its limit")));
}

/// The program: the note and the log in any case, exit status 1 on request.
TEST(BeyondLimits, AreANoteOfSimulateAndWithStrictItsExitStatus) {
  const TemporaryFolder folder;
  write_model_folder(folder / "model", R"("lower": -2, "upper": 1.5, "speed": 3, "acceleration": 40)");
  write_file(folder / "in.csv", "t,crank\n0,1\n0.1,1.55\n0.2,1\n");
  write_file(folder / "well.csv", "t,crank\n0,1\n1,1.2\n");
  const auto run = [&](const std::string& arguments) {
    const std::string command =
        fmt::format("cd '{}' && rm -f log.csv && '{}' simulate model -o log.csv {} 2>err",
                    folder.path().string(), RODEO_PROGRAM, arguments);
    const int status = WEXITSTATUS(std::system(command.c_str()));
    EXPECT_TRUE(fs::exists(folder / "log.csv")) << arguments;
    return std::pair(status, read_file(folder / "err"));
  };
  const auto [status, err] = run("--input in.csv");
  EXPECT_EQ(status, 0);
  EXPECT_THAT(err, testing::StartsWith(
                       "note: in.csv: drive 'crank': 1 of 3 rows is beyond its range of -2 to 1.5 rad, "
                       "first at 0.1 s, at most by 0.05 rad (1.55 rad at 0.1 s)"));
  EXPECT_EQ(run("--input in.csv --strict").first, 1);
  EXPECT_EQ(run("--input in.csv --strict").second, err);
  EXPECT_EQ(run("--input well.csv --strict"), std::pair(0, std::string()));
}

/// Positions that are all within the range, and that the drive cannot follow: how far it was beside them is known in closed form.
TEST(BeyondLimits, OfWhatADriveCanFollowAreANoteThatNamesDriveTimeAndDistance) {
  const TemporaryFolder folder;
  write_model_folder(folder / "model", R"("lower": -2, "upper": 2, "speed": 1, "acceleration": 40)");
  const auto run = [&](const std::string& rows) {
    write_file(folder / "in.csv", "t,crank\n" + rows);
    const std::string command =
        fmt::format("cd '{}' && '{}' simulate model --input in.csv --strict -o log.csv 2>err",
                    folder.path().string(), RODEO_PROGRAM);
    const int status = WEXITSTATUS(std::system(command.c_str()));
    return std::pair(status, read_file(folder / "err"));
  };
  const auto expect = [&](const std::string& rows, const std::string& note) {
    const auto [status, err] = run(rows);
    EXPECT_EQ(status, 1) << rows;
    EXPECT_THAT(err, testing::ContainsRegex("note: crank: beside its input, which asks for more than its "
                                            "limits allow, by up to " +
                                            note))
        << rows;
  };
  expect("0,1\n1,1\n1,1.5\n3,1.5\n", "0.5 rad at 1(.001)? s; from 1(.001)? s on, for [0-9]+ ticks");
  expect("0,1\n1,1\n1.5,2\n3,2\n", "0.5[0-9]* rad at 1.5[0-9]* s");  // 2 rad/s, twice its speed: 1/2 behind
  expect("0,1\n1,1\n1.001,1.2\n1.002,1\n2,1\n", "0.2 rad at 1.001 s; from 1.001 s on, for 1 tick");
  expect("0,1\n0.3,1.6\n2,1.6\n",
         "0.3[0-9]* rad at 0.3[0-9]* s");            // from its start on: caught up with, and told
  expect("0,-2\n1,-2\n", "[0-9.]+ rad at 0.001 s");  // never caught up with
  EXPECT_EQ(run("0,1.3\n1,1.3\n"), std::pair(0, std::string())) << "a start beside the first row";
  EXPECT_EQ(run("0,1\n1,1.5\n1.2,1.5\n"), std::pair(0, std::string())) << "a kink of 0.3 mm";
}

}  // namespace
}  // namespace rodeo::engine
