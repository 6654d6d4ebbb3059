// SPDX-License-Identifier: MIT
// Input cycles: what a file may say, what it means between its rows, and what is said about one that is wrong.
#include "engine/io/csv.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <sstream>

namespace rodeo::engine {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kDrives{"lift", "tilt"};

CsvTable read(const std::string& text) {
  std::istringstream in(text);
  return build_csv(in, "x.csv", kDrives);
}

std::string why_not(const std::string& text) {
  try {
    static_cast<void>(read(text));
  } catch (const IoError& error) {
    return error.what();
  }
  return "";
}

std::vector<Command> sample(CsvInput& input, double t) {
  std::vector<Command> commands(kDrives.size());
  input.sample(static_cast<std::int64_t>(t * 1e9), commands);
  return commands;
}

TEST(CsvInput, IsLinearBetweenRowsWithTheSlopeAsRate) {
  CsvInput input(read("t,lift,tilt\n0,1,10\n2,2,6\n3,2,6\n"));
  const auto at = sample(input, 0.5);
  EXPECT_EQ(at[0].position, 1.25);
  EXPECT_EQ(at[0].rate, 0.5);
  EXPECT_EQ(at[1].position, 9);
  EXPECT_EQ(at[1].rate, -2);
  EXPECT_EQ(input.end(), 3'000'000'000);
}

TEST(CsvInput, AtARowHasItsValueExactlyAndTheSlopeThatBeginsThere) {
  CsvInput input(read("t,lift,tilt\n0,0.1,0\n0.3,0.7,0\n0.7,0.2,0\n"));
  const auto at = sample(input, 0.3);
  EXPECT_EQ(at[0].position, 0.7);
  EXPECT_DOUBLE_EQ(at[0].rate, -1.25);
  EXPECT_EQ(sample(input, 0.7)[0].position, 0.2);
  EXPECT_DOUBLE_EQ(sample(input, 0.7)[0].rate, -1.25) << "the last row has no segment after it";
}

TEST(CsvInput, StandsStillBeforeItsFirstRowAndAfterItsLast) {
  CsvInput input(read("t,lift,tilt\n1,5,0\n2,6,0\n"));
  EXPECT_EQ(sample(input, 0)[0].position, 5);
  EXPECT_EQ(sample(input, 0)[0].rate, 0);
  EXPECT_EQ(sample(input, 9)[0].position, 6);
  EXPECT_EQ(sample(input, 9)[0].rate, 0);
  EXPECT_EQ(sample(input, 1.5)[0].position, 5.5) << "asked again for an earlier time";
}

TEST(CsvInput, OfOneRowIsConstant) {
  CsvInput input(read("t,lift,tilt\n0,5,6\n"));
  EXPECT_EQ(sample(input, 3)[1].position, 6);
}

TEST(CsvInput, TakesRatesAndColumnsInAnyOrder) {
  CsvInput input(read("t,tilt.rate,lift\n0,1,7\n2,3,7\n"));
  const auto at = sample(input, 1);
  EXPECT_EQ(at[0].kind, Command::Kind::position);
  EXPECT_EQ(at[0].position, 7);
  EXPECT_EQ(at[1].kind, Command::Kind::rate);
  EXPECT_EQ(at[1].rate, 2);
}

/// A cubic and its derivative at the rows: between them it must come back, whatever their distance.
TEST(CsvInput, OfPositionsAndRatesIsTheCubicThroughBoth) {
  const auto x = [](double t) { return 0.3 - 1.7 * t + 2.2 * t * t - 0.9 * t * t * t; };
  const auto v = [](double t) { return -1.7 + 4.4 * t - 2.7 * t * t; };
  const auto a = [](double t) { return 4.4 - 5.4 * t; };
  std::string text = "t,lift.rate,tilt,lift\n";
  for (const double t : {0.0, 0.25, 0.3, 1.0, 1.7, 2.0})
    text += fmt::format("{0},{1:.17g},{0},{2:.17g}\n", t, v(t), x(t));
  CsvInput input(read(text));
  constexpr double kRounding = 1e-14;  // of numbers around 1, a few operations each
  std::vector<Command> at(2);
  for (std::int64_t i = 0; i <= 2000; ++i) {
    input.sample(i * 1'000'000, at);
    const double t = static_cast<double>(i * 1'000'000) / 1e9;
    ASSERT_EQ(at[0].kind, Command::Kind::position);
    ASSERT_NEAR(at[0].position, x(t), kRounding) << t;
    ASSERT_NEAR(at[0].rate, v(t), 10 * kRounding) << t;            // divided by rows that are 0.05 s apart
    ASSERT_NEAR(at[0].acceleration, a(t), 1000 * kRounding) << t;  // divided twice
    ASSERT_NEAR(at[1].position, t, kRounding) << "the other drive stays linear";
    ASSERT_EQ(at[1].acceleration, 0);
  }
}

TEST(CsvInput, OfPositionsAndRatesHasBothExactlyAtItsRows) {
  CsvInput input(read("t,lift,lift.rate,tilt\n0,0.1,0.7,0\n0.3,0.7,-0.2,0\n0.7,0.2,0.9,0\n"));
  for (const auto& [t, position, rate] :
       {std::array{0.0, 0.1, 0.7}, std::array{0.3, 0.7, -0.2}, std::array{0.7, 0.2, 0.9}}) {
    EXPECT_EQ(sample(input, t)[0].position, position);
    EXPECT_EQ(sample(input, t)[0].rate, rate);
  }
  EXPECT_EQ(sample(input, 0.8)[0].position, 0.2);
  EXPECT_EQ(sample(input, 0.8)[0].rate, 0) << "stands still after its last row";
}

/// From rest to rest over 1 in 1 s and back in 2 s: x'' = 6 - 12u there, (-6 + 12u) / 4 back.
TEST(CsvInput, OfPositionsAndRatesHasTheAccelerationOfTheCubicThatBeginsAtARow) {
  CsvInput input(read("t,lift,lift.rate,tilt\n1,0,0,0\n2,1,0,0\n4,0,0,0\n"));
  for (const auto& [t, acceleration] :
       {std::array{0.5, 0.0}, std::array{1.0, 6.0}, std::array{1.25, 3.0}, std::array{2.0, -1.5},
        std::array{3.0, 0.0}, std::array{4.0, 1.5}, std::array{4.5, 0.0}}) {
    EXPECT_DOUBLE_EQ(sample(input, t)[0].acceleration, acceleration) << t;
  }
}

TEST(CsvReader, NamesTheRateThatIsNoNumber) {
  EXPECT_EQ(why_not("t,lift,tilt,tilt.rate\n0,1,2,x\n"), "x.csv:2: 'tilt.rate' is 'x', not a number");
}

TEST(CsvReader, TakesBlanksCommentsByteOrderMarksAndForeignLineEnds) {
  const CsvTable table =
      read("\xEF\xBB\xBF# made by hand\r\n t , lift,tilt\r\n\r\n0, +1e0 ,2\r\n# then\r\n1,1.5,2\r\n");
  EXPECT_EQ(table.times, (std::vector{0.0, 1.0}));
  EXPECT_EQ(table.values, (std::vector{1.0, 2.0, 1.5, 2.0}));
}

TEST(CsvReader, NamesTheDriveThatIsMissing) {
  EXPECT_EQ(why_not("t,lift\n0,1\n"),
            "x.csv:1: there is no column for drive 'tilt': add 'tilt' (positions) or 'tilt.rate' (rates)");
}

TEST(CsvReader, NamesAColumnThatIsNoDrive) {
  EXPECT_EQ(why_not("t,lift,tilt,boom\n0,1,2,3\n"),
            "x.csv:1: column 'boom' is no drive of this machine (it has lift, tilt)");
  EXPECT_EQ(why_not("t,lift,tilt,tilt\n0,1,2,3\n"), "x.csv:1: drive 'tilt' has two columns: leave one");
  EXPECT_EQ(why_not("t,tilt.rate,lift,tilt,tilt.rate\n0,1,2,3,4\n"),
            "x.csv:1: drive 'tilt' has two columns: leave one");
  EXPECT_EQ(why_not("time,lift,tilt\n0,1,2\n"),
            "x.csv:1: the first column is 'time', it must be 't', the time in seconds (as in 't,lift,tilt')");
}

TEST(CsvReader, KnowsTablesWithDecimalCommas) {
  for (const char* separator : {";", "\t"}) {
    const std::string head = fmt::format("t{0}lift{0}tilt", separator);
    EXPECT_THAT(why_not(head + fmt::format("\n0{0}0,7{0}1,5\n", separator)),
                testing::EndsWith(
                    "(as in 't,lift,tilt'): columns are separated by commas, and numbers have a point"));
  }
}

TEST(CsvReader, NamesTheLineOfABadValue) {
  EXPECT_EQ(why_not("t,lift,tilt\n0,1,2\n\n1,nan,2\n"), "x.csv:4: 'lift' is 'nan': it must be finite");
  EXPECT_EQ(why_not("t,lift,tilt\n0,1,inf\n"), "x.csv:2: 'tilt' is 'inf': it must be finite");
  EXPECT_EQ(why_not("t,lift,tilt\n0,1,2 deg\n"), "x.csv:2: 'tilt' is '2 deg', not a number");
  EXPECT_EQ(why_not("t,lift,tilt\n0,,2\n"), "x.csv:2: 'lift' is empty: every row needs every value");
  EXPECT_EQ(why_not("t,lift,tilt\n0,1\n"), "x.csv:2: 2 values, the header has 3 columns");
  EXPECT_EQ(why_not("t,lift,tilt\n0,1,2,3\n"),
            "x.csv:2: 4 values, the header has 3 columns: numbers have a point, as in 0.7, no comma");
  EXPECT_EQ(why_not("t,lift,tilt\n0,1,1e999\n"), "x.csv:2: 'tilt' is '1e999', not a number");
}

TEST(CsvReader, NamesTheLineWhereTimeRunsBackwards) {
  EXPECT_EQ(why_not("t,lift,tilt\n0,1,2\n0.5,1,2\n0.4,1,2\n"),
            "x.csv:4: time runs backwards, from 0.5 to 0.4 s: t must not fall from row to row");
  EXPECT_EQ(why_not("t,lift,tilt\n0,1,2\n0,1,3\n0,1,4\n"),
            "x.csv:4: a third row has t = 0 s: two rows of one time are a step, leave the others out");
}

TEST(CsvInput, StepsWhereTwoRowsHaveOneTime) {
  CsvInput input(read("t,lift,tilt\n0,1,0\n1,2,0\n1,5,0\n2,5,0\n2,7,0\n"));
  EXPECT_EQ(sample(input, 0.5)[0].position, 1.5);
  EXPECT_EQ(sample(input, 1)[0].position, 5);
  EXPECT_EQ(sample(input, 1.5)[0].rate, 0);
  EXPECT_EQ(sample(input, 2)[0].position, 7);
  EXPECT_EQ(sample(input, 3)[0].position, 7);
}

/// As a drive integrates them: x' = x + h (v + v')/2.
double integrate_rates(CsvInput& input, double h, int ticks) {
  double x = 0, rate = sample(input, 0)[1].rate;
  for (int i = 1; i <= ticks; ++i) {
    const double next = sample(input, i * h)[1].rate;
    x += h * (rate + next) / 2;
    rate = next;
  }
  return x;
}

TEST(CsvInput, LosesNothingOfARateBetweenSamples) {
  CsvInput triangle(read("t,lift,tilt.rate\n0,0,0\n0.52,0,0\n0.53,0,100\n0.535,0,0\n1,0,0\n"));
  EXPECT_NEAR(integrate_rates(triangle, 0.1, 10), 0.75, 1e-12);
  CsvInput step(read("t,lift,tilt.rate\n0,0,0\n0.25,0,0\n0.25,0,2\n0.45,0,2\n0.45,0,0\n1,0,0\n"));
  EXPECT_NEAR(integrate_rates(step, 0.1, 10), 0.4, 1e-12);
}

TEST(CsvInput, LosesNothingOfAForceBetweenSamples) {
  std::istringstream in("t,push\n0,0\n0.52,0\n0.53,100\n0.535,0\n1,0\n");
  CsvInput input(build_csv(in, "x.csv", {}, CsvColumns::drives, {"push"}));
  double impulse = 0;
  for (int i = 0; i <= 10; ++i) {
    double force = 0;
    input.sample_forces(i * 100'000'000LL, {&force, 1});
    impulse += 0.1 * force;
  }
  EXPECT_NEAR(impulse, 0.75, 1e-12);
}

TEST(CsvInput, OfRowsAtItsSamplesIsThatOfTheRows) {
  CsvInput input(read("t,lift,tilt.rate\n0,0,0.1\n0.1,0,0.7\n0.2,0,0.3\n"));
  EXPECT_EQ(sample(input, 0)[1].rate, 0.1);
  EXPECT_EQ(sample(input, 0.1)[1].rate, 0.7);
  EXPECT_EQ(sample(input, 0.2)[1].rate, 0.3);
}

TEST(CsvReader, RefusesAFileWithoutRows) {
  EXPECT_EQ(why_not(""), "x.csv: is empty: its first line must be 't,lift,tilt'");
  EXPECT_EQ(why_not("t,lift,tilt\n"), "x.csv: has no rows under its header");
}

TEST(CsvReader, RefusesWhatCannotBeRead) {
  const auto why = [](const std::string& path) {
    try {
      static_cast<void>(build_csv_from_file(path, kDrives));
    } catch (const IoError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(why("none/x.csv"), "cannot read 'none/x.csv': No such file or directory");
  EXPECT_EQ(why("/"), "cannot read '/': Is a directory");
}

TEST(CsvReader, LetsNoByteOfTheFileSteerTheTerminal) {
  EXPECT_EQ(why_not("t,lift,tilt\n0,1,\x1b[2J\n"), "x.csv:2: 'tilt' is '\\x1b[2J', not a number");
}

}  // namespace
}  // namespace rodeo::engine
