// SPDX-License-Identifier: MIT
// -p of a built folder: as with the machine file that it was built of, or refused with what to do.
#include <cmath>

#include "tests/program/free_support.h"

namespace rodeo::tools {
namespace {

using testing::HasSubstr;
using testing_support::FreeProgram;
using testing_support::Result;
using testing_support::Table;

/// A ram from (0, -h) to (Lp, 0) of an arm about the origin.
const char* const kArm = R"(name: arm
parameters: {h: 0.5, Lp: 1.2*h, r0: 0.45, vm: 0.5, s0: 0.7, m: 40}
ground: {points: {O: [0, 0], P: [0, -h]}}
bodies: {arm: {points: {O: [0, 0], R: [Lp, 0]}, mass: m, com: [0.7, 0.05], inertia: 6}}
joints: [{revolute: [ground.O, arm.O]}]
drives: {ram: {cylinder: [ground.P, arm.R], retracted: r0, stroke: 0.55, speed: vm, acceleration: 4}}
start: {ram: s0, arm: 0 deg}
gravity: [0, -9.81]
)";

/// A swing that starts at a0 with w0.
const char* const kSwing = R"(name: swing
parameters: {a0: -0.1, w0: 0.3, k: 25000, m: 30, L: 0.25}
ground: {points: {O: [0, 0], S: [0.15, 0.45]}}
bodies: {arm: {points: {O: [0, 0], D: [L, 0]}, mass: m, com: [0.35, 0], inertia: 1.2}}
joints: [{revolute: [ground.O, arm.O]}]
forces: [{spring: [ground.S, arm.D], stiffness: k, rest_length: 0.48, damping: 1500, name: strut}]
start: {arm: a0, rates: {arm: w0}}
gravity: [0, -9.81]
)";

class FolderParameters : public FreeProgram {
 protected:
  void write(const std::string& file, const std::string& text) const {
    std::ofstream(folder() / file) << text;
  }
  void build(const char* text) {
    write("m.yaml", text);
    ASSERT_EQ(run("build m.yaml -o built").status, 0);
    write("far.csv", "t,ram\n0,0.7\n0.2,1.4\n2,0.2\n5,0.2\n");
  }
  /// The log of a model with these options; empty if it was refused.
  Table simulate(const std::string& model, const std::string& options) {
    const Result result = run("simulate " + model + " " + options + " --columns all -o log.csv");
    EXPECT_EQ(result.status, 0) << result.err;
    return result.status == 0 ? read_table("log.csv") : Table{};
  }
};

TEST_F(FolderParameters, ThatFollowFromOthersFollow) {
  build(kArm);
  const Table log = simulate("built", "-p h=0.55 --duration 0.01");
  const double h = 0.55, lp = 0.66;
  EXPECT_NEAR(log.rows[0][log.find("arm.angle")], std::asin((0.49 - lp * lp - h * h) / (2 * lp * h)), 1e-12);
}

TEST_F(FolderParameters, AreInLimitsRangeAndStart) {
  build(kArm);
  for (const char* options : {"-p vm=0.1", "-p r0=0.6", "-p s0=0.8", "-p r0=0.6 -p s0=0.8 -p vm=0.2"}) {
    SCOPED_TRACE(options);
    const std::string all = std::string(options) + " --input far.csv";
    EXPECT_EQ(simulate("built", all).rows, simulate("m.yaml", all).rows);
  }
  const Table slow = simulate("built", "-p vm=0.1 --input far.csv");
  double fastest = 0;
  for (const auto& row : slow.rows) fastest = std::max(fastest, std::abs(row[slow.find("ram.speed")]));
  EXPECT_NEAR(fastest, 0.1, 1e-9);
  const Table narrow = simulate("built", "-p r0=0.6 --input far.csv");
  EXPECT_NEAR(narrow.rows.back()[narrow.find("ram")], 0.6, 1e-6);
  EXPECT_EQ(simulate("built", "-p s0=0.8 --duration 0.01").rows[0][slow.find("ram")], 0.8);
}

TEST_F(FolderParameters, ComeAfterThoseOfTheBuild) {
  write("m.yaml", kArm);
  ASSERT_EQ(run("build m.yaml -p h=0.55 -p vm=0.3 -o built").status, 0);
  const Table log = simulate("built", "-p vm=0.2 --duration 0.01");
  EXPECT_EQ(log.rows, simulate("m.yaml", "-p h=0.55 -p vm=0.2 --duration 0.01").rows);
  EXPECT_NE(log.rows, simulate("m.yaml", "-p vm=0.2 --duration 0.01").rows);
}

TEST_F(FolderParameters, AreReplayedWithTheirLimits) {
  build(kArm);
  const Result live =
      run("run built -p vm=0.1 -p s0=0.75 --input far.csv --no-realtime --duration 0.5 --record run.mcap");
  ASSERT_EQ(live.status, 0) << live.err;
  EXPECT_EQ(run("replay run.mcap --verify").status, 0);
  ASSERT_EQ(run("export run.mcap -o log.csv").status, 0);
  const Table log = read_table("log.csv");
  EXPECT_NEAR(log.rows[0][log.find("ram")], 0.75, 2e-3);
  EXPECT_LT(log.rows.back()[log.find("ram")], 0.75 + 0.1 * 0.5 + 1e-9);
}

TEST_F(FolderParameters, ThatTheMachineFileRefusesAreRefused) {
  build(kArm);
  const auto expect = [&](const std::string& options, const char* why) {
    const Result result = run("simulate built " + options + " --duration 0.1 -o log.csv");
    EXPECT_EQ(result.status, 1) << options;
    EXPECT_THAT(result.err, HasSubstr(why));
    EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << result.err;
  };
  expect("-p m=-1", "m.yaml:4: body 'arm': mass must be positive, not -1");
  expect("-p vm=0", "m.yaml:6: drive 'ram': speed must be positive");
  expect("-p s0=2", "the start pose cannot be assembled");
  expect("-p s0=0.4", "m.yaml:6: drive 'ram' starts at 0.4, outside its range (0.45 to 1");
  EXPECT_EQ(run("run built -p m=0 --duration 0.1 --no-realtime").status, 1);
}

TEST_F(FolderParameters, OfFreeMotionAreTakenOrRefused) {
  build(kSwing);
  for (const char* options : {"-p k=20000", "-p m=35"}) {
    const std::string all = std::string(options) + " --duration 0.5";
    EXPECT_EQ(simulate("built", all).rows, simulate("m.yaml", all).rows) << options;
  }
  for (const char* option : {"-p a0=0.1", "-p w0=0"}) {
    const Result result = run(std::string("simulate built ") + option + " --duration 0.1 -o log.csv");
    EXPECT_EQ(result.status, 1) << option;
    EXPECT_EQ(result.err,
              fmt::format("built: with {0} body 'arm' starts otherwise than when the folder was built, which "
                          "is in its kernel: build it again from the machine file with {0}\n",
                          option));
  }
  EXPECT_THAT(run("run built -p k=-1 --duration 0.1 --no-realtime").err,
              HasSubstr("stiffness must not be negative"));
}

}  // namespace
}  // namespace rodeo::tools
