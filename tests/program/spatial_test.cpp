// SPDX-License-Identifier: MIT
// Machines in space through the program: check, simulate, compare, and what the other commands say of them.
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/program/free_support.h"

namespace rodeo::tools {
namespace {

using testing::HasSubstr;
using testing_support::FreeProgram;
using testing_support::Result;
using testing_support::Table;

TEST_F(FreeProgram, ChecksAMachineInSpace) {
  const Result result = run("check '" + config("spatial/slider_crank_hyperstatic") + "'");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("mobility                  1 (Gruebler's count -2)\n"));
  EXPECT_THAT(result.out, HasSubstr("degree of hyperstaticity  3\n"));
  EXPECT_THAT(
      result.out,
      HasSubstr("joint 'guide' (z), joint 'guide' (rotation about x), joint 'guide' (rotation about y)"));
  EXPECT_THAT(result.out, HasSubstr("moves rz                 holds x y z rx ry\n"));
  const auto report = nlohmann::json::parse(run("check --json '" + config("spatial/bennett") + "'").out);
  EXPECT_EQ(report.at("gruebler"), -2);
  EXPECT_EQ(report.at("mobility"), 1);
  EXPECT_EQ(report.at("redundant_constraints"), 3);
  EXPECT_EQ(report.at("loops"), 1);
  EXPECT_EQ(report.at("assembled"), true);
  EXPECT_EQ(report.at("joint_table")[0].at("free"), nlohmann::json({"rotation about y"}));
}

TEST_F(FreeProgram, ChecksHowManyDegreesOfFreedomNobodyDrives) {
  EXPECT_THAT(run("check '" + config("spatial/rssr") + "'").out,
              HasSubstr("  drives                    1\n"));
  EXPECT_THAT(run("check '" + config("spatial/heavy_top") + "'").out,
              HasSubstr("  drives                    0, and 3 degrees of freedom without one\n"));
  EXPECT_THAT(run("check '" + config("free/slider_crank") + "'").out,
              HasSubstr("  drives                    0, and 1 degree of freedom without one\n"));
}

TEST_F(FreeProgram, SaysWhatABondGraphIsGoodForWhereKernelsAreNeeded) {
  const Result result = run("bench '" + config("graphs/quarter_car") + "'");
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err,
              testing::EndsWith("quarter_car.yaml: this is a bond graph, and kernels are built from "
                                "machines: run it with 'rodeo simulate'\n"));
}

TEST_F(FreeProgram, ChecksWhichPortsOfSubsetsAreOpen) {
  EXPECT_THAT(run("check '" + config("graphs/pendulum_space") + "'").out,
              HasSubstr("ports left open           bar.B\n"));
  EXPECT_THAT(run("check '" + config("graphs/quarter_car") + "'").out,
              testing::Not(HasSubstr("ports left open")));
  const auto report = nlohmann::json::parse(run("check --json '" + config("graphs/top") + "'").out);
  EXPECT_EQ(report.at("free_ends"), nlohmann::json({"top.A", "top.B"}));
}

TEST_F(FreeProgram, RefusesAStiffnessThatIsNoNumber) {
  const Result result =
      run("graph '" + config("spatial/pendulum") + "' -p joint_stiffness=stiff -o graph.dot");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(
      result.err,
      "rodeo graph: -p: 'joint_stiffness=stiff': a number that is not negative is needed (see 'rodeo graph "
      "--help')\n");
}

TEST_F(FreeProgram, RefusesMinimalForAKernelInSpaceThatMovesByItsForces) {
  const std::string top = config("spatial/heavy_top");
  for (const std::string command : {"build", "run"}) {
    const std::string rest = command == "build" ? " -o top" : " --duration 0.01";
    const Result result = run(command + " '" + top + "' --method minimal" + rest);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(
        result.err,
        fmt::format("rodeo {0}: --method: kernels of machines in space, as '{1}', move by lagrange: leave it "
                    "out, or use 'rodeo simulate --method minimal', which computes with the library instead "
                    "of a kernel (see 'rodeo {0} --help')\n",
                    command, top));
  }
  EXPECT_FALSE(std::filesystem::exists(folder() / "top"));
  EXPECT_EQ(run("build '" + top + "' -o top").status, 0);
  EXPECT_EQ(run("build '" + top + "' --method lagrange -o top").status, 0);
  EXPECT_EQ(run("build '" + config("spatial/rssr") + "' --method minimal -o rssr").status, 0) << "driven";
}

