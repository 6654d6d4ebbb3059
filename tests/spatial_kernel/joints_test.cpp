// SPDX-License-Identifier: MIT
// Kernels against the library, and what kernels say of joints: angles that go on past a turn, slides, both kept in what is saved.
#include <gmock/gmock.h>

#include "kinematics/spatial/driven.h"
#include "tests/spatial_kernel/rssr.h"
#include "tests/spatial_kernel/support.h"

namespace rodeo::spatial_kernel {
namespace {

constexpr double kTurn = 2 * kPi;

// ---- kernel and library

/// The largest differences of a machine that both move.
struct Differences {
  double place = 0, turn = 0, velocity = 0, acceleration = 0;

  void add(const Moving& kernel, const spatial::Machine& machine, const spatial::DrivenState& state) {
    for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
      const std::string& name = machine.bodies[b].name;
      const spatial::BodyPose& pose = state.pose.bodies[b];
      const Eigen::Vector4d q(pose.q.w(), pose.q.x(), pose.q.y(), pose.q.z()), own = kernel.quaternion(name);
      const auto raise = [](double& largest, double x) { largest = std::max(largest, x); };
      raise(place, (kernel.triple(name + ".origin.") - pose.origin).norm());
      raise(turn, std::min((q - own).norm(), (q + own).norm()));
      raise(velocity, (kernel.triple(name + ".origin.v") - state.velocity[b]).norm());
      raise(velocity, (kernel.triple(name + ".w") - state.spin[b]).norm());
      raise(acceleration, (kernel.triple(name + ".origin.a") - state.acceleration[b]).norm());
      const Vector3d spin_rate(kernel.output(name + ".wx.rate"), kernel.output(name + ".wy.rate"),
                               kernel.output(name + ".wz.rate"));
      raise(acceleration, (spin_rate - state.spin_rate[b]).norm());
    }
  }
};

class KernelAndLibrary : public testing::TestWithParam<const char*> {};

TEST_P(KernelAndLibrary, AgreeOverAFullTurn) {
  const spatial::Machine machine = build_config(GetParam());
  const spatial::Assembly start = spatial::build_start_pose(machine);
  spatial::Driven library(machine, start, spatial::calc_mobility(machine, start));
  Moving kernel(machine);
  Differences off;
  for (int i = 0; i <= 1000; ++i) {
    const double angle = start.drive_values[0] + kTurn * i / 1000, rate = 2 + std::sin(angle), second = 0.5;
    ASSERT_EQ(library.step({angle}, {rate}, {second}), spatial::DrivenStatus::ok) << i;
    ASSERT_EQ(kernel.step({angle, rate, second}), KernelStatus::ok) << i;
    off.add(kernel, machine, library.state());
  }
  EXPECT_LT(off.place, 1e-12);
  EXPECT_LT(off.turn, 1e-12);
  EXPECT_LT(off.velocity, 1e-11);      // rates of up to 3 rad/s
  EXPECT_LT(off.acceleration, 1e-10);  // their squares
  std::printf("%s: place %.1e, turn %.1e, velocity %.1e, acceleration %.1e\n", GetParam(), off.place,
              off.turn, off.velocity, off.acceleration);
}

INSTANTIATE_TEST_SUITE_P(Machines, KernelAndLibrary, testing::Values("rssr", "bennett"),
                         [](const auto& each) { return std::string(each.param); });

// ---- angles

/// Three turns on, six back, three on again.
std::vector<double> build_turns(int steps_a_turn) {
  std::vector<double> angles;
  const auto go = [&](int from, int to) {
    for (int i = from; i != to; i += to > from ? 1 : -1) angles.push_back(kTurn * i / steps_a_turn);
  };
  go(0, 3 * steps_a_turn);
  go(3 * steps_a_turn, -3 * steps_a_turn);
  go(-3 * steps_a_turn, 0);
  return angles;
}

TEST(JointAngles, GoOnOverThreeTurnsInBothDirections) {
  Moving machine(build_config("rssr"));
  const Rssr hand;
  double off = 0, off_other = 0, least = 0, most = 0;
  for (const double angle : build_turns(200)) {
    ASSERT_EQ(machine.step({angle, 1, 0}), KernelStatus::ok);
    off = std::max(off, std::abs(machine.output("bearing.angle") - angle));
    off_other = std::max(off_other, std::abs(machine.output("pivot.angle") - hand.rocker(angle)));
    least = std::min(least, machine.output("bearing.angle"));
    most = std::max(most, machine.output("bearing.angle"));
  }
  EXPECT_LT(off, 1e-12);
  EXPECT_LT(off_other, 1e-12);
  EXPECT_NEAR(least, -3 * kTurn, 1e-12);
  EXPECT_NEAR(most, 3 * kTurn, 1e-12);
}

/// No drive says how often it has turned.
TEST(JointAngles, OfAScrewFollowItsSlide) {
  Moving machine(build_jack("slide"));
  for (const double angle : build_turns(100)) {
    const double slide = 0.01 * angle / kTurn;
    ASSERT_EQ(machine.step({slide, 0, 0}), KernelStatus::ok);
    ASSERT_NEAR(machine.output("thread.angle"), angle, 1e-11);  // 1e-14 of 0.01 m
    ASSERT_NEAR(machine.output("thread.slide"), slide, 1e-15);
  }
}

TEST(JointAngles, OfACylindricalJointAreApartFromItsSlide) {
  Moving machine(build_text(R"(
name: post
ground: {points: {O: [0, 0, 0]}}
bodies:
  arm: {points: {O: [0, 0, 0], tip: [1, 0, 0]}}
joints:
  - {cylindrical: [ground.O, arm.O], axis: [0, 0, 1]}
drives:
  lift: {joint: ground.O-arm.O, motion: slide}
  turn: {joint: ground.O-arm.O, motion: angle}
outputs: {tip: arm.tip}
)"));
  for (const double angle : build_turns(100)) {
    const double slide = 0.3 * std::sin(angle / 5);
    ASSERT_EQ(machine.step({slide, 0, 0, angle, 0, 0}), KernelStatus::ok);
    ASSERT_NEAR(machine.output("ground.O-arm.O.angle"), angle, 1e-12);
    ASSERT_NEAR(machine.output("ground.O-arm.O.slide"), slide, 1e-15);
    ASSERT_NEAR(machine.output("tip.z"), slide, 1e-15);
  }
}

std::string wheel(const std::string& joint, const std::string& rest) {
  return "name: wheel\nground: {points: {O: [0, 0, 0]}}\nbodies:\n"
         "  wheel: {points: {O: [0, 0, 0]}, mass: 1, inertia: [1, 1, 2]}\n"
         "joints: [{revolute: [" +
         joint + "], axis: [0, 0, 1], name: pin}]\n" + rest;
}

TEST(JointAngles, OfAFreeWheelAreItsSpinTimesTime) {
  for (const double spin : {20.0, -20.0}) {
    Moving machine(build_text(
        wheel("ground.O, wheel.O", fmt::format("start: {{rates: {{wheel: [0, 0, {}]}}}}\n", spin))));
    for (int i = 1; i <= 1000; ++i) {
      machine.move(1e-3);
      ASSERT_NEAR(machine.output("pin.angle"), spin * 1e-3 * i, 1e-8);  // RK4: (0.01)⁵ a step
    }
  }
}

TEST(JointAngles, BeginWhereTheDriveDoes) {
  const char* drive = "drives: {wheel: {angle: wheel}}\nstart: {wheel: 16}\n";
  Moving straight(build_text(wheel("ground.O, wheel.O", drive)));
  ASSERT_EQ(straight.step({16, 0, 0}), KernelStatus::ok);
  EXPECT_NEAR(straight.output("pin.angle"), 16, 1e-13);
  Moving reversed(build_text(wheel("wheel.O, ground.O", drive)));
  ASSERT_EQ(reversed.step({16, 0, 0}), KernelStatus::ok);
  EXPECT_NEAR(reversed.output("pin.angle"), -16, 1e-13);
}

/// Numbers below the least normal one make steps slow and logs that not every program reads.
TEST(Kernels, HaveNoNumbersThatAreNothingBesideRounding) {
  const auto is_well = [](double x) { return x == 0 || std::abs(x) > 1e-200; };
  Moving driven(build_config("rssr")), flat(build_config("slider_crank_hyperstatic"));
  for (int i = 0; i < 300; ++i) {
    ASSERT_EQ(driven.step({0.02 * std::max(0, i - 100), i < 100 ? 0.0 : 20, 0}), KernelStatus::ok);
    flat.move(1e-3);
    for (const double x : driven.outputs()) ASSERT_TRUE(is_well(x)) << x;
    for (const double x : flat.outputs()) ASSERT_TRUE(is_well(x)) << x;
  }
}

TEST(JointAngles, AreInWhatIsSaved) {
  Moving first(build_config("rssr")), second(build_config("rssr"));
  for (int i = 0; i <= 520; ++i) ASSERT_EQ(first.step({kTurn * i / 200, 1, 0}), KernelStatus::ok);
  std::vector<unsigned char> saved(first.instance().state_bytes());
  first.instance().save(saved);
  ASSERT_EQ(second.instance().try_restore(saved), KernelStatus::ok);
  for (int i = 521; i <= 700; ++i) {
    ASSERT_EQ(first.step({kTurn * i / 200, 1, 0}), KernelStatus::ok);
    ASSERT_EQ(second.step({kTurn * i / 200, 1, 0}), KernelStatus::ok);
    ASSERT_EQ(first.outputs(), second.outputs()) << i;
  }
  EXPECT_NEAR(second.output("bearing.angle"), 3.5 * kTurn, 1e-12);
}

}  // namespace
}  // namespace rodeo::spatial_kernel
