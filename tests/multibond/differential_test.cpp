// SPDX-License-Identifier: MIT
// One machine moved four ways: by the library (kinematics/spatial), by its compiled kernel, by its multibond graph, joints held by
// springs or by multipliers, and by the scalar form of that graph, written to a file and read again. The graph knows nothing of the
// library's rows and forces, so that agreement of where the bodies are says that both have the same mechanics. Every kind of joint in space, each with
// springs, dampers and friction, between two bodies that both move, from a displacement and with rates.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kinematics/bondgraph/components.h"
#include "kinematics/bondgraph/write_graph.h"
#include "kinematics/multibond/multibond.h"
#include "kinematics/reduction/model.h"
#include "kinematics/simulate/run.h"
#include "kinematics/text/yaml.h"
#include "tests/spatial_kernel/support.h"
#include "tools/rodeo/offline_scalar.h"

namespace rodeo::multibond {
namespace {

using tools::PointRows;
using tools::TrackedPoint;

constexpr tools::MotionOptions kMotion{.duration = 0.5, .rate = 100.0};
// Springs of 1e7 N/m in the joints give by some 1e-6 m under some 20 N, and the motion by some times that in half a second.
constexpr double kOfSprings = 3e-4;
constexpr double kOfMultipliers = 1e-6;  // what CVODE and the velocity level leave
constexpr double kOfKernel = 1e-7;       // Runge-Kutta at 1 kHz

spatial::Machine read(const std::string& text) {
  return spatial::build_machine(text::build_yaml_from_text(text, "m.yaml"), "m.yaml");
}

std::string build_text(const std::string& joint, const std::string& forces, const std::string& start) {
  return fmt::format(R"(
name: pair
space: 3
gravity: [0, 0, -9.81]
ground: {{points: {{O: [0, 0, 0], S: [0.5, 0.6, 0.7]}}}}
bodies:
  a: {{points: {{O: [0, 0, 0], P: [0.4, 0.1, -0.2]}}, mass: 2, com: [0.2, 0.05, -0.1],
      inertia: [[0.08, 0.01, 0], [0.01, 0.09, 0.005], [0, 0.005, 0.1]]}}
  b: {{points: {{Q: [0, 0, 0], tip: [0.3, 0.2, 0.1]}}, mass: 1.5, com: [0.15, 0.1, 0.05], inertia: [0.05, 0.06, 0.07]}}
joints:
  - {{revolute: [ground.O, a.O], axis: [0, 1, 0], name: base}}
  - {{{}, name: j}}
forces: [{}]
start: {{{}}}
outputs: {{tip: b.tip, P: a.P}}
)",
                     joint, forces, start);
}

std::vector<TrackedPoint> list_points_of_file(const spatial::Machine& machine) {
  std::vector<TrackedPoint> points;
  for (const spatial::Output& output : machine.outputs)
    points.push_back({output.name, {output.name + "_x", output.name + "_y", output.name + "_z"}});
  return points;
}

double find_distance(const PointRows& a, const PointRows& b, const std::vector<TrackedPoint>& points) {
  EXPECT_EQ(a.size(), b.size());
  return tools::find_largest_distance(a, b, points, kMotion.rate).distance;
}

/// The scalar form as `rodeo scalar -o` writes it and `rodeo simulate` reads it.
bondgraph::Graph build_scalar_from_file(const bondgraph::Graph& graph) {
  const reduction::Model model = reduction::build_model(graph);
  const std::string text =
      bondgraph::build_yaml(bondgraph::build_scalar(model.vector->graph, model.vector->causality.strokes));
  return bondgraph::build_graph(text::build_yaml_from_text(text, "scalar.yaml"), "scalar.yaml");
}

double calc_kernel_distance(const spatial::Machine& machine, const PointRows& library) {
  spatial_kernel::Moving kernel(machine);
  double largest = 0.0;
  for (std::size_t i = 1; i < library.size(); ++i) {
    for (int k = 0; k < 10; ++k) kernel.move(1e-3);
    for (std::size_t o = 0; o < machine.outputs.size(); ++o)
      largest = std::max(largest, (kernel.triple(machine.outputs[o].name + ".") - library[i][o]).norm());
  }
  return largest;
}

/// Each way against the library.
void expect_one_machine(const spatial::Machine& machine) {
  const PointRows library = tools::build_library_motion(machine, kMotion);
  EXPECT_GT((library.back()[0] - library.front()[0]).norm(), 0.05);  // m: it moves
  const std::vector<TrackedPoint> points = tools::list_tracked_points(machine, false);
  const std::vector<TrackedPoint> of_file = list_points_of_file(machine);
  for (const auto& [hold, tolerance] :
       {std::pair{Hold::spring, kOfSprings}, std::pair{Hold::multiplier, kOfMultipliers}}) {
    Options options;
    options.hold = hold;
    const bondgraph::Graph graph = build_multibond(machine, options);
    EXPECT_LT(find_distance(library, tools::build_graph_motion(graph, points, kMotion), points), tolerance);
    const PointRows scalar = tools::build_graph_motion(build_scalar_from_file(graph), of_file, kMotion);
    EXPECT_LT(find_distance(library, scalar, of_file), tolerance);
  }
}

struct Case {
  const char* name;
  const char* joint;
  const char* force;
  const char* start;
};

constexpr const char* kTurn = "j: 0.5, rates: {base: 1, j: 2}";
constexpr const char* kSlide = "j: 0.3, rates: {base: 1, j: 0.5}";
constexpr const char* kBoth =
    "b: {origin: [0.5, 0.22, 0], angles: [0.2, 0.1, 0.4]}, rates: {base: 1, b: {spin: [0.5, 1, 2]}}";
constexpr const char* kSpin = "b: {angles: [0.4, 0.3, 0.2]}, rates: {base: 1, b: {spin: [1, -2, 1.5]}}";
constexpr const char* kFloat =
    "b: {origin: [0.5, 0.2, -0.1], angles: [0, 0, 0.2]}, rates: {base: 1, b: {spin: [1, -2, 1.5], velocity: "
    "[0.3, 0.2, "
    "0.1]}}";
constexpr const char* kFriction = "{friction: j, viscous: 0.6}";

#define RODEO_REVOLUTE "revolute: [a.P, b.Q], axis: [0.36, 0.48, 0.8]"
#define RODEO_PRISMATIC "prismatic: [a.P, b.Q], direction: [0.36, 0.48, 0.8]"
#define RODEO_CYLINDRICAL "cylindrical: [a.P, b.Q], axis: [0.36, 0.48, 0.8]"
#define RODEO_SCREW "screw: [a.P, b.Q], axis: [0.36, 0.48, 0.8], pitch: 0.4"
#define RODEO_SPHERICAL "spherical: [a.P, b.Q]"
#define RODEO_UNIVERSAL "universal: [a.P, b.Q], axes: [[0.36, 0.48, 0.8], [0.8, -0.6, 0]]"
#define RODEO_ON_LINE "point_on_line: [a.P, b.Q], direction: [0.36, 0.48, 0.8]"

const std::vector<Case> kCases = {
    {"revolute", RODEO_REVOLUTE, "", kTurn},
    {"revolute_friction", RODEO_REVOLUTE, kFriction, kTurn},
    {"revolute_damping", RODEO_REVOLUTE ", damping: 0.6", "", kTurn},
    {"revolute_stiffness", RODEO_REVOLUTE ", stiffness: 8, damping: 0.1, rest: -0.1", "", kTurn},
    {"prismatic", RODEO_PRISMATIC, "", kSlide},
    {"prismatic_friction", RODEO_PRISMATIC, kFriction, kSlide},
    {"prismatic_damping", RODEO_PRISMATIC ", damping: 0.6", "", kSlide},
    {"prismatic_stiffness", RODEO_PRISMATIC ", stiffness: 80, rest: -0.1", "", kSlide},
    {"cylindrical", RODEO_CYLINDRICAL, "", kBoth},
    {"cylindrical_friction", RODEO_CYLINDRICAL, kFriction, kBoth},
    {"cylindrical_damping", RODEO_CYLINDRICAL ", damping: [3, 0.4]", "", kBoth},
    {"cylindrical_stiffness", RODEO_CYLINDRICAL ", stiffness: [60, 5], damping: [1, 0.1], rest: [0.1, -0.2]",
     "", kBoth},
    {"screw", RODEO_SCREW, "", kTurn},
    {"screw_friction", RODEO_SCREW, kFriction, kTurn},
    {"screw_stiffness", RODEO_SCREW ", stiffness: 8, damping: 0.2, rest: -0.1", "", kTurn},
    {"spherical", RODEO_SPHERICAL, "", kSpin},
    {"spherical_friction", RODEO_SPHERICAL, kFriction, kSpin},
    {"spherical_damping", RODEO_SPHERICAL ", damping: 0.6", "", kSpin},
    {"universal", RODEO_UNIVERSAL, "", kSpin},
    {"universal_friction", RODEO_UNIVERSAL, kFriction, kSpin},
    {"universal_damping", RODEO_UNIVERSAL ", damping: 0.6", "", kSpin},
    {"planar", "planar: [a.P, b.Q], normal: [0.36, 0.48, 0.8]", "", kFloat},
    {"point_on_plane", "point_on_plane: [a.P, b.Q], normal: [0.36, 0.48, 0.8]", "", kFloat},
    {"point_on_line", RODEO_ON_LINE, "", kFloat},
    {"point_on_line_friction", RODEO_ON_LINE, kFriction, kFloat},
    {"point_on_line_damping", RODEO_ON_LINE ", damping: 0.6", "", kFloat},
    {"point_on_line_stiffness", RODEO_ON_LINE ", stiffness: 80, damping: 0.1, rest: -0.1", "", kFloat},
    {"fixed", "fixed: [a.P, b.Q]", "", "rates: {base: 2}"},
    {"spring", RODEO_SPHERICAL, "{spring: [ground.S, b.tip], stiffness: 80, rest_length: 0.3, damping: 1.5}",
     kSpin},
    {"damper", RODEO_SPHERICAL, "{damper: [ground.S, b.tip], damping: 3}", kSpin},
    {"torque", RODEO_SPHERICAL, "{torque: b, value: 1.5*sin(3*t), axis: [0.36, 0.48, 0.8]}", kSpin},
    {"torque_between", RODEO_SPHERICAL, "{torque: b, against: a, value: [0.3, 0.8*cos(t), -0.4]}", kSpin},
    {"force", RODEO_SPHERICAL, "{force: b.tip, value: [3*sin(5*t), 1, -2*t]}", kSpin},
    {"force_from_outside", RODEO_SPHERICAL,
     "{force: b.tip, name: dig}, {torque: b, name: wind, axis: [0, 0, 1]}", kSpin},
};

class OneMachine : public testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] static spatial::Machine machine() {
    return read(build_text(GetParam().joint, GetParam().force, GetParam().start));
  }
};

