// SPDX-License-Identifier: MIT
// Free motion that cannot be right is a fault, with the element and a rate that would do; what is right raises no alarm.
#include "tests/free/machine_program.h"

namespace rodeo::codegen {
namespace {

using AuditProgram = MachineProgram;

/// A motorcycle's rear suspension: a heavy swing arm, light links, a stiff shock. Near its
/// flat pose the shock sees next to no mass.
const std::string kSuspension = R"(name: suspension
parameters: {k: 2.5e5, d: 2000, ml: 0.05, Jl: 2e-5}
ground: {points: {P: [0, 0.40], Q: [-0.12, 0.62], S: [0.12, 0.50]}}
bodies:
  arm:    {points: {P: [0, 0], W: [-0.55, -0.10], A: [-0.20, -0.07]}, mass: 20, com: [-0.45, -0.08], inertia: 1.0}
  pull:   {points: {A: [0, 0], B: [-0.02, 0.27]}, mass: ml, com: [0, 0.13], inertia: Jl}
  rocker: {points: {Q: [0, 0], B: [-0.10, -0.02], C: [0.02, -0.08]}, mass: ml, com: [-0.03, -0.03], inertia: Jl}
joints:
  - {revolute: [ground.P, arm.P]}
  - {revolute: [arm.A, pull.A]}
  - {revolute: [pull.B, rocker.B]}
  - {revolute: [ground.Q, rocker.Q]}
gravity: [0, -9.81]
forces:
  - {spring: [ground.S, rocker.C], stiffness: k, rest_length: 0.30, damping: d, name: shock}
  - {force: arm.W, value: [0, 1500]}
start: {arm: 0, pull: 0, rocker: 0}
outputs: {w: arm.W}
)";

/// 2 kg on a spring of 4000 rad/s: 4 a step at 1 kHz, beyond 2√2. By hand it grows by |R(4i)| = 8 a step.
const std::string kOscillator = R"(name: oscillator
ground: {points: {O: [0, 0], S: [-1, 0]}}
bodies: {mass: {points: {P: [0, 0]}, mass: 2, com: [0, 0], inertia: 0.1}}
joints: [{prismatic: [ground.O, mass.P], direction: [1, 0], angle: 0}]
forces: [{spring: [ground.S, mass.P], stiffness: 3.2e7, rest_length: 0.999, damping: 0, name: coil}]
start: {mass: 0}
)";

/// Nothing dissipates and nothing drives: E is constant.
const std::string kDoublePendulum = R"(name: dp
ground: {points: {O: [0, 0]}}
bodies:
  a: {points: {O: [0, 0], B: [1, 0]}, mass: 2, com: [0.5, 0], inertia: 0.2}
  b: {points: {B: [0, 0], T: [0.8, 0]}, mass: 1, com: [0.4, 0.1], inertia: 0.1}
joints: [{revolute: [ground.O, a.O]}, {revolute: [a.B, b.B]}]
gravity: [0, -9.81]
start: {a: 10 deg, b: 80 deg}
)";

/// Falls 0.5 m on a floor that only takes energy: 10 kg on 2e4 N/m swing with 44.7 rad/s there.
const std::string kDrop = R"(name: drop
parameters: {k: 2e4, d: 100}
ground: {points: {O: [0, 0]}}
bodies: {ram: {points: {P: [0, 0]}, mass: 10, com: [0, 0], inertia: 0.1}}
joints: [{prismatic: [ground.O, ram.P], direction: [0, 1], angle: 0, name: guide}]
gravity: [0, -9.81]
forces: [{contact: ram.P, stiffness: k, damping: d, name: floor}]
start: {guide: 0.5}
)";

/// A bar on a spring beside which nothing is heavy: 3880 1/s at the start.
const std::string kStiffBar = R"(name: stiff
ground: {points: {O: [0, 0], A: [1, 1]}}
bodies: {bar: {points: {O: [0, 0], E: [1, 0]}, mass: 1, com: [0.5, 0], inertia: 0.08}}
joints: [{revolute: [ground.O, bar.O]}]
start: {bar: 5 deg}
gravity: [0, -9.81]
forces: [{spring: [ground.A, bar.E], stiffness: 5e6, rest_length: 0.9}]
)";

