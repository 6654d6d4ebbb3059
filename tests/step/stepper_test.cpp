// SPDX-License-Identifier: MIT
// One machine tick by tick, on the hand-written four-bar: exact and integrated, held before singular poses and
// released, undisturbed by bad input, without the heap.
#include "engine/step/stepper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "tests/kernel/build_kernel.h"
#include "tests/step/count_allocations.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;

enum Output : std::size_t { crank_angle = 0, rocker_angle = 2, crank_rate = 3 };

/// Not of Grashof's kind: the crank's end cannot be farther from Q than coupler and rocker reach, 0.9 + 0.8 m, so
/// cos(crank) = (1 + 1.4² - 1.7²)/2.8 at its dead point.
constexpr std::array kSwinging{1.4, 1.0, 0.9, 0.8};
const double kDeadPoint = std::acos((1 + 1.4 * 1.4 - 1.7 * 1.7) / 2.8);
constexpr DriveLimits kLimits{{}, {}, 1.0, 4.0};

const Kernel& kernel() {
  static const Kernel kernel = Kernel::build_from_file(four_bar_object().string());
  return kernel;
}

class Machine {
 public:
  explicit Machine(const DriveLimits& limits = {}, const StepperOptions& options = {},
                   std::span<const double> parameters = kernel().default_parameters(), double start = 1.0)
      : stepper_(kernel(), std::array{limits}, options) {
    EXPECT_EQ(stepper_.try_start(parameters, std::array{start}), KernelStatus::ok);
  }
  TickResult tick(const Command& command) { return stepper_.try_tick(std::array{command}); }
  TickResult ticks(int n, const Command& command) {
    TickResult result{};
    for (int i = 0; i < n; ++i) result = tick(command);
    return result;
  }
  [[nodiscard]] const DriveState& drive() const { return stepper_.drives()[0]; }
  [[nodiscard]] double output(Output which) const { return stepper_.outputs()[which]; }
  Stepper& stepper() { return stepper_; }

 private:
  Stepper stepper_;
};

TEST(Stepper, PutsTheMachineWhereTheLimiterPutsItsDrive) {
  Machine machine(kLimits);
  EXPECT_EQ(machine.ticks(100, Command::at(1.5)), TickResult::ok);
  EXPECT_EQ(machine.output(crank_angle), machine.drive().position);
  EXPECT_EQ(machine.output(crank_rate), machine.drive().rate);
  EXPECT_EQ(machine.stepper().status(), kLimited);
  EXPECT_LT(machine.stepper().residual(), 1e-15);
}

TEST(Stepper, TurnsForEverWithoutDriftAndUnwraps) {
  Machine machine;
  for (int i = 1; i <= 20000; ++i) {
    ASSERT_EQ(machine.tick(Command::at(1.0 + 0.01 * i, 10.0)), TickResult::ok);
    ASSERT_LT(machine.stepper().residual(), 1e-15 * 4);
  }
  EXPECT_EQ(machine.output(crank_angle), 1.0 + 0.01 * 20000);
}

TEST(Stepper, RefusesBadInputAndLeavesEverythingUntouched) {
  Machine machine(kLimits);
  machine.ticks(10, Command::at(2));
  std::vector<unsigned char> before(machine.stepper().saved_bytes());
  std::vector<unsigned char> after(before.size());
  machine.stepper().save(before);
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(machine.tick(Command::at(bad)), TickResult::bad_input);
    EXPECT_EQ(machine.tick(Command::at(0, bad)), TickResult::bad_input);
    EXPECT_EQ(machine.tick(Command::moving(bad)), TickResult::bad_input);
  }
  machine.stepper().save(after);
  EXPECT_EQ(before, after);
}

TEST(Stepper, HoldsWhatTheKernelCannotComputeAndSaysSo) {
  Machine machine;
  EXPECT_EQ(machine.tick(Command::at(1e6)), TickResult::held);
  EXPECT_EQ(machine.stepper().status(), kBadInput);
  EXPECT_EQ(machine.drive(), (DriveState{1.0, 0, 0}));
}

