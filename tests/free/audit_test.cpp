// SPDX-License-Identifier: MIT
// Free motion that cannot be right is a fault, with the element and a rate that would do; what is right raises no alarm.
#include <gtest/gtest.h>

#include <regex>

#include "tests/free/free_run.h"

namespace rodeo::codegen {
namespace {

class AuditProgram : public testing::Test {
 protected:
  AuditProgram() { setenv("RODEO_CACHE", (folder.path() / "cache").c_str(), 1); }

  void write(const std::string& text) const { std::ofstream(folder.path() / "m.yaml") << text; }
  /// What it says, and its exit status behind.
  [[nodiscard]] std::string rodeo(const std::string& arguments) const {
    return run("(cd " + folder.path().string() + " && " + RODEO_PROGRAM + " " + arguments +
               "; echo \"status $?\")");
  }

  TemporaryFolder folder;
};

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

class AuditOf : public AuditProgram, public testing::WithParamInterface<std::string> {};

TEST_P(AuditOf, TellsAStepThatIsTooLongWithTheElementAndARateThatDoes) {
  write(kSuspension);
  const std::string told = rodeo("simulate m.yaml " + GetParam() + " --duration 2 -o log.csv");
  EXPECT_NE(told.find("status 3"), std::string::npos) << told;
  std::smatch found;
  ASSERT_TRUE(std::regex_search(told, found, std::regex("shock'[^\n]*--rate ([0-9e.+]+)"))) << told;
  const std::string better =
      rodeo("simulate m.yaml " + GetParam() + " --duration 2 -o log.csv --rate " + found[1].str());
  EXPECT_NE(better.find("status 0"), std::string::npos) << better;
  EXPECT_EQ(better.find("no source gave"), std::string::npos) << better;
}

INSTANTIATE_TEST_SUITE_P(, AuditOf, testing::Values("", "--method minimal", "--method lagrange"));

TEST_F(AuditProgram, IsAFaultOfARunTooAndSaysTheStepFirst) {
  write(kOscillator);
  const std::string warning =
      "warning: the step of 0.001 s is too long for spring 'coil' with the mass that it "
      "moves (4e+03 1/s): take --rate 2900\n";
  const std::string told = rodeo("run m.yaml --duration 0.2 --no-realtime");
  EXPECT_EQ(told.find(warning), 0u) << told;
  EXPECT_NE(told.find("energy_gain"), std::string::npos) << told;
  EXPECT_NE(told.find("oscillator: the motion has "), std::string::npos) << told;
  EXPECT_NE(told.find("status 3"), std::string::npos) << told;
  EXPECT_NE(rodeo("check m.yaml").find(warning), std::string::npos) << rodeo("check m.yaml");
  const std::string good = rodeo("simulate m.yaml --duration 0.2 --rate 2900 -o log.csv");
  EXPECT_EQ(good.find("warning"), std::string::npos) << good;
  EXPECT_NE(good.find("status 0"), std::string::npos) << good;
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
