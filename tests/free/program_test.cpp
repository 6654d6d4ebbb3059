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
TEST_F(FreeProgram, TakesTheMethodThatTakesAFreedomThatIsNoAngle) {
  write(R"(name: stone
ground: {points: {O: [0, 0]}}
bodies: {stone: {points: {O: [0, 0], P: [1, 0]}, mass: 2, com: [0.5, 0], inertia: 0.3}, bar: {points: {P: [0, 0]}, mass: 1, com: [0, 0], inertia: 1}}
joints: [{revolute: [stone.P, bar.P]}]
gravity: [0, -9.81]
start: {stone: 0.3, bar: 0, rates: {stone: 2}}
)");
  EXPECT_EQ(
      rodeo("build m.yaml --method minimal -o built"),
      "m.yaml: not every freedom of this machine is a body's angle or a position along a guide, and method "
      "minimal compiles no other coordinates: choose --method lagrange\n");
}

/// Without a word about the method: a stone that is thrown, and that the commands agree on.
TEST_F(FreeProgram, ChecksBenchesAndSimulatesABodyWithoutJoints) {
  write(R"(name: stone
ground: {points: {O: [0, 0]}}
bodies: {stone: {points: {O: [0, 0], P: [1, 0]}, mass: 2, com: [0, 0], inertia: 0.3}}
joints: []
gravity: [0, -9.81]
start: {stone: 0.3, rates: {stone: 2}}
outputs: {centre: stone.O}
)");
  for (const std::string command :
       {"check m.yaml", "bench m.yaml", "simulate m.yaml --duration 1 -o log.csv"}) {
    const std::string said = rodeo(command + "; echo status $?");
    EXPECT_EQ(said.find("--method"), std::string::npos) << command << ": " << said;
    EXPECT_NE(said.find("status 0"), std::string::npos) << command << ": " << said;
  }
  const std::string last = rodeo("simulate m.yaml --duration 1 -o - | tail -n 1");
  const double y = std::stod(last.substr(last.rfind(',', last.rfind(',') - 1) + 1));
  EXPECT_NEAR(y, -9.81 / 2, 1e-6) << last;
}

/// x = 0.2 + 1.5 t, by every method that moves it.
TEST_F(FreeProgram, BeginsASlideAtItsRate) {
  write(R"(name: puck
ground: {points: {S: [0, 0]}}
bodies: {puck: {points: {P: [0, 0]}, mass: 1, com: [0, 0], inertia: 0.1}}
joints: [{prismatic: [ground.S, puck.P], direction: [1, 0], angle: 0, name: ram}]
gravity: [0, -9.81]
start: {ram: 0.2, rates: {ram: 1.5}}
outputs: {at: puck.P}
)");
  for (const std::string how : {"", "--method minimal", "--method lagrange"}) {
    static_cast<void>(rodeo("simulate m.yaml --duration 1 -o log.csv " + how));
    const std::string log = read_text(folder.path() / "log.csv");
    const std::string header = log.substr(0, log.find('\n'));
    const auto column =
        std::count(header.begin(), header.begin() + static_cast<long>(header.find("at.x")), ',');
    std::istringstream last(log.substr(log.rfind('\n', log.size() - 2) + 1));
    std::string cell;
    for (long i = 0; i <= column; ++i) std::getline(last, cell, ',');
    EXPECT_NEAR(std::stod(cell), 1.7, 1e-6) << how << log.substr(0, 300);
  }
}

/// The computer has no time for it for a quarter of a second: what was recorded is the motion that `simulate` computes, at the same times.
TEST_F(FreeProgram, LosesNoMotionWhenTicksAreLate) {
  write(read_text(kSource / "configs/free/pendulum.yaml"));
  static_cast<void>(rodeo("build m.yaml -o built"));
  const std::string said =
      run("cd " + folder.path().string() + "; " + RODEO_PROGRAM +
          " run built --duration 0.6 --no-realtime --record late.mcap >report 2>&1 & pid=$!; sleep 0.25; "
          "kill -STOP $pid; sleep 0.25; kill -CONT $pid; wait $pid; cat " +
          (folder.path() / "report").string());
  const std::string was = rodeo("export late.mcap -o -");
  EXPECT_EQ(was, rodeo("simulate built --duration 0.6 -o -")) << said;
  EXPECT_EQ(std::count(was.begin(), was.end(), '\n'), 602);
}

}  // namespace
}  // namespace rodeo::codegen
