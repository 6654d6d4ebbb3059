// SPDX-License-Identifier: MIT
// What a kernel refuses, and that nothing has changed then; margins; saved states; many steps at once; unwrapped angles.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "tests/codegen/built_kernel.h"
#include "tests/codegen/cycle.h"

namespace rodeo::codegen {
namespace {

constexpr double kPi = std::numbers::pi;

const rodeo_kernel* kernel_of(const std::string& machine) {
  return load_kernel(fs::path(built_folder(config(machine))) / "kernel.so");
}

std::vector<double> at_rest(std::vector<double> positions) {
  std::vector<double> drives;
  for (const double p : positions) drives.insert(drives.end(), {p, 0.0, 0.0});
  return drives;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// Steps with outputs full of marks; the status, and whether memory and outputs are bit for bit as before.
void expect_refused(Instance& instance, const std::vector<double>& drives, int status,
                    const std::string& why) {
  std::vector<double> outputs(instance.k->n_outputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = 1e6 + static_cast<double>(i);
  const std::vector<double> marks = outputs;
  const std::vector<double> memory = instance.memory;
  EXPECT_EQ(instance.step(drives, outputs), status) << why;
  EXPECT_TRUE(same_bits(outputs, marks)) << why << ": outputs changed";
  EXPECT_TRUE(same_bits(instance.memory, memory)) << why << ": state changed";
}

class Refusal : public testing::TestWithParam<std::string> {};

TEST_P(Refusal, OfWhatIsNotFiniteLeavesEverythingUntouched) {
  Instance instance(kernel_of(GetParam()));
  ASSERT_EQ(instance.init(), RODEO_OK);
  const std::vector<double> good = at_rest(start_drives(instance.k));
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const double bad : {NAN, INFINITY, -INFINITY}) {
      std::vector<double> drives = good;
      drives[i] = bad;
      expect_refused(instance, drives, RODEO_BAD_INPUT, "drive value " + std::to_string(i));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, Refusal, testing::ValuesIn(find_machines({"configs", "tests/machines"})),
                         machine_name);

TEST(Step, RefusesAnglesThatItsSineCannotReduce) {
  for (const std::string machine : {"four_bar", "double_pendulum", "crank_slider"}) {
    Instance instance(kernel_of(machine));
    ASSERT_EQ(instance.init(), RODEO_OK);
    for (const double angle : {8.1e5, -8.1e5, 1e300}) {
      std::vector<double> positions = start_drives(instance.k);
      positions.back() = angle;
      expect_refused(instance, at_rest(positions), RODEO_BAD_INPUT, machine);
    }
  }
}

TEST(Step, RefusesCylindersThatCannotReach) {
  for (const std::string machine :
       {"excavator", "backhoe", "z_bar_loader", "wheel_loader_cylinders", "scissor_lift", "telehandler"}) {
    Instance instance(kernel_of(machine));
    ASSERT_EQ(instance.init(), RODEO_OK);
    for (std::size_t d = 0; d < instance.k->n_drives; ++d) {
      if (std::string(instance.k->drives[d].name) == "extension") continue;  // a slide goes anywhere
      for (const double length : {20.0, 1e40, 0.0, -20.0}) {
        std::vector<double> positions = start_drives(instance.k);
        positions[d] = length;
        expect_refused(instance, at_rest(positions), RODEO_SINGULAR,
                       machine + " " + instance.k->drives[d].name);
      }
    }
  }
}

/// Squares of it would overflow on the way to an output.
TEST(Step, RefusesEnormousValuesAsBadInput) {
  Instance instance(kernel_of("excavator"));
  ASSERT_EQ(instance.init(), RODEO_OK);
  for (std::size_t i = 0; i < 3 * instance.k->n_drives; ++i) {
    std::vector<double> drives = at_rest(start_drives(instance.k));
    drives[i] = 1e200;
    expect_refused(instance, drives, RODEO_BAD_INPUT, "value " + std::to_string(i));
  }
}

TEST(Step, GoesOnAfterARefusalAsIfNothingHadBeen) {
  Instance instance(kernel_of("excavator"));
  Instance other(instance.k);
  ASSERT_EQ(instance.init(), RODEO_OK);
  ASSERT_EQ(other.init(), RODEO_OK);
  std::vector<double> outputs, expected;
  for (int i = 0; i < 100; ++i) {
    std::vector<double> positions = start_drives(instance.k);
    positions[1] += 0.001 * i;
    ASSERT_EQ(other.step(at_rest(positions), expected), RODEO_OK);
    ASSERT_EQ(instance.step(at_rest(positions), outputs), RODEO_OK);
    EXPECT_TRUE(same_bits(outputs, expected));
    positions[1] = 9.0;
    EXPECT_NE(instance.step(at_rest(positions), outputs), RODEO_OK);
  }
}

TEST(Init, RefusedLeavesTheInstanceAsItWas) {
  Instance instance(kernel_of("four_bar"));
  ASSERT_EQ(instance.init(), RODEO_OK);
  const std::vector<double> memory = instance.memory;
  const std::vector<double> start = start_drives(instance.k);
  std::vector<double> parameters = default_parameters(instance.k);
  parameters[0] = NAN;
  EXPECT_EQ(instance.init(parameters, start), RODEO_BAD_INPUT);
  EXPECT_TRUE(same_bits(instance.memory, memory));
  EXPECT_EQ(instance.init(default_parameters(instance.k), {INFINITY}), RODEO_BAD_INPUT);
  EXPECT_TRUE(same_bits(instance.memory, memory));
  parameters = default_parameters(instance.k);
  parameters[0] = 10.0;  // L0: the pins on the ground are too far apart
  EXPECT_EQ(instance.init(parameters, start), RODEO_SINGULAR);
  EXPECT_TRUE(same_bits(instance.memory, memory))
      << "header: on any status but RODEO_OK the instance is as it was";
}

// ---- margins

/// Crank 0.5, coupler 1.2, rocker 1.0, and the ground's L0 made 1.75 by init: not all turns close, the crank comes to a dead
/// point where coupler and rocker are in line, |B - Q| = 2.2. The law of cosines gives the angle between these two.
TEST(Margin, IsTheSineOfTheTransmissionAngleOfTheFourBar) {
  Instance instance(kernel_of("four_bar"));
  std::vector<double> parameters = default_parameters(instance.k);
  constexpr double L0 = 1.75, L1 = 0.5, L2 = 1.2, L3 = 1.0;
  parameters[0] = L0;
  ASSERT_EQ(instance.init(parameters, start_drives(instance.k)), RODEO_OK);
  std::vector<double> outputs;
  double last = 1.0;
  int status = RODEO_OK;
  int compared = 0;
  for (double angle = start_drives(instance.k)[0]; angle < kPi; angle += 1e-4) {
    const double square = L0 * L0 + L1 * L1 - 2 * L0 * L1 * std::cos(angle);
    const double cosine = (L2 * L2 + L3 * L3 - square) / (2 * L2 * L3);
    const double sine = std::sqrt(std::max(0.0, 1 - cosine * cosine));
    status = instance.step(at_rest({angle}), outputs);
    if (status != RODEO_OK) {
      EXPECT_LT(sine, 0.01 + 1e-12) << "refused before the stop margin, at " << angle;
      break;
    }
    EXPECT_NEAR(instance.margin(), sine, 1e-13 / sine);
    EXPECT_GE(sine, 0.01 - 1e-12);
    last = instance.margin();
    ++compared;
  }
  std::printf("  %d poses, last margin before the dead point %.5f\n", compared, last);
  EXPECT_EQ(status, RODEO_SINGULAR);
  EXPECT_LT(last, 0.03);
  EXPECT_GT(compared, 1000);
}

TEST(Margin, ThatStopsIsTheCallersChoice) {
  Instance instance(kernel_of("four_bar"));
  ASSERT_EQ(instance.init(), RODEO_OK);
  std::vector<double> outputs;
  const std::vector<double> start = at_rest(start_drives(instance.k));
  ASSERT_EQ(instance.step(start, outputs), RODEO_OK);
  const double margin = instance.margin();
  instance.k->set_stop_margin(instance.memory.data(), margin * 1.0001);
  expect_refused(instance, start, RODEO_SINGULAR, "above the pose's margin");
  instance.k->set_stop_margin(instance.memory.data(), margin * 0.9999);
  EXPECT_EQ(instance.step(start, outputs), RODEO_OK);
}

TEST(Margin, IsOneWhereNothingCanBeSingular) {
  Instance instance(kernel_of("double_pendulum"));
  ASSERT_EQ(instance.init(), RODEO_OK);
  EXPECT_EQ(instance.margin(), 1.0);
}

// ---- save and restore, many steps

std::vector<unsigned char> save(const Instance& instance) {
  std::vector<unsigned char> bytes(instance.k->state_bytes);
  instance.k->save(instance.memory.data(), bytes.data());
  return bytes;
}

class SavedState : public testing::TestWithParam<std::string> {};

TEST_P(SavedState, RestoredGoesOnBitForBit) {
  Instance first(kernel_of(GetParam()));
  ASSERT_EQ(first.init(), RODEO_OK);
  std::vector<double> positions = start_drives(first.k), outputs, restored;
  const auto move = [&](int i) {
    std::vector<double> drives = at_rest(positions);
    for (std::size_t d = 0; d < positions.size(); ++d) drives[3 * d] += 1e-4 * i;
    for (std::size_t d = 0; d < positions.size(); ++d) drives[3 * d + 1] = 0.1;
    return drives;
  };
  for (int i = 0; i < 100; ++i) ASSERT_EQ(first.step(move(i), outputs), RODEO_OK);
  const std::vector<unsigned char> bytes = save(first);
  Instance second(first.k);
  ASSERT_EQ(second.k->restore(second.memory.data(), bytes.data()), RODEO_OK);
  EXPECT_EQ(save(second), bytes);
  EXPECT_EQ(second.margin(), first.margin());
  for (int i = 100; i < 200; ++i) {
    ASSERT_EQ(first.step(move(i), outputs), RODEO_OK);
    ASSERT_EQ(second.step(move(i), restored), RODEO_OK);
    ASSERT_TRUE(same_bits(outputs, restored)) << i;
  }
  EXPECT_EQ(save(second), save(first));
}

INSTANTIATE_TEST_SUITE_P(Machines, SavedState,
                         testing::ValuesIn(find_machines({"configs", "tests/machines"})), machine_name);

TEST(Restore, KeepsOtherParameters) {
  Instance first(kernel_of("four_bar"));
  std::vector<double> parameters = default_parameters(first.k);
  parameters[1] *= 1.05;
  ASSERT_EQ(first.init(parameters, start_drives(first.k)), RODEO_OK);
  Instance second(first.k);
  ASSERT_EQ(second.k->restore(second.memory.data(), save(first).data()), RODEO_OK);
  std::vector<double> a, b;
  ASSERT_EQ(first.step({1.3, 1.0, 0.0}, a), RODEO_OK);
  ASSERT_EQ(second.step({1.3, 1.0, 0.0}, b), RODEO_OK);
  EXPECT_TRUE(same_bits(a, b));
}

TEST(Restore, RefusesWhatAnotherKernelWroteOrIsDamaged) {
  Instance loader(kernel_of("wheel_loader")), digger(kernel_of("excavator"));
  ASSERT_EQ(loader.init(), RODEO_OK);
  ASSERT_EQ(digger.init(), RODEO_OK);
  std::vector<unsigned char> bytes = save(loader);
  bytes.resize(std::max(bytes.size(), digger.k->state_bytes));
  const std::vector<double> memory = digger.memory;
  EXPECT_EQ(digger.k->restore(digger.memory.data(), bytes.data()), RODEO_BAD_STATE);
  EXPECT_TRUE(same_bits(digger.memory, memory));

  std::vector<unsigned char> damaged = save(digger);
  const std::size_t last_state = damaged.size() - 24;  // before margin and stop margin
  damaged[last_state + 6] = 0xf0;
  damaged[last_state + 7] = 0x7f;  // infinity, or not a number
  EXPECT_EQ(digger.k->restore(digger.memory.data(), damaged.data()), RODEO_BAD_STATE);
  EXPECT_TRUE(same_bits(digger.memory, memory));
}

TEST(SetState, RefusesWhatIsNotFinite) {
  Instance instance(kernel_of("wheel_loader"));
  ASSERT_EQ(instance.init(), RODEO_OK);
  const std::vector<double> memory = instance.memory;
  std::vector<double> states = instance.state();
  ASSERT_EQ(instance.k->set_state(instance.memory.data(), states.data()), RODEO_OK);
  EXPECT_TRUE(same_bits(instance.memory, memory));
  states[1] = NAN;
  EXPECT_EQ(instance.k->set_state(instance.memory.data(), states.data()), RODEO_BAD_STATE);
  EXPECT_TRUE(same_bits(instance.memory, memory));
}

TEST(Steps, EqualSingleStepsBitForBitAndStopAtTheFirstRefusal) {
  const rodeo_kernel* k = kernel_of("wheel_loader");
  const Cycle cycle(kSource / "configs/cycles/loading.csv");
  Instance single(k), many(k);
  constexpr std::size_t n = 500;
  ASSERT_EQ(single.init(default_parameters(k), cycle.positions_at(0)), RODEO_OK);
  ASSERT_EQ(many.init(default_parameters(k), cycle.positions_at(0)), RODEO_OK);
  std::vector<double> drives, expected, outputs(n * k->n_outputs), row;
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<double> tick = cycle.drives_at(0.01 * static_cast<double>(i));
    drives.insert(drives.end(), tick.begin(), tick.end());
    ASSERT_EQ(single.step(tick, row), RODEO_OK);
    expected.insert(expected.end(), row.begin(), row.end());
  }
  std::size_t done = 0;
  ASSERT_EQ(k->steps(many.memory.data(), drives.data(), outputs.data(), n, &done), RODEO_OK);
  EXPECT_EQ(done, n);
  EXPECT_TRUE(same_bits(outputs, expected));
  EXPECT_TRUE(same_bits(many.memory, single.memory));

  drives[3 * k->n_drives * 200] = NAN;
  EXPECT_EQ(k->steps(many.memory.data(), drives.data(), outputs.data(), n, &done), RODEO_BAD_INPUT);
  EXPECT_EQ(done, 200U);
}

// ---- angles

/// 50 turns each way in steps of 0.02 rad: no body's angle may move by more than a fraction of a turn between two steps; after
/// whole turns a rocker is back, a crank is 50 turns on.
TEST(Angles, AreContinuousOverFiftyTurnsBothWays) {
  for (const std::string machine : {"four_bar", "crank_slider", "slanted_guide"}) {
    for (const double sense : {1.0, -1.0}) {
      Instance instance(kernel_of(machine));
      ASSERT_EQ(instance.init(), RODEO_OK);
      const double start = instance.k->start_drives[0];
      std::vector<double> outputs, last, first;
      ASSERT_EQ(instance.step(at_rest({start}), first), RODEO_OK);
      last = first;
      constexpr int kSteps = 50 * 314;
      double largest = 0.0;
      for (int i = 1; i <= kSteps; ++i) {
        ASSERT_EQ(instance.step(at_rest({start + sense * 100 * kPi * i / kSteps}), outputs), RODEO_OK);
        for (std::size_t o = 0; o < outputs.size(); ++o) {
          if (std::string(instance.k->outputs[o].name).ends_with(".angle"))
            largest = std::max(largest, std::abs(outputs[o] - last[o]));
        }
        last = outputs;
      }
      EXPECT_LT(largest, 0.1) << machine;
      for (std::size_t o = 0; o < outputs.size(); ++o) {
        const std::string name = instance.k->outputs[o].name;
        if (!name.ends_with(".angle")) continue;
        const double turns =
            name == std::string(instance.k->drives[0].name) + ".angle" ? sense * 100 * kPi : 0.0;
        EXPECT_NEAR(outputs[o] - first[o], turns, 1e-11) << name;
      }
    }
  }
}

/// A drag link (shortest link on the ground): all bodies go round, so that arc tangents pass ±π and must be unwrapped.
TEST(Angles, OfADragLinkGoRoundWithItsCrank) {
  Instance instance(kernel_of("four_bar"));
  std::vector<double> parameters = default_parameters(instance.k);
  parameters[0] = 0.4;  // L0
  parameters[1] = 1.0;  // L1
  parameters[2] = 0.9;  // L2
  parameters[3] = 1.1;  // L3
  instance.k->set_stop_margin(instance.memory.data(), 0.01);
  ASSERT_EQ(instance.init(parameters, start_drives(instance.k)), RODEO_OK);
  const double start = instance.k->start_drives[0];
  std::vector<double> outputs, first;
  ASSERT_EQ(instance.step(at_rest({start}), first), RODEO_OK);
  for (const int turns : {50, -50}) {
    for (int i = 1; i <= 15'000; ++i)
      ASSERT_EQ(instance.step(at_rest({start + 2 * kPi * turns * i / 15'000}), outputs), RODEO_OK);
    for (const std::string body : {"crank", "coupler", "rocker"}) {
      const std::size_t o = find_output(instance.k, body + ".angle");
      EXPECT_NEAR(outputs[o] - first[o], 2 * kPi * turns, 1e-10) << body;
    }
    for (int i = 15'000; i >= 0; --i)
      ASSERT_EQ(instance.step(at_rest({start + 2 * kPi * turns * i / 15'000}), outputs), RODEO_OK);
    for (const std::string body : {"crank", "coupler", "rocker"}) {
      const std::size_t o = find_output(instance.k, body + ".angle");
      EXPECT_EQ(outputs[o], first[o]) << body << " does not come back to the bit";
    }
  }
}

}  // namespace
}  // namespace rodeo::codegen