TEST_P(OneMachine, MovesByItsGraphAsByTheLibrary) { expect_one_machine(machine()); }

TEST_P(OneMachine, MovesByItsKernelAsByTheLibrary) {
  const spatial::Machine same = machine();
  EXPECT_LT(calc_kernel_distance(same, tools::build_library_motion(same, kMotion)), kOfKernel);
}

INSTANTIATE_TEST_SUITE_P(Space, OneMachine, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

/// A body on which nothing acts: no junction of its graph has one bond, so that the file can be read.
TEST(MultibondMotion, OfAFreeBodyIsWrittenAndReadAgain) {
  expect_one_machine(read(R"(
name: free
space: 3
ground: {points: {O: [0, 0, 0]}}
bodies: {b: {points: {tip: [0.3, 0.2, 0.1]}, mass: 2, inertia: [0.1, 0.2, 0.3]}}
start: {rates: {b: {spin: [1, 5, 0.1], velocity: [1, 0, 0]}}}
outputs: {tip: b.tip}
)"));
}

/// What comes from outside is an input of the graph, by its own name; a torque of 1.2 N m about z for a second turns
/// 0.3 kg m² by 1.2/(2·0.3) rad.
TEST(MultibondMotion, TakesInputsByTheirNames) {
  const spatial::Machine machine = read(R"(
name: wheel
space: 3
ground: {points: {O: [0, 0, 0]}}
bodies: {b: {points: {O: [0, 0, 0], tip: [1, 0, 0]}, mass: 2, inertia: [0.1, 0.2, 0.3]}}
joints: [{revolute: [ground.O, b.O], name: pin}]
forces: [{torque: b, name: motor}]
start: {rates: {pin: 0.0}}
outputs: {tip: b.tip}
)");
  const spatial::Assembly start = spatial::build_start_pose(machine);
  const bondgraph::Graph graph = build_multibond(machine, start.pose, std::vector<BodyRates>(2));
  const reduction::Model model = reduction::build_model(graph);
  ASSERT_EQ(model.system.inputs.size(), 1u);
  EXPECT_EQ(model.system.inputs[0].name, "motor");
  simulate::GraphRun run(
      model, {.times = {0.0}, .values = {1.2}, .count = 1},
      {.method = simulate::MethodKind::cvode, .rate = 10, .duration = 1, .columns = {"tip.x", "tip.y"}});
  std::vector<double> last;
  run.run([&](std::span<const double> row) { last.assign(row.begin(), row.end()); });
  EXPECT_NEAR(last[1], std::cos(2.0), 1e-6);
  EXPECT_NEAR(last[2], std::sin(2.0), 1e-6);
}

// ---- hyperstatic machines

/// Joints of a closed chain, all pins about z: three rows of the last joint follow from the others.
TEST(MultibondMotion, WithRedundantJointsHasNoMultiplierForThem) {
  expect_one_machine(
      spatial::build_machine_from_file(RODEO_SOURCE_DIR "/configs/spatial/slider_crank_hyperstatic.yaml"));
}

TEST(MultibondMotion, OnTwoBearingsHasMultipliersOfOne) {
  expect_one_machine(read(R"(
name: shaft
space: 3
gravity: [0, -9.81, 0]
ground: {points: {A: [0, 0, 0], B: [0, 0, 1]}}
bodies: {b: {points: {A: [0, 0, 0], B: [0, 0, 1], tip: [0.3, 0, 0.5]}, mass: 2, com: [0.1, 0, 0.5], inertia: [0.1, 0.2, 0.3]}}
joints: [{revolute: [ground.A, b.A], name: p}, {revolute: [ground.B, b.B], name: q}]
start: {p: 0.3, rates: {p: 2}}
outputs: {tip: b.tip}
)"));
}

/// Of three parallel cranks each is needed where the other two are in line: no rows can be left out for good.
TEST(MultibondMotion, OfThreeParallelCranksRefusesMultipliers) {
  const spatial::Machine machine = read(R"(
name: cranks
space: 3
gravity: [0, -9.81, 0]
ground: {points: {A: [0, 0, 0], B: [1, 0, 0], C: [2, 0.3, 0]}}
bodies:
  a: {points: {A: [0, 0, 0], P: [0, 0.5, 0]}, mass: 1, com: [0, 0.25, 0], inertia: [0.02, 0.01, 0.02]}
  c: {points: {B: [0, 0, 0], P: [0, 0.5, 0]}, mass: 1, com: [0, 0.25, 0], inertia: [0.02, 0.01, 0.02]}
  d: {points: {C: [0, 0, 0], P: [0, 0.5, 0]}, mass: 1, com: [0, 0.25, 0], inertia: [0.02, 0.01, 0.02]}
  b: {points: {P: [0, 0, 0], Q: [1, 0, 0], S: [2, 0.3, 0], tip: [1, 0.2, 0.1]}, mass: 2, com: [1, 0, 0], inertia: [0.1, 0.3, 0.4]}
joints:
  - {revolute: [ground.A, a.A], name: p}
  - {revolute: [ground.B, c.B], name: q}
  - {revolute: [ground.C, d.C], name: r}
  - {revolute: [a.P, b.P], name: s}
  - {revolute: [c.P, b.Q], name: t}
  - {revolute: [d.P, b.S], name: u}
start: {p: 0.3, q: 0.3, r: 0.3, rates: {p: -2}}
outputs: {tip: b.tip}
)");
  Options options;
  options.hold = Hold::multiplier;
  try {
    static_cast<void>(build_multibond(machine, options));
    FAIL() << "nothing was refused";
  } catch (const text::ModelError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("it is redundant, and whichever rows are left out, the rest is singular somewhere"),
              std::string::npos)
        << what;
    EXPECT_NE(what.find("--hold springs"), std::string::npos) << what;
  }
}

}  // namespace
}  // namespace rodeo::multibond
