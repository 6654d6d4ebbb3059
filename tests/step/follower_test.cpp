// SPDX-License-Identifier: MIT
// Branches: a parallelogram of the hand-written four-bar (ground and coupler 1 m, cranks 0.4 m) has coupler angle 0 at every crank
// angle; where it lies flat the crossed linkage meets it. It passes and must never become the other.
#include "engine/step/follower.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "engine/step/stepper.h"
#include "tests/kernel/build_kernel.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;

constexpr std::array kParallelogram{1.0, 0.4, 1.0, 0.4};
constexpr std::array kRockerDriven{1.4, 1.0, 1.2, 0.5};  // the crank is what swings
constexpr double kTurn = 2 * std::numbers::pi;
/// Rounding of a coupler angle: some 1e-16 by the margin, which is 0.01 at least.
constexpr double kRounding = 1e-12;
/// Of a curve, in steps of up to 0.05 rad: f⁽⁸⁾δ⁸/70.
constexpr double kInterpolation = 1e-10;

const Kernel& kernel() {
  static const Kernel kernel = Kernel::build_from_file(four_bar_object().string());
  return kernel;
}

class Linkage {
 public:
  explicit Linkage(std::span<const double> lengths, double start = 1.0)
      : stepper_(kernel(), std::array{DriveLimits{}}, StepperOptions{}) {
    EXPECT_EQ(stepper_.try_start(lengths, std::array{start}), KernelStatus::ok);
  }
  TickResult tick(double position) { return stepper_.try_tick(std::array{Command::at(position)}); }
  /// The other assembly of the start pose.
  void cross() {
    std::vector<unsigned char> bytes(stepper_.saved_bytes());
    stepper_.save(bytes);
    const std::size_t size = kernel().table().state_bytes;
    for (const std::size_t at : {std::size_t{0}, size}) {
      Instance instance(kernel());
      std::vector<double> states(kernel().state_count());
      ASSERT_EQ(instance.try_restore(std::span(bytes).subspan(at, size)), KernelStatus::ok);
      instance.get_state(states);
      // crossed: reflected about the diagonal from the crank's pin to the rocker's
      const double diagonal = std::atan2(-0.4 * std::sin(states[0]), 1 - 0.4 * std::cos(states[0]));
      states[2] = 2 * diagonal - states[2];
      states[1] = 2 * diagonal - states[1];
      ASSERT_EQ(instance.try_set_state(states), KernelStatus::ok);
      instance.save(std::span(bytes).subspan(at, size));
    }
    ASSERT_EQ(stepper_.try_restore(bytes), KernelStatus::ok);
  }
  [[nodiscard]] double coupler() const { return stepper_.outputs()[1]; }
  [[nodiscard]] double rocker() const { return stepper_.outputs()[2]; }
  [[nodiscard]] double crank() const { return stepper_.outputs()[0]; }
  Stepper& stepper() { return stepper_; }

 private:
  Stepper stepper_;
};

/// Speeds in rad a tick: slow; 0.022, which jumps over the singular poses in one tick; very fast. Both directions.
class ParallelogramAt : public testing::TestWithParam<double> {};

TEST_P(ParallelogramAt, IsAParallelogramThroughAllItsFlatPoses) {
  Linkage linkage(kParallelogram);
  const double step = GetParam();
  for (double q = 1.0; std::abs(q - 1.0) < 3 * kTurn; q += step) {
    ASSERT_EQ(linkage.tick(q), TickResult::ok) << q;
    ASSERT_NEAR(linkage.coupler(), 0.0, kRounding) << "crank commanded to " << q;
    ASSERT_NEAR(linkage.rocker(), q, kRounding);
    ASSERT_LE(linkage.stepper().residual(), kLargestOpening);
  }
}

/// tan(rocker/2) = -(L0 + L1)/(L0 - L1) tan(crank/2): the crossed linkage has the same flat poses.
TEST_P(ParallelogramAt, StaysCrossedThroughAllItsFlatPosesIfItWasCrossed) {
  Linkage linkage(kParallelogram);
  linkage.cross();
  const double step = GetParam(), ratio = -1.4 / 0.6;
  for (double q = 1.0; std::abs(q - 1.0) < 3 * kTurn; q += step) {
    ASSERT_EQ(linkage.tick(q), TickResult::ok) << q;
    ASSERT_NEAR(std::sin(linkage.rocker() / 2) * std::cos(q / 2),
                ratio * std::sin(q / 2) * std::cos(linkage.rocker() / 2), kInterpolation)
        << "crank commanded to " << q;
    ASSERT_LE(linkage.stepper().residual(), kLargestOpening);
  }
}

INSTANTIATE_TEST_SUITE_P(, ParallelogramAt,
                         testing::Values(0.003, 0.022, 0.06, 0.3, -0.003, -0.022, -0.06, -0.3));