/// What is advised, the first time; empty where nothing is.
std::string find_rate(const std::string& told) {
  std::smatch found;
  return std::regex_search(told, found, std::regex("--rate ([0-9e.+]+)")) ? found[1].str() : "";
}

class AuditOf : public AuditProgram, public testing::WithParamInterface<std::string> {};

TEST_P(AuditOf, TellsAStepThatIsTooLongWithTheElementAndARateThatDoes) {
  write(kSuspension);
  const std::string told = rodeo("simulate m.yaml " + GetParam() + " --duration 2 -o log.csv");
  EXPECT_NE(told.find("status 3"), std::string::npos) << told;
  ASSERT_TRUE(std::regex_search(told, std::regex("shock'[^\n]*--rate ([0-9e.+]+)"))) << told;
  const std::string better =
      rodeo("simulate m.yaml " + GetParam() + " --duration 2 -o log.csv --rate " + find_rate(told));
  EXPECT_NE(better.find("status 0"), std::string::npos) << better;
  EXPECT_EQ(better.find("no source gave"), std::string::npos) << better;
}

INSTANTIATE_TEST_SUITE_P(, AuditOf, testing::Values("", "--method minimal", "--method lagrange"));

TEST_F(AuditProgram, IsAFaultOfARunTooAndSaysTheStepFirst) {
  write(kOscillator);
  const std::string warning =
      "warning: the step of 0.001 s is too long for spring 'coil' with the mass that it "
      "moves (4e+03 1/s): take --rate ";
  const std::string told = rodeo("run m.yaml --duration 0.2 --no-realtime");
  EXPECT_EQ(told.find(warning), 0u) << told;
  EXPECT_NE(told.find("energy_gain"), std::string::npos) << told;
  EXPECT_NE(told.find("oscillator: the motion has "), std::string::npos) << told;
  EXPECT_NE(told.find("status 3"), std::string::npos) << told;
  EXPECT_NE(rodeo("check m.yaml").find(warning), std::string::npos) << rodeo("check m.yaml");
  const std::string good = rodeo("simulate m.yaml --duration 0.2 -o log.csv --rate " + find_rate(told));
  EXPECT_EQ(good.find("--rate"), std::string::npos) << good;
  EXPECT_NE(good.find("status 0"), std::string::npos) << good;
}

TEST_F(AuditProgram, HearsWhatEulersMethodGains) {
  write(kDoublePendulum);
  for (const std::string how :
       {"--method euler --rate 10", "--method euler --rate 20", "--method euler --rate 50",
        "--method euler --rate 100", "--method minimal --solver euler --rate 10"}) {
    const std::string told = rodeo("simulate m.yaml " + how + " --duration 5 -o log.csv");
    EXPECT_NE(told.find("no source gave"), std::string::npos) << how << "\n" << told;
    EXPECT_NE(told.find("status 3"), std::string::npos) << how << "\n" << told;
    const std::string method = how.substr(0, how.find(" --rate"));
    const std::string better =
        rodeo("simulate m.yaml " + method + " --duration 5 -o log.csv --rate " + find_rate(told));
    EXPECT_NE(better.find("status 0"), std::string::npos) << how << "\n" << better;
  }
  for (const std::string how : {"--method heun --rate 1000", "--rate 1000", "--rate 100"}) {
    const std::string quiet = rodeo("simulate m.yaml " + how + " --duration 5 -o log.csv");
    EXPECT_NE(quiet.find("status 0"), std::string::npos) << how << "\n" << quiet;
  }
}

