// SPDX-License-Identifier: MIT
// A leap of free motion alone, on a kernel of one angle that is put wherever the test says: no energy, no joint, no margin is there to
// find it.
#include "engine/step/leap.h"

#include <gtest/gtest.h>

namespace rodeo::engine {
namespace {

constexpr double kStep = 1e-3;  // s

double rate_now = 0;

struct Memory {
  double angle;
};

const rodeo_channel kAngle{"arm.angle", "rad"};
const rodeo_channel kSlide{"arm.slide", "m"};

int ok_init(void*, const double*, const double*) { return RODEO_OK; }
int ok_step(void*, const double*, double*) { return RODEO_OK; }
int ok_steps(void*, const double*, double*, std::size_t, std::size_t*) { return RODEO_OK; }
int ok_integrate(void*, const double*, double, int, int, double) { return RODEO_OK; }
int ok_derivatives(const void*, const double*, const double*, double*) { return RODEO_OK; }
int ok_closure(const void*, const double*, double*) { return RODEO_OK; }
int ok_poses(const void*, const double*, double*) { return RODEO_OK; }
int ok_move(void*, const double*, const double*, double, int) { return RODEO_OK; }
double full_margin(const void*) { return 1; }
void take_margin(void*, double) {}
void get_state(const void* memory, double* states) { states[0] = static_cast<const Memory*>(memory)->angle; }
int set_state(void* memory, const double* states) {
  static_cast<Memory*>(memory)->angle = states[0];
  return RODEO_OK;
}
void get_free(const void* memory, double* values) {
  values[0] = static_cast<const Memory*>(memory)->angle;
  values[1] = rate_now;
  values[2] = 0;
}
void save(const void*, unsigned char*) {}
int restore(void*, const unsigned char*) { return RODEO_OK; }

rodeo_kernel build_table(const rodeo_channel& state) {
  rodeo_kernel table{};
  table.abi = RODEO_KERNEL_ABI;
  table.name = "arm";
  table.version = table.model_fingerprint = table.interface_fingerprint = "";
  table.n_states = table.n_free = 1;
  table.states = table.free_coordinates = &state;
  table.instance_bytes = sizeof(Memory);
  table.init = ok_init;
  table.step = ok_step;
  table.steps = ok_steps;
  table.integrate = ok_integrate;
  table.derivatives = ok_derivatives;
  table.closure = ok_closure;
  table.poses = ok_poses;
  table.move = ok_move;
  table.get_free = get_free;
  table.margin = full_margin;
  table.set_stop_margin = take_margin;
  table.get_state = get_state;
  table.set_state = set_state;
  table.save = save;
  table.restore = restore;
  return table;
}

/// Whether a step from rest at 0 at one rate to an angle at another rate is a leap.
bool leaps(const rodeo_channel& state, double rate_from, double angle, double rate_to) {
  const rodeo_kernel table = build_table(state);
  Instance machine(Kernel::build_from_table(&table, "arm"));
  LeapWatch watch(machine.kernel());
  rate_now = rate_from;
  EXPECT_EQ(machine.try_set_state(std::vector{0.0}), KernelStatus::ok);
  watch.begin(machine);
  rate_now = rate_to;
  EXPECT_EQ(machine.try_set_state(std::vector{angle}), KernelStatus::ok);
  return watch.find_leap(machine, kStep).has_value();
}

TEST(LeapWatch, FindsAnAngleThatItsRatesDoNotLeadTo) {
  EXPECT_TRUE(leaps(kAngle, 1, 0.3, 1));
  EXPECT_TRUE(leaps(kAngle, 1, -0.06, 2));
  EXPECT_TRUE(leaps(kAngle, 100, 0.3, 120));
}

TEST(LeapWatch, LetsPassWhatMovesAtItsRates) {
  EXPECT_FALSE(leaps(kAngle, 1, 0.001, 1));
  EXPECT_FALSE(leaps(kAngle, 200, 0.2, 200));
  EXPECT_FALSE(leaps(kAngle, 200, 0.1, 0)) << "a hit";
  EXPECT_FALSE(leaps(kAngle, 200, 0.02, -200)) << "a hit that throws it back";
  EXPECT_FALSE(leaps(kSlide, 1, 0.3, 1)) << "a way of 0.3 m is as long as its unit";
}

}  // namespace
}  // namespace rodeo::engine
