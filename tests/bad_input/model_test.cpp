// SPDX-License-Identifier: MIT
// Wrong models: every command that reads one says the same sentence, with file, line and remedy, exits with 1 and writes
// nothing.
#include <nlohmann/json.hpp>
#include <ostream>

#include "tests/bad_input/bad_input.h"

namespace rodeo::tools {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Case {
  const char* claim;
  const char* old_text;
  std::string new_text;
  const char* sentence;
  const char* options = "";
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.claim; }
std::string case_name(const testing::TestParamInfo<Case>& info) { return info.param.claim; }

const std::string kDeepBrackets = std::string(10'000, '(') + "1" + std::string(10'000, ')');
const std::string kDeepLists = std::string(10'000, '[') + "1" + std::string(10'000, ']');

// ---- machines

class BadInputMachine : public BadInput, public testing::WithParamInterface<Case> {};

TEST_P(BadInputMachine, IsRefusedByEveryCommand) {
  const Case& c = GetParam();
  write("m.yaml", with(kMachine, c.old_text, c.new_text));
  expect_refusals(fmt::format("m.yaml {}", c.options), c.sentence);
}

const Case kMachines[] = {
    {"UnknownBody", "[crank.B,", "[crnk.B,",
     "m.yaml:10: joint 'crnk.B': there is no body 'crnk' (there are ground, crank, coupler, rocker)"},
    {"UnknownPoint", "[crank.B,", "[crank.P,",
     "m.yaml:10: joint 'crank.P': body 'crank' has no point 'P' (it has O, B)"},
    {"JointToNowhere", "[crank.B, coupler.B]", "[crank.B, ]",
     "m.yaml:10: joint 2: exactly two are needed, [body.point, body.point], not 1"},
    {"UnknownKey", "start:", "strat:",
     "m.yaml:15: machine: unknown key 'strat' (did you mean 'start'?); known here: name, parameters, ground, "
     "bodies, "
     "drawing, joints, drives, start, outputs, gravity, forces"},
    {"KeyTwice", "L1: 0.5,", "L1: 0.5, L1: 0.6,",
     "m.yaml:2: key 'L1' stands twice (first in line 2): remove one of them"},
    {"ExpressionCutAtAComma", "tracer: [0.4, 0.3]", "tracer: [atan2(1, 2), 0.3]",
     "m.yaml:6: point 'coupler.tracer': YAML cut an expression at its comma: put the whole expression in "
     "quotes"},
    {"DivisionByZeroInAParameter", "L3: 1.0}", "L3: 1.0/0}",
     "m.yaml:2: parameter 'L3': a division by zero in '1.0/0'"},
    {"DivisionByZeroInAPoint", "tracer: [0.4,", "tracer: [1/(L3 - 1),",
     "m.yaml:6: point 'coupler.tracer': '1/(-1 + L3)' is not finite: check for a division by zero, or for a "
     "function "
     "outside its domain"},
    {"DivisionByZeroByAnOption", "tracer: [0.4,", "tracer: [1/L3,",
     "m.yaml:6: point 'coupler.tracer': '1/L3' is not finite: check for a division by zero, or for a "
     "function outside its "
     "domain",
     "-p L3=0"},
    {"InfiniteNumber", "tracer: [0.4,", "tracer: [.inf,",
     "m.yaml:6: point 'coupler.tracer': '.inf' is not a finite number"},
    {"NumberThatIsNone", "tracer: [0.4,", "tracer: [.nan,",
     "m.yaml:6: point 'coupler.tracer': '.nan' is not a finite number"},
    {"NumberTooLarge", "L1: 0.5", "L1: 1e999",
     "m.yaml:2: parameter 'L1': the number '1e999' is not finite as a double"},
    {"ExpressionNested10000Deep", "L1: 0.5", "L1: " + kDeepBrackets,
     "m.yaml:2: parameter 'L1': the expression is nested deeper than 200 levels: split it into parameters"},
    {"YamlNested10000Deep", "L1: 0.5", "L1: " + kDeepLists,
     "m.yaml:2: this is not YAML: lists and maps are nested deeper than 500 levels: write it flatter"},
    {"BracketThatIsNotClosed", "L3: 1.0}", "L3: 1.0",
     "m.yaml:3: this is not YAML: end of map flow not found; check brackets, quotes, colons and indents "
     "there and just above"},
    {"UnknownParameterOnTheCommandLine", "four_bar", "four_bar",
     "-p L9=1: the model has no parameter 'L9' (did you mean 'L0'?); it has L0, L1, L2, L3", "-p L9=1"},
    {"EmptyValueOnTheCommandLine", "four_bar", "four_bar", "-p L1=: parameter 'L1': the expression is empty",
     "-p L1="},
    {"InfiniteValueOnTheCommandLine", "four_bar", "four_bar",
     "-p L1=nan: parameter 'L1': 'nan' is not a finite number", "-p L1=nan"},
    {"TwoFaultsTogether", "[crank.B, coupler.B]}\n  - {revolute: [coupler.C,",
     "[crank.P, coupler.B]}\n  - {revolute: [cuopler.C,",
     "m.yaml:10: joint 'crank.P': body 'crank' has no point 'P' (it has O, B)\n"
     "m.yaml:11: joint 'cuopler.C': there is no body 'cuopler' (there are ground, crank, coupler, rocker)"},
};
INSTANTIATE_TEST_SUITE_P(Machines, BadInputMachine, testing::ValuesIn(kMachines), case_name);

// ---- machines that can be read and cannot move: `check` reports first what it found

/// `draws`: what is wrong does not hinder a drawing.
struct Motion {
  const char* claim;
  const char* old_text;
  const char* new_text;
  const char* sentence;
  bool assembled;
  bool draws;
};
void PrintTo(const Motion& m, std::ostream* out) { *out << m.claim; }

class BadInputMotion : public BadInput, public testing::WithParamInterface<Motion> {};

TEST_P(BadInputMotion, IsRefusedAfterAReport) {
  const Motion& m = GetParam();
  write("m.yaml", with(kMachine, m.old_text, m.new_text));
  for (const char* command : {"equations m.yaml", "graph m.yaml -o new.svg", "graph m.yaml -o old.svg"}) {
    expect_refusal(command, m.sentence);
  }
  if (m.draws) {
    EXPECT_EQ(run("draw m.yaml -o new.svg").status, 0);
  } else {
    expect_refusal("draw m.yaml -o old.svg", m.sentence);
  }
  const Result text = run("check m.yaml");
  EXPECT_EQ(text.status, 1);
  EXPECT_EQ(text.err, m.sentence + std::string("\n"));
  EXPECT_THAT(text.out, HasSubstr(m.assembled ? "start pose                assembles"
                                              : "start pose                does NOT assemble"));
  const Result json = run("check --json m.yaml");
  EXPECT_EQ(json.status, 1);
  EXPECT_EQ(json.err, text.err);
  EXPECT_EQ(nlohmann::json::parse(json.out).at("assembled"), m.assembled);
  EXPECT_EQ(nlohmann::json::parse(json.out).at("bodies"), 3);
}

const Motion kMotions[] = {
    {"TooManyDrives", "angle: crank}\n", "angle: crank}\n  rocker: {angle: rocker}\n",
     "m.yaml:15: drive 'rocker' is one too many: the machine has mobility 1 and the other drives and the "
     "joints fix it "
     "already; remove one drive",
     false, false},
    {"TooManyDrivesThatAgree", "angle: crank}\nstart: {crank: 60 deg, coupler: 20 deg, rocker: 80 deg}",
     "angle: crank}\n  push: {cylinder: [ground.O, rocker.C]}\nstart: {crank: 60 deg, coupler: 20 deg}",
     "m.yaml:15: drive 'push' is one too many: the machine has mobility 1 and the other drives and the "
     "joints fix it "
     "already; remove one drive",
     true, true},
    {"TooFewDrives", "drives:\n  crank: {angle: crank}", "drives: {}",
     "m.yaml:13: 0 drives for mobility 1: crank, coupler, rocker can move freely; add 1 under 'drives', one "
     "for each degree of freedom (or "
     "--undriven for the "
     "equations of free motion, or a mass for every body so that it moves by its forces)",
     true, true},
    {"NoDrives", "drives:\n  crank: {angle: crank}\n", "",
     "m.yaml:1: 0 drives for mobility 1: crank, coupler, rocker can move freely; add 1 under 'drives', one "
     "for each degree of freedom (or --undriven "
     "for the "
     "equations of free motion, or a mass for every body so that it moves by its forces)",
     true, true},
    {"StartThatCannotBeAssembled", "L2: 1.2", "L2: 12",
     "m.yaml:11: joint 'coupler.C-rocker.C' (x): the start pose cannot be assembled, N m are left open; "
     "check the "
     "lengths and the values under 'start'",
     false, false},
};
INSTANTIATE_TEST_SUITE_P(Machines, BadInputMotion, testing::ValuesIn(kMotions),
                         [](const auto& test) { return std::string(test.param.claim); });

// ---- bond graphs

class BadInputGraph : public BadInput, public testing::WithParamInterface<Case> {};

TEST_P(BadInputGraph, IsRefusedByEveryCommand) {
  const Case& c = GetParam();
  write("m.yaml", with(kGraph, c.old_text, c.new_text));
  write("cycle.yaml", "elements: {inner: {subset: other.yaml}}\njunctions: {p: 1}\nports: [p]\n");
  write("other.yaml", "elements: {inner: {subset: cycle.yaml}}\njunctions: {p: 1}\nports: [p]\n");
  const bool is_yaml = std::string(c.sentence).find("not YAML") == std::string::npos &&
                       std::string(c.sentence).find("stands twice") == std::string::npos;
  expect_refusals(fmt::format("m.yaml {}", c.options), c.sentence, !is_yaml);
}

const Case kGraphs[] = {
    {"UnknownElement", "v -> damper", "v -> dumper",
     "m.yaml:11: bond 'v -> dumper': there is no element or junction 'dumper' (did you mean 'damper'?); "
     "there are push, "
     "mass, damper, v"},
    {"BondToNowhere", "v -> damper", "v -> ",
     "m.yaml:11: bond 'v ->': a bond is written a -> b, with one arrow"},
    {"UnknownKey", "junctions:", "colour: red\njunctions:",
     "m.yaml:7: bond graph: unknown key 'colour'; known here: name, domain, parameters, elements, junctions, "
     "bonds, "
     "signals, start, outputs, ports"},
    {"UnknownKeyOfAnElement", "{R: b}", "{R: b, colour: red}",
     "m.yaml:6: element 'damper': unknown key 'colour'; known here: R, domain, domains"},
    {"KeyTwice", "{R: b}", "{R: b, R: 2}",
     "m.yaml:6: key 'R' stands twice (first in line 6): remove one of them"},
    {"ExpressionCutAtAComma", "{R: b}", "{R: atan2(1, 2)}",
     "m.yaml:6: element 'damper': '2)' is the rest of an expression that YAML cut at a comma: put the whole "
     "expression in quotes\n"
     "m.yaml:6: element 'damper': the brackets of 'atan2(1' do not match: if the expression has a comma, "
     "YAML cut it there; put the whole expression in quotes"},
    {"DivisionByZeroInAParameter", "b: 3", "b: 3/0", "m.yaml:2: parameter 'b': a division by zero in '3/0'"},
    {"DivisionByZeroInAValue", "{R: b}", "{R: 1/(b - 3)}",
     "m.yaml:6: element 'damper': '1/(-3 + b)' is not finite: check for a division by zero"},
    {"DivisionByZeroByAnOption", "{R: b}", "{R: 1/b}",
     "m.yaml:6: element 'damper': '1/b' is not finite: check for a division by zero", "-p b=0"},
    {"DivisionByZeroByCausality", "mass: {I: m}", "mass: {Se: m}",
     "m.yaml:6: 'damper': a division by zero: with these parameters its law gives no value; change them, or "
     "put an R, I or C beside it",
     "-p b=0"},
    {"InfiniteNumber", "{R: b}", "{R: .inf}", "m.yaml:6: element 'damper': '.inf' is not a finite number"},
    {"ExpressionNested10000Deep", "{R: b}", "{R: " + kDeepBrackets + "}",
     "m.yaml:6: element 'damper': the expression is nested deeper than 200 levels: split it into parameters"},
    {"YamlNested10000Deep", "{R: b}", "{R: " + kDeepLists + "}",
     "m.yaml:6: this is not YAML: lists and maps are nested deeper than 500 levels: write it flatter"},
    {"CycleOfSubsets", "  damper: {R: b}", "  damper: {R: b}\n  part: {subset: cycle.yaml}",
     "other.yaml:1: subset 'inner': a cycle of subsets: cycle.yaml:1 -> other.yaml:1 -> cycle.yaml: a subset "
     "cannot contain itself"},
    {"TwoFlowSourcesOnA1Junction", "push: {Se: 1}\n  mass: {I: m}", "push: {Sf: 1}\n  mass: {Sf: m}",
     "m.yaml:5: 'mass' (Sf) imposes a flow on bond v -> mass, but others impose it already: the conflict "
     "shows at 1-junction 'v' (bonds push -> v, v -> mass, v -> damper); remove one of these sources, or put "
     "a C or R on a 0-junction between them"},
    {"TwoEffortSourcesOnA0Junction", "mass: {I: m}\n  damper: {R: b}\njunctions: {v: 1}",
     "mass: {Se: m}\n  damper: {R: b}\njunctions: {v: 0}",
     "m.yaml:5: 'mass' (Se) imposes an effort on bond v -> mass, but others impose it already: the conflict "
     "shows at 0-junction 'v' (bonds push -> v, v -> mass, v -> damper); remove one of these sources, or put "
     "an I or R on a 1-junction between them"},
    {"LoopWithoutAnyLaw", "junctions: {v: 1}\nbonds:\n",
     "junctions: {v: 1, u: 1}\nbonds:\n  - v -> u\n  - u -> v\n",
     "m.yaml:7: the equations of the loop v, u do not determine its efforts and flows: put an R, I or C into "
     "the loop, or take a bond out of it"},
    {"LoopThatItsValuesMakeSingular", "mass: {I: m}", "mass: {R: m}",
     "m.yaml:7: 'v': a division by zero: with these parameters its law gives no value; change them, or put "
     "an R, I or C beside it",
     "-p m=-3"},
};
INSTANTIATE_TEST_SUITE_P(Graphs, BadInputGraph, testing::ValuesIn(kGraphs), case_name);

}  // namespace
}  // namespace rodeo::tools
