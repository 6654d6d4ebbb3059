// SPDX-License-Identifier: MIT
// Machines in space as multibond graphs, moved by their graphs' equations, against closed forms.
#include <gmock/gmock.h>

#include <numbers>

#include "kinematics/bondgraph/components.h"
#include "kinematics/multibond/multibond.h"
#include "kinematics/reduction/model.h"
#include "kinematics/text/yaml.h"
#include "tests/multibond/running.h"

namespace rodeo::multibond {
namespace {

spatial::Machine read(const std::string& text) {
  return spatial::build_machine(text::build_yaml_from_text(text, "m.yaml"), "m.yaml");
}

reduction::Model build(const std::string& text, const std::vector<BodyRates>& rates,
                       const Options& options = {}) {
  const spatial::Machine machine = read(text);
  const spatial::Assembly start = spatial::build_start_pose(machine);
  EXPECT_TRUE(start.assembled);
  return reduction::build_model(build_multibond(machine, start.pose, rates, options));
}

const char* const kPendulum = R"(
name: pendulum
space: 3
gravity: [0, -9.81, 0]
ground: {points: {O: [0, 0, 0]}}
bodies:
  rod: {points: {O: [0, 0, 0], tip: [1, 0, 0]}, mass: 2, com: [0.5, 0, 0], inertia: [0.01, 0.2, 0.2]}
joints:
  - {revolute: [ground.O, rod.O], axis: [0, 0, 1], name: pin}
start: {rod: 0}
outputs: {tip: rod.tip}
)";

/// θ̈ = −m g (l/2) cos θ/(J + m l²/4), from rest at θ = 0, by small steps of its own.
double calc_pendulum(double duration) {
  const double k = 2 * 9.81 * 0.5 / (0.2 + 2 * 0.25);
  const int steps = 200000;
  const double h = duration / steps;
  double angle = 0.0, rate = 0.0;
  for (int i = 0; i < steps; ++i) {  // leapfrog
    rate -= 0.5 * h * k * std::cos(angle);
    angle += h * rate;
    rate -= 0.5 * h * k * std::cos(angle);
  }
  return angle;
}

TEST(Multibond, OfAPendulumFallsAsItsClosedEquation) {
  const reduction::Model model = build(kPendulum, {{}, {}});
  const LogRows result = run(model, 1.0, 100.0, simulate::MethodKind::cvode);
  const double angle = calc_pendulum(1.0);
  EXPECT_NEAR(result.at(100, "tip.x"), std::cos(angle), 1e-4);
  EXPECT_NEAR(result.at(100, "tip.y"), std::sin(angle), 1e-4);
  EXPECT_NEAR(result.at(100, "tip.z"), 0.0, 1e-9);
}

TEST(Multibond, OfAPendulumByMultipliersIsAsExactAsItsIntegration) {
  const reduction::Model model = build(kPendulum, {{}, {}}, {.hold = Hold::multiplier});
  const LogRows result = run(model, 1.0, 1000.0, simulate::MethodKind::rk4);
  const double angle = calc_pendulum(1.0);
  EXPECT_NEAR(result.at(1000, "tip.x"), std::cos(angle), 1e-8);
  EXPECT_NEAR(result.at(1000, "tip.y"), std::sin(angle), 1e-8);
}

TEST(Multibond, ByCardanAnglesMovesAsByQuaternions) {
  std::string text = kPendulum;
  text += "orientation: cardan\n";
  const reduction::Model model = build(text, {{}, {}}, {.hold = Hold::multiplier});
  const LogRows result = run(model, 1.0, 1000.0, simulate::MethodKind::rk4);
  EXPECT_NEAR(result.at(1000, "tip.y"), std::sin(calc_pendulum(1.0)), 1e-8);
}

/// A free body with a spin about all axes: h × ω = 0 fails, so that the gyrator works.
const char* const kTop = R"(
name: top
bodies:
  top: {points: {O: [0, 0, 0], tip: [0, 0, 1]}, mass: 3, com: [0, 0, 0], inertia: [1, 2, 3]}
ground: {points: {O: [0, 0, 0]}}
outputs: {tip: top.tip}
)";

TEST(Multibond, OfATopKeepsItsAngularMomentumInSpace) {
  const Eigen::Vector3d spin(0.1, 1.0, 0.2);
  const reduction::Model model = build(kTop, {{}, {spin, Eigen::Vector3d(0.5, 0, 0)}});
  const LogRows result = run(model, 10.0, 1000.0, simulate::MethodKind::rk4);
  const auto momentum = [&](std::size_t row) {
    const Eigen::Quaterniond q(result.at(row, "top.qw"), result.at(row, "top.qx"), result.at(row, "top.qy"),
                               result.at(row, "top.qz"));
    const Eigen::Vector3d h(result.at(row, "top.J.momentum_1"), result.at(row, "top.J.momentum_2"),
                            result.at(row, "top.J.momentum_3"));
    return Eigen::Vector3d(q.normalized() * h);
  };
  EXPECT_LT((momentum(10000) - momentum(0)).norm(), 1e-10);
  EXPECT_NEAR(momentum(0).y(), 2.0, 1e-15);
  EXPECT_NEAR(result.at(10000, "top.m.displacement_1"), 5.0, 1e-12);
}

