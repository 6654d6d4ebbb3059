// SPDX-License-Identifier: MIT
// Slips of the pen of new users: the sentence names the slip and the remedy, and every command says the same.
#include <ostream>

#include "tests/bad_input/bad_input.h"

namespace rodeo::tools {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Slip {
  const char* claim;
  const char* old_text;
  const char* new_text;
  const char* sentence;
};
void PrintTo(const Slip& slip, std::ostream* out) { *out << slip.claim; }

class BadInputSlip : public BadInput, public testing::WithParamInterface<Slip> {};

TEST_P(BadInputSlip, IsNamedByEveryCommand) {
  write("m.yaml", with(kMachine, GetParam().old_text, GetParam().new_text));
  for (const char* command :
       {"check m.yaml", "draw m.yaml -o new.svg", "equations m.yaml", "graph m.yaml -o new.svg",
        "build m.yaml -o built", "simulate m.yaml --duration 0.01 -o log.csv"}) {
    expect_refusal(command, GetParam().sentence);
  }
}

const Slip kSlips[] = {
    {"TabBeforeAKey", "  crank:   {points", "\tcrank:   {points",
     "m.yaml:5: a tab in the indentation: YAML indents by spaces alone, so put spaces in its place"},
    {"TabBeforeADash", "  - {revolute: [crank.B", "\t- {revolute: [crank.B",
     "m.yaml:10: a tab in the indentation: YAML indents by spaces alone, so put spaces in its place"},
    {"TabBehindSpaces", "  crank: {angle", "  \tcrank: {angle",
     "m.yaml:14: a tab in the indentation: YAML indents by spaces alone, so put spaces in its place"},
    {"DegreeSign", "60 deg", "60°", "m.yaml:15: start 'crank': '60°': degrees are written '60 deg'"},
    {"DegreeSignBehindASpace", "60 deg", "60 °",
     "m.yaml:15: start 'crank': '60°': degrees are written '60 deg'"},
    {"DecimalCommaOfAParameter", "L1: 0.5", "L1: 0,5",
     "m.yaml:2: L1: '0,5' has a decimal comma, where YAML ends the value: write 0.5"},
    {"DecimalCommasOfTwoParameters", "L1: 0.5, L2: 1.2", "L1: 0,5, L2: 1,5",
     "m.yaml:2: L1: '0,5' has a decimal comma, where YAML ends the value: write 0.5\n"
     "m.yaml:2: L2: '1,5' has a decimal comma, where YAML ends the value: write 1.5"},
    {"DecimalCommaBeforeAUnit", "crank: 60 deg", "crank: 60,5 deg",
     "m.yaml:15: crank: '60,5 deg' has a decimal comma, where YAML ends the value: write 60.5 deg"},
    {"DecimalCommaOfALimit", "{angle: crank}", "{angle: crank, speed: 0,5}",
     "m.yaml:14: speed: '0,5' has a decimal comma, where YAML ends the value: write 0.5"},
    {"DecimalCommaInQuotes", "L1: 0.5", "L1: \"0,5\"",
     "m.yaml:2: parameter 'L1': '0,5' has a decimal comma: write 0.5"},
    {"DecimalCommasOfAPoint", "[0.4, 0.3]", "[0,4, 0,3]",
     "m.yaml:6: point 'coupler.tracer': two numbers [x, y] are needed, not 4 (a decimal comma? write 0.4, "
     "not "
     "0,4)"},
    {"TypoOfBodies", "bodies:", "bodys:", "m.yaml:4: machine: unknown key 'bodys' (did you mean 'bodies'?)"},
    {"PointTooFar", "tracer: [0.4,", "tracer: [1e7,",
     "m.yaml:6: point 'coupler.tracer': 1e+07 m is too long: lengths go up to 1e+06 m"},
    {"LengthThatCannotBeSquared", "tracer: [0.4,", "tracer: [1e300,",
     "m.yaml:6: point 'coupler.tracer': 1e+300 is too large to compute with: at most 1e+100"},
    {"ParameterOfAFunctionsName", "L1: 0.5", "L1: 0.5, sin: 1",
     "m.yaml:2: parameter 'sin': it is a function: choose another name"},
    {"ParameterOfTheTimesName", "L1: 0.5", "L1: 0.5, t: 1",
     "m.yaml:2: parameter 't': t is the time: choose another name"},
    {"ParameterOfAnInputsName", "L1: 0.5", "L1: 0.5, w_crank: 1",
     "m.yaml:2: parameter 'w_crank': in the equations this is the rate of drive 'crank': choose another "
     "name"},
    {"ParameterOfAStatesName", "L1: 0.5", "L1: 0.5, X_rocker: 1",
     "m.yaml:2: parameter 'X_rocker': in the equations this is the angle of body 'rocker': choose another "
     "name"},
};
INSTANTIATE_TEST_SUITE_P(Machines, BadInputSlip, testing::ValuesIn(kSlips),
                         [](const auto& test) { return std::string(test.param.claim); });

TEST_F(BadInput, ParametersMayHideConstants) {
  write("m.yaml", with(kMachine, "L1: 0.5", "L1: 0.5, pi: 3, e: 2"));
  EXPECT_EQ(run("check m.yaml").status, 0);
}

TEST_F(BadInput, AParameterOfAStatesNameIsRefusedInABondGraph) {
  write("m.yaml", with(kGraph, "b: 3", "b: 3, P_mass: 1"));
  expect_refusals(
      "m.yaml",
      "m.yaml:2: parameter 'P_mass': in the equations this is the state mass.momentum: choose another "
      "name",
      false);
}

TEST_F(BadInput, AFileOfANameAloneIsNeitherMachineNorGraph) {
  write("m.yaml", "name: x\n");
  for (const char* command :
       {"check m.yaml", "draw m.yaml -o new.svg", "equations m.yaml", "graph m.yaml -o new.svg",
        "build m.yaml -o built", "simulate m.yaml --duration 0.01 -o log.csv"}) {
    expect_refusal(
        command,
        "m.yaml:1: this is neither a machine, which has 'bodies' (or 'drawing') and 'joints', nor a bond "
        "graph, which has 'elements', 'junctions' and 'bonds': it has 'name' only; begin with a file that "
        "'rodeo new NAME' writes");
  }
}

TEST_F(BadInput, ATypoInEveryKeyIsStillAMachine) {
  write("m.yaml",
        with(with(with(kMachine, "bodies:", "bodys:"), "ground: {p", "grund: {p"), "joints:", "joint:"));
  expect_refusal("check m.yaml", "m.yaml:4: machine: unknown key 'bodys' (did you mean 'bodies'?)");
}

TEST_F(BadInput, ALooseBodyIsNamed) {
  write("m.yaml", with(kMachine, "joints:", "  plate: {points: {A: [0, 0]}}\njoints:"));
  const Result result = run("check m.yaml");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err,
            "m.yaml:8: body 'plate' is loose: no joint connects it with anything; add a joint, or remove the "
            "body\n");
}