/// The same file in the plane and, with one more line, in space.
TEST_F(FreeProgram, BeginsAFreeSlideInThePlaneWhereSpaceDoes) {
  const std::string sled =
      "name: sled\n"
      "ground: {points: {S: [0.5, 0.2]}}\n"
      "bodies: {sled: {points: {P: [0.3, 0.1]}, mass: 1, com: [0.3, 0.1], inertia: 1}}\n"
      "joints: [{prismatic: [ground.S, sled.P], direction: [0.8, 0.6], name: ram}]\n"
      "gravity: [0, -10]\n"
      "outputs: {at: sled.P}\n";
  // Slides down 0.6·10 m/s² from its start.
  for (const auto& [start, from] : {std::pair{"", 0.0}, std::pair{"start: {ram: 0.25}\n", 0.25}}) {
    for (const char* space : {"", "space: 3\n"}) {
      std::ofstream(folder() / "sled.yaml") << sled << start << space;
      const Result result = run("simulate sled.yaml --duration 0.5 -o log.csv");
      ASSERT_EQ(result.status, 0) << result.err;
      const Table log = read_table("log.csv");
      EXPECT_NEAR(log.rows.front()[log.find("at.x")], 0.5 + 0.8 * from, 1e-14);
      EXPECT_NEAR(log.rows.front()[log.find("at.y")], 0.2 + 0.6 * from, 1e-14);
      const double way = from - 0.5 * 6 * 0.25;
      EXPECT_NEAR(log.rows.back()[log.find("at.x")], 0.5 + 0.8 * way, 1e-9);
    }
  }
}

TEST_F(FreeProgram, SimulatesAMachineInSpaceByItsDrives) {
  std::ofstream(folder() / "turn.csv") << "t,crank\n0,0\n1,6.283185307179586\n";
  const Result result =
      run("simulate '" + config("spatial/rssr") + "' --input turn.csv --rate 200 --columns all -o log.csv");
  ASSERT_EQ(result.status, 0) << result.err;
  const Table log = read_table("log.csv");
  ASSERT_EQ(log.rows.size(), 201u);
  const std::size_t x = log.find("B.x"), y = log.find("B.y"), z = log.find("B.z"),
                    residual = log.find("residual");
  const std::size_t c = log.find("C.x"), cy = log.find("C.y"), wx = log.find("crank.wx"),
                    angle = log.find("bearing.angle");
  for (const auto& row : log.rows) {
    const double theta = 2 * M_PI * row[0];
    EXPECT_NEAR(row[angle], theta, 1e-12);
    EXPECT_NEAR(row[x], 0, 1e-12);
    EXPECT_NEAR(row[y], 0.2 * std::cos(theta), 1e-12);
    EXPECT_NEAR(row[z], 0.2 * std::sin(theta), 1e-12);
    EXPECT_NEAR(std::hypot(row[c], row[cy] - row[y], row[z]), 1.0, 1e-12);  // the rod
    EXPECT_LT(row[residual], 1e-12);
    if (row[0] < 0.999) {
      EXPECT_NEAR(row[wx], 2 * M_PI, 1e-9);
    }
  }
}

TEST_F(FreeProgram, HoldsWhereADriveLeadsToWhereTheJointsCannotBeClosed) {
  std::ofstream(folder() / "turn.csv") << "t,crank\n0,0\n1,6.283185307179586\n";
  const Result result = run("simulate '" + config("spatial/rssr") + "' -p L=0.2 --input turn.csv -o log.csv");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.err, HasSubstr("note: held: the loops of the commanded pose do not close from 0."));
  const Table log = read_table("log.csv");
  ASSERT_EQ(log.rows.size(), 1001u);
  EXPECT_LT(log.rows.back()[log.find("crank")], 2);
  for (const auto& row : log.rows) EXPECT_LT(row[log.find("residual")], 1e-12);
}

TEST_F(FreeProgram, SimulatesAMachineInSpaceByItsForces) {
  const Result result =
      run("simulate '" + config("spatial/heavy_top") + "' --duration 0.2 --columns all -o log.csv");
  ASSERT_EQ(result.status, 0) << result.err;
  const Table log = read_table("log.csv");
  ASSERT_EQ(log.rows.size(), 201u);
  const std::size_t w = log.find("top.wz"), kinetic = log.find("energy.kinetic"),
                    potential = log.find("energy.potential"), q = log.find("top.qw");
  const double energy = log.rows[0][kinetic] + log.rows[0][potential];
  for (const auto& row : log.rows) {
    EXPECT_NEAR(row[w], 60, 1e-6);  // Lagrange's third integral
    EXPECT_NEAR(row[kinetic] + row[potential], energy, 1e-5);
    EXPECT_NEAR(row[q] * row[q] + row[q + 1] * row[q + 1] + row[q + 2] * row[q + 2] + row[q + 3] * row[q + 3],
                1, 1e-12);
  }
}

