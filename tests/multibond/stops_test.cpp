// SPDX-License-Identifier: MIT
// Stops and contacts as controlled junctions of multibond graphs (THEORY S14), against closed forms and against Newton's law.
#include <gtest/gtest.h>

#include "kinematics/dynamics/run.h"
#include "kinematics/multibond/multibond.h"
#include "kinematics/reduction/hybrid.h"
#include "kinematics/simulate/run.h"
#include "kinematics/spatial/problem.h"
#include "kinematics/text/yaml.h"
#include "tests/spatial/bounce.h"

namespace rodeo::multibond {
namespace {

spatial::Machine read(const std::string& text) {
  return spatial::build_machine(text::build_yaml_from_text(text, "m.yaml"), "m.yaml");
}

simulate::RunOptions precise(double duration, double rate, double tolerance) {
  return {.method = simulate::MethodKind::cvode, .rate = rate, .duration = duration, .tolerance = tolerance};
}

std::size_t find_column(const simulate::GraphRun& graph, const char* name) {
  const std::vector<std::string> names = graph.columns();
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// Height over the ground of a ball by its graph's equations, switching instants found by CVODE.
TEST(MultibondStops, OfABallHasItsContactAsAControlledJunction) {
  const spatial::Machine machine = read(R"(
name: ball
space: 3
bodies: {ball: {points: {c: [0, 0, 0]}, mass: 2, inertia: [0.5, 0.6, 0.7]}}
forces: [{contact: ball.c, height: 0.1, stiffness: 8000, damping: 40, viscous: 30}]
start: {ball: {angles: [0, 0, 0], origin: [0, 0, 0.3]}, rates: {ball: {velocity: [0.5, -0.3, 0]}}}
gravity: [0, 0, -9.81]
outputs: {c: ball.c}
)");
  const reduction::Hybrid hybrid = reduction::build_hybrid(build_multibond(machine));
  simulate::GraphRun graph(hybrid, {}, precise(0.35, 1000, 1e-10));
  const std::size_t x = find_column(graph, "c.x"), y = x + 1, z = x + 2;
  std::vector<double> last;
  EXPECT_TRUE(graph.run([&](std::span<const double> row) {
    EXPECT_NEAR(row[z] - 0.1, bounce::calc_bounce(0.2, bounce::kDamping, row[0]), 1e-6) << row[0];
    last.assign(row.begin(), row.end());
  }));
  EXPECT_EQ(graph.switches().size(), 2u);  // it lands and leaves
  // On the ground 30 N s/m slow 2 kg both ways alike; in the air nothing does.
  const double lands = std::sqrt(2 * 0.2 / 9.81), touch = bounce::Oscillator{0, -9.81 * lands, 40}.find_end();
  const double slow = std::exp(-15 * touch), way = lands + (1 - slow) / 15 + slow * (0.35 - lands - touch);
  EXPECT_NEAR(last[x], 0.5 * way, 1e-6);
  EXPECT_NEAR(last[y], -0.3 * way, 1e-6);
}

/// Against Newton's law of kinematics/spatial: a weight on a rope, which is a stop that is long.
TEST(MultibondStops, OfAWeightOnARopeMovesAsNewtonSays) {
  const spatial::Machine machine = read(R"(
name: rope
ground: {points: {A: [0.3, 0.2, 1.2]}}
bodies: {ball: {points: {c: [0.1, -0.05, 0.1]}, mass: 2, inertia: [0.05, 0.06, 0.07]}}
forces: [{stop: [ground.A, ball.c], retracted: 0.2, stroke: 0.9, stiffness: 900}]
start: {ball: {angles: [0.2, 0.1, 0], origin: [0, 0, 0.3]}, rates: {ball: {spin: [1, 0.5, -1], velocity: [0.5, 0.2, 0]}}}
gravity: [0, 0, -9.81]
outputs: {c: ball.c}
)");
  dynamics::Problem problem = spatial::build_problem(machine, spatial::build_start_pose(machine));
  const auto method = dynamics::build_method("minimal", problem, {.step = 1e-4});
  std::vector<spatial::Vector3> places;
  dynamics::run(*method, 0.6, 0.01, [&](const dynamics::Sample& sample) {
    const auto& system = dynamic_cast<const spatial::System&>(method->system());
    places.push_back(calc_position(machine, system.build_pose(sample.state.q), {1, 0}));
    return true;
  });
  const reduction::Hybrid hybrid = reduction::build_hybrid(build_multibond(machine));
  simulate::GraphRun graph(hybrid, {}, precise(0.6, 100, 1e-9));
  const std::size_t x = find_column(graph, "c.x");
  std::size_t i = 0;
  EXPECT_TRUE(graph.run([&](std::span<const double> row) {
    const spatial::Vector3 place(row[x], row[x + 1], row[x + 2]);
    EXPECT_LT((place - places.at(i++)).norm(), 1e-6) << row[0];
  }));
  EXPECT_GE(graph.switches().size(), 1u);
}

}  // namespace
}  // namespace rodeo::multibond
