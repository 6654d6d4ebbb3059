// SPDX-License-Identifier: MIT
// What the log has and a page of equations must have, too, in the log's own sense: reactions of joints, lengths and angles.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/printed/solved_page.h"
#include "tests/printed/sorted_page.h"

namespace rodeo::printed {
namespace {

constexpr double kPrinted = 2e-4;  // coefficients have six digits, and loops amplify them

/// A rear suspension that is let go: reactions by the page's own names, and outputs that are a length and an angle, at rest at the start.
TEST(Page, HasReactionsAndOutputsAsTheLogHasThem) {
  const std::string folder = testing::TempDir(), file = folder + "printed_moto.yaml",
                    log = folder + "printed_moto.csv";
  std::ofstream(file) << R"(name: moto
drawing:
  points: {A: [0, 0.35], W: [-0.55, 0.30], J: [-0.2, 0.25], R: [-0.05, 0.22], S: [-0.12, 0.17], U: [-0.1, 0.55], X: [0.02, 0.2]}
  ground: [A, U, X]
  bodies:
    arm: {points: [A, W, J], mass: 18, com: [-0.45, 0.31], inertia: 0.6}
    rocker: {points: [X, R, S], mass: 1.2, com: [-0.05, 0.2], inertia: 0.004}
    link: {points: [J, S], mass: 0.6, com: [-0.16, 0.21], inertia: 0.002}
gravity: [0, -9.81]
forces:
  - {spring: [ground.U, rocker.R], stiffness: 12e3, rest_length: 0.3, damping: 600, name: shock}
outputs: {axle: arm.W, reach: {length: [ground.U, arm.W]}, swing: {angle: link}}
)";
  const std::string command = fmt::format(
      "'{}' simulate '{}' --duration 0.001 --columns all -o '{}' >/dev/null 2>&1", RODEO_PROGRAM, file, log);
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  const std::map<std::string, double> row = read_first_row(log);
  const std::string text = print(file, "reduced").first;
  const Sorted page = sort(parse_page(text));
  std::map<Symbol, double> known = page.parameters;
  const auto none = [](const Symbol&) -> double { return 0; };
  for (const Line& line : page.starts) known[line.left->symbol] = calc(line.right, none)[0];
  std::vector<Line> lines = page.equations;
  lines.insert(lines.end(), page.positions.begin(), page.positions.end());
  const Solved solved = PageSolver(lines, known, {}).solve();
  int reactions = 0;
  for (const auto& [column, value] : row) {
    const bool is_reaction = column.ends_with(".fx") || column.ends_with(".fy");
    const auto found = solved.values.find({column, 0});
    if (!is_reaction || found == solved.values.end()) continue;
    ++reactions;
    EXPECT_NEAR(found->second, value, kPrinted * std::max(100.0, std::abs(value))) << column << "\n" << text;
  }
  EXPECT_GE(reactions, 2) << text;
  EXPECT_NEAR(solved.values.at({"l_reach", 0}), std::hypot(0.45, 0.25), 1e-9) << text;
  EXPECT_NEAR(solved.values.at({"l_reach", 0}), row.at("reach"), 1e-9);
  EXPECT_NEAR(solved.values.at({"X_swing", 0}), row.at("swing"), 1e-9);
}

}  // namespace
}  // namespace rodeo::printed
