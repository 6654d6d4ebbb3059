// SPDX-License-Identifier: MIT
// `rodeo export` as a user meets it: the log is that of the run, to the last digit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/recording_support.h"
#include "tools/rodeo/kernel_trust.h"

namespace rodeo::tools {
namespace {

using namespace testing_support;
using testing::HasSubstr;

class Export : public testing::Test {
 protected:
  /// As if it had been run here.
  Export() { remember_kernel((run_.folder() / "model").string()); }
  /// Records, and logs the same session on the way.
  void record(int ticks, bool all_columns, std::uint32_t state_every = 1) {
    engine::LogWriter log(run_.path("live.csv"), {run_.model().kernel, all_columns});
    const auto write = [&] {
      engine::TickValues values(run_.session().stepper());
      values.status = run_.session().status();
      log.write(static_cast<double>(run_.session().time()) / 1e9, values);
    };
    write();
    run_.record(ticks, {.path = run_.path(), .state_every = state_every}, [&](const auto&) { write(); });
    log.finish();
  }
  ProgramResult run(const std::string& arguments) const { return run_rodeo(run_.folder().path(), arguments); }

  RecordedRun run_;
};

TEST_F(Export, IsTheLogOfTheRunToTheLastDigit) {
  record(1500, false);
  const ProgramResult result = run("export run.mcap -o log.csv");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(read_file(run_.path("log.csv")) == read_file(run_.path("live.csv")));
  EXPECT_GT(read_file(run_.path("log.csv")).size(), 100'000U);
}

TEST_F(Export, HasAllColumnsOnRequestAlsoOfThinnedStates) {
  record(500, true, 100);
  const ProgramResult result = run("export run.mcap --columns all -o -");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(result.out == read_file(run_.path("live.csv")));
  EXPECT_THAT(result.out.substr(0, result.out.find('\n')), testing::EndsWith(",margin,status"));
}

TEST_F(Export, EndsBeforeWhatIsMissingAndSaysSo) {
  record(1500, false);
  const std::string whole = read_file(run_.path());
  write_file(run_.path("cut.mcap"), whole.substr(0, whole.size() * 3 / 4));
  const ProgramResult result = run("export cut.mcap -o log.csv");
  EXPECT_EQ(result.status, 1) << "the log is there, but not all of it";
  EXPECT_THAT(result.err, testing::MatchesRegex(
                              "note: cut.mcap: is cut off: the [0-9]+ bytes from [0-9]+ on are no whole "
                              "chunk, what came after tick [0-9]+ is missing\n"));
  const std::string log = read_file(run_.path("log.csv"));
  EXPECT_GT(log.size(), 10'000U);
  EXPECT_TRUE(read_file(run_.path("live.csv")).starts_with(log));
}

TEST_F(Export, RefusesWhatIsNoRecordingAndACommandLineWithoutALog) {
  write_file(run_.path("x.csv"), "t,crank\n0,1\n");
  ProgramResult result = run("export x.csv -o log.csv");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "x.csv: is no recording (it does not begin as an MCAP file does)\n");
  result = run("export none.mcap -o log.csv");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "cannot read 'none.mcap': No such file or directory\n");
  EXPECT_EQ(run("export run.mcap").status, 2);
  EXPECT_FALSE(std::filesystem::exists(run_.path("log.csv")));
}

TEST_F(Export, IsWhatWasRecordedAndReplayFindsThatItDiffers) {
  record_wrong(run_);
  EXPECT_EQ(run("export run.mcap -o log.csv").status, 0);
  const ProgramResult verified = run("replay run.mcap --verify");
  EXPECT_EQ(verified.status, 1);
  EXPECT_THAT(verified.out, HasSubstr("differs from tick 10 on"));
}

}  // namespace
}  // namespace rodeo::tools
