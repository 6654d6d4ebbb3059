// SPDX-License-Identifier: MIT
// `rodeo plot` as a user meets it: files, what is written in them, and errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/program/recording_support.h"

namespace rodeo::tools {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Plot : public testing::Test {
 protected:
  Plot() {
    std::string log = "t,boom,lift,boom.angle,boom.rate,tip.x,tip.y,residual\n", short_log = "t,tip.y\n";
    for (int i = 0; i <= 200; ++i) {
      const double t = 0.05 * i, a = 0.1 * t;
      log += fmt::format("{},{},{},{},0.1,{},{},1e-16\n", t, a, 1 + a, a, 3 * std::cos(a), 3 * std::sin(a));
      short_log += fmt::format("{},{}\n", t, t * 0.3);
    }
    write_file(path("log.csv"), log);
    write_file(path("other.csv"), short_log);
    write_file(path("phases.csv"), "t,phase\n0,A\n3.3,BB\n7.7,CC\n");
  }
  std::string path(const std::string& name) const { return (run_.folder().path() / name).string(); }
  ProgramResult run(const std::string& arguments, const std::string& environment = "") const {
    return run_rodeo(run_.folder().path(), arguments, environment);
  }
  /// The file that a plot wrote.
  std::string plot(const std::string& arguments, const std::string& file) const {
    const ProgramResult result = run("plot " + arguments + " -o " + file);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return read_file(path(file));
  }
  static bool has_gnuplot() { return std::system("gnuplot --version >/dev/null 2>&1") == 0; }

  RecordedRun run_;
};

#define NEEDS_GNUPLOT() \
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed"

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes.at(at + i));
  return value;
}

TEST_F(Plot, DrawsDrivesAndOutputsWithUnitsOnTheAxes) {
  NEEDS_GNUPLOT();
  const std::string svg = plot("log.csv", "x.svg");
  EXPECT_THAT(svg, HasSubstr("<svg"));
  EXPECT_THAT(svg, HasSubstr("</svg>"));
  for (const char* text :
       {">boom (deg)<", ">lift (m)<", ">position (m)<", ">time (s)<", ">tip.x<", ">tip.y<"}) {
    EXPECT_THAT(svg, HasSubstr(text)) << text;
  }
}

TEST_F(Plot, MarksPhasesAndTitlesThePicture) {
  NEEDS_GNUPLOT();
  const std::string svg =
      plot("log.csv --y boom.rate --phases phases.csv --title \"O'Hara's_run {1}\"", "x.svg");
  for (const char* text : {">boom.rate (deg/s)<", ">BB<", ">CC<", "s_run {1}<"})
    EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_THAT(plot("log.csv --y boom.rate --radians", "y.svg"), HasSubstr(">boom.rate (rad/s)<"));
}

TEST_F(Plot, NamesTheLogsThatLieOverEachOther) {
  NEEDS_GNUPLOT();
  const std::string svg = plot("log.csv other.csv --y tip.y", "x.svg");
  EXPECT_THAT(svg, HasSubstr(">log<"));
  EXPECT_THAT(svg, HasSubstr(">other<"));
  EXPECT_THAT(svg, HasSubstr(">tip.y (m)<"));
}

TEST_F(Plot, DrawsAPathWithLetteredPoints) {
  NEEDS_GNUPLOT();
  const std::string svg =
      plot("log.csv --x tip.x --y tip.y --phases phases.csv --x-label 'reach (m)' --y-label 'height (m)'",
           "x.svg");
  for (const char* text : {">reach (m)<", ">height (m)<", ">A<", ">BB<"}) EXPECT_THAT(svg, HasSubstr(text));
}

TEST_F(Plot, WritesAPngOfTheSizeThatIsAskedForAndAPdf) {
  NEEDS_GNUPLOT();
  const std::string png = plot("log.csv --size 640x480", "x.png");
  EXPECT_THAT(png, StartsWith("\x89PNG"));
  EXPECT_EQ(big_endian(png, 16), 640U);
  EXPECT_EQ(big_endian(png, 20), 480U);
  EXPECT_THAT(plot("log.csv", "x.pdf"), StartsWith("%PDF"));
}

TEST_F(Plot, WritesAPageWithTheNumbersOfTheLog) {
  const std::string page = plot("log.csv --y tip.y", "x.html");
  const std::string key = "const figure = ";
  const std::size_t begin = page.find(key) + key.size();
  const auto data = nlohmann::json::parse(page.substr(begin, page.find(";\n", begin) - begin));
  const auto& series = data.at("panels").at(0).at("series").at(0);
  const auto y = data.at("columns").at(series.at("y").get<std::size_t>()).get<std::vector<double>>();
  ASSERT_EQ(y.size(), 201U);
  for (int i = 0; i <= 200; ++i) EXPECT_NEAR(y[static_cast<std::size_t>(i)], 3 * std::sin(0.005 * i), 1e-8);
  EXPECT_THAT(page, Not(HasSubstr("http")));
}

