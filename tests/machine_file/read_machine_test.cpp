// SPDX-License-Identifier: MIT
// What a well-formed machine file becomes: bodies with points.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "kinematics/expr/eval.h"
#include "tests/machine_file/sample.h"

namespace rodeo::machine {
namespace {

constexpr double kDeg = std::numbers::pi / 180.0;

TEST(ReadMachine, KeepsBodiesAndPointsInFileOrderWithTheGroundFirst) {
  const Machine m = read(kFourBar);
  ASSERT_EQ(m.bodies.size(), 4u);
  EXPECT_EQ(m.name, "four_bar");
  EXPECT_EQ(m.bodies[0].name, "ground");
  EXPECT_EQ(m.bodies[2].name, "coupler");
  ASSERT_EQ(m.bodies[2].points.size(), 3u);
  EXPECT_EQ(m.bodies[2].points[2].name, "tracer");
  EXPECT_EQ(m.bodies[2].points[2].x.value, 0.4);
  EXPECT_EQ(m.bodies[2].where.line, 6);
}

TEST(ReadMachine, KeepsAParameterAsASymbolBesideItsValue) {
  const Machine m = read(kFourBar);
  EXPECT_EQ(m.bodies[3].com_x->expr, expr::symbol("L3") / 2.0);
  EXPECT_EQ(m.bodies[3].com_x->value, 0.5);
}

TEST(ReadMachine, TakesAnOverrideForAParametersValue) {
  const Machine m = read(kFourBar, {"L3=2*L1"});
  EXPECT_EQ(m.bodies[3].points[1].x.value, 1.0);
  EXPECT_EQ(m.bodies[3].points[1].x.expr, expr::symbol("L3"));
  EXPECT_EQ(faults_of(kFourBar, {"L9=1"}),
            "-p L9=1: the model has no parameter 'L9' (did you mean 'L0'?); it has L0, L1, L2, L3");
}

TEST(ReadMachine, NamesJointsAsGivenOrAfterTheirPoints) {
  const Machine m = read(kFourBar);
  ASSERT_EQ(m.joints.size(), 4u);
  EXPECT_EQ(m.joints[1].name, "crank.B-coupler.B");
  EXPECT_EQ(m.joints[3].name, "rocker_pin");
  EXPECT_EQ(m.point_name(m.joints[3].first), "ground.Q");
  EXPECT_EQ(m.point_name(m.joints[3].second), "rocker.Q");
}

TEST(ReadMachine, CallsASecondJointOfTheSamePointsByANameOfItsOwn) {
  const Machine m = read(with(kFourBar, "drives:", "  - {revolute: [crank.B, coupler.B]}\ndrives:"));
  EXPECT_EQ(m.joints[4].name, "crank.B-coupler.B (2)");
}

TEST(ReadMachine, ReadsADriveWithItsLimits) {
  const Machine m = read(kFourBar);
  ASSERT_EQ(m.drives.size(), 1u);
  EXPECT_EQ(m.drives[0].kind, DriveKind::angle);
  EXPECT_EQ(m.drives[0].second_body, 1);
  EXPECT_EQ(m.drives[0].lower->value, -10);
  EXPECT_EQ(m.drives[0].upper->value, 10);
  EXPECT_EQ(m.drives[0].speed->value, 2);
  EXPECT_EQ(m.drives[0].acceleration->value, 8);
  EXPECT_DOUBLE_EQ(m.drives[0].jerk->value, 160) << "the acceleration within 50 ms, where none is given";
}

TEST(ReadMachine, ReadsACylindersStrokeAsItsShortestAndLongest) {
  const Machine m =
      read(with(kFourBar, "  crank: {angle: crank, range: [-10, 10], speed: 2.0, acceleration: 8.0}",
                "  lift: {cylinder: [ground.Q, crank.B], retracted: L0, stroke: 350 mm}"));
  EXPECT_EQ(m.drives[0].kind, DriveKind::cylinder);
  EXPECT_EQ(m.point_name(m.drives[0].second), "crank.B");
  EXPECT_EQ(m.drives[0].lower->value, 1.4);
  EXPECT_EQ(m.drives[0].upper->value, 1.75);
  EXPECT_EQ(m.drives[0].upper->expr, expr::symbol("L0") + 0.35);
}

TEST(ReadMachine, ReadsARelativeAngleFromTheFirstBodyToTheSecond) {
  const Machine m = read(with(kFourBar, "crank: {angle: crank,", "knee: {relative_angle: [crank, coupler],"));
  EXPECT_EQ(m.drives[0].first_body, 1);
  EXPECT_EQ(m.drives[0].second_body, 2);
}

TEST(ReadMachine, StartsDrivesAndBodiesAtTheirAngles) {
  const Machine m =
      read(with(kFourBar, "coupler: 20 deg, rocker: 80 deg}", "rocker: 80 deg, rates: {crank: 1.5}}"));
  EXPECT_EQ(m.start_drives[0], 60 * kDeg);
  EXPECT_EQ(m.start_angles[0], 0.0);
  EXPECT_EQ(m.start_angles[1], 60 * kDeg);
  EXPECT_FALSE(m.start_angles[2].has_value());
  EXPECT_EQ(m.start_angles[3], 80 * kDeg);
  ASSERT_EQ(m.start_rates.size(), 1u);
  EXPECT_EQ(m.start_rates[0].name, "crank");
  EXPECT_EQ(m.start_rates[0].value, 1.5);
}

TEST(ReadMachine, LeavesADriveThatIsNotListedWithoutAStartValue) {
  const Machine m = read(with(kFourBar, "crank: {angle: crank,", "motor: {angle: crank,"));
  EXPECT_FALSE(m.start_drives[0].has_value());
  EXPECT_EQ(m.start_angles[1], 60 * kDeg);
}

TEST(ReadMachine, TakesTheFileNameForAMissingName) {
  EXPECT_EQ(read(with(kFourBar, "name: four_bar\n", "")).name, "m");
}

TEST(ReadMachine, TellsMachinesFromBondGraphs) {
  const auto root = [](const char* text) { return text::build_yaml_from_text(text, "m.yaml"); };
  EXPECT_TRUE(is_machine(root("bodies: {}")));
  EXPECT_TRUE(is_machine(root("drawing: {}")));
  EXPECT_TRUE(is_machine(root("joints: []")));
  EXPECT_FALSE(is_machine(root("{elements: {}, junctions: {}}")));
}

const std::string kPiston = R"(parameters: {a: 30 deg, c: 3, s: 4}
ground: {points: {S: [0, 0]}}
bodies:
  piston: {points: {P: [0, 0]}}
joints:
  - {prismatic: [ground.S, piston.P], direction: [1, 0], angle: 20 deg}
drives:
  push: {slide: [ground.S, piston.P], range: [0, 1]}
)";

Joint joint_with_direction(const std::string& direction) {
  return read(with(kPiston, "[1, 0]", direction)).joints[0];
}

TEST(ReadDirection, KeepsAUnitVectorAsWritten) {
  EXPECT_TRUE(joint_with_direction("[1, 0]").direction_x.expr.is_number(1));
  EXPECT_EQ(joint_with_direction("[cos(a), sin(a)]").direction_x.expr, cos(expr::symbol("a")));
  EXPECT_EQ(joint_with_direction("[0.6, -0.8]").direction_y.expr, expr::Expr(-0.8));
}

TEST(ReadDirection, IsOneAlongAnAxis) {
  const Joint joint = joint_with_direction("[0, -5]");
  EXPECT_TRUE(joint.direction_x.expr.is_number(0));
  EXPECT_TRUE(joint.direction_y.expr.is_number(-1));
  EXPECT_EQ(joint.direction_y.value, -1);
  EXPECT_TRUE(joint_with_direction("[c, 0]").direction_x.expr.is_number(1));
}

TEST(ReadDirection, IsDividedByItsLength) {
  const Joint joint = joint_with_direction("[c, s]");
  EXPECT_DOUBLE_EQ(joint.direction_x.value, 0.6);
  EXPECT_DOUBLE_EQ(joint.direction_y.value, 0.8);
  EXPECT_DOUBLE_EQ(expr::calc_value(joint.direction_y.expr, {{"c", 5}, {"s", 12}}), 12.0 / 13.0);
}

TEST(ReadDrive, FindsTheJointOfASlideByItsTwoPoints) {
  const Machine m = read(kPiston);
  EXPECT_EQ(m.drives[0].kind, DriveKind::slide);
  EXPECT_EQ(m.drives[0].joint, 0);
  EXPECT_EQ(m.joints[0].angle.value, 20 * kDeg);
}

const std::string kForces = R"(gravity: [0, -9.81]
forces:
  - {spring: [ground.Q, crank.B], stiffness: 4530, rest_length: 0.078, damping: 2}
  - {torque: crank, value: 0.033*sin(t)}
  - {force: coupler.tracer, value: [0, -1000*L0]}
  - {friction: rocker_pin, viscous: 0.2}
)";