/// Crank 0.3, coupler 1, all pins about z, the piston along x: three revolute joints and a prismatic one.
const char* const kSliderCrank = R"(
name: slider_crank
space: 3
gravity: [0, -9.81, 0]
ground: {points: {O: [0, 0]}}
bodies:
  crank: {points: {O: [0, 0], A: [0.3, 0]}, mass: 1, com: [0.15, 0], inertia: [0.001, 0.01, 0.01]}
  rod: {points: {A: [0, 0], B: [1, 0]}, mass: 2, com: [0.5, 0], inertia: [0.002, 0.17, 0.17]}
  piston: {points: {B: [0, 0]}, mass: 1.5, com: [0, 0], inertia: [0.003, 0.003, 0.003]}
joints:
  - {revolute: [ground.O, crank.O], name: main}
  - {revolute: [crank.A, rod.A], name: big_end}
  - {revolute: [rod.B, piston.B], name: small_end}
  - {prismatic: [ground.O, piston.B], direction: [1, 0], name: guide}
start: {crank: 60 deg, rod: -15 deg, piston: 0}
outputs: {B: piston.B, A: crank.A}
)";

/// The same from rest in the crank's angle alone: energy with the inertia of everything that moves, by differences.
double calc_slider_crank(double duration, double& rate) {
  const double a = 0.3, l = 1.0;
  const auto inertia = [&](double t) {  // kinetic energy for unit rate, times 2
    const double p = -std::asin(a * std::sin(t) / l), dp = -a * std::cos(t) / (l * std::cos(p));
    const double vx = -a * std::sin(t) - l * std::sin(p) * dp;  // of the piston
    const double gx = -a * std::sin(t) - 0.5 * l * std::sin(p) * dp,
                 gy = a * std::cos(t) + 0.5 * l * std::cos(p) * dp;
    return 0.01 + 1 * 0.15 * 0.15 + 2 * (gx * gx + gy * gy) + 0.17 * dp * dp + 1.5 * vx * vx;
  };
  const auto potential = [&](double t) {
    const double p = -std::asin(a * std::sin(t) / l);
    return 9.81 * (1 * 0.15 * std::sin(t) + 2 * (a * std::sin(t) + 0.5 * l * std::sin(p)));
  };
  const auto acceleration = [&](double t, double w) {
    const double h = 1e-5;
    const double slope = (inertia(t + h) - inertia(t - h)) / (2 * h);
    const double force = -(potential(t + h) - potential(t - h)) / (2 * h);
    return (force - 0.5 * slope * w * w) / inertia(t);
  };
  double t = std::numbers::pi / 3, w = 0.0;
  const int steps = 20000;
  const double h = duration / steps;
  for (int i = 0; i < steps; ++i) {  // the midpoint rule
    const double tm = t + 0.5 * h * w, wm = w + 0.5 * h * acceleration(t, w);
    t += h * wm;
    w += h * acceleration(tm, wm);
  }
  rate = w;
  return t;
}

/// Where the crank's pin is after half a second, against the motion in the crank's angle alone, m.
double calc_error(double stiffness) {
  Options options;
  options.stiffness = stiffness;
  const reduction::Model model = reduction::build_model(build_multibond(read(kSliderCrank), options));
  const LogRows result = run(model, 0.5, 100.0, simulate::MethodKind::cvode);
  EXPECT_NEAR(result.at(50, "B.y"), 0.0, 100 / stiffness);  // some 20 N of a weight that moves
  EXPECT_NEAR(result.at(50, "B.z"), 0.0, 1e-9);
  double rate = 0.0;
  const double angle = calc_slider_crank(0.5, rate);
  return std::hypot(result.at(50, "A.x") - 0.3 * std::cos(angle),
                    result.at(50, "A.y") - 0.3 * std::sin(angle));
}

TEST(Multibond, OfTheHyperstaticSliderCrankComesCloserAsItsSpringsAreStiffer) {
  const double soft = calc_error(1e6), stiff = calc_error(1e7);
  EXPECT_LT(stiff, 1e-4);
  EXPECT_LT(stiff, soft / 5);
}

