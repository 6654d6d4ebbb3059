// SPDX-License-Identifier: MIT
// Forces of stops and contacts are columns of every log, by kernel and method, in the plane and in space. By hand.
#include <map>

#include "tests/free/machine_program.h"

namespace rodeo::codegen {
namespace {

class StopColumns : public MachineProgram {
 protected:
  /// Rows of the log by name.
  [[nodiscard]] std::vector<std::map<std::string, double>> simulate(const std::string& how) const {
    const std::string told = rodeo("simulate m.yaml " + how + " --columns all -o log.csv");
    EXPECT_NE(told.find("status 0"), std::string::npos) << told;
    std::ifstream file(folder.path() / "log.csv");
    std::string line, name;
    std::getline(file, line);
    std::vector<std::string> names;
    for (std::istringstream header(line); std::getline(header, name, ',');) names.push_back(name);
    std::vector<std::map<std::string, double>> rows;
    for (const std::vector<double>& values : read_rows("log.csv")) {
      rows.emplace_back();
      for (std::size_t i = 0; i < names.size(); ++i) rows.back()[names[i]] = values.at(i);
    }
    return rows;
  }
};

const std::vector<std::string> kWays{"", "--method lagrange", "--method minimal"};

/// 2 kg on a vertical guide, from 0.9 m over O, with a stop of 1000 N/m from 1 m to 1.05 m between them.
std::string build_ram(const std::string& more) {
  return R"(name: ram
ground: {points: {O: [0, 0]}}
bodies: {ram: {points: {P: [0, 0]}, mass: 2, com: [0, 0], inertia: 0.1}}
joints: [{prismatic: [ground.O, ram.P], direction: [0, 1], angle: 0, name: guide}]
gravity: [0, -9.81]
)" + more;
}

TEST_F(StopColumns, ShowWhatAStopDoesAtBothEnds) {
  for (const std::string space : {"", "space: 3\n"}) {
    for (const auto& [start, force] : {std::pair{0.9, -100.0}, {1.02, 0.0}, {1.06, 10.0}}) {
      write(build_ram(
          "forces: [{stop: [ground.O, ram.P], retracted: 1, stroke: 0.05, stiffness: 1000, damping: 50, "
          "name: bumper}]\n" +
          space + "start: {guide: " + std::to_string(start) + "}\n"));
      for (const std::string& way : kWays) {
        SCOPED_TRACE(space + way);
        const auto rows = simulate(way + " --duration 0.01");
        EXPECT_NEAR(rows[0].at("bumper.length"), start, 1e-9);
        EXPECT_NEAR(rows[0].at("bumper.rate"), 0, 1e-9);
        EXPECT_NEAR(rows[0].at("bumper.force"), force, 1e-5);
      }
    }
  }
}

/// At rest the ground bears the weight, and at once where it touches with a speed what its damper makes of it.
TEST_F(StopColumns, ShowWhatTheGroundBears) {
  for (const std::string space : {"", "space: 3\n"}) {
    write(build_ram("forces: [{contact: ram.P, stiffness: 1e4, damping: 300, name: floor}]\n" + space +
                    "start: {guide: 0.01}\n"));
    for (const std::string& way : kWays) {
      SCOPED_TRACE(space + way);
      const auto rows = simulate(way + " --duration 1");
      EXPECT_NEAR(rows[0].at("floor.gap"), 0.01, 1e-9);
      EXPECT_EQ(rows[0].at("floor.force"), 0);
      EXPECT_NEAR(rows.back().at("floor.force"), 2 * 9.81, 1e-3);
      for (const auto& row : rows) {
        const double depth = -row.at("floor.gap"), inward = -row.at("floor.rate");
        const double force = depth > 0 ? std::max(0.0, 1e4 * depth + 300 * inward) : 0.0;
        EXPECT_NEAR(row.at("floor.force"), force, 1e-9 * 1e4);
      }
    }
  }
}

/// ½ 1000 0.1².
TEST_F(StopColumns, AStopThatIsPressedAtTheStartIsNoted) {
  for (const std::string space : {"", "space: 3\n"}) {
    const std::string stop =
        "forces: [{stop: [ground.O, ram.P], retracted: 1, stroke: 0.05, stiffness: 1000, damping: 50}]\n" +
        space;
    write(build_ram(stop + "start: {guide: 0.9}\n"));
    const std::string told = rodeo("check m.yaml");
    EXPECT_NE(told.find("note: stop 'stop_OP' is pressed in by 0.1 m at the start: its spring holds 5 J"),
              std::string::npos)
        << told;
    write(build_ram(stop + "start: {guide: 1.01}\n"));
    EXPECT_EQ(rodeo("check m.yaml").find("pressed"), std::string::npos);
  }
}

}  // namespace
}  // namespace rodeo::codegen
