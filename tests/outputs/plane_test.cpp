// SPDX-License-Identifier: MIT
// Lengths and angles as outputs of machines in the plane: closed forms of the four-bar and the slider-crank, differences.
#include "tests/outputs/logs.h"

namespace rodeo::outputs {
namespace {

using testing::Contains;

constexpr double kRounding = 1e-12;

const std::string kFourBar = R"(name: four_bar
parameters: {L0: 1.4, L1: 0.5, L2: 1.2, L3: 1.0}
ground: {points: {O: [0, 0], Q: [L0, 0]}}
bodies:
  crank:   {points: {O: [0, 0], B: [L1, 0]}}
  coupler: {points: {B: [0, 0], C: [L2, 0], tracer: [0.4, 0.3]}}
  rocker:  {points: {Q: [0, 0], C: [L3, 0]}}
joints:
  - {revolute: [ground.O, crank.O]}
  - {revolute: [crank.B, coupler.B]}
  - {revolute: [coupler.C, rocker.C]}
  - {revolute: [ground.Q, rocker.Q]}
drives: {motor: {angle: crank}}
start: {crank: 60 deg, coupler: 20 deg, rocker: 80 deg}
outputs: {tip: coupler.tracer, diagonal: {length: [ground.Q, crank.B]}, level: {angle: rocker}, turned: {angle: crank}}
)";

/// Two turns and more, at a constant rate.
const std::string kInput = "t,motor\n0,1.0471975511965976\n4,15.047197551196598\n";

TEST_F(Outputs, OfAFourBarFollowTheLawOfCosines) {
  write("in.csv", kInput);
  const Log log = simulate(kFourBar, "--input in.csv --duration 4 --columns all");
  double most = 0;
  for (const Row& row : log.rows) {
    const double q = row.at("motor"), w = row.at("motor.rate"), a = row.at("motor.acceleration");
    // l² = L0² + L1² − 2 L0 L1 cos q, and its derivatives
    const double l = std::sqrt(1.4 * 1.4 + 0.5 * 0.5 - 2 * 1.4 * 0.5 * std::cos(q));
    const double dl = 0.7 * std::sin(q) * w / l;
    const double ddl = (0.7 * (std::cos(q) * w * w + std::sin(q) * a) - dl * dl) / l;
    ASSERT_NEAR(row.at("diagonal"), l, kRounding);
    ASSERT_NEAR(row.at("diagonal.rate"), dl, 10 * kRounding);
    ASSERT_NEAR(row.at("diagonal.acceleration"), ddl, 100 * kRounding);
    // at the rocker's pin: to ground −x, less the angle in the triangle Q B O, less that in Q B C
    const double to_b = std::atan2(0.5 * std::sin(q), 0.5 * std::cos(q) - 1.4);
    const double at_q = std::acos((l * l + 1.0 - 1.2 * 1.2) / (2 * l * 1.0));
    ASSERT_NEAR(std::remainder(row.at("level") - (to_b - at_q), 2 * 3.14159265358979323846), 0, 1e-9);
    ASSERT_EQ(row.at("turned"), q) << "unwrapped, as the drive is";
    most = std::max(most, row.at("turned"));
  }
  EXPECT_GT(most, 14);
  for (const char* name : {"diagonal", "level"}) expect_derivatives(log, name, true, 2e-2);
}

TEST_F(Outputs, HaveColumnsOfTheirOwnNamesAndRatesOnRequest) {
  write("in.csv", kInput);
  EXPECT_THAT(simulate(kFourBar, "--input in.csv --duration 1").names,
              testing::ElementsAre("t", "motor", "crank.angle", "coupler.angle", "rocker.angle", "crank.rate",
                                   "coupler.rate", "rocker.rate", "tip.x", "tip.y", "diagonal", "level",
                                   "turned", "residual"));
  const Log all = simulate(kFourBar, "--input in.csv --duration 1 --columns all");
  for (const char* name : {"diagonal.rate", "diagonal.acceleration", "level.rate", "level.acceleration"})
    EXPECT_THAT(all.names, Contains(name));
}

TEST_F(Outputs, OfADrawingArePointsByNameAlone) {
  const std::string drawn = R"(name: four_bar
drawing:
  points: {O: [0, 0], Q: [1.4, 0], B: [0.25, 0.433], C: [1.35, 0.91]}
  ground: [O, Q]
  bodies: {crank: [O, B], coupler: [B, C], rocker: [C, Q]}
drives: {motor: {angle: crank}}
outputs: {diagonal: {length: [Q, B]}, level: {angle: rocker}}
)";
  write("in.csv", "t,motor\n0,0\n1,2\n");
  const Log log = simulate(drawn, "--input in.csv --duration 1");
  const double reach = std::hypot(0.25, 0.433), from = std::atan2(0.433, 0.25);
  for (const Row& row : log.rows) {
    const double q = from + row.at("motor");
    ASSERT_NEAR(row.at("diagonal"), std::hypot(reach * std::cos(q) - 1.4, reach * std::sin(q)), kRounding);
    ASSERT_EQ(row.at("level"), row.at("rocker.angle"));
  }
}