TEST_F(Plot, DrawsARecordingAsItsExportedLog) {
  run_.record(1500, {.path = path("run.mcap")}, [](const auto&) {});
  ASSERT_EQ(run("export run.mcap -o run.csv").status, 0);
  EXPECT_TRUE(plot("run.mcap", "recording.html") == plot("run.csv", "log.html"));
}

/// A loop that stood still for 0.2 s has no line there; one tick that was late has.
TEST_F(Plot, DrawsNoLineAcrossTicksThatWereLost) {
  {
    engine::Recorder recorder({.path = path("run.mcap")}, run_.model(), run_.files(), run_.session());
    const std::vector<engine::Command> still{engine::Command::moving(0)};
    for (int i = 1; i <= 60; ++i) {
      const engine::TickInput input{.skipped = i == 20 ? 1U : i == 40 ? 200U : 0U, .commands = still};
      run_.session().tick(input);
      recorder.record(input, run_.session());
    }
  }
  const std::string page = plot("run.mcap --y crank", "gap.html");
  std::size_t gaps = 0;
  for (std::size_t at = page.find("null,"); at != std::string::npos; at = page.find("null,", at + 1)) ++gaps;
  EXPECT_EQ(gaps, 1U) << page.substr(page.find("const figure"), 2000);
}

TEST_F(Plot, NeedsGnuplotForPicturesAndNothingForPages) {
  const ProgramResult result = run("plot log.csv -o x.svg", "PATH=/nowhere");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err,
            "pictures are drawn by gnuplot, which cannot be started (No such file or directory): install the "
            "Debian package gnuplot-nox, or write an .html, which needs no other program\n");
  EXPECT_FALSE(std::filesystem::exists(path("x.svg")));
  EXPECT_EQ(run("plot log.csv -o x.html", "PATH=/nowhere").status, 0);
}

TEST_F(Plot, SaysWhatIsWrongWithItsInput) {
  write_file(path("bad.csv"), "t,a\n0,1\n1,high\n");
  write_file(path("empty.csv"), "");
  write_file(path("header.csv"), "t,a\n");
  const std::vector<std::pair<std::string, std::string>> cases{
      {"none.csv", "cannot read 'none.csv': No such file or directory\n"},
      {"bad.csv", "bad.csv:3: 'a' is 'high', not a number\n"},
      {"empty.csv", "empty.csv: is empty: a log has a header and rows, as 'rodeo simulate' writes it\n"},
      {"header.csv", "header.csv: has no rows under its header\n"},
      {"log.csv --y boom.angel",
       "log.csv: there is no column 'boom.angel' (the nearest are boom.angle, boom.rate, boom)\n"},
      {"log.csv --phases log.csv", "log.csv: the first line of a file of phases must be 't,phase'\n"},
      {"x.yaml",
       "x.yaml: is no log but a model: plot what 'rodeo simulate' or 'rodeo run --record' writes of it\n"},
      {".", "cannot read '.': Is a directory\n"}};
  for (const auto& [arguments, sentence] : cases) {
    const ProgramResult result = run("plot " + arguments + " -o x.html");
    EXPECT_EQ(result.status, 1) << arguments;
    EXPECT_EQ(result.err, sentence);
    EXPECT_FALSE(std::filesystem::exists(path("x.html")));
  }
}

TEST_F(Plot, RefusesAWrongCommandLine) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"log.csv", "rodeo plot: -o is required (see 'rodeo plot --help')\n"},
      {"log.csv -o x.gif",
       "rodeo plot: -o: 'x.gif' must end in .svg, .png, .pdf or .html (see 'rodeo plot --help')\n"},
      {"log.csv -o x.svg --size big",
       "rodeo plot: --size: 'big' must be pixels from 240 to 10000, as in 1280x720 (see 'rodeo plot "
       "--help')\n"},
      {"log.csv -o x.svg --x tip.x",
       "rodeo plot: --x: needs a --y: what is to be drawn over it (see 'rodeo plot --help')\n"}};
  for (const auto& [arguments, sentence] : cases) {
    const ProgramResult result = run("plot " + arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_EQ(result.err, sentence);
  }
}

TEST_F(Plot, SaysThatItCannotWrite) {
  const ProgramResult result = run("plot log.csv -o none/x.html");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "rodeo: cannot write 'none/x.html': No such file or directory\n");
}

}  // namespace
}  // namespace rodeo::tools
