// SPDX-License-Identifier: MIT
// Machines in space that drives move, against closed forms, distances of points, and the balance of power.
#include <gmock/gmock.h>

#include <limits>

#include "tests/spatial_kernel/rssr.h"
#include "tests/spatial_kernel/support.h"

namespace rodeo::spatial_kernel {
namespace {

constexpr double kClosed = 1e-12;  // m

TEST(DrivenRssr, FollowsTheClosedFormOverAFullTurn) {
  Moving machine(build_config("rssr"));
  const Rssr hand;
  const double rate = 2 * kPi, h = 1e-3;
  double worst = 0, worst_speed = 0, worst_acceleration = 0;
  const auto place = [&](double t) { return hand.C(hand.rocker(rate * t)); };
  for (int i = 0; i <= 1000; ++i) {
    const double t = h * i, d = 1e-4;
    ASSERT_EQ(machine.step({rate * t, rate, 0}), KernelStatus::ok);
    worst = std::max(worst, (machine.triple("C.") - place(t)).norm());
    const Vector3d v = (8 * (place(t + d) - place(t - d)) - (place(t + 2 * d) - place(t - 2 * d))) / (12 * d);
    const Vector3d a =
        (16 * (place(t + d) + place(t - d)) - (place(t + 2 * d) + place(t - 2 * d)) - 30 * place(t)) /
        (12 * d * d);
    worst_speed = std::max(worst_speed, (machine.triple("C.v") - v).norm());
    worst_acceleration = std::max(worst_acceleration, (machine.triple("C.a") - a).norm());
  }
  EXPECT_LT(worst, 1e-12);
  EXPECT_LT(worst_speed, 1e-9);         // rounding of the difference, 1e-16 m / 1e-4 s
  EXPECT_LT(worst_acceleration, 1e-6);  // 1e-16 m / 1e-8 s²
}

TEST(DrivenRssr, KeepsItsPinsTogetherOverAFullTurn) {
  Moving machine(build_config("rssr"));
  double residual = 0, apart = 0, bent = 0;
  for (int i = 0; i <= 1000; ++i) {
    const double angle = 2 * kPi * i / 1000;
    ASSERT_EQ(machine.step({angle, 2 * kPi, 0}), KernelStatus::ok);
    residual = std::max(residual, machine.residual());
    const Vector3d O = machine.place("crank", {0, 0, 0}), B1 = machine.place("crank", {0, 0.2, 0}),
                   B2 = machine.place("rod", {0, 0, 0}), C1 = machine.place("rod", {1, 0, 0}),
                   C2 = machine.place("rocker", {0, 0.6, 0}), Q = machine.place("rocker", {0, 0, 0});
    apart = std::max({apart, O.norm(), (B1 - B2).norm(), (C1 - C2).norm(), (Q - Vector3d(0.7, 0.3, 0)).norm(),
                      std::abs((B2 - C1).norm() - 1.0)});
    const Vector3d x = turn(machine.quaternion("crank"), {1, 0, 0}),
                   z = turn(machine.quaternion("rocker"), {0, 0, 1});
    const double cross = turn(machine.quaternion("rod"), {0, 0, 1})
                             .dot(turn(machine.quaternion("rocker"), {1, 0, 0}));  // of the universal joint
    bent = std::max({bent, (x - Vector3d(1, 0, 0)).norm(), (z - Vector3d(0, 0, 1)).norm(), std::abs(cross)});
  }
  EXPECT_LT(residual, kClosed);
  EXPECT_LT(apart, kClosed);
  EXPECT_LT(bent, kClosed);
  RecordProperty("residual", std::to_string(residual * 1e15) + " fm");
}

/// d/dt(kinetic + potential) = what the drive brings; the difference of energies by Simpson's rule over a tick.
TEST(DrivenRssr, TakesFromItsDriveWhatItsEnergyGains) {
  Moving machine(build_config("rssr"));
  const double h = 2e-4;
  const auto at = [&](double t) {
    const double angle = 1.3 + 3 * t + std::sin(5 * t), rate = 3 + 5 * std::cos(5 * t);
    EXPECT_EQ(machine.step({angle, rate, -25 * std::sin(5 * t)}), KernelStatus::ok);
    return std::pair{machine.load("energy.kinetic") + machine.load("energy.potential"),
                     machine.load("power.drives")};
  };
  double largest = 0;
  for (int i = 0; i < 500; ++i) {
    const auto [e0, p0] = at(2 * h * i);
    const auto [e1, p1] = at(2 * h * i + h);
    const auto [e2, p2] = at(2 * h * i + 2 * h);
    EXPECT_NEAR(e2 - e0, h / 3 * (p0 + 4 * p1 + p2), 1e-10);
    largest = std::max(largest, std::abs(p1));
  }
  EXPECT_GT(largest, 5);
}

/// At rest the crank's torque is dV/dθ.
TEST(DrivenRssr, HoldsItsWeightByTheCrank) {
  Moving machine(build_config("rssr"));
  const double angle = 2.0, d = 1e-4;
  const auto potential = [&](double at) {
    EXPECT_EQ(machine.step({at, 0, 0}), KernelStatus::ok);
    return machine.load("energy.potential");
  };
  const double slope = (potential(angle + d) - potential(angle - d)) / (2 * d);
  ASSERT_EQ(machine.step({angle, 0, 0}), KernelStatus::ok);
  EXPECT_NEAR(machine.load("crank.torque"), slope, 1e-7);
  // All forces on the ground together carry all that weighs.
  const double up = machine.load("bearing.fz") + machine.load("pivot.fz");
  EXPECT_NEAR(up, 9.81 * (1 + 2 + 1.5), 1e-10);
}

/// Bennett: three rows are redundant and yet closed; tan(a/2) tan(b/2) is constant.
TEST(DrivenBennett, ClosesOverAFullTurnWithItsRedundantJoints) {
  Moving machine(build_config("bennett"));
  const double alpha = kPi / 6, beta = 70 * kPi / 180;
  const double ratio = std::sin((beta + alpha) / 2) / std::sin((beta - alpha) / 2);
  double residual = 0, off = 0;
  for (int i = 0; i <= 2000; ++i) {
    const double a = kPi / 3 + 2 * kPi * i / 2000;
    ASSERT_EQ(machine.step({a, 1, 0}), KernelStatus::ok) << i;
    residual = std::max(residual, machine.residual());
    const Vector3d axis(0, -std::sin(alpha), std::cos(alpha));  // of b, in the crank
    const Vector3d from = turn(machine.quaternion("crank"), {1, 0, 0}),
                   to = turn(machine.quaternion("coupler"), {1, 0, 0});
    const Vector3d world = turn(machine.quaternion("crank"), axis);
    const double b = std::atan2(world.dot(from.cross(to)), from.dot(to));
    // Without the poles of the tangents.
    off = std::max(off,
                   std::abs(std::sin(a / 2) * std::sin(b / 2) - ratio * std::cos(a / 2) * std::cos(b / 2)));
  }
  EXPECT_LT(residual, kClosed);
  EXPECT_LT(off, 1e-11);
}

TEST(DrivenKernel, RefusesWhatIsNoNumberOrTooFarAndLeavesAllAsItWas) {
  Moving machine(build_config("rssr"));
  ASSERT_EQ(machine.step({0.3, 1, 0}), KernelStatus::ok);
  std::vector<unsigned char> before(machine.instance().state_bytes()), after = before;
  machine.instance().save(before);
  std::fill(machine.outputs().begin(), machine.outputs().end(), 7.0);
  EXPECT_EQ(machine.step({std::numeric_limits<double>::quiet_NaN(), 0, 0}), KernelStatus::bad_input);
  EXPECT_EQ(machine.step({1e6, 0, 0}), KernelStatus::bad_input);
  EXPECT_EQ(machine.step({300, 0, 0}), KernelStatus::open);
  machine.instance().save(after);
  EXPECT_EQ(before, after);
  EXPECT_THAT(machine.outputs(), testing::Each(7.0));
}

/// A crank that is too long for the rod: it comes to a dead point, where a cos φ + b sin φ = c has one root.
TEST(DrivenKernel, StopsShortOfASingularPose) {
  Moving machine(build_config("rssr", {"r=1"}));
  const Rssr hand{.r = 1.0};
  std::vector<double> before;
  double angle = 0, margin = 1;
  KernelStatus status = KernelStatus::ok;
  while (status == KernelStatus::ok && angle < 2 * kPi) {
    before = machine.outputs();
    angle += 1e-3;
    status = machine.step({angle, 1, 0});
    if (status == KernelStatus::ok) margin = machine.instance().calc_margin();
  }
  EXPECT_EQ(status, KernelStatus::singular);
  EXPECT_EQ(machine.outputs(), before);
  EXPECT_GE(margin, 0.01);
  EXPECT_LT(margin, 0.1);
  double dead = 0;
  while (std::isfinite(hand.rocker(dead)) && dead < 2 * kPi) dead += 1e-4;
  EXPECT_LT(angle, dead + 1e-3);
  EXPECT_GT(angle, dead - 0.05);
}

TEST(DrivenKernel, GoesOnFromASavedStateBitForBit) {
  Moving machine(build_config("rssr"));
  for (int i = 0; i < 100; ++i) ASSERT_EQ(machine.step({0.01 * i, 10, 0}), KernelStatus::ok);
  std::vector<unsigned char> saved(machine.instance().state_bytes());
  machine.instance().save(saved);
  std::vector<std::vector<double>> first;
  for (int round = 0; round < 2; ++round) {
    ASSERT_EQ(machine.instance().try_restore(saved), KernelStatus::ok);
    for (int i = 100; i < 150; ++i) {
      ASSERT_EQ(machine.step({0.01 * i, 10, 0}), KernelStatus::ok);
      if (round == 0) {
        first.push_back(machine.outputs());
      } else {
        EXPECT_EQ(machine.outputs(), first[static_cast<std::size_t>(i - 100)]);
      }
    }
  }
  saved[0] ^= 1;
  EXPECT_EQ(machine.instance().try_restore(saved), KernelStatus::bad_state);
}

TEST(DrivenKernel, IsTheSameAfterAJumpAsAfterSmallSteps) {
  Moving slow(build_config("rssr")), jumping(build_config("rssr"));
  for (int i = 1; i <= 1000; ++i) ASSERT_EQ(slow.step({1e-3 * i, 0, 0}), KernelStatus::ok);
  ASSERT_EQ(jumping.step({1.0, 0, 0}), KernelStatus::ok);
  for (std::size_t i = 0; i < slow.outputs().size(); ++i)
    EXPECT_NEAR(slow.outputs()[i], jumping.outputs()[i], 1e-13);
}

TEST(DrivenKernel, TurnsAScrewIntoAnAdvance) {
  Moving machine(build_jack("angle"));
  for (int i = 1; i <= 400; ++i) {
    const double angle = 0.05 * i;  // three turns
    ASSERT_EQ(machine.step({angle, 2, 0}), KernelStatus::ok);
    EXPECT_NEAR(machine.output("nut.z"), 0.01 * angle / (2 * kPi), 1e-14);
    EXPECT_NEAR(machine.output("nut.vz"), 0.01 * 2 / (2 * kPi), 1e-14);
    EXPECT_NEAR(machine.output("nut.wz"), 2, 1e-12);
  }
}

TEST(DrivenKernel, RefusesMoreThanItsStackHolds) {
  std::string yaml = "name: chain\nspace: 3\nground: {points: {P0: [0, 0, 0]}}\nbodies:\n",
              joints = "joints:\n", drives = "drives:\n";
  for (int i = 1; i <= 25; ++i) {
    yaml += fmt::format("  b{}: {{points: {{A: [0, 0, 0], B: [1, 0, 0]}}}}\n", i);
    joints += fmt::format("  - {{revolute: [{}, b{}.A], name: j{}}}\n",
                          i == 1 ? std::string("ground.P0") : fmt::format("b{}.B", i - 1), i, i);
    drives += fmt::format("  d{}: {{joint: j{}}}\n", i, i);
  }
  try {
    Moving machine(build_text(yaml + joints + drives));
    FAIL() << "it was built";
  } catch (const text::ModelError& error) {
    EXPECT_STREQ(error.what(),
                 "test.yaml: 25 bodies and 150 constraints in space make a matrix of 22500 numbers, a "
                 "kernel has room "
                 "for 20736: fix bodies to each other that do not move against each other");
  }
}

}  // namespace
}  // namespace rodeo::spatial_kernel
