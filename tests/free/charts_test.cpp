// SPDX-License-Identifier: MIT
// Machines whose first coordinates go bad on the way: the kernel takes others, and nobody sees it. THEORY L7.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "kinematics/dynamics/method.h"
#include "kinematics/dynamics/run.h"
#include "tests/free/free_run.h"

namespace rodeo::codegen {
namespace {

/// Longest and shortest link together are longer than the other two: no link turns round, and every angle has dead points.
const std::string kDoubleRocker = R"(name: double_rocker
parameters: {L0: 1.2, L1: 0.7, L2: 0.6, L3: 0.8}
ground: {points: {O: [0, 0], Q: [L0, 0]}}
bodies:
  crank:   {points: {O: [0, 0], B: [L1, 0]}, mass: 2, com: [L1/2, 0], inertia: 0.1}
  coupler: {points: {B: [0, 0], C: [L2, 0]}, mass: 1.5, com: [L2/2, 0], inertia: 0.05}
  rocker:  {points: {Q: [0, 0], C: [L3, 0]}, mass: 2.5, com: [L3/2, 0], inertia: 0.15}
joints:
  - {revolute: [ground.O, crank.O]}
  - {revolute: [crank.B, coupler.B]}
  - {revolute: [coupler.C, rocker.C]}
  - {revolute: [ground.Q, rocker.Q]}
gravity: [0, -9.81]
start: {crank: 70 deg, coupler: 10 deg, rocker: 100 deg, rates: {crank: 3}}
)";

/// So large that the piston's place, in metres, outruns the angles: it is the first coordinate, and stands still at both dead centres.
const std::string kLargeSliderCrank = R"(name: large_slider_crank
ground: {points: {O: [0, 0]}}
bodies:
  crank:  {points: {O: [0, 0], B: [20, 0]}, mass: 1, com: [10, 0], inertia: 40}
  rod:    {points: {B: [0, 0], C: [60, 0]}, mass: 2, com: [30, 0], inertia: 600}
  piston: {points: {C: [0, 0]}, mass: 1.5, com: [0, 0], inertia: 1}
joints:
  - {revolute: [ground.O, crank.O]}
  - {revolute: [crank.B, rod.B]}
  - {revolute: [rod.C, piston.C]}
  - {prismatic: [ground.O, piston.C], direction: [1, 0], name: guide}
gravity: [0, -9.81]
start: {crank: 60 deg, rod: -17 deg, piston: 0, rates: {crank: 1.5}}
)";

nlohmann::json charts_of(const FreeRun& run) {
  return nlohmann::json::parse(read_text(fs::path(run.built) / "certificate.json")).at("charts");
}

/// Angles of all bodies by the library, which has its own rows, its own switching and CVODE.
std::vector<std::vector<double>> reference_angles(const machine::Machine& machine, double duration,
                                                  double period) {
  dynamics::Problem problem = dynamics::build_problem(machine, machine::build_start_pose(machine));
  dynamics::MethodOptions options;
  options.solver = dynamics::Solver::cvode;
  options.relative = 1e-12;
  options.absolute = 1e-13;
  options.step = period;
  const auto method = dynamics::build_method("minimal", problem, options);
  std::vector<std::vector<double>> angles;
  dynamics::run(*method, duration, period, [&](const dynamics::Sample& sample) {
    angles.emplace_back();
    for (Eigen::Index i = 2; i < sample.state.q.size(); i += 3) angles.back().push_back(sample.state.q[i]);
    return true;
  });
  return angles;
}

int count_turns(const std::vector<double>& values) {
  int turns = 0;
  for (std::size_t i = 1; i < values.size(); ++i) turns += values[i - 1] * values[i] < 0 ? 1 : 0;
  return turns;
}

/// RK4's energy drifts by the fifth power of the step: 1e-4 s keep 1e-9 here.
TEST(Charts, CarryADoubleRockerThroughItsDeadPointsWithItsEnergy) {
  FreeRun run(kDoubleRocker);
  ASSERT_GE(charts_of(run).size(), 2u);
  const double begin = run.energy();
  double largest = 0, size = 0, least = 1, open = 0;
  std::vector<double> crank, rocker;
  for (int i = 0; i < 100000; ++i) {
    ASSERT_EQ(run.move(1e-4), RODEO_OK) << i;
    if (i % 20 != 0) continue;
    largest = std::max(largest, std::abs(run.energy() - begin));
    size = std::max(size, run.named().at("energy.kinetic"));
    least = std::min(least, run.instance->margin());
    open = std::max(open, run.instance->closure());
    crank.push_back(run.output("crank.rate"));
    rocker.push_back(run.output("rocker.rate"));
  }
  std::printf("  energy kept to %.1e, margin at least %.2f, the crank turned back %d times, the rocker %d\n",
              largest / size, least, count_turns(crank), count_turns(rocker));
  EXPECT_LE(largest, 1e-9 * size);
  EXPECT_GE(least, 0.25);
  EXPECT_LE(open, 1e-14);
  EXPECT_GE(count_turns(crank), 10);
  EXPECT_GE(count_turns(rocker), 10);
}

