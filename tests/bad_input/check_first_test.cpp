// SPDX-License-Identifier: MIT
// `check` says first what any later command will refuse: the same sentence, with status 1.
#include <nlohmann/json.hpp>
#include <ostream>

#include "tests/bad_input/bad_input.h"

namespace rodeo::tools {
namespace {

using testing::HasSubstr;

/// `says`: a part of what is wrong, so that a model is refused for the reason that is meant.
struct Model {
  const char* claim;
  std::string text;
  const char* says;
  bool is_graph = false;
};
void PrintTo(const Model& m, std::ostream* out) { *out << m.claim; }

class CheckFirst : public BadInput, public testing::WithParamInterface<Model> {
 protected:
  CheckFirst() { setenv("RODEO_CACHE", (folder_ / "cache").c_str(), 1); }
  ~CheckFirst() override { unsetenv("RODEO_CACHE"); }
};

std::vector<std::string> commands_for(bool is_graph) {
  std::vector<std::string> commands{"equations m.yaml", "graph m.yaml -o new.dot",
                                    "simulate m.yaml --duration 0.01 -o log.csv"};
  if (!is_graph) commands.insert(commands.end(), {"draw m.yaml -o new.svg", "build m.yaml -o built"});
  return commands;
}

TEST_P(CheckFirst, SaysWhatLaterCommandsRefuse) {
  write("m.yaml", GetParam().text);
  const Result check = run("check m.yaml");
  EXPECT_EQ(check.status, 1) << check.out;
  EXPECT_THAT(check.err, HasSubstr(GetParam().says));
  int refusals = 0;
  for (const std::string& command : commands_for(GetParam().is_graph)) {
    const Result result = run(command);
    EXPECT_LE(result.status, 1) << command << "\n" << result.err;
    if (result.status != 1) continue;
    ++refusals;
    EXPECT_THAT(check.err + check.out, HasSubstr(result.err))
        << command;  // `bond graph  none: ...` in the report
  }
  EXPECT_GT(refusals, 0) << "nobody refuses it: check is too strict";
}

const std::string kFlat =
    with(with(kMachine, "L0: 1.4, L1: 0.5, L2: 1.2, L3: 1.0", "L0: 1.4, L1: 0.4, L2: 1, L3: 0.8"),
         "crank: 60 deg, coupler: 20 deg, rocker: 80 deg", "crank: 180 deg, coupler: 0, rocker: 180 deg");

const std::string kSpatial = R"(name: arm
space: 3
ground: {points: {O: [0, 0, 0]}}
bodies:
  arm: {points: {O: [0, 0, 0], P: [1, 0, 0]}}
joints:
  - {revolute: [ground.O, arm.O], axis: [0, 0, 1], name: pin}
drives: {turn: {joint: pin, range: [-10 deg, 10 deg]}}
start: {turn: 20 deg}
)";

const std::string kContradiction = R"(name: two
elements:
  push: {Se: 1}
  a: {I: 2}
  b: {I: 3}
junctions: {v: 1}
bonds: [push -> v, v -> a, v -> b]
start: {a.momentum: 2, b.momentum: 9}
)";

const Model kModels[] = {
    {"StartOutsideItsRange", with(kMachine, "{angle: crank}", "{angle: crank, range: [-1, 1]}"),
     "m.yaml:14: drive 'crank' starts at 1.0472, outside its range (-1 to 1)"},
    {"StartOutsideItsRangeInSpace", kSpatial, "drive 'turn' starts at 0.349066, outside its range"},
    {"StartThatDoesNotAssembleInSpace",
     with(with(kSpatial, "joints:", "joints:\n  - {spherical: [ground.O, arm.P]}"),
          ", range: [-10 deg, 10 deg]", ""),
     "the start pose cannot be assembled"},
    {"SingularStart", kFlat,
     "the machine cannot take its start pose (crank = 3.14159 rad): it is singular there"},
    {"StartThatDoesNotAssemble", with(kMachine, "L2: 1.2", "L2: 12"), "the start pose cannot be assembled"},
    {"RangeAndStructureTogether",
     with(kMachine, "  crank: {angle: crank}",
          "  crank: {angle: crank, range: [-1, 1]}\n  push: {cylinder: [ground.O, rocker.C]}"),
     "one too many"},
    {"FreeMotionWithoutInertia",
     with(with(kMachine, "drives:\n  crank: {angle: crank}\n", ""),
          "crank:   {points: {O: [0, 0], B: [L1, 0]}}",
          "crank:   {points: {O: [0, 0], B: [L1, 0]}, mass: 1}"),
     "for mobility 1"},
    {"UnknownBody", with(kMachine, "[crank.B,", "[crnk.B,"), "there is no body 'crnk'"},
    {"ContradictingStarts", kContradiction, "contradicts the other starts", true},
    {"GraphWithoutCausality",
     "elements: {a: {Se: 1}, b: {Se: 2}}\njunctions: {p: 0}\nbonds: [a -> p, b -> p]\n", "m.yaml:", true},
};
INSTANTIATE_TEST_SUITE_P(Models, CheckFirst, testing::ValuesIn(kModels),
                         [](const auto& test) { return std::string(test.param.claim); });

