// SPDX-License-Identifier: MIT
// Rows, their derivatives and forces against differences and against kinematics/machine, which has code of its own.
#include <Eigen/Dense>
#include <random>

#include "tests/dynamics/support.h"

namespace rodeo::dynamics {
namespace {

using testing_support::build_text;

/// Every kind of joint and drive, on moving bodies, with frames that are not the centres of mass.
const char* const kEverything = R"(
name: everything
ground: {points: {O: [0.1, -0.2], S: [1.5, 0.3]}}
bodies:
  a: {points: {O: [0, 0], B: [0.9, 0.2]}, mass: 2, com: [0.4, 0.1], inertia: 0.3}
  b: {points: {B: [-0.3, 0.1], C: [0.7, 0.2]}, mass: 3, com: [0.1, -0.2], inertia: 0.5}
  c: {points: {C: [0.2, 0], D: [-0.4, 0.5]}, mass: 1, com: [-0.1, 0.3], inertia: 0.2}
joints:
  - {revolute: [ground.O, a.O], name: pin}
  - {slider: [a.B, b.B], direction: [0.6, 0.8], name: slot}
  - {prismatic: [b.C, c.C], direction: [1, 2], angle: 0.3, name: rail}
drives:
  d1: {angle: a}
  d2: {relative_angle: [a, b]}
  d3: {cylinder: [ground.S, c.D], retracted: 0.1, stroke: 9}
  d4: {slide: [b.C, c.C]}
forces:
  - {spring: [a.B, c.D], stiffness: 40, rest_length: 0.3, damping: 7}
  - {damper: [ground.S, b.B], damping: 3}
  - {torque: b, against: a, value: 2 + t}
  - {force: c.D, value: [3, -1 + t]}
  - {friction: pin, viscous: 0.4}
  - {friction: slot, viscous: 0.9}
  - {friction: rail, viscous: 1.1}
gravity: [0.5, -9.81]
start: {a: 0.4, b: 0.9, c: 1.2}
)";

struct State {
  Vector q, v;
};

State build_state(Eigen::Index n, unsigned seed) {
  std::mt19937 random(seed);
  State state{Vector(n), Vector(n)};
  for (Eigen::Index i = 0; i < n; ++i) {
    state.q[i] = static_cast<double>(random()) / 4294967296.0 * 2 - 1;
    state.v[i] = static_cast<double>(random()) / 4294967296.0 * 2 - 1;
  }
  return state;
}

PlanarSystem build_everything() {
  const machine::Machine machine = build_text(kEverything);
  return {machine, machine::build_rows(machine, true), {0.4, 0.5, 1.0, 0.2}};
}

constexpr double kShift = 1e-6;
constexpr double kDifference = 1e-8;  // what a central difference of that shift is good for

TEST(Rows, ResidualsAreThoseOfTheMachineInEveryPose) {
  const PlanarSystem system = build_everything();
  for (unsigned seed = 1; seed < 6; ++seed) {
    const State s = build_state(system.coordinates(), seed);
    Workspace work;
    system.calc_rows(s.q, s.v, work);
    const Vector expected = machine::calc_residuals(system.machine(), system.build_pose(s.q), system.rows(),
                                                    {0.4, 0.5, 1.0, 0.2});
    ASSERT_EQ(expected.size(), work.rows.residual.size());
    EXPECT_LT((expected - work.rows.residual).cwiseAbs().maxCoeff(), 1e-14) << seed;
  }
}

TEST(Rows, RatesAndTheirRatesAreTheDifferencesOfResiduals) {
  PlanarSystem system = build_everything();
  const State s = build_state(system.coordinates(), 7);
  Workspace at, before, after;
  system.calc_rows(s.q, s.v, at);
  system.calc_rows(s.q - kShift * s.v, s.v, before);
  system.calc_rows(s.q + kShift * s.v, s.v, after);
  const Vector rate = (after.rows.residual - before.rows.residual) / (2 * kShift);
  EXPECT_LT((rate - calc_product(at.rows.terms, s.v)).cwiseAbs().maxCoeff(), kDifference);
  const Vector bias =
      (calc_product(after.rows.terms, s.v) - calc_product(before.rows.terms, s.v)) / (2 * kShift);
  EXPECT_LT((bias - at.rows.bias).cwiseAbs().maxCoeff(), kDifference);
}

TEST(Rows, AKnifeEdgeLetsItsPointMoveAlongTheBladeOnly) {
  PlanarSystem system = build_everything();
  system.add_knife_edge(2, {0.3, 0.4}, {0.6, 0.8});
  const State s = build_state(system.coordinates(), 9);
  Workspace at, before, after;
  system.calc_rows(s.q, s.v, at);
  const Eigen::Index row = system.row_count() - 1;
  EXPECT_FALSE(system.is_holonomic(row));
  // The point's velocity across the blade, from two poses.
  const auto place = [&](double h) {
    const machine::Pose pose = system.build_pose(s.q + h * s.v);
    const machine::BodyPose& b = pose.bodies[2];
    return Point2(b.x + std::cos(b.angle) * 0.3 - std::sin(b.angle) * 0.4,
                  b.y + std::sin(b.angle) * 0.3 + std::cos(b.angle) * 0.4);
  };
  const double angle = s.q[5];
  const Point2 across(-std::sin(angle) * 0.6 - std::cos(angle) * 0.8,
                      std::cos(angle) * 0.6 - std::sin(angle) * 0.8);
  const Point2 velocity = (place(kShift) - place(-kShift)) / (2 * kShift);
  EXPECT_NEAR(calc_product(at.rows.terms[row], s.v), across.dot(velocity), kDifference);
  system.calc_rows(s.q - kShift * s.v, s.v, before);
  system.calc_rows(s.q + kShift * s.v, s.v, after);
  const double bias =
      (calc_product(after.rows.terms[row], s.v) - calc_product(before.rows.terms[row], s.v)) / (2 * kShift);
  EXPECT_NEAR(at.rows.bias[row], bias, kDifference);
}

TEST(Forces, PowerOfAllForcesIsWhatIsBroughtLessWhatIsLostAndStored) {
  PlanarSystem system = build_everything();
  const State s = build_state(system.coordinates(), 11);
  Workspace at, before, after;
  system.calc(0.7, s.q, s.v, at);
  system.calc_rows(s.q - kShift * s.v, s.v, before);
  system.calc_rows(s.q + kShift * s.v, s.v, after);
  const double stored =
      (system.calc_energy(s.v, after).potential - system.calc_energy(s.v, before).potential) / (2 * kShift);
  EXPECT_GT(at.power.dissipated, 0.1);
  EXPECT_NEAR(at.f.dot(s.v), at.power.brought - at.power.dissipated - stored, 1e-7);  // ~50 W by a difference
}

TEST(Forces, APayloadOfConstantMassIsMassOfItsBody) {
  machine::Machine machine = build_text(std::string(kEverything)
                                            .replace(std::string(kEverything).find("gravity:"), 0,
                                                     "  - {payload: c, mass: 2, com: [0.5, 0.3]}\n"));
  const machine::Body body = build_loaded(machine).bodies[3];
  EXPECT_DOUBLE_EQ(body.mass->value, 3);
  EXPECT_NEAR(body.com_x->value, (1 * -0.1 + 2 * 0.5) / 3, 1e-15);
  // Steiner: 1 kg at 0.4 m, 2 kg at 0.2 m from the common centre.
  EXPECT_NEAR(body.inertia->value, 0.2 + 1 * 0.4 * 0.4 + 2 * 0.2 * 0.2, 1e-15);
}

TEST(Saddle, SolvesLikeADenseMatrix) {
  PlanarSystem system = build_everything();
  const State s = build_state(system.coordinates(), 13);
  Workspace at;
  system.calc(0.0, s.q, s.v, at);
  at.rows.terms.resize(5);  // joints only: with all drives nothing is free
  const Eigen::Index n = system.coordinates(), m = 5;
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(n + m, n + m);
  full.topLeftCorner(n, n) = system.mass().asDiagonal();
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index r = 0; r < m; ++r)
      full(n + r, i) = full(i, n + r) = calc_product(at.rows.terms[r], Vector::Unit(n, i));
  }
  Vector rhs(n + m);
  rhs << at.f, -at.rows.bias.head(m);
  const Vector expected = full.fullPivLu().solve(rhs);
  Saddle saddle(system.weights());
  saddle.factor(at.rows.terms);
  Vector x = Vector::Zero(n), lambda = Vector::Zero(m);
  saddle.solve(system.mass(), at.f, -at.rows.bias.head(m), x, lambda);
  EXPECT_LT((x - expected.head(n)).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff());
  EXPECT_LT((lambda - expected.tail(m)).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff());
}

TEST(Saddle, KeepsWhatDependentRowsLeaveOpen) {
  // Two equal rows: the second says nothing new, and their multipliers are known as a sum only.
  Saddle saddle(Vector::Ones(3));
  const RowTerms row = build_unit_row(1);
  saddle.factor({row, row});
  Vector x = Vector::Zero(3), lambda(2);
  lambda << 5, 1;
  saddle.solve(Vector::Ones(3), Vector::Constant(3, 4.0), Vector::Zero(2), x, lambda);
  EXPECT_NEAR(x[1], 0, 1e-12);
  EXPECT_NEAR(x[0], 4, 1e-12);
  EXPECT_NEAR(lambda.sum(), 4, 1e-10);
  EXPECT_NEAR(lambda[0] - lambda[1], 4, 1e-10);  // as given
}

}  // namespace
}  // namespace rodeo::dynamics