TEST_F(BadInput, LooseBodiesThatHangTogetherAreNamed) {
  const std::string joint = "joints:\n  - {revolute: [plate.A, arm.A]}";
  write("m.yaml",
        with(kMachine, "joints:", "  plate: {points: {A: [0, 0]}}\n  arm: {points: {A: [0, 0]}}\n" + joint));
  EXPECT_EQ(run("check m.yaml").err,
            "m.yaml:8: bodies plate, arm are loose: joints connect them with each other and not with the "
            "ground; add "
            "a joint\n");
}

TEST_F(BadInput, AMissingJointIsToldByItsBodiesAndPoints) {
  write("m.yaml", with(kMachine, "  - {revolute: [crank.B, coupler.B]}\n", ""));
  EXPECT_THAT(
      run("check m.yaml").err,
      StartsWith("m.yaml:12: 1 drive for mobility 3: coupler, rocker can move freely (is a joint missing? "
                 "Points without one: crank.B, coupler.B, coupler.tracer); add 2 under 'drives'"));
}

TEST_F(BadInput, ALockedStructureIsCalledLocked) {
  const std::string truss = R"(name: truss
ground: {points: {O: [0, 0], Q: [1, 0]}}
bodies:
  a: {points: {O: [0, 0], P: [1, 0]}}
  b: {points: {Q: [0, 0], P: [1, 0]}}
joints:
  - {revolute: [ground.O, a.O]}
  - {revolute: [ground.Q, b.Q]}
  - {revolute: [a.P, b.P]}
start: {a: 60 deg, b: 120 deg}
)";
  write("m.yaml", truss);
  const Result still = run("check m.yaml");
  EXPECT_EQ(still.status, 0) << still.err;  // it has forces in its joints, if it weighs something
  EXPECT_THAT(still.out,
              HasSubstr("mobility                  0 (Gruebler's count 0), locked: nothing can move"));
  write("m.yaml", truss + "drives: {a: {angle: a}}\n");
  const Result driven = run("check m.yaml");
  EXPECT_EQ(driven.status, 1);
  EXPECT_EQ(
      driven.err,
      "m.yaml:11: drive 'a' has nothing to move: the joints lock the structure (mobility 0, Gruebler's count "
      "0); remove a joint, or let one slide\n");
}