TEST(Follower, StandsInTheFlatPoseAndGoesOnOrBack) {
  for (const double away : {0.002, -0.002}) {
    Linkage linkage(kParallelogram);
    for (double q = 1.0; q < std::numbers::pi; q += 0.003) ASSERT_EQ(linkage.tick(q), TickResult::ok);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(linkage.tick(std::numbers::pi), TickResult::ok);
    EXPECT_NEAR(linkage.coupler(), 0.0, kRounding);
    EXPECT_NEAR(linkage.stepper().margin(), 0.0, kRounding);
    for (int i = 1; i < 500; ++i) {
      ASSERT_EQ(linkage.tick(std::numbers::pi + i * away), TickResult::ok);
      ASSERT_NEAR(linkage.coupler(), 0.0, kRounding);
    }
  }
}

TEST(Follower, RatesInTheFlatPoseAreThoseOfTheBranch) {
  const Command moving = Command::at(std::numbers::pi, 2, 3);
  Linkage linkage(kParallelogram);
  for (double q = 1.0; q < std::numbers::pi; q += 0.003) ASSERT_EQ(linkage.tick(q), TickResult::ok);
  ASSERT_EQ(linkage.stepper().try_tick(std::array{moving}), TickResult::ok);
  const auto outputs = linkage.stepper().outputs();
  EXPECT_NEAR(outputs[4], 0.0, 1e-9);
  EXPECT_NEAR(outputs[5], 2.0, 1e-9);
  EXPECT_NEAR(outputs[7], 0.0, 1e-6);
  EXPECT_NEAR(outputs[8], 3.0, 1e-6);
}

TEST(Follower, HoldsWhereBranchesOnlyPassCloseByEachOther) {
  Linkage linkage(std::array{1.0, 0.4, 1.000001, 0.4});
  for (double q = 1.0; q < 4.0; q += 0.003) {
    static_cast<void>(linkage.tick(q));
    ASSERT_NEAR(linkage.coupler(), 0.0, 1e-3) << q;
  }
  EXPECT_LT(linkage.crank(), std::numbers::pi);
  EXPECT_NE(linkage.stepper().status() & (kHoldBranch | kHoldSingular), 0u);
}

/// A crank-rocker driven by its rocker: at the stretched pose the crank says nothing about the way on, and there is none.
TEST(Follower, HoldsAtADeadPointThatIsALimitAndComesBack) {
  Linkage linkage(kRockerDriven);
  for (double q = 1.0; q < 2.0; q += 0.0002) static_cast<void>(linkage.tick(q));
  EXPECT_EQ(linkage.stepper().status() & (kHoldSingular | kNearSingular), kHoldSingular | kNearSingular);
  EXPECT_LT(linkage.stepper().margin(), 0.1);
  const double held = linkage.crank();
  EXPECT_EQ(linkage.tick(held - 0.01), TickResult::ok);
  EXPECT_EQ(linkage.crank(), held - 0.01);
}

TEST(Follower, GoesOnTheSameWayFromASnapshotInTheFlatPose) {
  Linkage one(kParallelogram), other(kParallelogram);
  for (double q = 1.0; q < std::numbers::pi; q += 0.003) ASSERT_EQ(one.tick(q), TickResult::ok);
  ASSERT_EQ(one.tick(std::numbers::pi - 1e-5), TickResult::ok);
  std::vector<unsigned char> bytes(one.stepper().saved_bytes());
  one.stepper().save(bytes);
  ASSERT_EQ(other.stepper().try_restore(bytes), KernelStatus::ok);
  for (int i = 1; i < 300; ++i) {
    const double q = std::numbers::pi + 1e-3 * i;
    ASSERT_EQ(one.tick(q), TickResult::ok);
    ASSERT_EQ(other.tick(q), TickResult::ok);
    for (std::size_t o = 0; o < one.stepper().outputs().size(); ++o)
      ASSERT_EQ(one.stepper().outputs()[o], other.stepper().outputs()[o]) << q;
  }
}

TEST(Follower, TakesALongStepThatStaysOnItsBranch) {
  Linkage at_once(kernel().default_parameters()), slowly(kernel().default_parameters());
  EXPECT_EQ(at_once.tick(2.6), TickResult::ok);
  for (int i = 1; i <= 1600; ++i) ASSERT_EQ(slowly.tick(1.0 + 1.6 * i / 1600), TickResult::ok);
  EXPECT_NEAR(at_once.coupler(), slowly.coupler(), 1e-15);
}

TEST(Follower, LeavesEverythingUntouchedWhereItRefuses) {
  Instance instance(kernel());
  ASSERT_EQ(instance.try_init(kRockerDriven, std::array{1.0}), KernelStatus::ok);
  Follower follower(kernel());
  std::array at{1.0};
  std::vector<double> outputs(kernel().output_count(), 7.0), before(kernel().state_count()), after(before);
  instance.get_state(before);
  EXPECT_EQ(follower.try_step(instance, at, std::array{3.0, 0.0, 0.0}, outputs), kHoldSingular);
  EXPECT_EQ(follower.try_step(instance, at, std::array{1e60, 0.0, 0.0}, outputs) != 0, true);
  instance.get_state(after);
  EXPECT_EQ(before, after);
  EXPECT_EQ(at[0], 1.0);
  EXPECT_EQ(outputs, std::vector<double>(outputs.size(), 7.0));
}

}  // namespace
}  // namespace rodeo::engine
