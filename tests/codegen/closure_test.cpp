// SPDX-License-Identifier: MIT
// Loops stay closed: a minute of the loading cycle at 1 kHz, every tick; a day of it in tools/soak.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "tests/codegen/built_kernel.h"
#include "tests/codegen/cycle.h"

namespace rodeo::codegen {
namespace {

/// The cycle over and over, linear between rows, its slope as the rate.
double run_cycle(const std::string& machine, const std::string& csv, int ticks, double& smallest_margin) {
  const rodeo_kernel* k = load_kernel(fs::path(built_folder(config(machine))) / "kernel.so");
  const Cycle cycle(kSource / "configs/cycles" / csv);
  Instance instance(k);
  std::vector<double> drives, outputs;
  double largest = 0.0;
  EXPECT_EQ(instance.init(default_parameters(k), cycle.positions_at(0.0)), RODEO_OK);
  for (int tick = 0; tick < ticks; ++tick) {
    if (instance.step(cycle.drives_at(0.001 * tick), outputs) != RODEO_OK) {
      ADD_FAILURE() << machine << " refuses tick " << tick;
      break;
    }
    largest = std::max(largest, instance.closure());
    smallest_margin = std::min(smallest_margin, instance.margin());
  }
  std::printf("  %s: closure error at most %.1e m over %d ticks, margin from %.3f\n", machine.c_str(),
              largest, ticks, smallest_margin);
  return largest;
}

/// A minute, or as many as RODEO_CYCLE_TICKS says.
int ticks_to_run() {
  const char* asked = std::getenv("RODEO_CYCLE_TICKS");
  return asked != nullptr ? std::atoi(asked) : 60'000;
}

constexpr double kClosureTolerance = 1e-12;  // metres

TEST(Closure, StaysBelowAPicometreOverAMinuteOfLoading) {
  double margin = 1.0;
  EXPECT_LE(run_cycle("wheel_loader", "loading.csv", ticks_to_run(), margin), kClosureTolerance);
  EXPECT_GT(margin, 0.1);
}

TEST(Closure, StaysBelowAPicometreOverAMinuteOfLoadingByCylinders) {
  double margin = 1.0;
  EXPECT_LE(run_cycle("wheel_loader_cylinders", "loading_cylinders.csv", ticks_to_run(), margin),
            kClosureTolerance);
  EXPECT_GT(margin, 0.1);
}

TEST(Closure, StaysBelowAPicometreOverAMinuteOfDigging) {
  double margin = 1.0;
  EXPECT_LE(run_cycle("excavator", "digging.csv", ticks_to_run(), margin), kClosureTolerance);
  EXPECT_GT(margin, 0.1);
}

TEST(Closure, TellsTheGapOfALoopThatIsOpen) {
  const rodeo_kernel* k = load_kernel(fs::path(built_folder(config("four_bar"))) / "kernel.so");
  Instance instance(k);
  ASSERT_EQ(instance.init(), RODEO_OK);
  std::vector<double> states = instance.state();
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (std::string(k->states[i].name) == "rocker.angle") states[i] += 0.01;
  }
  double gap = 0.0;
  ASSERT_EQ(k->closure(instance.memory.data(), states.data(), &gap), RODEO_OK);
  // the rocker is 1 m long: its end moves 2 sin(0.005) m; the larger of two components is at least that by √2
  EXPECT_LE(gap, 2 * std::sin(0.005) + 1e-12);
  EXPECT_GE(gap, 2 * std::sin(0.005) / std::sqrt(2.0) - 1e-12);
}

}  // namespace
}  // namespace rodeo::codegen