TEST_F(AuditProgram, HearsWhatEulersMethodGainsOnAFloor) {
  write(kDrop);
  for (const std::string rate : {"100", "150", "200"}) {
    const std::string told = rodeo("simulate m.yaml --method euler --duration 3 -o log.csv --rate " + rate);
    EXPECT_NE(told.find("no source gave"), std::string::npos) << rate << "\n" << told;
    EXPECT_NE(told.find("status 3"), std::string::npos) << rate << "\n" << told;
  }
  const std::string quiet = rodeo("simulate m.yaml --duration 3 -o log.csv");
  EXPECT_EQ(quiet, "status 0\n");
}

/// 2.2 rad of the swing on the floor in a step: the kernel loses 0.1 m of the apex there.
TEST_F(AuditProgram, WarnsOfAContactThatAStepPassesOver) {
  write(kDrop);
  for (const std::string method : {"", "--method minimal"}) {
    const std::string told = rodeo("simulate m.yaml " + method + " --rate 20 --duration 3 -o log.csv");
    EXPECT_EQ(told.find("warning: the step of 0.05 s is too long for contact 'floor'"), 0u) << told;
  }
}

/// Energy that was gained for a moment and dissipated again is told by what it was: at the end the ram is at rest.
TEST_F(AuditProgram, NeverTellsOfNoEnergy) {
  write(kDrop);
  const std::string gained = rodeo("simulate m.yaml --method euler --rate 150 --duration 10 -o log.csv");
  std::smatch energy;
  ASSERT_TRUE(std::regex_search(gained, energy, std::regex("has ([0-9.e+-]+) J"))) << gained;
  EXPECT_GT(std::stod(energy[1]), 1) << gained;
  const std::string told = rodeo("simulate m.yaml -p d=0 -p k=2e8 --rate 3200 --duration 20 -o log.csv 2>&1");
  EXPECT_EQ(told.find(" 0 J"), std::string::npos) << told;
  EXPECT_NE(told.find("--rate"), std::string::npos) << told;
}

TEST_F(AuditProgram, FollowingTheAdviceOnceIsEnough) {
  const std::string heavy = std::regex_replace(kStiffBar, std::regex("mass: 1"), "mass: 0.02");
  const std::string coupled =
      std::regex_replace(kDoublePendulum, std::regex("start:"),
                         "forces: [{spring: [ground.O, b.T], stiffness: 3e5, rest_length: 1.2}]\nstart:");
  for (const std::string& machine : {kStiffBar, heavy, coupled}) {
    write(machine);
    const std::string run = "simulate m.yaml --duration 1 -o log.csv --rate ";
    const std::string told = rodeo(run + "500");
    const std::string better = rodeo(run + find_rate(told));
    EXPECT_EQ(better, "status 0\n") << told;
  }
}

TEST_F(AuditProgram, ARecordingOfAFaultEndsAsItsRunDid) {
  write(kOscillator);
  const std::string run = rodeo("run m.yaml --duration 0.2 --no-realtime --record r.mcap");
  EXPECT_NE(run.find("status 3"), std::string::npos);
  const std::string sentence = run.substr(run.find("oscillator: the motion has "));
  const std::string verified = rodeo("replay r.mcap --verify");
  EXPECT_NE(verified.find(sentence.substr(0, sentence.find('\n'))), std::string::npos) << verified;
  EXPECT_NE(verified.find("identical"), std::string::npos) << verified;
  EXPECT_NE(rodeo("replay r.mcap --json").find("J that no source gave"), std::string::npos);
  for (const std::string command : {"replay r.mcap", "replay r.mcap --verify", "replay r.mcap --json",
                                    "simulate m.yaml --input r.mcap -o a.csv", "export r.mcap -o b.csv"}) {
    const std::string told = rodeo(command);
    EXPECT_NE(told.find("status 3"), std::string::npos) << told;
    EXPECT_TRUE(std::regex_search(told, std::regex("no source gave|energy_gain"))) << told;
  }
}