/// A machine in space without masses moves by its drives and has no bond graph: every command does as check says.
TEST_F(CheckFirst, NamesTheCommandsThatNeedABondGraph) {
  write("m.yaml", with(kSpatial, ", range: [-10 deg, 10 deg]", ""));
  write("in.csv", "t,turn\n0,0.3490658503988659\n1,0.5\n");
  const Result check = run("check m.yaml"), json = run("check --json m.yaml");
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_EQ(json.status, 0) << json.err;
  EXPECT_THAT(check.out, HasSubstr("refused by                equations, graph, scalar, compare; build, "
                                   "simulate, run and view take it\n"));
  const auto report = nlohmann::json::parse(json.out);
  EXPECT_EQ(report.at("refused_by"), (std::vector<std::string>{"equations", "graph", "scalar", "compare"}));
  for (const std::string command : {"equations m.yaml", "graph m.yaml -o new.dot", "scalar m.yaml"}) {
    const Result result = run(command);
    EXPECT_EQ(result.status, 1) << command;
    EXPECT_THAT(check.out, HasSubstr(result.err)) << command;
    EXPECT_EQ(report.at("no_bond_graph").get<std::string>() + "\n", result.err) << command;
  }
  EXPECT_EQ(run("compare m.yaml --duration 0.1").status, 1);
  for (const std::string command :
       {"draw m.yaml -o new.svg", "build m.yaml -o built", "simulate m.yaml --input in.csv -o log.csv",
        "run m.yaml --duration 0.1", "packet m.yaml --format c"})
    EXPECT_EQ(run(command).status, 0) << command;
}

TEST_F(CheckFirst, NamesNoCommandWhereAllWork) {
  const std::string massive = with(with(kSpatial, ", range: [-10 deg, 10 deg]", ""), "P: [1, 0, 0]}}",
                                   "P: [1, 0, 0]}, mass: 2, com: [0.5, 0, 0], inertia: [1, 1, 1]}") +
                              "gravity: [0, -9.81, 0]\n";
  write("m.yaml", massive);
  EXPECT_THAT(run("check m.yaml").out, testing::Not(HasSubstr("refused by")));
  const auto report = nlohmann::json::parse(run("check --json m.yaml").out);
  EXPECT_TRUE(report.at("refused_by").empty());
  for (const char* command : {"equations m.yaml", "graph m.yaml -o new.dot", "scalar m.yaml"})
    EXPECT_EQ(run(command).status, 0) << command;
}

TEST_F(CheckFirst, StillReportsWhatItKnows) {
  write("m.yaml", kFlat);
  const Result json = run("check --json m.yaml");
  EXPECT_EQ(json.status, 1);
  const auto report = nlohmann::json::parse(json.out);
  EXPECT_EQ(report.at("assembled"), true);
  EXPECT_EQ(report.at("states"), 3);
  EXPECT_NEAR(report.at("start_angles_deg").at("crank").get<double>(), 180, 1e-9);
}

TEST_F(CheckFirst, LeavesNoFolderBehind) {
  write("m.yaml", kMachine);
  setenv("TMPDIR", (folder_ / "work").c_str(), 1);
  EXPECT_EQ(run("check m.yaml").status, 0);
  unsetenv("TMPDIR");
  EXPECT_EQ(files(), (std::vector<std::string>{"m.yaml", "old.svg"}));
}

}  // namespace
}  // namespace rodeo::tools