TEST(Stepper, BrakesBeforeASingularPoseWithinItsLimitsAndHoldsThere) {
  Machine machine(kLimits, {}, kSwinging);
  double rate = 0;
  for (int i = 0; i < 3000; ++i) {
    static_cast<void>(machine.tick(Command::moving(1.0)));
    ASSERT_LE(std::abs(machine.drive().rate - rate), 4.0 * 1e-3 * (1 + 1e-9));
    ASSERT_GE(machine.stepper().margin(), 0.01);
    rate = machine.drive().rate;
  }
  EXPECT_EQ(machine.tick(Command::moving(1.0)), TickResult::held);
  EXPECT_EQ(machine.drive().rate, 0);
  EXPECT_EQ(machine.stepper().status(), kHoldSingular | kNearSingular);
  EXPECT_LT(machine.drive().position, kDeadPoint);
  EXPECT_GT(machine.drive().position, kDeadPoint - 0.005) << "it stops near it, not far before";
}

TEST(Stepper, WarnsBeforeItHolds) {
  Machine machine(kLimits, {}, kSwinging, 1.4);
  int warned = 0;
  TickResult result = TickResult::ok;
  for (int i = 0; i < 5000 && result == TickResult::ok; ++i) {
    result = machine.tick(Command::moving(0.05));
    const bool is_near = machine.stepper().margin() < 0.1;
    ASSERT_EQ((machine.stepper().status() & kNearSingular) != 0, is_near);
    warned += is_near && result == TickResult::ok ? 1 : 0;
  }
  EXPECT_EQ(result, TickResult::held);
  EXPECT_GT(warned, 5);
}

TEST(Stepper, MovesOnWhenCommandedBack) {
  for (const DriveLimits& limits : {kLimits, DriveLimits{}}) {
    Machine machine(limits, {}, kSwinging);
    EXPECT_EQ(machine.ticks(3000, Command::moving(1.0)), TickResult::held);
    const double held = machine.drive().position;
    EXPECT_EQ(machine.tick(Command::moving(-0.5)), TickResult::ok);
    EXPECT_LT(machine.drive().position, held);
    EXPECT_EQ(machine.ticks(2000, Command::at(0.9)), TickResult::ok);
    EXPECT_EQ(machine.drive(), (DriveState{0.9, 0, 0}));
    EXPECT_EQ(machine.stepper().status(), 0U);
  }
}

TEST(Stepper, HoldsTheLastPoseOfAnUnlimitedDriveAtRest) {
  Machine machine({}, {}, kSwinging);
  EXPECT_EQ(machine.tick(Command::at(1.2, 3.0)), TickResult::ok);
  EXPECT_EQ(machine.tick(Command::at(2.0, 3.0)), TickResult::held);
  EXPECT_EQ(machine.drive(), (DriveState{1.2, 0, 0}));
  EXPECT_EQ(machine.output(crank_rate), 0);
  EXPECT_EQ(machine.stepper().status(), kHoldSingular);
}

TEST(Stepper, SaysWhenTheStartIsSingular) {
  Stepper stepper(kernel(), std::array{DriveLimits{}}, {});
  EXPECT_EQ(stepper.try_start(kSwinging, std::array{2.0}), KernelStatus::singular);
}

TEST(Stepper, PlacesAMachineWithItsAnglesUnwrapped) {
  Machine machine;
  const DriveState target{1.0 + 8 * 3.14159265358979, 2.0, 0};
  ASSERT_EQ(machine.stepper().try_place(std::array{target}), KernelStatus::ok);
  EXPECT_EQ(machine.drive(), target);
  EXPECT_EQ(machine.output(crank_angle), target.position);
}

struct Drift {
  double euler, heun, rk4;
};

double calc_drift(rodeo_method method, rodeo_closure closure) {
  StepperOptions options;
  options.method = method;
  options.closure = closure;
  Machine machine({}, options);
  double largest = 0;
  for (int i = 1; i <= 10000; ++i) {
    EXPECT_EQ(machine.tick(Command::at(1.0 + 2e-3 * i, 2.0)), TickResult::ok);
    largest = std::max(largest, machine.stepper().residual());
  }
  EXPECT_NEAR(machine.output(crank_angle), 21.0, 1e-9) << "the driven angle is integrated from its rate";
  return largest;
}

