// SPDX-License-Identifier: MIT
// Machines that move by their forces, compiled: every body in balance at every tick, energy kept, order of the method, and
// pendulums against equations of motion written by hand in long double.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "kinematics/machine/coordinates.h"
#include "tests/free/free_run.h"
#include "tests/reference/balance.h"

namespace rodeo::codegen {
namespace {

using machine::Machine;
using reference::Real;

class FreeMotionOf : public testing::TestWithParam<std::string> {};

/// The coordinates' own accelerations, put into an oracle that takes them for drives, leave no force on them.
TEST_P(FreeMotionOf, HoldsEveryBodyInBalance) {
  FreeRun run(undriven(GetParam()));
  const machine::Assembly start = machine::build_start_pose(run.machine);
  const machine::FreeCoordinates chosen =
      machine::choose_coordinates(run.machine, start, machine::calc_mobility(run.machine, start));
  ASSERT_EQ(chosen.coordinates.size(), run.k->n_free);
  for (std::size_t f = 0; f < run.k->n_free; ++f)
    EXPECT_EQ(chosen.coordinates[f].name, run.k->free_coordinates[f].name);
  const Machine driven = machine::build_with_coordinates(run.machine, chosen);
  const reference::AbsoluteOracle oracle(driven);
  reference::Vector q;
  Real largest = 0;
  int compared = 0;
  for (int i = 0; i < 400; ++i) {
    reference::Command command;
    for (std::size_t f = 0; f < run.k->n_free; ++f) {
      command.position.push_back(run.free[3 * f]);
      command.rate.push_back(run.free[3 * f + 1]);
      command.acceleration.push_back(run.free[3 * f + 2]);
    }
    const bool is_closed =
        i == 0 ? oracle.try_start(command.position, q) : oracle.try_close(command.position, q);
    ASSERT_TRUE(is_closed) << i;
    const reference::Motion motion = oracle.calc_motion(q, command);
    if (run.instance->margin() > 0.1) {
      largest =
          std::max(largest, reference::Balance(driven, motion, run.named(), run.inputs[0]).calc_error());
      ++compared;
    }
    if (run.move(0.001) != RODEO_OK) break;  // a loop has come to its end
  }
  std::printf("  %d ticks, largest error of the balance %.1Le of the forces\n", compared, largest);
  EXPECT_GE(compared, 100);
  EXPECT_LE(largest, 1e-11L);
}

TEST_P(FreeMotionOf, KeepsItsEnergy) {
  FreeRun run(undriven(GetParam()));
  const double begin = run.energy();
  double largest = 0, size = 0;
  for (int i = 0; i < 400 && run.move(0.001) == RODEO_OK; ++i) {
    if (run.instance->margin() < 0.1) break;
    largest = std::max(largest, std::abs(run.energy() - begin));
    size = std::max(size, run.named().at("energy.kinetic"));
  }
  std::printf("  kinetic energy up to %.3g J, energy kept to %.1e of it\n", size, largest / size);
  EXPECT_GT(size, 0);
  EXPECT_LE(largest, 1e-9 * size);
}

INSTANTIATE_TEST_SUITE_P(Machines, FreeMotionOf,
                         testing::Values("double_pendulum", "crank_slider", "four_bar", "wheel_loader"),
                         [](const auto& test) { return std::string(test.param); });

const std::string kPendulum = R"(name: pendulum
ground: {points: {O: [0, 0]}}
bodies: {bob: {points: {O: [0, 0], G: [1, 0]}, mass: 1, com: [1, 0]}}
joints: [{revolute: [ground.O, bob.O], name: pin}]
start: {bob: 0}
gravity: [0, -9.81]
outputs: {tip: bob.G}
)";

/// θ'' = -g cos θ from rest at θ = 0, Runge-Kutta 4 in long double at 10 us.
Real pendulum_at(int milliseconds) {
  std::array<Real, 2> y{0, 0};
  const auto rate = [](const std::array<Real, 2>& x) {
    return std::array<Real, 2>{x[1], -9.81L * std::cos(x[0])};
  };
  constexpr Real h = 1e-5L;
  for (int i = 0; i < 100 * milliseconds; ++i) {
    const auto plus = [&](const std::array<Real, 2>& k, Real part) {
      return std::array<Real, 2>{y[0] + part * h * k[0], y[1] + part * h * k[1]};
    };
    const auto k1 = rate(y), k2 = rate(plus(k1, 0.5L)), k3 = rate(plus(k2, 0.5L)), k4 = rate(plus(k3, 1));
    for (std::size_t j = 0; j < 2; ++j) y[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
  }
  return y[0];
}

/// IFToMM A01: 1 m, 1 kg, from horizontal, 10 s; 1e-6 J are asked for.
TEST(FreeMotion, OfThePendulumOfIftommIsTheClosedOne) {
  FreeRun run(kPendulum);
  ASSERT_EQ(run.k->n_free, 1u);
  EXPECT_STREQ(run.k->free_coordinates[0].name, "bob");
  double largest = 0;
  for (int i = 0; i < 10000; ++i) {
    ASSERT_EQ(run.move(0.001), RODEO_OK);
    largest = std::max(largest, std::abs(run.energy()));
  }
  std::printf("  energy error %.1e J, angle error %.1Le rad\n", largest,
              run.output("bob.angle") - pendulum_at(10000));
  EXPECT_LE(largest, 1e-8);
  EXPECT_NEAR(run.output("bob.angle"), static_cast<double>(pendulum_at(10000)), 1e-8);
}

/// Errors at two steps tell the order.
TEST(FreeMotion, HasTheOrderOfItsMethod) {
  const auto error = [](rodeo_method method, double period) {
    FreeRun run(kPendulum);
    const int ticks = static_cast<int>(std::lround(1.0 / period));
    for (int i = 0; i < ticks; ++i) EXPECT_EQ(run.move(period, method), RODEO_OK);
    return std::abs(run.output("bob.angle") - static_cast<double>(pendulum_at(1000)));
  };
  const struct {
    rodeo_method method;
    double period, order;
  } cases[] = {{RODEO_EULER, 1e-3, 1}, {RODEO_HEUN, 4e-3, 2}, {RODEO_RK4, 2e-2, 4}};
  for (const auto& c : cases) {
    const double order = std::log2(error(c.method, c.period) / error(c.method, c.period / 2));
    std::printf("  order %.2f\n", order);
    EXPECT_NEAR(order, c.order, 0.15);
  }
}

/// The energy of an RK4 run drifts by its fifth power of the step: 1e-4 s keeps 1e-10 over 100,000 of them.
TEST(FreeMotion, OfTheDoublePendulumKeepsEnergyOverAHundredThousandSteps) {
  FreeRun run(undriven("double_pendulum"));
  const double begin = run.energy();
  double largest = 0, size = 0;
  for (int i = 0; i < 100000; ++i) {
    ASSERT_EQ(run.move(1e-4), RODEO_OK);
    if (i % 100 != 0) continue;
    largest = std::max(largest, std::abs(run.energy() - begin));
    size = std::max(size, run.named().at("energy.kinetic"));
  }
  std::printf("  kinetic energy up to %.3g J, energy kept to %.1e of it\n", size, largest / size);
  EXPECT_LE(largest, 1e-10 * size);
}

/// start.rates and time-dependent torque: θ'' = 3 sin 2t on J = 2 without gravity.
TEST(FreeMotion, TakesStartRatesTimeAndSnapshots) {
  FreeRun run(R"(name: rotor
ground: {points: {O: [0, 0]}}
bodies: {rotor: {points: {O: [0, 0]}, mass: 5, com: [0, 0], inertia: 2}}
joints: [{revolute: [ground.O, rotor.O]}]
forces: [{torque: rotor, value: 6*sin(2*t)}]
start: {rotor: 0.5, rates: {rotor: 0.25}}
)");
  const auto exact = [](double t) { return 0.5 + 0.25 * t + 1.5 * t - 0.75 * std::sin(2 * t); };
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(run.move(0.001), RODEO_OK);
  EXPECT_NEAR(run.output("rotor.angle"), exact(1), 1e-12);
  std::vector<unsigned char> saved(run.k->state_bytes);
  run.k->save(run.instance->memory.data(), saved.data());
  const std::vector<double> there = run.outputs;
  for (int i = 0; i < 500; ++i) ASSERT_EQ(run.move(0.001), RODEO_OK);
  EXPECT_NEAR(run.output("rotor.angle"), exact(1.5), 1e-12);
  ASSERT_EQ(run.k->restore(run.instance->memory.data(), saved.data()), RODEO_OK);
  run.show();
  EXPECT_EQ(run.outputs, there);
}

}  // namespace
}  // namespace rodeo::codegen