TEST(Multibond, HasEqualEquationsInScalarForm) {
  const reduction::Model vector = reduction::build_model(build_multibond(read(kSliderCrank)));
  const reduction::Model scalar =
      reduction::build_model(bondgraph::build_scalar(vector.vector->graph, vector.vector->causality.strokes));
  ASSERT_EQ(scalar.system.states.size(), vector.system.states.size());
  const LogRows a = run(vector, 0.01, 100.0, simulate::MethodKind::cvode);
  const LogRows b = run(scalar, 0.01, 100.0, simulate::MethodKind::cvode);
  EXPECT_NEAR(a.at(1, "A.x"), b.at(1, "A.x"), 1e-9);
  EXPECT_NEAR(a.at(1, "B.x"), b.at(1, "B.x"), 1e-9);
}

/// What a joint does to one body it does to the other at the same place, however its springs give (V8).
TEST(Multibond, OfTwoBodiesKeepsTheirAngularMomentum) {
  const Eigen::Vector3d spin(0.3, -0.5, 8.0), other = spin + Eigen::Vector3d(0, 0, 3);
  const Eigen::Vector3d velocity =
      spin.cross(Eigen::Vector3d(0.5, 0, 0)) + other.cross(Eigen::Vector3d(0.4, 0, 0));
  Options options;
  options.stiffness = 1e5;  // soft, so that the points are apart
  const reduction::Model model = build(R"(
name: pair
space: 3
ground: {points: {O: [0, 0, 0]}}
bodies:
  a: {points: {O: [0, 0, 0], P: [0.5, 0, 0]}, mass: 3, com: [0, 0, 0], inertia: [0.2, 0.3, 0.4]}
  b: {points: {P: [0, 0, 0]}, mass: 2, com: [0.4, 0, 0], inertia: [0.1, 0.2, 0.25]}
joints:
  - {revolute: [a.P, b.P], axis: [0, 0, 1], name: pin}
)",
                                       {{}, {spin, Eigen::Vector3d::Zero()}, {other, velocity}}, options);
  const LogRows result =
      run(model, {.method = simulate::MethodKind::cvode, .rate = 10, .duration = 1, .tolerance = 1e-11});
  const auto vector_at = [&](std::size_t row, const std::string& name) {
    return Eigen::Vector3d(result.at(row, name + "_1"), result.at(row, name + "_2"),
                           result.at(row, name + "_3"));
  };
  const auto momentum = [&](std::size_t row) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const std::string body : {"a", "b"}) {
      const Eigen::Quaterniond q(result.at(row, body + ".qw"), result.at(row, body + ".qx"),
                                 result.at(row, body + ".qy"), result.at(row, body + ".qz"));
      sum += q.normalized() * vector_at(row, body + ".J.momentum") +
             vector_at(row, body + ".m.displacement").cross(vector_at(row, body + ".m.momentum"));
    }
    return sum;
  };
  EXPECT_LT((momentum(10) - momentum(0)).norm(), 1e-8);
}

/// Dynamic unbalance turns with the rotor: it leans by Jxz Ω²/(K + (Jz − Jx) Ω²) in its own axes, and no more as time goes on.
TEST(Multibond, OfAnUnbalancedRotorLeansAsItsSpringsSayHoweverOftenItTurns) {
  const reduction::Model model = build(R"(
name: rotor
space: 3
ground: {points: {O: [0, 0, 0]}}
bodies:
  rotor: {points: {O: [0, 0, 0], tip: [0, 0, 1]}, mass: 10, com: [0, 0, 0], inertia: [[1, 0, 0.1], [0, 1, 0], [0.1, 0, 1.5]]}
joints:
  - {revolute: [ground.O, rotor.O], axis: [0, 0, 1], name: pin}
start: {pin: 0}
outputs: {tip: rotor.tip}
)",
                                       {{}, {Eigen::Vector3d(0, 0, 100), Eigen::Vector3d::Zero()}});
  const LogRows result = run(model, 1.0, 10.0, simulate::MethodKind::cvode);
  const double lean = 0.1 * 1e4 / (1e7 + 0.5 * 1e4);
  EXPECT_NEAR(std::hypot(result.at(10, "tip.x"), result.at(10, "tip.y")), lean, 1e-3 * lean);
}

TEST(Multibond, OfABodyWithoutMassIsRefused) {
  const spatial::Machine machine = read(
      "bodies: {a: {points: {O: [0, 0, 0]}}}\nground: {points: {O: [0, 0, 0]}}\njoints: [{spherical: "
      "[ground.O, a.O]}]\n");
  try {
    static_cast<void>(build_multibond(machine, spatial::Pose{{{}, {}}}, {{}, {}}));
    FAIL() << "nothing was refused";
  } catch (const text::ModelError& error) {
    EXPECT_STREQ(error.what(), "m.yaml:1: body 'a': a body of a bond graph needs a mass and an inertia");
  }
}

}  // namespace
}  // namespace rodeo::multibond
