// SPDX-License-Identifier: MIT
// Stops and contacts of compiled kernels in space: against the library at every state of a run, and against statics by hand.
#include "kinematics/spatial/system.h"
#include "tests/spatial_kernel/support.h"

namespace rodeo::spatial_kernel {
namespace {

/// Thrown, tumbling, tied to a point by a rope that is a stop; its frame of motion is its own.
const char* const kThrown = R"(
name: thrown
ground: {points: {A: [0.2, 0.1, 0.9]}}
bodies:
  box: {points: {p: [0.2, -0.1, -0.1], q: [-0.2, 0.1, -0.1], r: [0.1, 0.2, 0.1]}, mass: 2, inertia: [0.05, 0.06, 0.08]}
forces:
  - {contact: box.p, height: 0.02, stiffness: 2000, damping: 15, viscous: 4}
  - {contact: box.q, normal: [0.6, 0, 0.8], stiffness: 1500, damping: 10, viscous: 6}
  - {stop: [ground.A, box.r], retracted: 0.3, stroke: 0.4, stiffness: 900, damping: 20}
start: {box: {angles: [0.3, 0.2, 0.1], origin: [0.1, 0, 0.5]}, rates: {box: {spin: [3, -2, 4], velocity: [0.5, 0.7, 0]}}}
gravity: [0, 0, -9.81]
outputs: {p: box.p}
)";

TEST(KernelStops, PushAndTakeAsTheLibrarySaysAtEveryState) {
  const spatial::Machine text = build_text(kThrown);
  Moving machine(text);
  spatial::System library(text, {}, {});
  constexpr double kSame = 1e-12;
  int pushed = 0, free = 0;
  for (int i = 0; i < 1500; ++i) {
    machine.move(1e-3);
    const Eigen::Vector4d q = machine.quaternion("box");
    spatial::Pose pose;
    pose.bodies = {{}, {machine.triple("box.origin."), spatial::Quaternion(q[0], q[1], q[2], q[3])}};
    spatial::Vector v(6);
    v << machine.triple("box.origin.v"), machine.triple("box.w");
    spatial::Workspace work;
    library.calc(0.0, library.build_coordinates(pose), v, work);
    const spatial::Vector a = work.f.cwiseQuotient(library.mass());
    const double size = 1 + a.cwiseAbs().maxCoeff();
    ASSERT_LT((machine.triple("box.origin.a") - a.head<3>()).norm(), kSame * size) << i;
    const Vector3d turning(machine.output("box.wx.rate"), machine.output("box.wy.rate"),
                           machine.output("box.wz.rate"));
    ASSERT_LT((turning - a.tail<3>()).norm(), kSame * size) << i;
    const double stored = library.calc_energy(v, work).potential;
    ASSERT_NEAR(machine.load("energy.potential"), stored, kSame * (1 + std::abs(stored))) << i;
    ASSERT_NEAR(machine.load("power.lost"), work.power.dissipated, kSame * (1 + work.power.dissipated)) << i;
    (work.power.dissipated != 0 ? pushed : free) += 1;
  }
  EXPECT_GT(pushed, 100);
  EXPECT_GT(free, 100);
}

TEST(KernelStops, KeepTheBooksOfTheirEnergy) {
  Moving machine(build_text(kThrown));
  const auto energy = [&] { return machine.load("energy.kinetic") + machine.load("energy.potential"); };
  machine.move(1e-4);
  double lost = 0;
  const double start = energy();
  for (int i = 0; i < 6000; ++i) {
    const double before = machine.load("power.lost");
    machine.move(1e-4);
    lost += 1e-4 * (before + machine.load("power.lost")) / 2;
  }
  EXPECT_NEAR(start - energy(), lost, 2e-3 * lost);  // trapezia over kinks
  EXPECT_GT(lost, 1.0);
}

/// An arm that a drive presses onto the ground: torque of its weight and of k δ + d δ̇ at its tip, both by hand.
TEST(KernelStops, LoadTheDriveThatPressesOntoTheGround) {
  Moving machine(build_text(R"(
name: arm
ground: {points: {O: [0, 0, 0.1]}}
bodies: {arm: {points: {O: [0, 0, 0], tip: [0.5, 0, 0]}, mass: 4, com: [0.2, 0, 0], inertia: [0.1, 0.1, 0.1]}}
joints: [{revolute: [ground.O, arm.O], axis: [0, -1, 0], name: pin}]
drives: {swing: {joint: pin}}
forces: [{contact: arm.tip, stiffness: 5000, damping: 200, viscous: 50}]
start: {swing: 0}
gravity: [0, 0, -9.81]
outputs: {tip: arm.tip}
)"));
  for (const double rate : {0.0, -0.3, 0.6}) {
    const double angle = -0.25, c = std::cos(angle), s = std::sin(angle);
    ASSERT_EQ(machine.step({angle, rate, 0.0}), KernelStatus::ok);
    const double depth = -(0.1 + 0.5 * s), sink = -0.5 * c * rate;
    const double push = std::max(0.0, 5000 * depth + 200 * sink), slide = -0.5 * s * rate;
    const double drag = push > 0 ? 50 * slide : 0;
    // About the pin, counted up: weight, push and drag, at rest in its rate.
    const double torque = 4 * 9.81 * 0.2 * c - push * 0.5 * c - drag * 0.5 * s;
    EXPECT_NEAR(machine.load("swing.torque"), torque, 1e-9) << rate;
    EXPECT_NEAR(machine.load("power.lost"), (push - 5000 * depth) * sink + drag * slide, 1e-9) << rate;
  }
}

}  // namespace
}  // namespace rodeo::spatial_kernel
