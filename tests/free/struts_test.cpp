// SPDX-License-Identifier: MIT
// Lengths, rates and forces of springs and dampers in logs: by hand from the angle and the rate of a
// lever, in the plane and in space, by the compiled kernels and by the library.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/free/free_run.h"

namespace rodeo::codegen {
namespace {

const std::string kLever = R"(name: lever
ground: {points: {O: [0, 0], P: [0.4, -0.9]}}
bodies: {lever: {points: {O: [0, 0], Q: [0.8, 0.1], T: [1.5, 0]}, mass: 12, com: [0.7, 0], inertia: 2}}
joints: [{revolute: [ground.O, lever.O], name: pin}]
forces:
  - {spring: [ground.P, lever.Q], stiffness: 900, rest_length: 0.7, damping: 25, name: shock}
  - {damper: [ground.P, lever.T], damping: 8}
gravity: [0, -9.81]
start: {lever: 0.3}
outputs: {tip: lever.T}
)";

const std::string kSpatialLever = R"(name: lever
space: 3
ground: {points: {O: [0, 0, 0], P: [0.4, -0.9, 0]}}
bodies: {lever: {points: {O: [0, 0, 0], Q: [0.8, 0.1, 0], T: [1.5, 0, 0]}, mass: 12, com: [0.7, 0, 0], inertia: [1, 2, 2]}}
joints: [{revolute: [ground.O, lever.O], axis: [0, 0, 1], name: pin}]
forces:
  - {spring: [ground.P, lever.Q], stiffness: 900, rest_length: 0.7, damping: 25, name: shock}
  - {damper: [ground.P, lever.T], damping: 8}
gravity: [0, -9.81, 0]
start: {pin: 0.3}
outputs: {tip: lever.T}
)";

using Row = std::map<std::string, double>;

class StrutColumns : public testing::Test {
 protected:
  StrutColumns() { setenv("RODEO_CACHE", (folder.path() / "cache").c_str(), 1); }

  [[nodiscard]] std::string rodeo(const std::string& arguments) const {
    return run("cd " + folder.path().string() + " && " + RODEO_PROGRAM + " " + arguments);
  }

  [[nodiscard]] std::vector<Row> simulate(const std::string& yaml, const std::string& options) const {
    std::ofstream(folder.path() / "m.yaml") << yaml;
    const std::string said = rodeo("simulate m.yaml --duration 0.5 -o log.csv " + options);
    std::ifstream log(folder.path() / "log.csv");
    EXPECT_TRUE(log) << said;
    std::vector<std::string> names;
    std::vector<Row> rows;
    for (std::string line, cell; std::getline(log, line);) {
      std::istringstream cells(line);
      if (names.empty()) {
        while (std::getline(cells, cell, ',')) names.push_back(cell);
        continue;
      }
      rows.emplace_back();
      for (const std::string& name : names) {
        std::getline(cells, cell, ',');
        rows.back()[name] = std::stod(cell);
      }
    }
    return rows;
  }

  TemporaryFolder folder;
};

/// From P to a point of the lever, at its angle and rate.
struct ByHand {
  double length, rate;
};
ByHand calc_by_hand(double x, double y, double angle, double w) {
  const double c = std::cos(angle), s = std::sin(angle), px = c * x - s * y, py = s * x + c * y;
  const double dx = px - 0.4, dy = py + 0.9, length = std::hypot(dx, dy);
  return {length, (dx * -w * py + dy * w * px) / length};
}

/// By hand the pin is closed. Multipliers and Baumgarte keep it so within 4e-7; independent coordinates to rounding.
constexpr double kByMultipliers = 1e-6, kExact = 1e-12;

void expect_struts(const Row& row, double angle, double w, double same) {
  const ByHand shock = calc_by_hand(0.8, 0.1, angle, w), damper = calc_by_hand(1.5, 0, angle, w);
  ASSERT_NEAR(row.at("shock.length"), shock.length, same);
  ASSERT_NEAR(row.at("shock.rate"), shock.rate, same);
  ASSERT_NEAR(row.at("shock.force"), 900 * (shock.length - 0.7) + 25 * shock.rate, 1000 * same);
  ASSERT_NEAR(row.at("damper_PT.length"), damper.length, same);
  ASSERT_NEAR(row.at("damper_PT.rate"), damper.rate, same);
  ASSERT_NEAR(row.at("damper_PT.force"), 8 * damper.rate, 10 * same);
}

TEST_F(StrutColumns, AreLengthRateAndForceByHandInThePlane) {
  for (const std::string options : {"", "--method minimal", "--method lagrange"}) {
    SCOPED_TRACE(options);
    const std::vector<Row> rows = simulate(kLever, "--columns all " + options);
    ASSERT_GT(rows.size(), 400u);
    double fastest = 0;
    for (const Row& row : rows) {
      ASSERT_NO_FATAL_FAILURE(expect_struts(row, row.at("lever.angle"), row.at("lever.rate"),
                                            options == "--method lagrange" ? kByMultipliers : kExact));
      fastest = std::max(fastest, std::abs(row.at("shock.rate")));
    }
    EXPECT_GT(fastest, 0.1);
  }
}

TEST_F(StrutColumns, AreLengthRateAndForceByHandInSpace) {
  for (const std::string options : {"", "--method minimal"}) {
    SCOPED_TRACE(options);
    const std::vector<Row> rows = simulate(kSpatialLever, "--columns all " + options);
    ASSERT_GT(rows.size(), 400u);
    for (const Row& row : rows)
      ASSERT_NO_FATAL_FAILURE(expect_struts(row, row.at("pin.angle"), row.at("lever.wz"),
                                            options.empty() ? kByMultipliers : kExact));
  }
}

TEST_F(StrutColumns, HaveNamesThatEquationsUseToo) {
  std::ofstream(folder.path() / "m.yaml") << kLever;
  const std::string text = rodeo("equations m.yaml");
  EXPECT_NE(text.find("l_shock"), std::string::npos) << text;
  EXPECT_EQ(text.find("l_PQ"), std::string::npos) << text;
}

}  // namespace
}  // namespace rodeo::codegen
