// SPDX-License-Identifier: MIT
// Rows of every joint and drive, and forces, against differences of positions: J, J̇v and power share no code with what they
// are compared to.
#include "tests/spatial/support.h"

namespace rodeo::spatial {
namespace {

using testing_support::build_random;
using testing_support::build_text;

/// Every kind of joint and drive between two moving bodies, with centres of mass and principal axes off the bodies' frames.
const char* const kEverything = R"(
name: everything
ground: {points: {O: [0.1, -0.2, 0.3]}, axes: {a: [1, 2, 2]}}
bodies:
  a:
    points: {P: [0.2, 0.1, -0.4], Q: [-0.3, 0.5, 0.2]}
    axes: {m: [1, -1, 0.5]}
    mass: 2
    com: [0.1, -0.2, 0.05]
    inertia: [0.3, 0.4, 0.5, 0.05, -0.02, 0.03]
  b:
    points: {P: [-0.1, 0.3, 0.2], Q: [0.4, -0.2, 0.6]}
    axes: {m: [0.3, 1, 0.2]}
    mass: 3
    com: [-0.2, 0.1, 0.3]
    inertia: [[0.6, 0.1, 0], [0.1, 0.5, 0.05], [0, 0.05, 0.7]]
joints:
  - {revolute: [a.P, b.P], axis: [1, 2, -1], name: revolute, stiffness: 3, damping: 0.4, rest: 0.2}
  - {prismatic: [a.P, b.Q], direction: [0, 1, 1], name: prismatic, damping: 0.7, stiffness: 5, rest: -0.1}
  - {cylindrical: [a.Q, b.P], axis: [a.m, b.m], name: cylindrical, damping: [0.2, 0.3], stiffness: [2, 4]}
  - {screw: [a.Q, b.Q], axis: [-1, 0.2, 0.1], pitch: 0.4, name: screw, damping: 0.1}
  - {spherical: [a.P, b.P], name: spherical, damping: 0.5}
  - {universal: [a.P, b.Q], axes: [[1, 0, 1], [0, 1, 1]], name: universal}
  - {planar: [a.Q, b.Q], normal: [0.2, 0.1, 1], name: planar}
  - {point_on_plane: [a.Q, b.P], normal: [1, 1, 1], name: on_plane}
  - {point_on_line: [a.P, b.P], direction: [0, 0.3, 1], name: on_line}
  - {fixed: [a.Q, b.Q], angle: 0.3, name: fixed}
drives:
  d1: {angle: a}
  d2: {relative_angle: [b, a], axis: [1, 1, 0]}
  d3: {cylinder: [ground.O, b.Q], retracted: 0.1, stroke: 9}
  d4: {slide: [a.P, b.Q]}
  d5: {joint: cylindrical, motion: slide}
forces:
  - {spring: [a.P, b.Q], stiffness: 40, rest_length: 0.3, damping: 7}
  - {damper: [ground.O, b.P], damping: 3}
  - {torque: b, against: a, value: [2, 1 + t, -3]}
  - {torque: a, value: 1.5, axis: b.m}
  - {force: b.Q, value: [3, -1 + t, 2]}
  - {friction: universal, viscous: 0.9}
  - {friction: on_line, viscous: 1.1}
  - {stop: [a.Q, b.P], retracted: 9, stiffness: 30, damping: 2}
  - {stop: [ground.O, a.P], retracted: 0, stroke: 0.01, stiffness: 20, damping: 3}
  - {contact: b.Q, height: 8, normal: [1, -2, 2], stiffness: 25, damping: 4, viscous: 1.5}
gravity: [0.5, 1.5, -9.81]
start: {rates: {a: 0}}
)";

class EveryRow : public testing::TestWithParam<const char*> {
 protected:
  static System build_everything() {
    Machine machine = build_text(kEverything);
    machine.orientation = std::string(GetParam()) == "cardan" ? Orientation::cardan : Orientation::quaternion;
    return {machine, build_rows(machine, true), {0.4, 0.5, 1.0, 0.2, 0.1}};
  }
  /// A pose that closes nothing, and velocities.
  static Vector build_pose(const System& system, unsigned seed) {
    Machine machine = system.machine();
    Pose pose;
    pose.bodies.resize(3);
    for (unsigned b = 1; b < 3; ++b) {
      const Vector x = build_random(6, 10 * seed + b);
      pose.bodies[b].origin = x.head<3>();
      pose.bodies[b].q = calc_turn(x.tail<3>());
    }
    return system.build_coordinates(pose);
  }
};

constexpr double kShift = 1e-6;
constexpr double kDifference = 1e-8;  // what a central difference of that shift is good for

TEST_P(EveryRow, HasTheRatesAndSecondRatesOfItsResidual) {
  const System system = build_everything();
  for (unsigned seed = 1; seed < 5; ++seed) {
    const Vector q = build_pose(system, seed), v = build_random(system.velocities(), 70 + seed);
    Vector before_q = q, after_q = q;
    system.move(before_q, -kShift * v);
    system.move(after_q, kShift * v);
    Workspace at, before, after;
    system.calc_rows(q, v, at);
    system.calc_rows(before_q, v, before);
    system.calc_rows(after_q, v, after);
    const Vector rate = (after.rows.residual - before.rows.residual) / (2 * kShift);
    const Vector bias =
        (calc_product(after.rows.terms, v) - calc_product(before.rows.terms, v)) / (2 * kShift);
    for (Eigen::Index i = 0; i < rate.size(); ++i) {
      EXPECT_NEAR(calc_product(at.rows.terms[i], v), rate[i], kDifference)
          << system.row_name(i) << " " << seed;
      EXPECT_NEAR(at.rows.bias[i], bias[i], kDifference) << system.row_name(i) << " " << seed;
    }
  }
}

TEST_P(EveryRow, OfAMinimalCoordinateToo) {
  const System system = build_everything();
  const Vector q = build_pose(system, 3), v = build_random(system.velocities(), 5);
  Vector reference = q, before_q = q, after_q = q;
  system.move(reference, 0.3 * build_random(system.velocities(), 6));
  system.move(before_q, -kShift * v);
  system.move(after_q, kShift * v);
  Workspace at, before, after;
  system.calc_rows(q, v, at);
  system.calc_rows(before_q, v, before);
  system.calc_rows(after_q, v, after);
  for (int i = 0; i < system.coordinate_count(); ++i) {
    const auto s = system.calc_coordinate(i, q, reference, at);
    const auto b = system.calc_coordinate(i, q, reference, before),
               a = system.calc_coordinate(i, q, reference, after);
    EXPECT_NEAR(calc_product(s.row, v), (a.value - b.value) / (2 * kShift), kDifference)
        << system.coordinate_name(i);
    EXPECT_NEAR(s.bias, (calc_product(a.row, v) - calc_product(b.row, v)) / (2 * kShift), kDifference)
        << system.coordinate_name(i);
  }
}

TEST_P(EveryRow, PositionsMoveByTheRatesOfPositions) {
  const System system = build_everything();
  const Vector q = build_pose(system, 2), v = build_random(system.velocities(), 8);
  Vector before = q, after = q;
  system.move(before, -kShift * v);
  system.move(after, kShift * v);
  EXPECT_LT(((after - before) / (2 * kShift) - system.calc_position_rates(q, v)).cwiseAbs().maxCoeff(),
            kDifference);
}

TEST_P(EveryRow, PowerOfAllForcesIsWhatIsBroughtLessWhatIsLostAndStored) {
  System system = build_everything();
  const Vector q = build_pose(system, 4), v = build_random(system.velocities(), 9);
  Vector before_q = q, after_q = q;
  system.move(before_q, -kShift * v);
  system.move(after_q, kShift * v);
  Workspace at, before, after;
  system.calc(0.7, q, v, at);
  system.calc_rows(before_q, v, before);
  system.calc_rows(after_q, v, after);
  const double stored =
      (system.calc_energy(v, after).potential - system.calc_energy(v, before).potential) / (2 * kShift);
  EXPECT_NEAR(at.f.dot(v), at.power.brought - at.power.dissipated - stored, 1e-6);
  EXPECT_GT(at.power.dissipated, 0);
}

INSTANTIATE_TEST_SUITE_P(Orientation, EveryRow, testing::Values("quaternion", "cardan"),
                         [](const auto& test) { return std::string(test.param); });

TEST(CardanAngles, AreThoseOfTheirRotation) {
  // R(a, b, c) written out: the rows of Rx Ry Rz.
  const double a = 0.3, b = -0.7, c = 1.9;
  const Matrix3 R = calc_cardan_rotation({a, b, c});
  EXPECT_NEAR(R(0, 2), std::sin(b), 1e-15);
  EXPECT_NEAR(R(0, 0), std::cos(b) * std::cos(c), 1e-15);
  EXPECT_NEAR(R(1, 2), -std::sin(a) * std::cos(b), 1e-15);
  EXPECT_NEAR(R(1, 0), std::cos(a) * std::sin(c) + std::sin(a) * std::sin(b) * std::cos(c), 1e-15);
  EXPECT_LT((calc_cardan_angles(R) - Vector3(a, b, c)).norm(), 1e-14);
  const Vector3 near(a + 20 * std::numbers::pi, b, c);
  EXPECT_LT((calc_cardan_angles(R, near) - near).norm(), 1e-12);
}

}  // namespace
}  // namespace rodeo::spatial