const std::string kSliderCrank = R"(name: engine
ground: {points: {O: [0, 0]}}
bodies:
  crank: {points: {O: [0, 0], B: [0.2, 0]}, mass: 1, com: [0.1, 0], inertia: 0.01}
  rod:   {points: {B: [0, 0], C: [0.6, 0]}, mass: 2, com: [0.3, 0], inertia: 0.06}
joints:
  - {revolute: [ground.O, crank.O]}
  - {revolute: [crank.B, rod.B]}
  - {slider: [ground.O, rod.C], direction: [1, 0], name: guide}
gravity: [0, -9.81]
start: {crank: 60 deg, rod: -17 deg, rates: {crank: 4}}
outputs: {reach: {length: [rod.C, ground.O]}, lean: {angle: rod}}
)";

/// By the kernel, by the library, by multipliers.
TEST_F(Outputs, OfASliderCrankThatMovesFreelyFollowItsClosedForm) {
  for (const std::string options :
       {"", "--method minimal", "--method lagrange", "--method lagrange-implicit"}) {
    SCOPED_TRACE(options);
    const Log log = simulate(kSliderCrank, "--duration 1 --columns all " + options);
    const double closed = options.find("lagrange") == std::string::npos ? 1e-9 : 1e-6;
    for (const Row& row : log.rows) {
      const double q = row.at("crank.angle"), w = row.at("crank.rate"), s = 0.2 * std::sin(q);
      const double root = std::sqrt(0.36 - s * s), x = 0.2 * std::cos(q) + root;
      ASSERT_NEAR(row.at("reach"), x, closed);
      ASSERT_NEAR(row.at("reach.rate"), -s * w * (1 + 0.2 * std::cos(q) / root), 100 * closed);
      ASSERT_NEAR(row.at("lean"), -std::asin(s / 0.6), 10 * closed);
      ASSERT_EQ(row.at("lean.rate"), row.at("rod.rate"));
    }
    for (const char* name : {"reach", "lean"})
      expect_derivatives(log, name, log.rows[0].contains("reach.acceleration"), 2e-2);
  }
  EXPECT_THAT(simulate(kSliderCrank, "--duration 1 --columns all").names, Contains("reach.acceleration"));
}

/// As inputs and published states call it, beside the speed that every cylinder has.
TEST_F(Outputs, TheRateOfADriveHasItsNameInTheLog) {
  const std::string boom = R"(name: boom
ground: {points: {O: [0, 0], P: [0.6, -0.4]}}
bodies: {boom: {points: {O: [0, 0], R: [1.2, 0]}, mass: 9, com: [0.6, 0], inertia: 1}}
joints: [{revolute: [ground.O, boom.O]}]
drives: {lift: {cylinder: [ground.P, boom.R]}}
start: {lift: 1.0, boom: 20 deg}
)";
  write("in.csv", "t,lift,lift.rate\n0,1.0,0.2\n0.5,1.1,0.2\n");
  const Log log = simulate(boom, "--input in.csv --duration 0.5 --columns all");
  EXPECT_EQ(std::count(log.names.begin(), log.names.end(), "lift.rate"), 1);
  EXPECT_EQ(std::count(log.names.begin(), log.names.end(), "lift.acceleration"), 1);
  for (const Row& row : log.rows) ASSERT_NEAR(row.at("lift.rate"), row.at("lift.speed"), kRounding);
}

/// A drive and an output of one name and one quantity.
TEST_F(Outputs, ThatADriveImposesAreOneColumn) {
  const std::string boom = R"(name: boom
ground: {points: {O: [0, 0], P: [0.6, -0.4]}}
bodies: {boom: {points: {O: [0, 0], R: [1.2, 0]}, mass: 9, com: [0.6, 0], inertia: 1}}
joints: [{revolute: [ground.O, boom.O]}]
drives: {lift: {cylinder: [ground.P, boom.R]}}
start: {lift: 1.0, boom: 20 deg}
outputs: {lift: {length: [boom.R, ground.P]}, boom: {angle: boom}}
)";
  write("in.csv", "t,lift\n0,1.0\n0.5,1.1\n");
  const Log log = simulate(boom, "--input in.csv --duration 0.5 --columns all");
  std::map<std::string, int> count;
  for (const std::string& name : log.names) ++count[name];
  for (const auto& [name, times] : count) EXPECT_EQ(times, 1) << name;
  for (const char* name :
       {"lift", "lift.rate", "lift.acceleration", "boom", "boom.rate", "boom.acceleration"})
    EXPECT_EQ(count[name], 1) << name;
  for (const Row& row : log.rows) {
    ASSERT_EQ(row.at("boom"), row.at("boom.angle"));
    ASSERT_NEAR(row.at("lift.rate"), row.at("lift.speed"), kRounding);
  }
}

}  // namespace
}  // namespace rodeo::outputs
