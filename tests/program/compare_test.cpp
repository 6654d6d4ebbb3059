// SPDX-License-Identifier: MIT
// `rodeo compare`: the table, its JSON, and the differences over time.
#include <nlohmann/json.hpp>

#include "tests/program/free_support.h"

namespace rodeo::tools {
namespace {

using testing::HasSubstr;
using testing_support::FreeProgram;
using testing_support::Result;
using testing_support::Table;

TEST_F(FreeProgram, ComparesEveryMethodAsATable) {
  const Result result = run("compare '" + config("free/slider_crank") + "' --duration 0.5");
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char* method : {"\nminimal ", "\nlagrange ", "\nlagrange-implicit ", "\nrc ", "\nzcp "}) {
    EXPECT_THAT(result.out, HasSubstr(method));
  }
  EXPECT_THAT(result.out, HasSubstr("zcp: 8 break variables; index 3 before, 1 after\n"));
}

TEST_F(FreeProgram, ComparesAsJsonAndWritesDifferences) {
  const Result result = run("compare '" + config("free/slider_crank") + "' --duration 0.5 --json -o off.csv");
  ASSERT_EQ(result.status, 0) << result.err;
  const auto report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report.at("name"), "slider_crank");
  ASSERT_EQ(report.at("methods").size(), 5U);
  const std::vector<std::pair<std::string, int>> expected{
      {"minimal", 2}, {"lagrange", 26}, {"lagrange-implicit", 34}, {"rc", 18}, {"zcp", 26}};
  const Table off = read_table("off.csv");
  EXPECT_EQ(off.rows.size(), 501U);
  for (std::size_t m = 0; m < expected.size(); ++m) {
    const auto& outcome = report.at("methods")[m];
    EXPECT_EQ(outcome.at("method"), expected[m].first);
    EXPECT_EQ(outcome.at("equations"), expected[m].second);
    EXPECT_LT(outcome.at("constraint_error"), 1e-4);
    EXPECT_GT(outcome.at("steps"), 100);
    if (m == 0) continue;
    // The table's largest differences are those of the file.
    const std::size_t crank = off.find(expected[m].first + ".crank.rate");
    const std::size_t rod = off.find(expected[m].first + ".rod.rate");
    const std::size_t piston = off.find(expected[m].first + ".piston.rate");
    double largest = 0;
    for (const auto& row : off.rows)
      largest = std::max({largest, std::abs(row[crank]), std::abs(row[rod]), std::abs(row[piston])});
    EXPECT_NEAR(outcome.at("rate_difference"), largest, 1e-15);
    EXPECT_LT(largest, 2e-2);
  }
}

/// The shape of boudon-2019's figure 21: at the start nothing is loaded, and the parasites swing in until they carry the weight.
TEST_F(FreeProgram, ComparesRcAsAPeakAtTheStartThatDecays) {
  const Result result = run("compare '" + config("free/pendulum") +
                            "' -p J=0.1 --duration 0.002 --rate 100000 --tolerance 1e-9 -o off.csv");
  ASSERT_EQ(result.status, 0) << result.err;
  const Table off = read_table("off.csv");
  const auto largest = [&](const std::string& method, double from, double to) {
    double worst = 0;
    for (const auto& row : off.rows)
      if (row[0] >= from && row[0] < to)
        worst = std::max(worst, std::abs(row[off.find(method + ".rod.rate")]));
    return worst;
  };
  const double peak = largest("rc", 0, 2e-4);
  EXPECT_GT(peak, 1e-4);
  EXPECT_LT(peak, 4e-3);
  EXPECT_LT(largest("rc", 2e-4, 1e-3), 0.1 * peak);
  EXPECT_LT(largest("rc", 1e-3, 3e-3), 0.01 * peak);
  for (const char* method : {"lagrange", "lagrange-implicit", "zcp"})
    EXPECT_LT(largest(method, 0, 3e-3), 1e-4 * peak) << method;
}

/// Figure 31: the piston's velocity, driven and against friction.
TEST_F(FreeProgram, ComparesThePistonsVelocityWithinFourMillimetresASecond) {
  const Result result =
      run("compare '" + config("free/slider_crank") + "' -p T=1.5 -p b=0.1 --duration 2 -o off.csv");
  ASSERT_EQ(result.status, 0) << result.err;
  const Table off = read_table("off.csv");
  ASSERT_EQ(off.rows.size(), 2001U);
  for (const auto& [method, bound] :
       {std::pair{"lagrange", 1e-5}, {"lagrange-implicit", 1e-3}, {"rc", 4e-3}, {"zcp", 1e-3}}) {
    const std::size_t column = off.find(std::string(method) + ".piston.rate.x");
    double worst = 0;
    for (const auto& row : off.rows) worst = std::max(worst, std::abs(row[column]));
    EXPECT_LT(worst, bound) << method;
    EXPECT_GT(worst, 0) << method;
  }
}

TEST_F(FreeProgram, GoesOnWithoutAMethodThatCannotServe) {
  const Result result =
      run("compare '" + config("free/pendulum") + "' -p J=0 --duration 0.1 --method rc --method zcp");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("body 'rod': method rc needs an inertia above 0"));
  EXPECT_THAT(result.out, HasSubstr("\nzcp "));
}

TEST_F(FreeProgram, RefusesToCompareWhatHasNoMethods) {
  const Result result = run("compare '" + config("graphs/quarter_car") + "' --duration 0.1");
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("this is a bond graph, and the methods of free motion are for machines"));
  EXPECT_EQ(run("compare '" + config("free/pendulum") + "'").status, 2);
}

}  // namespace
}  // namespace rodeo::tools
