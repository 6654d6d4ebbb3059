// SPDX-License-Identifier: MIT
// rigid_body.yaml, hinge.yaml and the graphs made of the library, against closed forms and against the multibond graphs of the same
// machines.
#include <gmock/gmock.h>

#include <Eigen/Geometry>
#include <numbers>

#include "kinematics/multibond/multibond.h"
#include "kinematics/reduction/model.h"
#include "kinematics/text/yaml.h"
#include "tests/multibond/running.h"

namespace rodeo::multibond {
namespace {

using Eigen::Vector3d;
using simulate::MethodKind;

constexpr double kTolerance = 1e-11;  // of CVODE
constexpr double kAgreement =
    1e-8;  // of two runs at that tolerance, over some hundred periods of stiff springs

std::string configs() { return std::string(RODEO_SOURCE_DIR) + "/configs/"; }

reduction::Model model_of(const std::string& text) {
  const std::string file = configs() + "graphs/m.yaml";  // for the subsets' sake
  return reduction::build_model(bondgraph::build_graph(text::build_yaml_from_text(text, file), file));
}
reduction::Model config(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return reduction::build_model(
      bondgraph::build_graph_from_file(configs() + "graphs/" + name + ".yaml", overrides));
}

Vector3d vector_at(const LogRows& log, std::size_t row, const std::string& quantity) {
  return {log.at(row, quantity + "_1"), log.at(row, quantity + "_2"), log.at(row, quantity + "_3")};
}
Eigen::Matrix3d rotation_at(const LogRows& log, std::size_t row, const std::string& body) {
  return Eigen::Quaterniond(log.at(row, body + ".qw"), log.at(row, body + ".qx"), log.at(row, body + ".qy"),
                            log.at(row, body + ".qz"))
      .normalized()
      .toRotationMatrix();
}

// ---- the body

/// Points, velocities and inertia of the start by matrices of their own, R = Rx Ry Rz.
TEST(RigidBody, StartsWithItsHingeWhereItIsSaidToBe) {
  const reduction::Model model = model_of(R"(
elements:
  b: {subset: rigid_body.yaml, with: {m: 3, Jx: 1, Jy: 2, Jz: 2.5, Jxy: 0.1, Jxz: 0.2, Jyz: -0.3, Ax: 0.4, Ay: -0.5, Az: 0.6, angle_x: 0.3,
      angle_y: -0.7, angle_z: 1.1, x: 1, y: 2, z: 3, vx: 4, vy: 5, vz: 6, wx: 0.7, wy: 0.8, wz: 0.9}}
outputs: {ax: b.A_x, ay: b.A_y, az: b.A_z, vx: b.A.flow_1, vy: b.A.flow_2, vz: b.A.flow_3}
)");
  const LogRows log = run(model, 0.0, 1.0, MethodKind::rk4);
  const Eigen::Matrix3d R =
      (Eigen::AngleAxisd(0.3, Vector3d::UnitX()) * Eigen::AngleAxisd(-0.7, Vector3d::UnitY()) *
       Eigen::AngleAxisd(1.1, Vector3d::UnitZ()))
          .toRotationMatrix();
  Eigen::Matrix3d J;
  J << 1, 0.1, 0.2, 0.1, 2, -0.3, 0.2, -0.3, 2.5;
  const Vector3d a(0.4, -0.5, 0.6), w(0.7, 0.8, 0.9);
  EXPECT_LT((rotation_at(log, 0, "b") - R).norm(), 1e-15);
  EXPECT_LT((vector_at(log, 0, "b.m.displacement") - (Vector3d(1, 2, 3) - R * a)).norm(), 1e-15);
  EXPECT_LT((vector_at(log, 0, "b.m.momentum") - 3 * (Vector3d(4, 5, 6) - R * w.cross(a))).norm(), 1e-14);
  EXPECT_LT((vector_at(log, 0, "b.J.momentum") - J * w).norm(), 1e-15);
  EXPECT_NEAR(log.at(0, "az"), 3, 1e-14);
  EXPECT_LT((Vector3d(log.at(0, "vx"), log.at(0, "vy"), log.at(0, "vz")) - Vector3d(4, 5, 6)).norm(), 1e-14);
}

TEST(RigidBody, FreeKeepsItsMomentaAndItsEnergyAsItTurnsOver) {
  const LogRows log = run(config("top"), 10.0, 1000.0, MethodKind::rk4);
  const std::size_t last = log.rows.size() - 1;
  const auto momentum = [&](std::size_t row) -> Vector3d {
    return rotation_at(log, row, "top") * vector_at(log, row, "top.J.momentum");
  };
  const auto energy = [&](std::size_t row) {
    const Vector3d h = vector_at(log, row, "top.J.momentum");
    return 0.5 * h.dot(h.cwiseQuotient(Vector3d(1, 2, 3)));
  };
  EXPECT_LT((momentum(last) - momentum(0)).norm(), 1e-8);  // of 10; RK4 at 5 rad/s and 1 ms
  EXPECT_NEAR(energy(last), energy(0), 1e-8);
  double least = 1.0;
  for (std::size_t row = 0; row <= last; ++row) least = std::min(least, log.at(row, "R22"));
  EXPECT_LT(least, -0.9);
}

/// The force at the hinge does the work that the body gets, and gives all of its momentum.
TEST(Hinge, PassesForceAndPower) {
  const reduction::Model model = model_of(R"(
elements:
  b: {subset: rigid_body.yaml, with: {m: 2, Jx: 1, Jy: 2, Jz: 1.5, wx: 1, angle_y: 0.4}}
  tip: {subset: hinge.yaml, with: {body: b, Px: 0.3, Py: 0.2, Pz: -0.6}}
  push: {Se: [1, 2, 3]}
bonds: [b.v -> tip.v, b.w -> tip.w, push -> tip.P]
outputs: {x: tip.P_x, y: tip.P_y, z: tip.P_z}
)");
  const LogRows log =
      run(model, {.method = MethodKind::cvode, .rate = 1, .duration = 2, .tolerance = kTolerance});
  const Vector3d force(1, 2, 3), J(1, 2, 1.5), p(0.3, 0.2, -0.6);
  const auto place = [&](std::size_t row) {
    return Vector3d(log.at(row, "x"), log.at(row, "y"), log.at(row, "z"));
  };
  const auto energy = [&](std::size_t row) {
    const Vector3d h = vector_at(log, row, "b.J.momentum");
    return 0.5 * h.dot(h.cwiseQuotient(J)) + 0.25 * vector_at(log, row, "b.m.momentum").squaredNorm();
  };
  EXPECT_LT((vector_at(log, 2, "b.m.momentum") - 2 * force).norm(), 1e-9);
  EXPECT_LT((place(2) - vector_at(log, 2, "b.m.displacement") - rotation_at(log, 2, "b") * p).norm(), 1e-12);
  EXPECT_NEAR(energy(2) - energy(0), force.dot(place(2) - place(0)), 1e-8);
}

// ---- the paper's machines

LogRows run_both(const reduction::Model& model, double duration) {
  return run(model, {.method = MethodKind::cvode, .rate = 50, .duration = duration, .tolerance = kTolerance});
}

/// Outputs `p_x` of the graph and `p.x` of the machine.
void expect_same_motion(const reduction::Model& graph, const std::string& machine, const std::string& point) {
  const reduction::Model built = reduction::build_model(
      build_multibond(spatial::build_machine_from_file(configs() + "spatial/" + machine + ".yaml")));
  const LogRows one = run_both(graph, 1.0), other = run_both(built, 1.0);
  double way = 0.0;
  for (std::size_t row = 0; row < one.rows.size(); ++row) {
    for (const char* axis : {"x", "y", "z"})
      EXPECT_NEAR(one.at(row, point + "_" + axis), other.at(row, point + "." + axis), kAgreement) << row;
    way = std::max(way, std::abs(one.at(row, point + "_x") - one.at(0, point + "_x")));
  }
  EXPECT_GT(way, 0.1);
}

TEST(PendulumSpace, MovesAsTheMultibondGraphOfTheMachine) {
  expect_same_motion(config("pendulum_space"), "pendulum", "tip");
}

TEST(SliderCrankSpace, MovesAsTheMultibondGraphOfTheMachine) {
  expect_same_motion(config("slider_crank_space"), "slider_crank_hyperstatic", "piston");
}

/// The joints that its comment says.
TEST(SliderCrankSpace, IsostaticMovesAsTheMultibondGraphOfThatMachine) {
  std::ifstream file(configs() + "graphs/slider_crank_space.yaml");
  std::string text(std::istreambuf_iterator<char>(file), {});
  const auto add = [&](const std::string& bodies, const std::string& holds) {
    const std::size_t place = text.find(bodies);
    ASSERT_NE(place, std::string::npos);
    text.insert(place, holds);
  };
  add("first: crank, second: rod", "hold_z: 0, ");
  add("first: rod, second: piston", "hold_turn_x: 0, hold_turn_y: 0, ");
  expect_same_motion(model_of(text), "slider_crank_isostatic", "piston");
}

/// θ̈ = m g cos(tilt) L/2 cos θ/(J + m L²/4): from rest, level, by small steps of its own. Turning about y lowers x.
TEST(PendulumSpace, FallsAsItsClosedEquation) {
  const double k = 2 * 9.81 * std::cos(std::numbers::pi / 6) * 0.5 / (2.0 / 12 + 2 * 9e-4 / 4 + 0.5);
  const int steps = 200000;
  const double h = 1.0 / steps;
  double angle = 0.0, rate = 0.0;
  for (int i = 0; i < steps; ++i) {  // leapfrog
    rate += 0.5 * h * k * std::cos(angle);
    angle += h * rate;
    rate += 0.5 * h * k * std::cos(angle);
  }
  const LogRows soft = run(config("pendulum_space"), 1.0, 50.0, MethodKind::cvode);
  const LogRows stiff = run(config("pendulum_space", {"joint_stiffness=1e8"}), 1.0, 50.0, MethodKind::cvode);
  EXPECT_NEAR(soft.at(50, "angle"), angle, 3e-4);
  EXPECT_NEAR(stiff.at(50, "angle"), angle, 3e-5);
}

/// Near its lowest place, θ = 90°, a swing of 0.01 rad has the period 2π √((J + m L²/4)/(m g cos(tilt) L/2)).
TEST(PendulumSpace, SwingsWithThePeriodOfSmallOscillations) {
  reduction::Model model = model_of(R"(
parameters: {L: 1, m: 2, r: 0.03, tilt: 30 deg, swing: 0.01}
elements:
  ground: {subset: ground.yaml}
  bar: {subset: rigid_body.yaml, with: {m: m, Jx: m*r^2/2, Jy: m*L^2/12 + m*r^2/4, Jz: m*L^2/12 + m*r^2/4, Ax: -L/2, gz: -9.81, angle_x: tilt,
        angle_y: 90 deg - swing}}
  pin: {subset: joint.yaml, with: {first: ground, second: bar, hold_turn_y: 0, angle_x: tilt, start_turn_y: -swing}}
bonds: [ground.v -> pin.v1, ground.w -> pin.w1, bar.A -> pin.v2, bar.w -> pin.w2]
outputs: {angle: pin.torsion.displacement_2}
)");
  const double rate =
      std::sqrt(2 * 9.81 * std::cos(std::numbers::pi / 6) * 0.5 / (2.0 / 12 + 2 * 9e-4 / 4 + 0.5));
  const LogRows log = run(model, 1.0, 50.0, MethodKind::cvode);
  for (std::size_t row = 0; row < log.rows.size(); ++row)
    EXPECT_NEAR(log.at(row, "angle"), -0.01 * std::cos(rate * log.rows[row][0]), 2e-6) << row;
}

}  // namespace
}  // namespace rodeo::multibond