/// A plain four-bar let go from rest: 2.5e-6 J of 26 J are lent to the joints' springs in the first milliseconds.
const std::string kFourBar = R"(name: fb
ground: {points: {O: [0, 0], Q: [1.4, 0]}}
bodies:
  crank:   {points: {O: [0, 0], B: [0.5, 0]}, mass: 1, com: [0.25, 0], inertia: 0.02}
  coupler: {points: {B: [0, 0], C: [1.2, 0]}, mass: 2, com: [0.6, 0], inertia: 0.2}
  rocker:  {points: {C: [0, 0], Q: [1, 0]}, mass: 2, com: [0.5, 0], inertia: 0.2}
joints:
  - {revolute: [ground.O, crank.O]}
  - {revolute: [crank.B, coupler.B]}
  - {revolute: [coupler.C, rocker.C]}
  - {revolute: [ground.Q, rocker.Q]}
start: {crank: 60 deg, coupler: 20 deg, rocker: -80 deg}
gravity: [0, -9.81]
)";

TEST_F(AuditProgram, CountsWhatSpringsInTheJointsHold) {
  write(kFourBar);
  for (const std::string how :
       {"", " --damping-ratio 0.01", " --rate 5000", " --frequency 1000 --damping-ratio 0"}) {
    const std::string told = rodeo("simulate m.yaml --method rc --duration 0.3 -o log.csv" + how);
    EXPECT_NE(told.find("status 0"), std::string::npos) << how << "\n" << told;
  }
}

/// The joints' springs are slow here, and the machine's own is too fast for the step.
TEST_F(AuditProgram, HearsAnExplosionBesideSpringsInTheJoints) {
  write(kOscillator);
  const std::string told =
      rodeo("simulate m.yaml --method rc --solver rk4 --frequency 50 --duration 0.2 -o log.csv");
  EXPECT_NE(told.find("no source gave"), std::string::npos) << told;
  EXPECT_NE(told.find("status 3"), std::string::npos) << told;
}

TEST_F(AuditProgram, AFaultLeavesTheRowsBeforeIt) {
  write(kOscillator);
  write(
      "domain: electric\nelements: {src: {Se: 10}, coil: {I: 1e-3}, res: {R: 2}, cap: {C: 1e-4}}\n"
      "junctions: {i: 1}\nbonds: [src -> i, i -> coil, i -> res, i -> cap]\n",
      "g.yaml");
  for (const std::string command : {"m.yaml --method minimal", "m.yaml", "g.yaml"}) {
    write("older,file\n-1,-1\n", "log.csv");
    const std::string told = rodeo("simulate " + command + " --duration 0.5 -o log.csv");
    EXPECT_NE(told.find("status 3"), std::string::npos) << told;
    const auto rows = read_rows("log.csv");
    ASSERT_FALSE(rows.empty()) << command;
    EXPECT_EQ(rows.front()[0], 0) << command;
  }
}

/// Forces act, none along what may move: two links in the plane across gravity, which wait for their motor.
const std::string kWaiting = R"(name: waiting
ground: {points: {O: [0, 0, 0]}}
bodies:
  a: {points: {O: [0, 0, 0], B: [0.4, 0, 0]}, mass: 5, com: [0.2, 0, 0], inertia: [0.01, 0.1, 0.1]}
  b: {points: {B: [0, 0, 0], C: [0.3, 0, 0]}, mass: 3, com: [0.15, 0, 0], inertia: [0.01, 0.05, 0.05]}
joints:
  - {revolute: [ground.O, a.O], name: j1}
  - {revolute: [a.B, b.B], name: j2}
start: {j1: 20 deg, j2: 40 deg}
gravity: [0, 0, -9.81]
forces: [{torque: a, name: motor}]
)";
const std::string kAlongItsAxis = R"(name: along
ground: {points: {O: [0, 0, 0]}}
bodies: {a: {points: {O: [0, 0, 0], B: [1, 0, 0]}, mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}}
joints: [{revolute: [ground.O, a.O], axis: [0, 1, 0], name: j}]
start: {j: 30 deg}
gravity: [0, -9.81]
)";
const std::string kBalanced = R"(name: balanced
space: 3
ground: {points: {O: [0, 0]}}
bodies: {a: {points: {O: [0, 0], B: [1, 0]}, mass: 1, com: [0, 0], inertia: 0.1}}
joints: [{revolute: [ground.O, a.O], name: j}]
start: {a: 30 deg}
gravity: [0, -9.81]
)";