// Ten seconds at 2 rad/s. The orders of the methods are h, h² and h⁴, times the time; h = 1e-3.
TEST(Stepper, DriftsByTheOrderOfItsMethodWithoutClosure) {
  const Drift drift{calc_drift(RODEO_EULER, RODEO_NONE), calc_drift(RODEO_HEUN, RODEO_NONE),
                    calc_drift(RODEO_RK4, RODEO_NONE)};
  EXPECT_GT(drift.euler, 1e-5);
  EXPECT_LT(drift.euler, 1e-1);
  EXPECT_LT(drift.heun, drift.euler / 50);
  EXPECT_LT(drift.rk4, 1e-10);
}

TEST(Stepper, DriftsLessWithBaumgarte) {
  EXPECT_LT(calc_drift(RODEO_EULER, RODEO_BAUMGARTE), calc_drift(RODEO_EULER, RODEO_NONE) / 3);
}

TEST(Stepper, IntegratesLimitedDrivesToTheSamePoseAsExactClosure) {
  StepperOptions options;
  options.closure = RODEO_NONE;
  Machine integrated(kLimits, options);
  Machine exact(kLimits);
  for (const double target : {2.0, 0.5, 1.5}) {
    integrated.ticks(2500, Command::at(target));
    exact.ticks(2500, Command::at(target));
    EXPECT_NEAR(integrated.output(rocker_angle), exact.output(rocker_angle), 1e-10);
  }
}

TEST(Stepper, HoldsAnIntegratedMachineToo) {
  StepperOptions options;
  options.closure = RODEO_BAUMGARTE;
  Machine machine(kLimits, options, kSwinging);
  EXPECT_EQ(machine.ticks(3000, Command::moving(1.0)), TickResult::held);
  EXPECT_EQ(machine.drive().rate, 0);
  EXPECT_EQ(machine.ticks(2000, Command::at(0.9)), TickResult::ok);
}

TEST(Stepper, GoesOnFromASnapshotBitForBit) {
  Machine machine(kLimits);
  machine.ticks(333, Command::at(3.0));
  std::vector<unsigned char> snapshot(machine.stepper().saved_bytes());
  machine.stepper().save(snapshot);
  machine.ticks(777, Command::at(-1.0));
  const std::vector<double> outputs(machine.stepper().outputs().begin(), machine.stepper().outputs().end());
  Machine other(kLimits);
  ASSERT_EQ(other.stepper().try_restore(snapshot), KernelStatus::ok);
  other.ticks(777, Command::at(-1.0));
  EXPECT_THAT(other.stepper().outputs(), testing::ElementsAreArray(outputs));
  EXPECT_EQ(other.drive(), machine.drive());
  EXPECT_EQ(other.stepper().try_restore(std::span(snapshot).first(10)), KernelStatus::bad_state);
}

TEST(Stepper, AllocatesNothingWhileItTicks) {
  if (allocation_count() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  StepperOptions integrated;
  integrated.closure = RODEO_BAUMGARTE;
  for (const StepperOptions& options : {StepperOptions{}, integrated}) {
    Machine machine(kLimits, options, kSwinging);
    std::vector<unsigned char> snapshot(machine.stepper().saved_bytes());
    const long before = allocation_count();
    for (int i = 0; i < 20000; ++i) {
      const bool is_bad = i % 100 == 0;
      const double value =
          is_bad ? std::nan("") : 1.0 + std::sin(i * 1e-3);  // into the singular pose and back
      static_cast<void>(machine.tick(Command::at(value)));
    }
    machine.stepper().save(snapshot);
    static_cast<void>(machine.stepper().try_restore(snapshot));
    EXPECT_EQ(allocation_count(), before);
  }
}

TEST(AllocationCount, Counts) {
  if (allocation_count() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  const long before = allocation_count();
  const std::vector<double> some(1000);
  EXPECT_GT(allocation_count(), before) << some.size();
}

}  // namespace
}  // namespace rodeo::engine
