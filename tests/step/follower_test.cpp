// SPDX-License-Identifier: MIT
// Branches: a parallelogram of the hand-written four-bar (ground and coupler 1 m, cranks 0.4 m) has coupler angle 0 at every crank
// angle; where it lies flat the crossed linkage meets it. It must never become the other.
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
/// Rounding of a coupler angle: some 1e-16 by the margin, which is 0.01 at least.
constexpr double kRounding = 1e-12;

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
  [[nodiscard]] double coupler() const { return stepper_.outputs()[1]; }
  [[nodiscard]] double crank() const { return stepper_.outputs()[0]; }
  Stepper& stepper() { return stepper_; }

 private:
  Stepper stepper_;
};

/// Speeds in rad a tick: slow; 0.022, which jumps over the singular poses in one tick; very fast.
class ParallelogramAt : public testing::TestWithParam<double> {};

TEST_P(ParallelogramAt, KeepsItsCouplerLevelAndHoldsBeforeItsFlatPose) {
  Linkage linkage(kParallelogram);
  for (double q = 1.0; q < 8.0; q += GetParam()) {
    static_cast<void>(linkage.tick(q));
    ASSERT_NEAR(linkage.coupler(), 0.0, kRounding) << "crank commanded to " << q;
    ASSERT_LE(linkage.stepper().residual(), kLargestOpening);
  }
  EXPECT_LT(linkage.crank(), std::numbers::pi);
  EXPECT_EQ(linkage.stepper().status() & kHoldBranch, kHoldBranch);
}

INSTANTIATE_TEST_SUITE_P(, ParallelogramAt, testing::Values(0.003, 0.022, 0.06, 0.3));

TEST(Follower, GoesOnWhenTheCommandComesBackToItsBranch) {
  Linkage linkage(kParallelogram);
  for (double q = 1.0; q < 4.0; q += 0.003) static_cast<void>(linkage.tick(q));
  EXPECT_EQ(linkage.tick(2.0), TickResult::ok);
  EXPECT_EQ(linkage.crank(), 2.0);
  EXPECT_NEAR(linkage.coupler(), 0.0, kRounding);
  EXPECT_EQ(linkage.stepper().status() & kHoldBranch, 0u);
}

TEST(Follower, TakesALongStepThatStaysOnItsBranch) {
  Linkage at_once(kernel().default_parameters()), slowly(kernel().default_parameters());
  EXPECT_EQ(at_once.tick(2.6), TickResult::ok);
  for (int i = 1; i <= 1600; ++i) ASSERT_EQ(slowly.tick(1.0 + 1.6 * i / 1600), TickResult::ok);
  EXPECT_NEAR(at_once.coupler(), slowly.coupler(), 1e-15);
}

TEST(Follower, LeavesEverythingUntouchedWhereItRefuses) {
  Instance instance(kernel());
  ASSERT_EQ(instance.try_init(kParallelogram, std::array{1.0}), KernelStatus::ok);
  Follower follower(kernel());
  std::array at{1.0};
  std::vector<double> outputs(kernel().output_count(), 7.0), before(kernel().state_count()), after(before);
  instance.get_state(before);
  EXPECT_EQ(follower.try_step(instance, at, std::array{4.0, 0.0, 0.0}, outputs), kHoldBranch);
  EXPECT_EQ(follower.try_step(instance, at, std::array{std::numbers::pi, 0.0, 0.0}, outputs), kHoldSingular);
  EXPECT_EQ(follower.try_step(instance, at, std::array{1e60, 0.0, 0.0}, outputs) != 0, true);
  instance.get_state(after);
  EXPECT_EQ(before, after);
  EXPECT_EQ(at[0], 1.0);
  EXPECT_EQ(outputs, std::vector<double>(outputs.size(), 7.0));
}

}  // namespace
}  // namespace rodeo::engine