class RestingAudit : public AuditProgram, public testing::WithParamInterface<std::string> {};

TEST_P(RestingAudit, TakesRoundingForNoEnergy) {
  for (const std::string& machine : {kWaiting, kAlongItsAxis, kBalanced}) {
    write(machine);
    for (const std::string how : {"", " --rate 100"}) {
      const std::string told = rodeo("simulate m.yaml --duration 2 -o log.csv " + GetParam() + how);
      EXPECT_NE(told.find("status 0"), std::string::npos) << how << "\n" << told;
      EXPECT_EQ(told.find(" J "), std::string::npos) << how << "\n" << told;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, RestingAudit,
                         testing::Values("", "--method euler", "--method minimal", "--method lagrange",
                                         "--method zcp"));

/// By hand: the second link is free, so that T = α (I1 + m2 L1² - (m2 L1 c2 cos)²/I2), from rest.
TEST_F(AuditProgram, AMachineThatWaitedGoesWithItsMotor) {
  write(kWaiting);
  write("t,motor\n0,0\n1,0\n1,2\n1.002,2\n", "motor.csv");
  EXPECT_EQ(rodeo("simulate m.yaml --input motor.csv -o log.csv"), "status 0\n");
  const double i1 = 0.1 + 5 * 0.2 * 0.2, i2 = 0.05 + 3 * 0.15 * 0.15;
  const double coupling = 3 * 0.4 * 0.15 * std::cos(40 * M_PI / 180);
  const double acceleration = 2 / (i1 + 3 * 0.4 * 0.4 - coupling * coupling / i2);
  const auto rows = read_rows("log.csv");
  constexpr std::size_t kSpin = 19;  // a.wz
  ASSERT_EQ(rows.size(), 1003u);
  EXPECT_LT(std::abs(rows[999].at(kSpin)), 1e-12);
  EXPECT_NEAR(rows[1002].at(kSpin) - rows[1000].at(kSpin), 0.002 * acceleration, 1e-6);
}

TEST_F(AuditProgram, IsQuietInARunThatRests) {
  write(kAlongItsAxis);
  const std::string told = rodeo("run m.yaml --duration 0.2 --no-realtime");
  EXPECT_EQ(told.find("energy_gain"), std::string::npos) << told;
  EXPECT_NE(told.find("status 0"), std::string::npos) << told;
}

/// Machines as they are shipped, at their usual rate: stops, contacts, impacts, flat poses.
class QuietAudit : public AuditProgram, public testing::WithParamInterface<std::string> {};

TEST_P(QuietAudit, RaisesNoAlarm) {
  const fs::path file = kSource / "configs" / GetParam();
  for (const std::string method : {"", "--method minimal", "--method lagrange"}) {
    const std::string told = rodeo("simulate " + file.string() + " " + method + " --duration 3 -o log.csv");
    EXPECT_NE(told.find("status 0"), std::string::npos) << method << "\n" << told;
    EXPECT_EQ(told.find("too long"), std::string::npos) << method << "\n" << told;
  }
}

INSTANTIATE_TEST_SUITE_P(, QuietAudit,
                         testing::Values("free/pendulum.yaml", "free/slider_crank.yaml",
                                         "free/wheel_loader_free.yaml", "free/wheel_loader_stops.yaml",
                                         "spatial/dropped_box.yaml", "spatial/heavy_top.yaml",
                                         "spatial/pendulum.yaml", "spatial/slider_crank_hyperstatic.yaml",
                                         "spatial/slider_crank_isostatic.yaml", "spatial/spinning_top.yaml"),
                         [](const auto& each) {
                           return std::regex_replace(fs::path(each.param).replace_extension("").string(),
                                                     std::regex("/"), "_");
                         });

}  // namespace
}  // namespace rodeo::codegen
