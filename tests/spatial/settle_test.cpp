// SPDX-License-Identifier: MIT
// Starts that are found: joints pulled closed from what is written, and poses in which the forces balance, against closed forms.
#include <cmath>

#include "kinematics/dynamics/equilibrium.h"
#include "kinematics/spatial/settle.h"
#include "tests/spatial/support.h"

namespace rodeo::spatial {
namespace {

using dynamics::Equilibrium;
using testing_support::build;
using testing_support::build_config;
using testing_support::build_text;

constexpr double kBalanced = 1e-8;  // a pose where 1e-10 of the largest force is left
const double kDegree = std::acos(-1.0) / 180;

Pose pose_of(const dynamics::Problem& problem) {
  return dynamic_cast<const System&>(problem.system).build_pose(problem.q);
}

Vector3 tip_of(const Machine& machine, const dynamics::Problem& problem) {
  return calc_position(machine, pose_of(problem), machine.outputs[0].point);
}

TEST(SettleInSpace, PullsJointsClosedFromTheAnglesAsWritten) {
  // As in the plane the crank 60° up and the rod 17° down close to 2 mm only, here across the rod, whose axes the row has:
  // 0.6 sin(17° − β), 0.6 sin β = 0.2 sin 60°.
  for (const char* config : {"slider_crank_hyperstatic", "slider_crank_isostatic"}) {
    const Machine machine = build_config(config);
    const auto problem = build(machine);
    const dynamics::SettledStart settled = settle_start(*problem, machine, build_start_pose(machine));
    EXPECT_NEAR(settled.open_before, 0.6 * std::sin(17 * kDegree - std::asin(std::sin(60 * kDegree) / 3)),
                1e-12);
    EXPECT_LT(settled.open_after, 1e-9);
    EXPECT_GT(settled.moved, 1e-5);
    EXPECT_LT(settled.moved, 1e-2);
    const Pose pose = pose_of(*problem);
    const Vector3 pin = pose.bodies[1].place({0.2, 0, 0}), end = pose.bodies[2].place({0.6, 0, 0});
    EXPECT_NEAR((pin - pose.bodies[2].origin).norm(), 0, 1e-12);
    EXPECT_NEAR((end - pose.bodies[3].origin).norm(), 0, 1e-12);
    EXPECT_NEAR(end.y(), 0, 1e-12);  // on its guide
    EXPECT_NEAR(end.z(), 0, 1e-12);
    EXPECT_NEAR(dynamic_cast<const System&>(problem->system).calc_spin(problem->v, 1).z(), 4, 1e-9);
  }
}

TEST(SettleInSpace, TakesOriginsAsWritten) {
  const Machine machine = build_text(R"(
name: bar
ground: {points: {O: [0, 0, 0]}}
bodies: {bar: {points: {O: [0, 0, 0]}, mass: 2, com: [0.5, 0, 0], inertia: [0.01, 0.2, 0.2]}}
joints: [{spherical: [ground.O, bar.O]}]
start: {bar: {angles: [0, 0, 0], origin: [0.03, 0, 0.04]}}
gravity: [0, 0, -9.81]
)");
  const auto problem = build(machine);
  const dynamics::SettledStart settled = settle_start(*problem, machine, build_start_pose(machine));
  EXPECT_NEAR(settled.open_before, 0.04, 1e-12);  // the largest of a joint's rows
  EXPECT_NEAR(pose_of(*problem).bodies[1].origin.norm(), 0, 1e-12);
}

/// The pin n = (0, cos 30°, sin 30°): the bar hangs along −z less its part along n.
TEST(EquilibriumInSpace, PendulumOnATiltedPinHangs) {
  for (const char* start : {"0", "1.2", "-2.5"}) {
    Machine machine = build_config("pendulum");
    machine.start_joints[0] = std::stod(start);
    const auto problem = build(machine);
    problem->v.setOnes();
    const Equilibrium result = find_equilibrium(*problem);
    ASSERT_TRUE(result.found) << start << " " << result.left;
    const Vector3 tip = tip_of(machine, *problem);
    EXPECT_NEAR(tip.x(), 0, kBalanced);
    EXPECT_NEAR(tip.y(), std::sin(30 * kDegree), kBalanced);
    EXPECT_NEAR(tip.z(), -std::cos(30 * kDegree), kBalanced);
    EXPECT_TRUE(problem->v.isZero(0.0));
  }
}

/// A bar of length 1 and mass m on a ball joint, a spring of rest length 0 from its tip to C: E = −(k C + m g/2)·tip + const., so
/// that the bar lies along k C + m g/2.
TEST(EquilibriumInSpace, SpringHoldsABarWhereTheClosedFormSays) {
  const Machine machine = build_text(R"(
name: held
ground: {points: {O: [0, 0, 0], C: [0.4, -0.7, 0.9]}}
bodies: {bar: {points: {O: [0, 0, 0], tip: [1, 0, 0]}, mass: 3, com: [0.5, 0, 0], inertia: [0.01, 0.25, 0.25]}}
joints: [{spherical: [ground.O, bar.O]}]
forces: [{spring: [ground.C, bar.tip], stiffness: 25}]
gravity: [0, 0, -9.81]
outputs: {tip: bar.tip}
)");
  const auto problem = build(machine);
  ASSERT_TRUE(find_equilibrium(*problem).found);
  const Vector3 along = (25 * Vector3(0.4, -0.7, 0.9) + 1.5 * Vector3(0, 0, -9.81)).normalized();
  EXPECT_NEAR((tip_of(machine, *problem) - along).norm(), 0, kBalanced);
}

/// On a guide the spring gives way by m g/k.
TEST(EquilibriumInSpace, MassOnASpringSinksByItsWeightOverTheStiffness) {
  const Machine machine = build_text(R"(
name: scale
ground: {points: {O: [0, 0, 0]}}
bodies: {pan: {points: {P: [0, 0, 0]}, mass: 2, inertia: [0.1, 0.1, 0.1]}}
joints: [{prismatic: [ground.O, pan.P], direction: [0, 0, 1], stiffness: 500}]
gravity: [0, 0, -9.81]
outputs: {pan: pan.P}
)");
  const auto problem = build(machine);
  ASSERT_TRUE(find_equilibrium(*problem).found);
  EXPECT_NEAR(tip_of(machine, *problem).z(), -2 * 9.81 / 500, 1e-10);
}

/// Upright it balances, and does not stand.
TEST(EquilibriumInSpace, LeavesAPoseThatDoesNotStand) {
  const Machine machine = build_config("heavy_top", {"tilt=0"});
  const auto problem = build(machine);
  ASSERT_NEAR(tip_of(machine, *problem).z(), 0.2, 1e-12);
  ASSERT_TRUE(find_equilibrium(*problem).found);
  EXPECT_NEAR(tip_of(machine, *problem).z(), -0.2, kBalanced);
}

TEST(EquilibriumInSpace, IsNotFoundForABodyThatFalls) {
  const auto problem = build(build_text(R"(
name: stone
space: 3
bodies: {stone: {points: {c: [0, 0, 0]}, mass: 1, inertia: [1, 1, 1]}}
gravity: [0, 0, -9.81]
)"));
  const dynamics::Vector before = problem->q;
  EXPECT_FALSE(find_equilibrium(*problem).found);
  EXPECT_EQ(problem->q, before);
}

}  // namespace
}  // namespace rodeo::spatial
