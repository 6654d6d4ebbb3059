// SPDX-License-Identifier: MIT
// Free motion in space by every method, against equations of one variable written out by hand.
#include <map>
#include <numbers>

#include "kinematics/dynamics/minimal.h"
#include "tests/dynamics/support.h"
#include "tests/spatial/support.h"

namespace rodeo::spatial {
namespace {

using dynamics::Sample;
using dynamics::testing_support::Reference;
using testing_support::build;
using testing_support::build_config;
using testing_support::build_text;
using testing_support::system_of;

/// rc gives way by design; lagrange-implicit and zcp are as good as IDA's tolerance.
double tolerance_of(const std::string& method) {
  if (method == "rc") return 2e-3;
  return method == "minimal" || method == "lagrange" ? 1e-6 : 2e-5;
}

class ByMethod : public testing::TestWithParam<std::string> {
 protected:
  /// The largest difference of a joint's coordinate from the reference.
  static double run_against(const Machine& machine, int joint, Reference reference, double duration,
                            dynamics::RunReport* report = nullptr) {
    const auto problem = build(machine);
    const auto method = build_method(GetParam(), *problem, {.step = 5e-4});
    const System& system = system_of(*method);
    double worst = 0, near = reference.x();
    const auto result = run(*method, duration, 5e-3, [&](const Sample& sample) {
      reference.advance(sample.t);
      near = calc_joint_value(machine, system.build_pose(sample.state.q), machine.joints[joint], near);
      worst = std::max(worst, std::abs(near - reference.x()));
      return true;
    });
    if (report != nullptr) *report = result;
    return worst;
  }
};

TEST_P(ByMethod, APendulumOnASlantedPinSwingsAsItsEquationSays) {
  // θ̈ = (m/I) (n × r)·g about the pin n: r = R(n, θ) r₀; here the part of gravity across the pin is g cos(tilt).
  const double L = 1, m = 2, r = 0.03, tilt = std::numbers::pi / 6;
  const double inertia = m * L * L / 12 + m * r * r / 4 + m * L * L / 4;
  const Vector3 n(0, std::cos(tilt), std::sin(tilt)), r0(L / 2, 0, 0), g(0, 0, -9.81);
  const Reference reference(
      [=](double, double angle, double) {
        const Vector3 arm = std::cos(angle) * r0 + std::sin(angle) * n.cross(r0);
        return m * n.dot(arm.cross(g)) / inertia;
      },
      0, 0, 1e-4);
  EXPECT_LT(run_against(build_config("pendulum"), 0, reference, 1.5), tolerance_of(GetParam()));
}

/// Of the slider-crank: ½ I(θ) θ̇² + V(θ), I from the positions of the centres of mass and the rod's turning.
Reference build_crank_reference() {
  const double L1 = 0.2, L2 = 0.6, m1 = 1, m2 = 2, m3 = 1.5, g = 9.81;
  const auto inertia = [=](double a) {
    const double s = -L1 * std::sin(a) / L2, c = std::sqrt(1 - s * s);  // the rod's angle
    const double turn = -L1 * std::cos(a) / (L2 * c);                   // its rate by the crank's
    const double x = -L1 * std::sin(a) - L2 / 2 * s * turn, y = L1 * std::cos(a) + L2 / 2 * c * turn;
    const double piston = -L1 * std::sin(a) - L2 * s * turn;
    return m1 * L1 * L1 / 3 + m2 * (x * x + y * y) + m2 * L2 * L2 / 12 * turn * turn + m3 * piston * piston;
  };
  const auto weight = [=](double a) { return g * L1 * std::cos(a) * (m1 / 2 + m2 / 2); };
  return {[=](double, double a, double v) {
            const double h = 1e-5, slope = (inertia(a + h) - inertia(a - h)) / (2 * h);
            return (-weight(a) - 0.5 * slope * v * v) / inertia(a);
          },
          std::numbers::pi / 3, 4, 1e-4};
}

TEST_P(ByMethod, TheHyperstaticSliderCrankMovesAsItsEquationSays) {
  dynamics::RunReport report;
  EXPECT_LT(run_against(build_config("slider_crank_hyperstatic"), 0, build_crank_reference(), 1.0, &report),
            tolerance_of(GetParam()));
  EXPECT_LT(report.largest_residual, GetParam() == "rc" ? 1e-5 : 1e-7);
}

TEST_P(ByMethod, TheIsostaticSliderCrankMovesAsItsEquationSays) {
  dynamics::RunReport report;
  EXPECT_LT(run_against(build_config("slider_crank_isostatic"), 0, build_crank_reference(), 1.0, &report),
            tolerance_of(GetParam()));
  EXPECT_LT(report.largest_residual, GetParam() == "rc" ? 1e-5 : 1e-7);
}

TEST_P(ByMethod, ABallRollsDownAScrewAsItsEquationSays) {
  // (I + m h²) θ̈ = −m g h,  h = pitch/2π, for a screw along the vertical.
  const Machine machine = build_text(R"(
name: nut
ground: {points: {O: [0, 0, 0]}}
bodies: {nut: {points: {O: [0, 0, 0]}, mass: 2, inertia: [0.03, 0.03, 0.02]}}
joints: [{screw: [ground.O, nut.O], axis: [0, 0, 1], pitch: 0.5, name: thread}]
start: {rates: {thread: 1}}
gravity: [0, 0, -9.81]
)");
  const double h = 0.5 / (2 * std::numbers::pi), a = -2 * 9.81 * h / (0.02 + 2 * h * h);
  const Reference reference([=](double, double, double) { return a; }, 0, 1, 1e-4);
  EXPECT_LT(run_against(machine, 0, reference, 0.3), tolerance_of(GetParam()));
}

TEST_P(ByMethod, BennettsLinkageFallsThroughItsFlatPoseAndKeepsItsEnergyAndItsRelationOfAngles) {
  const Machine machine = build_config("bennett");
  const auto problem = build(machine, {{"all"}});
  const auto method = build_method(GetParam(), *problem, {});
  const double alpha = std::numbers::pi / 6, beta = 7 * std::numbers::pi / 18;
  const double ratio = std::sin((beta + alpha) / 2) / std::sin((beta - alpha) / 2);
  double relation = 0, a = std::numbers::pi / 3, most = a, least = a;
  const auto report = run(*method, 1.5, 5e-3, [&](const Sample& sample) {
    const Pose pose = system_of(*method).build_pose(sample.state.q);
    a = calc_joint_value(machine, pose, machine.joints[0], a);
    const double b = calc_joint_value(machine, pose, machine.joints[1]);
    most = std::max(most, a);
    least = std::min(least, a);
    relation = std::max(
        relation, std::abs(std::sin(a / 2) * std::sin(b / 2) - ratio * std::cos(a / 2) * std::cos(b / 2)));
    return true;
  });
  EXPECT_TRUE(most > std::numbers::pi || least < 0) << least << " to " << most;  // flat at 0 and π
  EXPECT_LT(report.largest_energy_error, GetParam() == "rc" ? 1e-3 : 1e-4);
  EXPECT_LT(relation, GetParam() == "rc" ? 1e-3 : 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Method, ByMethod, testing::ValuesIn(dynamics::method_names()), [](const auto& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

struct JointCase {
  const char* name;
  const char* joint;
  const char* start;
  int mobility;
};

/// A body on one joint under gravity, by every method: energy is kept, the joint stays closed, as many degrees of freedom are left as
/// its kind leaves, and all come to the same place.
class OneJoint : public testing::TestWithParam<JointCase> {};

TEST_P(OneJoint, LeavesItsFreedomsKeepsItsConstraintsAndTheEnergy) {
  const Machine machine = build_text(std::string(R"(
name: one
ground: {points: {O: [0.1, 0.2, 0]}, axes: {a: [1, 2, 2]}}
bodies:
  body:
    points: {P: [0.3, -0.1, 0.2], Q: [0, 0.4, 0]}
    axes: {m: [0, 1, 1]}
    mass: 1.5
    com: [0.1, 0.2, -0.3]
    inertia: [0.2, 0.3, 0.25, 0.02, 0.01, -0.03]
joints: [)") + GetParam().joint + R"(]
gravity: [0.5, 1, -9.81]
start: {)" + GetParam().start + "}\n");
  dynamics::Vector by_minimal;
  for (const std::string& name : dynamics::method_names()) {
    const auto problem = build(machine);
    EXPECT_EQ(problem->mobility, GetParam().mobility);
    const auto method = build_method(name, *problem, {.step = 5e-4});
    dynamics::Vector last;
    const auto report = run(*method, 0.5, 1e-2, [&](const Sample& sample) {
      last = sample.state.q;
      return true;
    });
    const double tolerance = name == "rc" ? 1e-5 : 1e-6;  // rc gives way by design
    EXPECT_LT(report.largest_residual, name == "minimal" ? 1e-12 : tolerance) << name;
    EXPECT_LT(report.largest_energy_error, name == "rc" ? 1e-4 : 1e-6) << name;
    EXPECT_GT((last - problem->q).norm(), 0.05) << name;
    if (by_minimal.size() == 0) by_minimal = last;
    EXPECT_LT((last - by_minimal).lpNorm<Eigen::Infinity>(), tolerance) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, OneJoint,
    testing::Values(
        JointCase{"revolute", "{revolute: [ground.O, body.P], axis: [ground.a, body.m]}", "rates: {body: 1}",
                  1},
        JointCase{"prismatic", "{prismatic: [ground.O, body.P], direction: [1, 2, -1], angle: 0.4}",
                  "rates: {body: 0}", 1},
        JointCase{"cylindrical", "{cylindrical: [ground.O, body.P], axis: [ground.a, body.m]}",
                  "rates: {body: [1, 1, 1]}", 2},
        JointCase{"screw", "{screw: [ground.O, body.P], axis: [1, 0, 1], pitch: 0.3}", "rates: {body: 0}", 1},
        JointCase{"spherical", "{spherical: [ground.O, body.P]}", "rates: {body: [1, -1, 2]}", 3},
        JointCase{"universal", "{universal: [ground.O, body.P], axes: [[1, 0, 0], [0, 1, 0]]}",
                  "rates: {body: [0, 1, 0]}", 2},
        JointCase{"planar", "{planar: [ground.O, body.P], normal: [0, 1, 1]}", "rates: {body: [0, 0.5, 0.5]}",
                  3},
        JointCase{"on_plane", "{point_on_plane: [ground.O, body.P], normal: [0.2, 0.1, 1]}",
                  "rates: {body: [1, 0, 1]}", 5},
        JointCase{"on_line", "{point_on_line: [ground.O, body.P], direction: [1, 0, -1]}",
                  "rates: {body: [1, 2, 0]}", 4}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Elements, OfAJointAreASpringAndADamperInItsFreeCoordinate) {
  // I θ̈ = −c θ̇ − k (θ − θ₀)
  const Machine machine = build_text(R"(
name: balance
ground: {points: {O: [0, 0, 0]}}
bodies: {wheel: {points: {O: [0, 0, 0]}, mass: 1, inertia: [0.02, 0.03, 0.05]}}
joints: [{revolute: [ground.O, wheel.O], axis: [0, 1, 0], name: shaft, stiffness: 3, damping: 0.04, rest: 0.5}]
start: {shaft: 1.2}
)");
  Reference reference([](double, double x, double v) { return (-3 * (x - 0.5) - 0.04 * v) / 0.03; }, 1.2, 0,
                      1e-4);
  const auto problem = build(machine);
  const auto method = build_method("minimal", *problem, {});
  double worst = 0;
  const auto report = run(*method, 2, 1e-2, [&](const Sample& sample) {
    reference.advance(sample.t);
    const Pose pose = system_of(*method).build_pose(sample.state.q);
    worst = std::max(worst, std::abs(calc_joint_value(machine, pose, machine.joints[0]) - reference.x()));
    return true;
  });
  EXPECT_LT(worst, 1e-8);
  EXPECT_LT(report.largest_energy_error, 1e-8);
}

TEST(Payload, IsAPointMassOfItsBody) {
  // A pendulum of a bar and a payload at its tip against the pendulum of both.
  const char* const kText = R"(
name: swing
ground: {points: {O: [0, 0, 0]}}
bodies: {bar: {points: {O: [0, 0, 0]}, mass: 2, com: [0.5, 0, 0], inertia: [0.01, 0.2, 0.2]}}
joints: [{revolute: [ground.O, bar.O], axis: [0, 1, 0], name: pin}]
forces: [{payload: bar, mass: 3, com: [1, 0, 0]}]
gravity: [0, 0, -9.81]
)";
  const double inertia = 0.2 + 2 * 0.25 + 3;
  Reference reference([=](double, double x, double) { return 9.81 * (2 * 0.5 + 3) * std::cos(x) / inertia; },
                      0, 0, 1e-4);
  const Machine machine = build_text(kText);
  const auto problem = build(machine);
  const auto method = build_method("minimal", *problem, {});
  double worst = 0;
  run(*method, 1, 1e-2, [&](const Sample& sample) {
    reference.advance(sample.t);
    const Pose pose = system_of(*method).build_pose(sample.state.q);
    worst = std::max(
        worst, std::abs(calc_joint_value(machine, pose, machine.joints[0], reference.x()) - reference.x()));
    return true;
  });
  EXPECT_LT(worst, 1e-8);
}

TEST(Drives, HoldUnlessTheyAreLetGo) {
  const Machine machine = build_config("rssr");
  EXPECT_EQ(testing_support::find_fault([&] { (void)build(machine); }),
            std::string(RODEO_SOURCE_DIR) +
                "/configs/spatial/rssr.yaml:25: nothing is left to move freely: the joints and drives fix "
                "mobility 1; let "
                "a drive go with --free NAME");
  const auto problem = build(machine, {{"crank"}});
  EXPECT_EQ(problem->mobility, 1);
  for (const std::string name : {"minimal", "lagrange"}) {
    const auto method = build_method(name, *problem, {.step = 5e-4});
    const auto report = run(*method, 1, 1e-2, [](const Sample&) { return true; });
    EXPECT_LT(report.largest_energy_error, 1e-5) << name;
  }
}

}  // namespace
}  // namespace rodeo::spatial
