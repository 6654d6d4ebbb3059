// SPDX-License-Identifier: MIT
// `rodeo scalar` of machines in space: the comparison with the library fails where graph and library part, and what is written runs.
#include <nlohmann/json.hpp>

#include "tests/program/free_support.h"

namespace rodeo::tools {
namespace {

using testing::HasSubstr;
using testing_support::FreeProgram;
using testing_support::Result;

class ScalarCommand : public FreeProgram {};

TEST_F(ScalarCommand, ComparesAMachineWithTheLibrary) {
  const Result result =
      run("scalar --compare --json --duration 0.2 -o s.yaml '" + config("spatial/pendulum") + "'");
  EXPECT_EQ(result.status, 0) << result.err;
  const auto report = nlohmann::json::parse(result.out);
  EXPECT_LT(report.at("library").at("vector").at("distance").get<double>(), 1e-4);
  EXPECT_LT(report.at("library").at("scalar").at("distance").get<double>(), 1e-4);
  EXPECT_GT(report.at("library").at("limit").get<double>(), 1e-4);
}

/// Joints as soft as rubber are another machine.
TEST_F(ScalarCommand, FailsWhereTheGraphIsAnotherMachine) {
  const Result result =
      run("scalar --compare --duration 0.2 -p joint_stiffness=100 -p joint_damping=1 -o s.yaml '" +
          config("spatial/pendulum") + "'");
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("scalar form and library over 0.2 s: "));
  EXPECT_THAT(result.err, HasSubstr(": the graph and the library are "));
  EXPECT_THAT(result.err, HasSubstr("more than "));
}

TEST_F(ScalarCommand, WritesAHyperstaticMachineWithMultipliersThatRuns) {
  const Result written =
      run("scalar --hold multipliers -o h.yaml '" + config("spatial/slider_crank_hyperstatic") + "'");
  EXPECT_EQ(written.status, 0) << written.err;
  const Result result = run("simulate h.yaml --method cvode --duration 1 --rate 100 -o h.csv");
  EXPECT_EQ(result.status, 0) << result.err;
}

}  // namespace
}  // namespace rodeo::tools