TEST(ReadForces, ReadsEveryKind) {
  const Machine m = read(kFourBar + kForces);
  EXPECT_EQ(m.gravity_y->value, -9.81);
  ASSERT_EQ(m.forces.size(), 4u);
  EXPECT_EQ(m.forces[0].kind, ForceKind::spring);
  EXPECT_EQ(m.point_name(m.forces[0].second), "crank.B");
  EXPECT_EQ(m.forces[0].stiffness.value, 4530);
  EXPECT_EQ(m.forces[0].rest_length.value, 0.078);
  EXPECT_EQ(m.forces[0].damping.value, 2);
  EXPECT_EQ(m.forces[1].body, 1);
  EXPECT_EQ(m.forces[1].value_x, 0.033 * sin(expr::time_symbol()));
  EXPECT_EQ(m.point_name(m.forces[2].first), "coupler.tracer");
  EXPECT_EQ(m.forces[2].value_y, -1000.0 * expr::symbol("L0"));
  EXPECT_EQ(m.forces[3].joint, 3);
  EXPECT_EQ(m.forces[3].viscous.value, 0.2);
}

TEST(ReadForces, WithoutAValueIsAnInput) {
  const Machine m = read(kFourBar + R"(forces:
  - {force: coupler.tracer, name: dig}
  - {torque: rocker, against: coupler, name: motor}
  - {payload: coupler, name: load}
  - {payload: rocker, mass: 2*L0, com: [0.1, 0.2]}
  - {damper: [ground.Q, crank.B], damping: 3}
)");
  std::vector<std::string> names;
  for (const ForceInput& input : m.inputs) names.push_back(input.name + " " + input.unit);
  EXPECT_EQ(names, (std::vector<std::string>{"dig.x N", "dig.y N", "motor N m", "load.mass kg", "load.x m",
                                             "load.y m"}));
  EXPECT_EQ(m.forces[0].value_y, input_symbol("dig.y"));
  EXPECT_EQ(m.forces[1].value_x, input_symbol("motor"));
  EXPECT_EQ(m.forces[1].against, 2);
  EXPECT_EQ(m.forces[2].mass, input_symbol("load.mass"));
  EXPECT_EQ(m.forces[3].mass, 2.0 * expr::symbol("L0"));
  EXPECT_EQ(m.forces[3].com_y, Expr(0.2));
  EXPECT_EQ(m.forces[4].kind, ForceKind::damper);
  EXPECT_EQ(m.forces[4].damping.value, 3);
}

TEST(ReadForces, LetsNoParameterHideTheTime) {
  EXPECT_EQ(faults_of(with(kFourBar, "L0: 1.4", "L0: 1.4, t: 2") + kForces),
            "m.yaml:2: parameter 't': t is the time: choose another name");
}

}  // namespace
}  // namespace rodeo::machine
