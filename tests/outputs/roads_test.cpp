// SPDX-License-Identifier: MIT
// Outputs of length and angle wherever outputs are: check, draw, scene, packet, recording, states, workspace, plots.
#include <nlohmann/json.hpp>

#include "tests/outputs/logs.h"

namespace rodeo::outputs {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kBoom = R"(name: boom
ground: {points: {O: [0, 0], P: [0.6, -0.4]}}
bodies:
  boom:   {points: {O: [0, 0], R: [1.2, 0], T: [2, 0]}}
  bucket: {points: {T: [0, 0], tip: [0.7, 0]}}
joints: [{revolute: [ground.O, boom.O]}, {revolute: [boom.T, bucket.T]}]
drives: {hoist: {angle: boom}, tilt: {relative_angle: [boom, bucket]}}
start: {boom: 30 deg, bucket: -10 deg}
outputs: {tip: bucket.tip, lift: {length: [ground.P, boom.R]}, level: {angle: bucket}}
)";
/// √((1.2 cos 30° − 0.6)² + (1.2 sin 30° + 0.4)²)
const double kLift = std::hypot(1.2 * std::cos(M_PI / 6) - 0.6, 1.0), kLevel = -M_PI / 18;

class OutputRoads : public Outputs {
 protected:
  OutputRoads() {
    write("m.yaml", kBoom);
    write("in.csv", "t,hoist,tilt\n0,0.52359877559829882,-0.69813170079773179\n1,1,-0.2\n");
  }
};

TEST_F(OutputRoads, CheckTellsThemAtTheStart) {
  EXPECT_THAT(rodeo("check m.yaml"),
              HasSubstr(fmt::format("outputs at the start      lift = {:.6g} m, level = {:.6g} rad (-10 deg)",
                                    kLift, kLevel)));
  const auto report = nlohmann::json::parse(rodeo("check --json m.yaml"));
  EXPECT_NEAR(report.at("start_outputs").at("lift").get<double>(), kLift, 1e-12);
  EXPECT_NEAR(report.at("start_outputs").at("level").get<double>(), kLevel, 1e-12);
}

TEST_F(OutputRoads, DrawHasALineAndAnArcWithTheirValues) {
  EXPECT_EQ(rodeo("draw m.yaml -o m.svg"), "");
  const std::string svg = read("m.svg");
  EXPECT_THAT(svg, HasSubstr(fmt::format("lift = {:.4g} m", kLift)));
  EXPECT_THAT(svg, HasSubstr("level = -10°"));
  EXPECT_THAT(svg, HasSubstr(R"(class="measure" stroke=)"));
  write("s.yaml", "space: 3\n" + kBoom.substr(0, kBoom.find(", level")) + "}\n");
  EXPECT_EQ(rodeo("draw s.yaml -o s.svg"), "");
  EXPECT_THAT(read("s.svg"), HasSubstr(fmt::format("lift = {:.4g} m", kLift)));
}

TEST_F(OutputRoads, ABuiltFolderNamesThem) {
  static_cast<void>(rodeo("build m.yaml -o built"));
  const auto scene = nlohmann::json::parse(read("built/scene.json"));
  ASSERT_EQ(scene.at("measures").size(), 2u);
  EXPECT_EQ(scene.at("measures")[0].at("name"), "lift");
  EXPECT_EQ(scene.at("measures")[1].at("unit"), "rad");
  EXPECT_NEAR(scene.at("measures")[0].at("start").get<double>(), kLift, 1e-12);
  const auto interface = nlohmann::json::parse(read("built/interface.json"));
  EXPECT_EQ(interface.at("outputs"), (std::vector<std::string>{"tip", "lift", "level"}));
  for (const char* format : {"c", "python", "simulink"}) {
    const std::string packet = rodeo(std::string("packet built --format ") + format);
    for (const char* name : {"lift", "level", "lift.rate", "level.acceleration"})
      EXPECT_TRUE(packet.find(name) != std::string::npos ||
                  packet.find(std::string(name).replace(std::string(name).find('.'), 1, "_")) !=
                      std::string::npos)
          << format << " lacks " << name;
  }
}

TEST_F(OutputRoads, ARecordingExportsAndReplaysThemBitForBit) {
  EXPECT_THAT(rodeo("run m.yaml --rate 1000 --duration 0.3 --record r.mcap"), Not(HasSubstr("exit status")));
  EXPECT_THAT(rodeo("export r.mcap -o r.csv --columns all"), Not(HasSubstr("exit status")));
  EXPECT_THAT(rodeo("replay r.mcap --verify"), HasSubstr("identical"));
  const Log log = read_log("r.csv");
  ASSERT_GT(log.rows.size(), 100u);
  EXPECT_NEAR(log.rows.back().at("lift"), kLift, 1e-12);
  EXPECT_NEAR(log.rows.back().at("level"), kLevel, 1e-12);
  EXPECT_TRUE(log.rows.back().contains("level.rate"));
}

TEST_F(OutputRoads, PlotKnowsTheirUnits) {
  const Log log = simulate(kBoom, "--input in.csv --duration 1");
  EXPECT_THAT(rodeo("plot log.csv -o p.svg --y lift --y level"), Not(HasSubstr("exit status")));
  const std::string svg = read("p.svg");
  EXPECT_THAT(svg, HasSubstr("(m)"));
  EXPECT_THAT(svg, HasSubstr("(deg)"));
}

TEST_F(OutputRoads, AWorkspaceIsOfAPoint) {
  EXPECT_THAT(
      rodeo("workspace m.yaml --output lift -o w.svg"),
      HasSubstr("a workspace is of a point, and a length or angle is the output 'lift' (there is tip)"));
}

}  // namespace
}  // namespace rodeo::outputs