/// The library's log begins as it did and has what the viewer needs; its places are the kernel's.
TEST_F(FreeProgram, SimulatesAMachineInSpaceByAMethodOfTheLibrary) {
  const std::string model = "simulate '" + config("spatial/heavy_top") + "' --duration 0.2 -o ";
  ASSERT_EQ(run(model + "kernel.csv").status, 0);
  ASSERT_EQ(run(model + "library.csv --method minimal").status, 0);
  const Table kernel = read_table("kernel.csv"), library = read_table("library.csv");
  EXPECT_THAT(library.header,
              testing::StartsWith("t,tip.x,tip.y,tip.z,energy,energy_error,residual,top.origin.x,"));
  ASSERT_EQ(kernel.rows.size(), library.rows.size());
  for (const char* name : {"tip.x", "tip.y", "tip.z", "top.wx", "top.wy", "top.wz"}) {
    const std::size_t a = kernel.find(name), b = library.find(name);
    for (std::size_t i = 0; i < kernel.rows.size(); ++i)
      EXPECT_NEAR(kernel.rows[i][a], library.rows[i][b], 1e-5) << name;
  }
  for (const char* part : {"origin.x", "origin.y", "origin.z", "qw", "qx", "qy", "qz"})
    EXPECT_LT(library.find(std::string("top.") + part), library.rows[0].size());
}

TEST_F(FreeProgram, ComparesMethodsOnAMachineInSpace) {
  const Result result =
      run("compare '" + config("spatial/slider_crank_isostatic") + "' --duration 0.2 --json -o off.csv");
  ASSERT_EQ(result.status, 0) << result.err;
  const auto report = nlohmann::json::parse(result.out);
  ASSERT_EQ(report.at("methods").size(), 5u);
  for (const auto& outcome : report.at("methods")) {
    ASSERT_FALSE(outcome.contains("refusal")) << outcome;
    EXPECT_LT(outcome.at("angle_difference"), 1e-3);
    EXPECT_LT(outcome.at("output_difference"), 1e-3);
    EXPECT_LT(outcome.at("constraint_error"), 1e-4);
  }
  EXPECT_EQ(read_table("off.csv").rows.size(), 201u);
}

TEST_F(FreeProgram, DrawsAMachineInSpace) {
  const std::string model = config("spatial/bennett");
  const Result result = run("draw '" + model + "' -o x.svg -p a=0.4");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(read("x.svg"), HasSubstr(">turn = 60°</text>"));
}

TEST_F(FreeProgram, DrawRefusesWhatItDoesNotKnow) {
  const std::string model = config("spatial/rssr");
  const Result option = run("draw '" + model + "' -o x.svg --view front");
  EXPECT_EQ(option.status, 2);
  EXPECT_EQ(
      option.err,
      "rodeo draw: The following arguments were not expected: front --view (see 'rodeo draw --help')\n");
  const Result open = run("draw '" + model + "' -o x.svg -p L=5");
  EXPECT_EQ(open.status, 1);
  EXPECT_EQ(open.err, model +
                          ":23: joint 'pivot' (x): the start pose cannot be assembled, 1.58 m are left open; "
                          "check the lengths and the values under 'start'\n");
  EXPECT_FALSE(std::filesystem::exists(folder() / "x.svg"));
}

TEST_F(FreeProgram, SettlesTheStartOfAMachineInSpace) {
  const Result result =
      run("simulate '" + config("spatial/slider_crank_isostatic") + "' --settle --duration 0.01 -o log.csv");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err,
              testing::ContainsRegex(
                  "^note: settled by springs in the joints: open by 0\\.00232 m as written, [0-9.e-]+ m "
                  "after; [0-9.e-]+ \\(m, rad\\) from the start that is projected at once\n"));
}

/// A pin of 30°: the tip hangs at (0, 1/2, -√3/2), and stays there.
TEST_F(FreeProgram, BeginsInTheEquilibriumOfAMachineInSpace) {
  const Result result =
      run("simulate '" + config("spatial/pendulum") + "' --equilibrium --duration 0.5 -o log.csv");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, testing::ContainsRegex("^note: begins in its equilibrium, found in [0-9]+ steps: "
                                                 "[0-9.e-]+ of the largest force is left unbalanced\n"));
  const Table log = read_table("log.csv");
  ASSERT_EQ(log.rows.size(), 501u);
  const std::size_t y = log.find("tip.y"), z = log.find("tip.z");
  for (const auto& row : log.rows) {
    EXPECT_NEAR(row[y], 0.5, 1e-8);
    EXPECT_NEAR(row[z], -std::sqrt(0.75), 1e-8);
  }
}

