// SPDX-License-Identifier: MIT
// Machines in space that move by their forces, against conservation laws and equations written anew.
#include <gmock/gmock.h>

#include "tests/spatial_kernel/support.h"

namespace rodeo::spatial_kernel {
namespace {

TEST(FreeTop, KeepsEnergyAndAngularMomentumWhileItFlips) {
  Moving machine(build_config("spinning_top"));
  const Vector3d inertia(1, 2, 3);
  const auto spin = [&] { return machine.triple("top.w"); };
  const auto momentum = [&] { return turn(machine.quaternion("top"), inertia.cwiseProduct(spin())); };
  machine.move(1e-3);
  const Vector3d start = momentum();
  const double energy = 0.5 * spin().dot(inertia.cwiseProduct(spin()));
  double lost = 0, bent = 0, length = 0, least = 2, most = -2;
  for (int i = 0; i < 20000; ++i) {
    machine.move(1e-3);
    lost = std::max(lost, std::abs(0.5 * spin().dot(inertia.cwiseProduct(spin())) - energy) / energy);
    bent = std::max(bent, (momentum() - start).norm() / start.norm());
    length = std::max(length, std::abs(machine.quaternion("top").norm() - 1));
    least = std::min(least, spin().y());
    most = std::max(most, spin().y());
  }
  EXPECT_LT(lost, 1e-9);
  EXPECT_LT(bent, 1e-9);
  EXPECT_LT(length, 1e-15);
  EXPECT_LT(least, -1.9);  // the middle axis turns over
  EXPECT_GT(most, 1.9);
}

/// Lagrange's top in Euler's angles, written here: θ̈ from the two momenta that are kept, by steps of 1e-5 s.
TEST(FreeTop, PrecessesAsLagrangeSays) {
  Moving machine(build_config("heavy_top"));
  const double m = 1, h = 0.1, A = 0.004 + m * h * h, C = 0.005, g = 9.81, spin = 60;
  double theta = kPi / 6, rate = 0, phi = 0;
  const double about_own = C * spin, about_vertical = about_own * std::cos(theta);
  const auto second = [&](double th) {
    const double c = std::cos(th), s = std::sin(th);
    const double precession = (about_vertical - about_own * c) / (A * s * s);
    return std::pair{(A * precession * precession * s * c - about_own * precession * s + m * g * h * s) / A,
                     precession};
  };
  const double d = 1e-5;
  double worst = 0;
  Vector3d first = Vector3d::Zero();
  for (int i = 1; i <= 500; ++i) {
    machine.move(1e-3);
    for (int k = 0; k < 100; ++k) {  // leapfrog
      rate += d / 2 * second(theta).first;
      phi += d / 2 * second(theta).second;
      theta += d * rate;
      rate += d / 2 * second(theta).first;
      phi += d / 2 * second(theta).second;
    }
    // The file's tilt is about x: at the start the tip is towards -y.
    const Vector3d tip(0.2 * std::sin(theta) * std::sin(phi), -0.2 * std::sin(theta) * std::cos(phi),
                       0.2 * std::cos(theta));
    worst = std::max(worst, (machine.triple("tip.") - tip).norm());
    if (i == 1) first = machine.triple("tip.");
  }
  EXPECT_LT(worst, 1e-6);  // of 0.2 m
  EXPECT_GT((machine.triple("tip.") - first).norm(), 0.05);
}

/// An arm that a drive turns about z at the rate Ω carries, at R, a pendulum of a point mass that swings out by θ:
///   L θ̈ = Ω² (R + L sin θ) cos θ − g sin θ.
TEST(PartlyDriven, SwingsOutAsAnArmCarriesItRound) {
  Moving machine(build_text(R"(
name: carousel
ground: {points: {O: [0, 0, 0]}}
bodies:
  arm: {points: {O: [0, 0, 0], P: [0.5, 0, 0]}, mass: 3, inertia: [0.1, 0.1, 0.1]}
  bob: {points: {P: [0, 0, 0], tip: [0, 0, -1]}, mass: 2, com: [0, 0, -1], inertia: [1e-9, 1e-9, 1e-9]}
joints:
  - {revolute: [ground.O, arm.O], axis: [0, 0, 1], name: post}
  - {revolute: [arm.P, bob.P], axis: [0, 1, 0], name: pin}
drives: {turn: {joint: post}}
start: {turn: 0, pin: 0}
gravity: [0, 0, -9.81]
outputs: {tip: bob.tip}
)"));
  const double W = 2, R = 0.5, L = 1, g = 9.81, h = 1e-3, d = 1e-5;
  double theta = 0, rate = 0, worst = 0, residual = 0;
  std::vector<double> inputs(machine.kernel().input_count()), path(9);
  for (int i = 1; i <= 1500; ++i) {
    for (int k = 0; k < 3; ++k) {
      path[static_cast<std::size_t>(3 * k)] = W * (h * (i - 1) + h / 2 * k);
      path[static_cast<std::size_t>(3 * k + 1)] = W;
    }
    ASSERT_EQ(machine.instance().try_free(path, inputs, h, RODEO_RK4), KernelStatus::ok);
    ASSERT_EQ(machine.step({W * h * i, W, 0}), KernelStatus::ok);
    const auto second = [&] {
      return (W * W * (R + L * std::sin(theta)) * std::cos(theta) - g * std::sin(theta)) / L;
    };
    for (int k = 0; k < 100; ++k) {
      rate += d / 2 * second();
      theta += d * rate;
      rate += d / 2 * second();
    }
    const double out = R + L * std::sin(theta), angle = W * h * i;
    const Vector3d tip(out * std::cos(angle), out * std::sin(angle), -L * std::cos(theta));
    worst = std::max(worst, (machine.triple("tip.") - tip).norm());
    residual = std::max(residual, machine.residual());
  }
  EXPECT_LT(worst, 2e-6);
  EXPECT_LT(residual, 1e-8);
  EXPECT_GT(std::abs(theta) + std::abs(rate), 0.1);
}

/// A damper takes, a torque that comes from outside brings: the energy keeps the books.
TEST(FreeKernel, KeepsTheBooksOfItsEnergy) {
  Moving machine(build_text(R"(
name: wheel
ground: {points: {O: [0, 0, 0], S: [0, 1, 0.2]}}
bodies:
  bar: {points: {O: [0, 0, 0], tip: [1, 0, 0]}, mass: 2, com: [0.5, 0, 0], inertia: [0.01, 0.2, 0.2]}
joints:
  - {spherical: [ground.O, bar.O], name: ball}
forces:
  - {spring: [ground.S, bar.tip], stiffness: 40, rest_length: 0.8, damping: 3}
  - {torque: bar, value: [0.1*sin(3*t), 0, 0.4*exp(-t)]}
start: {rates: {bar: [1, 0.5, -0.5]}}
gravity: [0, 0, -9.81]
outputs: {tip: bar.tip}
)"));
  const auto energy = [&] { return machine.load("energy.kinetic") + machine.load("energy.potential"); };
  const auto power = [&] { return machine.load("power.forces") - machine.load("power.lost"); };
  machine.move(1e-3);
  double sum = 0, brought = 0;
  const double start = energy();
  for (int i = 0; i < 1000; ++i) {
    const double p0 = power();
    machine.move(1e-3);
    const double p1 = power();
    machine.move(1e-3);
    sum += 1e-3 / 3 * (p0 + 4 * p1 + power());
    brought = std::max(brought, std::abs(machine.load("power.lost")));
  }
  EXPECT_NEAR(energy() - start, sum, 1e-6);
  EXPECT_GT(std::abs(sum), 0.5);
  EXPECT_GT(brought, 0.01);
}

TEST(FreeKernel, GoesOnFromASavedStateBitForBit) {
  Moving machine(build_config("heavy_top"));
  for (int i = 0; i < 50; ++i) machine.move(1e-3);
  std::vector<unsigned char> saved(machine.instance().state_bytes());
  machine.instance().save(saved);
  for (int i = 0; i < 50; ++i) machine.move(1e-3);
  const std::vector<double> first = machine.outputs();
  ASSERT_EQ(machine.instance().try_restore(saved), KernelStatus::ok);
  for (int i = 0; i < 50; ++i) machine.move(1e-3);
  EXPECT_EQ(machine.outputs(), first);
}

}  // namespace
}  // namespace rodeo::spatial_kernel