TEST_F(BadInput, EquilibriumWithAnInputOfDrivesIsACommandLineThatIsWrong) {
  write("m.yaml", kMachine);
  write("in.csv", "t,crank\n0,1.047\n1,1.1\n");
  const Result result = run("simulate m.yaml --equilibrium --input in.csv -o log.csv");
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err,
              HasSubstr("--equilibrium: begins a motion by forces, in which drives hold still or are let "
                        "go, and --input would move them: leave out one of the two"));
}

// ---- columns

TEST_F(BadInput, AColumnThatWouldBeThereTwiceIsRefused) {
  const std::string piston = R"(name: piston
ground: {points: {S: [0, 0]}}
bodies:
  piston: {points: {P: [0, 0]}, mass: 2, inertia: 1}
joints:
  - {prismatic: [ground.S, piston.P], direction: [1, 0], name: lift}
drives: {lift: {slide: [ground.S, piston.P]}}
start: {lift: 0}
)";
  write("m.yaml", piston);
  const Result result = run("check m.yaml");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(
      result.err,
      "m.yaml:7: column 'lift.force' would be there twice (joint 'lift' and drive 'lift'): give one of them "
      "another name\n");
}

// ---- angles

TEST_F(BadInput, AnAngleBeyondAFullTurnWithoutAUnitIsNoted) {
  write("m.yaml", with(kMachine, "crank: 60 deg", "crank: 60"));
  const std::string note =
      "note: m.yaml:15: start 'crank': '60' has no unit and is 60 rad, 9.55 turns: if degrees are meant, "
      "write '60 "
      "deg', else '60 rad'\n";
  for (const char* command :
       {"check m.yaml", "build m.yaml -o built", "simulate m.yaml --duration 0.01 -o log.csv"}) {
    const Result result = run(command);
    EXPECT_EQ(result.status, 0) << command << result.err;
    EXPECT_EQ(result.err, note) << command;
  }
}

TEST_F(BadInput, ARangeBeyondAFullTurnWithoutAUnitIsNotedAndKept) {
  write("m.yaml", with(kMachine, "{angle: crank}", "{angle: crank, range: [-90, wide]}"));
  const Result result = run("check m.yaml");
  EXPECT_EQ(result.status, 1);  // 'wide' is no parameter
  write("m.yaml", with(with(kMachine, "{angle: crank}", "{angle: crank, range: [-90, wide]}"), "L1: 0.5",
                       "L1: 0.5, wide: 90"));
  EXPECT_EQ(
      run("check m.yaml").err,
      "note: m.yaml:14: drive 'crank': range: '-90' has no unit and is -90 rad, -14.3 turns: if degrees are "
      "meant, write '-90 deg', else '-90 rad'\n"
      "note: m.yaml:14: drive 'crank': range: 'wide' has no unit and is 90 rad, 14.3 turns: if degrees are "
      "meant, give its numbers the unit deg, else rad\n");
}

TEST_F(BadInput, AnglesWithAUnitAreNotNoted) {
  for (const char* range :
       {"[-90 deg, 90 deg]", "[-10 rad, 10 rad]", "[-6 * pi, 6 * pi]", "[-wide, wide]", "[-6, 6]"}) {
    write("m.yaml", with(with(kMachine, "{angle: crank}", fmt::format("{{angle: crank, range: {}}}", range)),
                         "L1: 0.5", "L1: 0.5, wide: 900 deg"));
    const Result result = run("check m.yaml");
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "") << range;
  }
}

TEST_F(BadInput, CheckListsTheStartAnglesInDegrees) {
  write("m.yaml", kMachine);
  const Result result = run("check m.yaml");
  // The four-bar closed by hand: C is 1.2 from B = 0.5 (cos 60°, sin 60°) and 1 from Q = (1.4, 0).
  EXPECT_THAT(result.out, HasSubstr("drives at the start       crank = 1.0472 rad (60 deg)\n"));
  EXPECT_THAT(result.out, HasSubstr("angles at the start, deg  crank 60, coupler "));
}

}  // namespace
}  // namespace rodeo::tools