void expect_reference(const std::string& text, int ticks, double period, double tolerance) {
  FreeRun run(text);
  ASSERT_GE(charts_of(run).size(), 2u);
  const auto angles = reference_angles(run.machine, ticks * period, period);
  double largest = 0;
  for (int i = 1; i <= ticks; ++i) {
    ASSERT_EQ(run.move(period), RODEO_OK) << i;
    for (std::size_t b = 1; b < run.machine.bodies.size(); ++b) {
      const double angle = run.output(run.machine.bodies[b].name + ".angle");
      largest = std::max(largest, std::abs(angle - angles.at(static_cast<std::size_t>(i)).at(b - 1)));
    }
  }
  std::printf("  %d ticks, %.1e rad apart\n", ticks, largest);
  EXPECT_LE(largest, tolerance);
}

TEST(Charts, LeadWhereTheLibraryLeads) { expect_reference(kDoubleRocker, 30000, 1e-4, 1e-7); }

TEST(Charts, CarryASliderCrankWhosePistonIsTheFirstCoordinateThroughItsDeadCentres) {
  FreeRun run(kLargeSliderCrank);
  ASSERT_STREQ(run.k->free_coordinates[0].name, "guide");
  std::vector<double> piston;
  for (int i = 0; i < 8000; ++i) {
    ASSERT_EQ(run.move(1e-3), RODEO_OK) << i;
    piston.push_back(run.output("piston.origin.vx"));
    ASSERT_NEAR(run.free[0], run.output("piston.origin.x"), 1e-9);
    ASSERT_NEAR(run.free[1], run.output("piston.origin.vx"), 1e-9);
    ASSERT_NEAR(run.free[2], run.output("piston.origin.ax"), 1e-7);
  }
  EXPECT_GE(count_turns(piston), 2);
  expect_reference(kLargeSliderCrank, 8000, 1e-3, 1e-8);
}

TEST(Charts, ArePartOfWhatIsSaved) {
  FreeRun run(kDoubleRocker);
  std::vector<unsigned char> saved(run.k->state_bytes), other(run.k->state_bytes);
  const auto chart = [&] {
    double number = -1;
    std::memcpy(&number, saved.data() + saved.size() - 8, 8);
    return number;
  };
  for (int from = 0; chart() < 1; ++from) {  // the number is the last that is saved
    ASSERT_LT(from, 5000);
    ASSERT_EQ(run.move(1e-3), RODEO_OK);
    run.k->save(run.instance->memory.data(), saved.data());
  }
  std::vector<std::vector<double>> first;
  for (int i = 0; i < 3000; ++i) {
    ASSERT_EQ(run.move(1e-3), RODEO_OK);
    first.push_back(run.outputs);
  }
  FreeRun again(kDoubleRocker);
  ASSERT_EQ(again.k->restore(again.instance->memory.data(), saved.data()), RODEO_OK);
  again.k->save(again.instance->memory.data(), other.data());
  EXPECT_EQ(saved, other);
  for (int i = 0; i < 3000; ++i) {
    ASSERT_EQ(again.move(1e-3), RODEO_OK);
    ASSERT_EQ(again.outputs, first[static_cast<std::size_t>(i)]) << i;
  }
  const double none = 99;
  std::memcpy(saved.data() + saved.size() - 8, &none, 8);
  EXPECT_EQ(again.k->restore(again.instance->memory.data(), saved.data()), RODEO_BAD_STATE);
}

/// A crank that turns round needs no other coordinate: its kernel is what it was before there were charts.
TEST(Charts, AreOneWhereOneIsEnough) {
  const FreeRun run(undriven("four_bar"));
  EXPECT_EQ(charts_of(run).dump(), R"([["crank"]])");
  const std::string text = read_text(fs::path(run.built) / "kernel.c");
  EXPECT_EQ(text.find("advance_0"), std::string::npos);
  EXPECT_NE(text.find("#define N_CHARTS 1\n"), std::string::npos);
  EXPECT_EQ(run.k->state_bytes, 8 * (2 + run.k->n_parameters + run.k->n_states + 3 * run.k->n_free + 2));
}

}  // namespace
}  // namespace rodeo::codegen
