// SPDX-License-Identifier: MIT
// What `rodeo check`, `equations` and `simulate` tell of controlled junctions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/codegen/built_kernel.h"

namespace rodeo::codegen {
namespace {

std::string rodeo(const std::string& arguments) {
  return run(std::string(RODEO_PROGRAM) + " " + arguments + " 2>&1");
}
std::string graph(const std::string& name) { return (kSource / "configs/graphs" / name).string(); }

TEST(Program, ChecksEveryConfiguration) {
  const auto report = nlohmann::json::parse(rodeo("check --json " + graph("quarter_car_ramp.yaml")));
  EXPECT_EQ(report.at("booleans").size(), 1u);
  EXPECT_EQ(report["booleans"][0]["condition"], "tyre.gap < 0");
  ASSERT_EQ(report.at("configurations").size(), 2u);
  EXPECT_EQ(report["configurations"][0]["states"], 10);
  EXPECT_EQ(report["configurations"][1]["states"], 9);  // no tyre to deform
  EXPECT_THAT(report["configurations"][1]["differential_ports"], testing::ElementsAre("tyre.spring"));
  EXPECT_THAT(report["configurations"][1]["off"], testing::ElementsAre("tyre.contact"));
  EXPECT_THAT(rodeo("check " + graph("quarter_car_ramp.yaml")),
              testing::HasSubstr("  b1                        [tyre.gap < 0] switches tyre.contact\n"));
}

/// As doubles 0.4 + 0.8 is 1.2000000000000002.
TEST(Program, ShowsConditionsWithoutTheirRounding) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "m.yaml").string();
  std::ofstream(file) << R"(
name: m
ground: {points: {O: [0, 0], W: [0, 1]}}
bodies: {arm: {points: {O: [0, 0], P: [1, 0]}, mass: 1, inertia: 1, com: [1, 0]}}
joints: [{revolute: [ground.O, arm.O]}]
forces: [{stop: [ground.W, arm.P], retracted: 0.4, stroke: 0.8, stiffness: 1000}]
start: {arm: 45 deg}
)";
  const std::string report = rodeo("check " + file);
  EXPECT_THAT(report, testing::HasSubstr("[1.2 < WP.length.displacement]"));
  EXPECT_THAT(report, testing::Not(testing::HasSubstr("1.2000000000000002")));
  EXPECT_THAT(rodeo("equations " + file), testing::Not(testing::HasSubstr("1.2000000000000002")));
}

TEST(Program, PrintsStateEquationsWithBooleans) {
  const std::string page = rodeo("equations " + graph("quarter_car_ramp.yaml"));
  EXPECT_THAT(page, testing::HasSubstr("d/dt P_mass_2      = wind - b1 60000 P_mass_2 / (V (ms + mu))"));
  EXPECT_THAT(page, testing::HasSubstr("b1                 = [tyre.gap < 0]"));
}

TEST(Program, LogsWhetherAJunctionIsOn) {
  const TemporaryFolder folder;
  const std::string log = (folder.path() / "log.csv").string();
  EXPECT_EQ(rodeo("simulate " + graph("quarter_car_ramp.yaml") + " --duration 0.01 -o " + log), "");
  std::ifstream file(log);
  std::string header, first;
  std::getline(file, header);
  std::getline(file, first);
  EXPECT_TRUE(header.ends_with(",tyre.contact.on")) << header;
  EXPECT_TRUE(first.ends_with(",1")) << first;
}

}  // namespace
}  // namespace rodeo::codegen
