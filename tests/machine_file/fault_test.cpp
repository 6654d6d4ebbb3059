// SPDX-License-Identifier: MIT
// What the reader says of a machine file that is wrong: the whole sentence, with its line.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "kinematics/spatial/machine.h"
#include "tests/machine_file/sample.h"

namespace rodeo::machine {
namespace {

using testing::HasSubstr;

/// A change of the four-bar, and what is wrong then.
struct Case {
  const char* claim;
  const char* old_text;
  const char* new_text;
  const char* fault;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.claim; }

class MachineFault : public testing::TestWithParam<Case> {};

TEST_P(MachineFault, IsReported) {
  EXPECT_EQ(faults_of(with(kFourBar, GetParam().old_text, GetParam().new_text)), GetParam().fault);
}

std::string case_name(const testing::TestParamInfo<Case>& info) { return info.param.claim; }

const Case kShape[] = {
    {"UnknownKey", "outputs: {", "oputs: {",
     "m.yaml:16: machine: unknown key 'oputs' (did you mean 'outputs'?); known here: name, parameters, "
     "ground, bodies, "
     "drawing, joints, drives, start, outputs, gravity, forces"},
    {"UnknownKeyOfABody", "mass: 4.0", "weight: 4.0",
     "m.yaml:7: body 'rocker': com and inertia without mass mean nothing: give its mass (kg), or leave them "
     "out\n"
     "m.yaml:7: body 'rocker': unknown key 'weight'; known here: points, mass, com, inertia, mesh, colour"},
    {"RepeatedKey", "mass: 4.0", "mass: 4.0, mass: 5.0",
     "m.yaml:7: key 'mass' stands twice (first in line 7): remove one of them"},
    {"RepeatedDrive", "start:", "  crank: {angle: rocker}\nstart:",
     "m.yaml:15: key 'crank' stands twice (first in line 14): remove one of them"},
    {"RepeatedOutput", "tip: coupler.tracer", "tip: coupler.tracer, tip: coupler.B",
     "m.yaml:16: key 'tip' stands twice (first in line 16): remove one of them"},
    {"PointsMissing", "{points: {O: [0, 0], B: [L1, 0]}}", "{mass: 1}",
     "m.yaml:5: body 'crank': key 'points' is missing\n"
     "m.yaml:9: joint 'crank.O': body 'crank' has no point 'O' (it has none)\n"
     "m.yaml:10: joint 'crank.B': body 'crank' has no point 'B' (it has none)"},
    {"PointOfThreeNumbers", "[0.4, 0.3]", "[0.4, 0.3, 0]",
     "m.yaml:6: point 'coupler.tracer': two numbers [x, y] are needed, not 3"},
    {"PointOfOneNumber", "[0.4, 0.3]", "0.4",
     "m.yaml:6: point 'coupler.tracer': two numbers [x, y] are needed, not a single value"},
    {"PointOfAMap", "[0.4, 0.3]", "[{x: 1}, 2]",
     "m.yaml:6: point 'coupler.tracer': a number or an expression is needed here, not a map"},
    {"ReservedBodyName", "  crank:   {", "  ground: {points: {A: [0, 0]}}\n  crank:   {",
     "m.yaml:5: body 'ground': this name is reserved: give the body another"},
    {"BodyNameThatIsNone", "  crank:   {", "  2nd: {points: {A: [0, 0]}}\n  crank:   {",
     "m.yaml:5: body '2nd': a name is made of letters, digits, _ and -, and starts with a letter"},
    {"PointNameThatIsNone", "tracer: [0.4, 0.3]", "tracer: [0.4, 0.3], a b: [0, 0]",
     "m.yaml:6: point 'coupler.a b': a name is made of letters, digits, _ and -, and starts with a letter"},
    {"MachineNameThatIsNone", "name: four_bar", "name: four bar",
     "m.yaml:1: name 'four bar': a name is made of letters, digits, _ and -, and starts with a letter"},
    {"BodyThatIsNoMap", "{points: {Q: [0, 0], C: [L3, 0]}, mass: 4.0, com: [L3/2, 0], inertia: 0.3}", "4",
     "m.yaml:7: body 'rocker': a map of keys is needed here, not a single value\n"
     "m.yaml:11: joint 'rocker.C': body 'rocker' has no point 'C' (it has none)\n"
     "m.yaml:12: joint 'rocker.Q': body 'rocker' has no point 'Q' (it has none)"},
};
INSTANTIATE_TEST_SUITE_P(Shape, MachineFault, testing::ValuesIn(kShape), case_name);

const Case kNumbers[] = {
    {"ZeroMass", "mass: 4.0", "mass: 0", "m.yaml:7: body 'rocker': mass must be positive, not 0"},
    {"NegativeMass", "mass: 4.0", "mass: -4", "m.yaml:7: body 'rocker': mass must be positive, not -4"},
    {"NegativeInertia", "inertia: 0.3", "inertia: -0.3",
     "m.yaml:7: body 'rocker': inertia must not be negative, not -0.3"},
    {"MassDataWithoutMass", "mass: 4.0, ", "",
     "m.yaml:7: body 'rocker': com and inertia without mass mean nothing: give its mass (kg), or leave them "
     "out"},
    {"ComWithoutMass", "mass: 4.0, com: [L3/2, 0], inertia: 0.3", "com: [L3/2, 0]",
     "m.yaml:7: body 'rocker': com without mass means nothing: give its mass (kg), or leave it out"},
    {"InertiaWithoutMass", "mass: 4.0, com: [L3/2, 0], inertia: 0.3", "inertia: 0.3",
     "m.yaml:7: body 'rocker': inertia without mass means nothing: give its mass (kg), or leave it out"},
    {"DivisionByZero", "[0.4, 0.3]", "[1/0, 0.3]",
     "m.yaml:6: point 'coupler.tracer': a division by zero in '1/0'"},
    {"DivisionByAParameterThatIsZero", "L3: 1.0}\n", "L3: 1.0, Z: 0, W: 1/Z, V: 2*W}\n",
     "m.yaml:2: parameter 'W': '1/Z' is not finite: check for a division by zero, or for a function outside "
     "its domain"},
    {"DivisionByADifferenceThatIsZero", "[0.4, 0.3]", "[1/(L3 - 1), 0.3]",
     "m.yaml:6: point 'coupler.tracer': '1/(-1 + L3)' is not finite: check for a division by zero, or for a "
     "function "
     "outside its domain"},
    {"Infinity", "mass: 4.0", "mass: .inf", "m.yaml:7: body 'rocker': mass: '.inf' is not a finite number"},
    {"NegativeInfinity", "mass: 4.0", "mass: -.inf",
     "m.yaml:7: body 'rocker': mass: '-.inf' is not a finite number"},
    {"NotANumber", "mass: 4.0", "mass: .nan", "m.yaml:7: body 'rocker': mass: '.nan' is not a finite number"},
    {"TooLarge", "mass: 4.0", "mass: 1e999",
     "m.yaml:7: body 'rocker': mass: the number '1e999' is not finite as a double"},
    {"Overflow", "mass: 4.0", "mass: 1e300*1e300",
     "m.yaml:7: body 'rocker': mass: '1e+300*1e+300' is not finite: check for a division by zero, or for a "
     "function "
     "outside its domain"},
    {"UnknownParameter", "[L1, 0]", "[L9, 0]",
     "m.yaml:5: point 'crank.B': unknown name 'L9' (did you mean 'L0'?); known: L0, L1, L2, L3"},
    {"TimeOutsideForces", "mass: 4.0", "mass: 4 + t",
     "m.yaml:7: body 'rocker': mass: unknown name 't'; known: L0, L1, L2, L3"},
    {"RandOutsideOfTicks", "mass: 4.0", "mass: rand",
     "m.yaml:7: body 'rocker': mass: 'rand' has no meaning here: it changes from tick to tick"},
    {"ExpressionCutInAList", "[0.4, 0.3]", "[atan2(1, 2), 0]",
     "m.yaml:6: point 'coupler.tracer': YAML cut an expression at its comma: put the whole expression in "
     "quotes"},
    {"ExpressionCutInAMap", "mass: 4.0", "mass: max(1, 2)",
     "m.yaml:7: body 'rocker': mass: the brackets of 'max(1' do not match: if the expression has a comma, "
     "YAML cut it "
     "there; put the whole expression in quotes\n"
     "m.yaml:7: body 'rocker': '2)' is the rest of an expression that YAML cut at a comma: put the whole "
     "expression in "
     "quotes"},
    {"ExpressionCutInStart", "crank: 60 deg", "crank: atan2(1, 2)",
     "m.yaml:15: start 'crank': the brackets of 'atan2(1' do not match: if the expression has a comma, YAML "
     "cut it "
     "there; put the whole expression in quotes"},
    {"ExpressionCutInAParameter", "L3: 1.0}\n", "L3: max(1, 0.5)}\n",
     "m.yaml:2: parameter 'L3': the brackets of 'max(1' do not match: if the expression has a comma, YAML "
     "cut it "
     "there; put the whole expression in quotes"},
    {"ParameterCycle", "L3: 1.0}\n", "L3: L4, L4: L3}\n", "m.yaml:2: parameter 'L3' depends on itself"},
    {"NoNumber", "mass: 4.0",
     "mass:", "m.yaml:7: body 'rocker': mass: a number or an expression is needed here, not nothing"},
};
INSTANTIATE_TEST_SUITE_P(Numbers, MachineFault, testing::ValuesIn(kNumbers), case_name);

const Case kJoints[] = {
    {"UnknownPoint", "crank.B,", "crank.Q,",
     "m.yaml:10: joint 'crank.Q': body 'crank' has no point 'Q' (it has O, B)"},
    {"UnknownBody", "crank.B,", "crnk.B,",
     "m.yaml:10: joint 'crnk.B': there is no body 'crnk' (there are ground, crank, coupler, rocker)"},
    {"PointWithoutBody", "crank.B,", "B,", "m.yaml:10: joint 'B': a point is written body.point, not 'B'"},
    {"OnePoint", "[crank.B, coupler.B]", "[crank.B]",
     "m.yaml:10: joint 2: exactly two are needed, [body.point, body.point], not 1"},
    {"ThreePoints", "[crank.B, coupler.B]", "[crank.B, coupler.B, rocker.C]",
     "m.yaml:10: joint 2: exactly two are needed, [body.point, body.point], not 3"},
    {"ToNowhere", "[crank.B, coupler.B]", "[crank.B, ~]",
     "m.yaml:10: joint '': a point is written body.point, not nothing"},
    {"NoList", "[crank.B, coupler.B]", "crank.B",
     "m.yaml:10: joint 2: exactly two are needed, [body.point, body.point], not a single value"},
    {"ToItself", "[crank.B, coupler.B]", "[crank.B, crank.O]",
     "m.yaml:10: joint 'crank.B-crank.O': both points are on body 'crank': a joint is between two bodies"},
    {"UnknownKind", "{revolute: [crank.B, coupler.B]}", "{weld: [crank.B, coupler.B]}",
     "m.yaml:10: joint 2: unknown kind 'weld'; the kinds are revolute, slider, prismatic"},
    {"MisspeltKind", "{revolute: [crank.B, coupler.B]}", "{name: x, revolut: [crank.B, coupler.B]}",
     "m.yaml:10: joint 2: unknown kind 'revolut' (did you mean 'revolute'?); the kinds are revolute, slider, "
     "prismatic"},
    {"NoKind", "{revolute: [crank.B, coupler.B]}", "{name: x}",
     "m.yaml:10: joint 2: its kind is missing: one of revolute, slider, prismatic"},
    {"TwoKinds", "{revolute: [crank.B, coupler.B]}",
     "{revolute: [crank.B, coupler.B], slider: [crank.B, coupler.B]}",
     "m.yaml:10: joint 2: it is both 'revolute' and 'slider': keep one of them"},
    {"JointThatIsNoMap", "{revolute: [crank.B, coupler.B]}", "crank.B",
     "m.yaml:10: joint 2: a map such as {revolute: ...} is needed here, not a single value"},
    {"DirectionOfAPin", "[crank.B, coupler.B]", "[crank.B, coupler.B], direction: [1, 0]",
     "m.yaml:10: joint 'crank.B-coupler.B': unknown key 'direction'; known here: revolute, name"},
    {"SliderWithoutDirection", "{revolute: [crank.B, coupler.B]}", "{slider: [crank.B, coupler.B]}",
     "m.yaml:10: joint 'crank.B-coupler.B': key 'direction' is missing"},
    {"DirectionToNowhere", "{revolute: [crank.B, coupler.B]}",
     "{slider: [crank.B, coupler.B], direction: [0, 0*L1]}",
     "m.yaml:10: joint 'crank.B-coupler.B': direction [0, 0] points nowhere: give it a length, as [1, 0] "
     "has"},
    {"SameName", "[crank.B, coupler.B]", "[crank.B, coupler.B], name: rocker_pin",
     "m.yaml:12: joint 'rocker_pin': another joint has this name already (line 10)"},
};
INSTANTIATE_TEST_SUITE_P(Joints, MachineFault, testing::ValuesIn(kJoints), case_name);

const Case kDrives[] = {
    {"UnknownKind", "{angle: crank,", "{angel: crank,",
     "m.yaml:14: drive 'crank': unknown kind 'angel' (did you mean 'angle'?); the kinds are angle, "
     "relative_angle, "
     "cylinder, slide"},
    {"UnknownBody", "{angle: crank,", "{angle: crnk,",
     "m.yaml:14: drive 'crank': there is no body 'crnk' (there are ground, crank, coupler, rocker)"},
    {"OfTheGround", "crank: {angle: crank,", "motor: {angle: ground,",
     "m.yaml:14: drive 'motor': the ground does not move: name another body"},
    {"OfABodyToItself", "crank: {angle: crank,", "motor: {relative_angle: [crank, crank],",
     "m.yaml:14: drive 'motor': body 'crank' has no angle to itself: name two bodies"},
    {"OfOneBody", "crank: {angle: crank,", "motor: {relative_angle: [crank],",
     "m.yaml:14: drive 'motor': exactly two are needed, [body, body], not 1"},
    {"TwiceTheSame", "start: {", "  again: {angle: crank}\nstart: {",
     "m.yaml:15: drive 'again': drive 'crank' imposes the same already: remove one of them"},
    {"TwiceTheSameAgainstTheGround", "start: {", "  again: {relative_angle: [crank, ground]}\nstart: {",
     "m.yaml:15: drive 'again': drive 'crank' imposes the same already: remove one of them"},
    {"TwiceTheSameCylinder", "start: {",
     "  a: {cylinder: [ground.O, rocker.C]}\n  b: {cylinder: [rocker.C, ground.O]}\nstart: {",
     "m.yaml:16: drive 'b': drive 'a' imposes the same already: remove one of them"},
    {"NamedAsAnotherBody", "crank: {angle: crank,", "rocker: {angle: crank,",
     "m.yaml:14: drive 'rocker': a body has this name, and the drive is not that body's angle: give the "
     "drive another "
     "name"},
    {"NamedAsAColumn", "crank: {angle: crank,", "t: {angle: crank,",
     "m.yaml:14: drive 't': this name is reserved: give the drive another"},
    {"RangeUpsideDown", "[-10, 10]", "[10, -10]",
     "m.yaml:14: drive 'crank': range [10, -10] is upside down: the lower end comes first"},
    {"RangeOfOne", "[-10, 10]", "10",
     "m.yaml:14: drive 'crank': range: two numbers [lower, upper] are needed, not a single value"},
    {"NegativeSpeed", "speed: 2.0", "speed: -2", "m.yaml:14: drive 'crank': speed must be positive, not -2"},
    {"ZeroAcceleration", "acceleration: 8.0", "acceleration: 0",
     "m.yaml:14: drive 'crank': acceleration must be positive, not 0"},
    {"ZeroJerk", "acceleration: 8.0", "acceleration: 8.0, jerk: 0",
     "m.yaml:14: drive 'crank': jerk must be positive, not 0"},
    {"JerkWithoutAcceleration", "acceleration: 8.0", "jerk: 8.0",
     "m.yaml:14: drive 'crank': jerk limits how fast an acceleration changes: give acceleration too"},
    {"StrokeOfAnAngle", "speed: 2.0", "stroke: 2.0",
     "m.yaml:14: drive 'crank': unknown key 'stroke'; known here: angle, range, speed, acceleration, jerk"},
    {"NegativeStroke", "start: {",
     "  a: {cylinder: [ground.O, rocker.C], retracted: 1, stroke: -1}\nstart: {",
     "m.yaml:15: drive 'a': stroke must be positive, not -1"},
    {"StrokeWithoutRetracted", "start: {", "  a: {cylinder: [ground.O, rocker.C], stroke: 1}\nstart: {",
     "m.yaml:15: drive 'a': 'retracted' and 'stroke' come together: 'retracted' is missing"},
    {"CylinderInOneBody", "start: {", "  a: {cylinder: [crank.O, crank.B]}\nstart: {",
     "m.yaml:15: drive 'a': both points are on body 'crank': it must be between two bodies"},
    {"CylinderToNoPoint", "start: {", "  a: {cylinder: [ground.P, crank.B]}\nstart: {",
     "m.yaml:15: drive 'a': body 'ground' has no point 'P' (it has O, Q)"},
    {"SlideWithoutSlider", "start: {", "  a: {slide: [ground.O, crank.O]}\nstart: {",
     "m.yaml:15: drive 'a': no slider or prismatic joint has the points [ground.O, crank.O]: add one to the "
     "joints"},
};
INSTANTIATE_TEST_SUITE_P(Drives, MachineFault, testing::ValuesIn(kDrives), case_name);

const Case kRest[] = {
    {"StartOfNothing", "coupler: 20 deg", "cuopler: 20 deg",
     "m.yaml:15: start 'cuopler': no drive or body has this name (there are crank, coupler, rocker)"},
    {"StartOfTheGround", "coupler: 20 deg", "ground: 0",
     "m.yaml:15: start 'ground': no drive or body has this name (there are crank, coupler, rocker)"},
    {"StartRateOfNothing", "coupler: 20 deg", "rates: {tip: 1}",
     "m.yaml:15: start rate 'tip': no drive or body has this name (there are crank, coupler, rocker)"},
    {"StartOfAJoint", "coupler: 20 deg", "rocker_pin: 20 deg",
     "m.yaml:15: start 'rocker_pin': this is a joint, and in the plane drives, bodies and slides have values "
     "and rates at the start (there are crank, coupler, rocker): give the joint a drive, "
     "or write 'space: 3', where joints have "
     "them"},
    {"UnknownUnit", "60 deg", "60 grad",
     "m.yaml:15: start 'crank': unexpected 'grad' after '60 ': units are deg, rad, mm, cm and m, and factors "
     "have a * between them"},
    {"OutputOfNoPoint", "coupler.tracer", "coupler.trace",
     "m.yaml:16: output 'tip': body 'coupler' has no point 'trace' (it has B, C, tracer)"},
    {"OutputThatIsAList", "coupler.tracer", "[coupler.tracer]",
     "m.yaml:16: output 'tip': a point is written body.point, not a list"},
    {"GravityOfOneNumber", "start: {", "gravity: 9.81\nstart: {",
     "m.yaml:15: gravity: two numbers [x, y] are needed, not a single value"},
    {"UnknownForce", "start: {", "forces: [{push: crank.B}]\nstart: {",
     "m.yaml:15: force 1: unknown kind 'push'; the kinds are spring, damper, torque, force, friction, "
     "payload, stop, contact"},
    {"SpringWithoutStiffness", "start: {", "forces: [{spring: [ground.O, rocker.C]}]\nstart: {",
     "m.yaml:15: force 1 (spring): key 'stiffness' is missing"},
    {"SpringOfNegativeStiffness", "start: {",
     "forces: [{spring: [ground.O, rocker.C], stiffness: -1}]\nstart: {",
     "m.yaml:15: force 1 (spring): stiffness must not be negative, not -1"},
    {"TorqueOnTheGround", "start: {", "forces: [{torque: ground, value: 1}]\nstart: {",
     "m.yaml:15: force 1 (torque): the ground does not move: name another body"},
    {"TorqueWithoutValue", "start: {", "forces: [{torque: crank}]\nstart: {",
     "m.yaml:15: force 1 (torque): without a value it is an input and needs a name: name: NAME"},
    {"ForceWithoutValue", "start: {", "forces: [{force: crank.B}]\nstart: {",
     "m.yaml:15: force 1 (force): without a value it is an input and needs a name: name: NAME"},
    {"PayloadWithoutMass", "start: {", "forces: [{payload: rocker}]\nstart: {",
     "m.yaml:15: force 1 (payload): without a value it is an input and needs a name: name: NAME"},
    {"PayloadOnTheGround", "start: {", "forces: [{payload: ground, mass: 1, com: [0, 0]}]\nstart: {",
     "m.yaml:15: force 1 (payload): the ground does not move: name another body"},
    {"TwoInputsOfOneName", "start: {",
     "forces: [{torque: crank, name: motor}, {torque: rocker, name: motor}]\nstart: {",
     "m.yaml:15: force 2 (torque): another force is the input 'motor' already: give it another name"},
    {"TorqueAgainstItself", "start: {", "forces: [{torque: crank, against: crank, value: 1}]\nstart: {",
     "m.yaml:15: force 1 (torque): against: a body does not turn against itself"},
    {"ForceOfOneNumber", "start: {", "forces: [{force: crank.B, value: 1}]\nstart: {",
     "m.yaml:15: force 1 (force): value: two numbers [x, y] are needed, not a single value"},
    {"FrictionOfNoJoint", "start: {", "forces: [{friction: pin, viscous: 1}]\nstart: {",
     "m.yaml:15: force 1 (friction): there is no joint 'pin' (there are ground.O-crank.O, crank.B-coupler.B, "
     "coupler.C-rocker.C, rocker_pin)"},
    {"ForceThatIsNotFinite", "start: {", "forces: [{torque: crank, value: 1/(L3-1)}]\nstart: {",
     "m.yaml:15: force 1 (torque): value: '1/(-1 + L3)' is not finite: check for a division by zero, or for "
     "a function "
     "outside its domain"},
};
INSTANTIATE_TEST_SUITE_P(Rest, MachineFault, testing::ValuesIn(kRest), case_name);

TEST(MachineFaults, AreReportedTogetherInFileOrder) {
  std::string text = with(kFourBar, "coupler.tracer}", "coupler.trace}");
  text = with(text, "mass: 4.0", "mass: -4");
  text = with(text, "crank.B, coupler", "crank.Q, coupler");
  EXPECT_EQ(faults_of(text),
            "m.yaml:7: body 'rocker': mass must be positive, not -4\n"
            "m.yaml:10: joint 'crank.Q': body 'crank' has no point 'Q' (it has O, B)\n"
            "m.yaml:16: output 'tip': body 'coupler' has no point 'trace' (it has B, C, tracer)");
}

TEST(MachineFaults, NameAMissingPartOfTheFile) {
  EXPECT_EQ(faults_of("name: x\njoints: []\n"), "m.yaml:1: machine: key 'bodies' is missing (or 'drawing')");
  EXPECT_EQ(faults_of("bodies: {a: {points: {O: [0, 0]}}}\n"), "m.yaml:1: machine: key 'joints' is missing");
  EXPECT_EQ(faults_of("bodies: {}\njoints: []\n"),
            "m.yaml:1: bodies: a map NAME: {points: ...} with at least one body is needed, not an empty one");
  EXPECT_EQ(faults_of("drawing: {ground: [A]}\n"),
            "m.yaml:1: drawing: key 'points' is missing\n"
            "m.yaml:1: body 'ground': the drawing has no point 'A' (it has none)\n"
            "m.yaml:1: drawing: key 'bodies' is missing");
}

TEST(MachineFaults, LetABodyStandAlone) {
  EXPECT_EQ(faults_of("bodies: {a: {points: {O: [0, 0]}}}\njoints: []\n"), "");
}

TEST(MachineFaults, StopAnExpressionNested10000Deep) {
  const std::string deep = std::string(10'000, '(') + "1" + std::string(10'000, ')');
  EXPECT_EQ(faults_of(with(kFourBar, "mass: 4.0", "mass: " + deep)),
            "m.yaml:7: body 'rocker': mass: the expression is nested deeper than 200 levels: split it into "
            "parameters");
}

TEST(MachineFaults, StopYamlNested10000Deep) {
  const std::string deep = std::string(10'000, '[') + "1" + std::string(10'000, ']');
  EXPECT_THAT(faults_of(with(kFourBar, "mass: 4.0", "mass: " + deep)),
              HasSubstr("m.yaml:7: this is not YAML: "));
}

TEST(MachineFaults, StopAChainOfParametersThatIsTooLong) {
  std::string parameters = "parameters:\n";
  for (int i = 0; i < 100'000; ++i) parameters += fmt::format("  a{}: a{}\n", i, i + 1);
  const std::string text =
      faults_of(parameters + "  a100000: 1\nbodies: {a: {points: {O: [a0, 0]}}}\njoints: []\n");
  EXPECT_THAT(text, HasSubstr("that need each other in a row"));
}

/// [0,5, 0] does not make a machine of the plane one in space, whose loops then do not close.
TEST(DecimalComma, OfAPointAmongPointsOfTwoNumbersIsReported) {
  const std::string text = with(kFourBar, "B: [L1, 0]", "B: [0,5, 0]");
  EXPECT_FALSE(spatial::is_spatial(text::build_yaml_from_text(text, "m.yaml")));
  EXPECT_EQ(faults_of(text),
            "m.yaml:5: point 'crank.B': two numbers [x, y] are needed, not 3 (a decimal comma? write 0.5, "
            "not 0,5)");
  EXPECT_TRUE(spatial::is_spatial(
      text::build_yaml_from_text(with(kFourBar, "B: [L1, 0]", "B: [L1, 0, 0]"), "m.yaml")));
  EXPECT_TRUE(spatial::is_spatial(text::build_yaml_from_text("space: 3\n" + text, "m.yaml")));
}

/// By its blanks: [0, 0,5] has two numbers, and [0, 0, 5] three.
TEST(DecimalComma, BehindAnotherNumberIsReported) {
  EXPECT_EQ(faults_of(with(kFourBar, "B: [L1, 0]", "B: [0, 0,5]")),
            "m.yaml:5: point 'crank.B': two numbers [x, y] are needed, not 3 (a decimal comma? write 0.5, "
            "not 0,5)");
  EXPECT_TRUE(spatial::is_spatial(
      text::build_yaml_from_text(with(kFourBar, "B: [L1, 0]", "B: [0, 0, 5]"), "m.yaml")));
  EXPECT_TRUE(
      spatial::is_spatial(text::build_yaml_from_text(with(kFourBar, "B: [L1, 0]", "B: [0,0,5]"), "m.yaml")));
}

TEST(DecimalComma, OfAPointInSpaceIsReported) {
  const std::string text =
      "name: m\nspace: 3\nground: {points: {O: [0, 0, 0]}}\nbodies:\n  a: {points: {O: [0, 0, 0], B: [0, "
      "0,5, 1]}}\n"
      "joints: [{revolute: [ground.O, a.O]}]\n";
  try {
    static_cast<void>(spatial::build_machine(text::build_yaml_from_text(text, "m.yaml"), "m.yaml"));
    FAIL();
  } catch (const text::ModelError& error) {
    EXPECT_STREQ(error.what(),
                 "m.yaml:5: point 'a.B': three numbers [x, y, z] are needed, not 4 (a decimal comma? write "
                 "0.5, not 0,5)");
  }
}

TEST(DrawnBody, WhosePointsAreInOnePlaceIsNamed) {
  EXPECT_EQ(
      faults_of(
          "name: d\ndrawing:\n  points: {O: [0, 0], A: [1, 0], B: [1, 0], C: [2, 0]}\n  ground: [O, C]\n"
          "  bodies:\n    a: [O, A]\n    b: [A, B]\n    c: [B, C]\ndrives: {a: {angle: a}}\n"),
      "m.yaml:7: body 'b': its points A, B are in one place, (1, 0): move them apart, or make one point of "
      "them");
}

}  // namespace
}  // namespace rodeo::machine
