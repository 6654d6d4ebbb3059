// SPDX-License-Identifier: MIT
// Free motion from the command line: methods of kernels, what is told about them, and recordings that run again bit for bit.
#include <gtest/gtest.h>

#include "tests/free/free_run.h"

namespace rodeo::codegen {
namespace {

class FreeProgram : public testing::Test {
 protected:
  FreeProgram() : file((folder.path() / "m.yaml").string()) {
    setenv("RODEO_CACHE", (folder.path() / "cache").c_str(), 1);
  }

  void write(const std::string& text) const { std::ofstream(file) << text; }
  [[nodiscard]] std::string rodeo(const std::string& arguments) const {
    return run("cd " + folder.path().string() + " && " + RODEO_PROGRAM + " " + arguments);
  }

  TemporaryFolder folder;
  const std::string file;
};

const std::string kParallelogram = R"(name: parallelogram
ground: {points: {O: [0, 0], Q: [1, 0]}}
bodies:
  left:  {points: {O: [0, 0], P: [1, 0]}, mass: 1, com: [0.5, 0], inertia: 0.1}
  bar:   {points: {P: [0, 0], R: [1, 0]}, mass: 1, com: [0.5, 0], inertia: 0.1}
  right: {points: {Q: [0, 0], R: [1, 0]}, mass: 1, com: [0.5, 0], inertia: 0.1}
joints:
  - {revolute: [ground.O, left.O]}
  - {revolute: [left.P, bar.P]}
  - {revolute: [bar.R, right.R]}
  - {revolute: [ground.Q, right.Q]}
gravity: [0, -9.81]
start: {left: 60 deg, bar: 0, right: 60 deg, rates: {left: -1, right: 2}}
)";

TEST_F(FreeProgram, RunsBothMethodsAndReplaysThemBitForBit) {
  write(read_text(kSource / "configs/free/slider_crank.yaml"));
  for (const std::string method : {"minimal", "lagrange"}) {
    SCOPED_TRACE(method);
    const std::string record = method + ".mcap";
    static_cast<void>(
        rodeo("run m.yaml --method " + method + " --duration 0.3 --no-realtime --record " + record));
    const std::string verdict = rodeo("replay --verify " + record);
    EXPECT_NE(verdict.find(", identical"), std::string::npos) << verdict;
  }
}

TEST_F(FreeProgram, TellsChangedRatesAndPosesThatItCannotPass) {
  write(kParallelogram);
  std::string lines;
  for (const std::string which : {"left", "right"}) {
    lines += "  start rates               start rate '" + which +
             "' does not fit the joints: " + (which == "left" ? "-1" : "2") + " became 0.5\n";
  }
  EXPECT_NE(rodeo("check m.yaml").find(lines), std::string::npos) << rodeo("check m.yaml");
  const std::string told = rodeo("simulate m.yaml --duration 2 -o minimal.csv");
  EXPECT_EQ(told.find("note: start rate 'left' does not fit the joints: -1 became 0.5\n"
                      "note: start rate 'right' does not fit the joints: 2 became 0.5\n"),
            0u)
      << told;
  EXPECT_NE(told.find("note: held: its forces lead into a pose that its coordinates cannot pass (margin "),
            std::string::npos)
      << told;
  EXPECT_NE(told.find("; build it with --method lagrange, which may pass\n"), std::string::npos) << told;
  static_cast<void>(rodeo("build m.yaml --method lagrange -o built"));
  const std::string passed = rodeo("simulate built --duration 2 -o lagrange.csv");
  EXPECT_EQ(passed.find("held"), std::string::npos) << passed;
}

TEST_F(FreeProgram, KeepsAFolderToItsMethod) {
  write(kParallelogram);
  static_cast<void>(rodeo("build m.yaml --method lagrange -o built"));
  EXPECT_EQ(
      rodeo("run built --method minimal"),
      "rodeo run: --method: 'built' is a folder of method lagrange: build one with 'rodeo build --method "
      "minimal' (see 'rodeo run --help')\n");
}

/// A stone in the air: its place is nobody's angle.
TEST_F(FreeProgram, SaysWhichMethodTakesAFreedomThatIsNoAngle) {
  write(R"(name: stone
ground: {points: {O: [0, 0]}}
bodies: {stone: {points: {O: [0, 0], P: [1, 0]}, mass: 2, com: [0.5, 0], inertia: 0.3}, bar: {points: {P: [0, 0]}, mass: 1, com: [0, 0], inertia: 1}}
joints: [{revolute: [stone.P, bar.P]}]
gravity: [0, -9.81]
start: {stone: 0.3, bar: 0, rates: {stone: 2}}
)");
  EXPECT_EQ(
      rodeo("build m.yaml -o built"),
      "m.yaml: not every freedom of this machine is a body's angle or a position along a guide, and method "
      "minimal compiles no other coordinates: choose --method lagrange\n");
}

}  // namespace
}  // namespace rodeo::codegen