TEST_F(FreeProgram, SaysThatThereIsNoEquilibrium) {
  std::ofstream(folder() / "stone.yaml") << R"(name: stone
space: 3
bodies: {stone: {points: {c: [0, 0, 0]}, mass: 1, inertia: [1, 1, 1]}}
gravity: [0, 0, -9.81]
)";
  const Result result = run("simulate stone.yaml --equilibrium --duration 1 -o log.csv");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err,
            "stone.yaml: no equilibrium was found: after 400 steps downhill from the start 1 of the largest "
            "force is left unbalanced; leave out --equilibrium, or add what holds the machine\n");
}

TEST_F(FreeProgram, LetsABoxFallAndComeToRest) {
  const std::string model = config("spatial/dropped_box");
  ASSERT_EQ(run("simulate '" + model + "' --duration 3 --rate 100 -o log.csv").status, 0);
  const Table log = read_table("log.csv");
  const double height = log.rows.back()[log.find("middle.z")];
  EXPECT_NEAR(height, 0.1 - 12 * 9.81 / (4 * 2.0e4), 1e-4) << "on its largest side, on four corners";
  EXPECT_EQ(run("graph '" + model + "' -o box.dot").status, 0);
  EXPECT_THAT(read("box.dot"), HasSubstr("force_8.normal"));
}

TEST_F(FreeProgram, ChecksTheDrivesOfAMachineInSpace) {
  const std::string text = R"(
name: arm
ground: {points: {O: [0, 0, 0]}}
bodies: {arm: {points: {O: [0, 0, 0]}}}
joints: [{cylindrical: [ground.O, arm.O], name: post}]
drives:
  lift: {joint: post, motion: slide, range: [0, 1]}
)";
  std::ofstream(folder() / "few.yaml") << text;
  EXPECT_EQ(run("check few.yaml").err,
            "few.yaml:6: 1 drive for mobility 2: add 1 under 'drives', one for each degree of freedom, or "
            "give every "
            "body a mass so that it moves by its forces\n");
  std::ofstream(folder() / "many.yaml") << text << "  turn: {joint: post}\n  again: {angle: arm}\n";
  EXPECT_EQ(run("check many.yaml").err,
            "many.yaml:9: drive 'again' is one too many: the machine has mobility 2 and the other drives and "
            "the joints "
            "fix it already; remove one drive\n");
  std::ofstream(folder() / "out.yaml") << text << "  turn: {joint: post}\nstart: {lift: 3}\n";
  EXPECT_EQ(
      run("check out.yaml").err,
      "out.yaml:7: drive 'lift' starts at 3, outside its range (0 to 1): change 'start' or the range\n");
}

TEST_F(FreeProgram, ForcesFromAnInputFilePushAMachineInSpace) {
  // x = t³ from F = 6 t m
  std::ofstream(folder() / "block.yaml") << R"(
name: block
ground: {points: {O: [0, 0, 0]}}
bodies: {block: {points: {O: [0, 0, 0]}, mass: 2, inertia: 1}}
joints: [{prismatic: [ground.O, block.O], direction: [1, 0, 0], name: rail}]
forces: [{force: block.O, name: push}]
)";
  std::ofstream(folder() / "push.csv") << "t,push.x\n0,0\n1,12\n";
  const std::string command = "simulate block.yaml --input push.csv --duration 1 --rate 100 -o log.csv";
  ASSERT_EQ(run(command + " --method minimal").status, 0);
  const Table library = read_table("log.csv");
  const std::size_t x = library.find("rail.slide");
  for (const auto& row : library.rows) EXPECT_NEAR(row[x], row[0] * row[0] * row[0], 1e-9);
  // The kernel takes forces tick by tick, as a run does: x of the tick n is h³n(n + 1)(2n + 1)/2, which goes to t³.
  ASSERT_EQ(run(command).status, 0);
  const Table kernel = read_table("log.csv");
  const std::size_t slide = kernel.find("rail.slide");
  for (std::size_t n = 0; n < kernel.rows.size(); ++n) {
    const auto m = static_cast<double>(n);
    EXPECT_NEAR(kernel.rows[n][slide], 1e-6 * m * (m + 1) * (2 * m + 1) / 2, 1e-12);
  }
}

TEST_F(FreeProgram, AMachineInSpaceTakesTheStepsOfTheKernel) {
  const auto find_end = [&](const std::string& method) {
    const Result result = run("simulate '" + config("spatial/pendulum") + "' --method " + method +
                              " --duration 1 --rate 1000 -o log.csv");
    EXPECT_EQ(result.status, 0) << result.err;
    const Table log = read_table("log.csv");
    return log.rows.back()[log.find("pin.angle")];
  };
  const double rk4 = find_end("rk4");
  EXPECT_NEAR(find_end("heun"), rk4, 1e-4);
  EXPECT_NEAR(find_end("euler"), rk4, 0.1);
  EXPECT_NE(find_end("heun"), rk4);
}

}  // namespace
}  // namespace rodeo::tools
