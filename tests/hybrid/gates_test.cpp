// SPDX-License-Identifier: MIT
// Booleans as coefficients of one model, against the models of the configurations one by one.
#include <gtest/gtest.h>

#include <random>

#include "kinematics/expr/eval.h"
#include "kinematics/multibond/multibond.h"
#include "kinematics/reduction/gates.h"
#include "kinematics/reduction/hybrid_equations.h"
#include "kinematics/text/yaml.h"
#include "tests/hybrid/running.h"
#include "tests/reduction/evaluated.h"

namespace rodeo::reduction {
namespace {

bondgraph::Graph read(const std::string& text) { return bondgraph::build_from_text(text, {}); }

/// Rates by the names of the states.
std::map<std::string, double> calc_rates_by_name(const Model& model, expr::Values values) {
  const std::vector<double> all = calc_rates(model, std::move(values));
  std::map<std::string, double> rates;
  for (std::size_t s = 0; s < all.size(); ++s) rates[model.system.states[s].name] = all[s];
  return rates;
}

/// Every configuration of the graph, at random states.
void expect_same_rates(const bondgraph::Graph& graph, std::size_t configurations) {
  const std::optional<Hybrid> gated = build_gated(graph);
  ASSERT_TRUE(gated);
  const Hybrid hybrid = build_hybrid(graph);
  ASSERT_EQ(hybrid.configurations.size(), configurations);
  EXPECT_EQ(gated->reachable.values, hybrid.reachable.values);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (const Configuration& configuration : hybrid.configurations) {
    expr::Values values;
    for (const expr::Parameter& parameter : graph.parameters) values[parameter.name] = parameter.number;
    values["t"] = 0.3;
    for (const State& state : configuration.model.system.states) values[state.name] = unit(random);
    for (std::size_t b = 0; b < gated->coefficients.size(); ++b)
      values[gated->coefficients[b]] = configuration.values[b] ? 1.0 : 0.0;
    const auto expected = calc_rates_by_name(configuration.model, values);
    const auto found = calc_rates_by_name(gated->configurations.front().model, values);
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [name, rate] : expected)
      EXPECT_NEAR(found.at(name), rate, 1e-12 * std::max(1.0, std::abs(rate)))
          << name << " while " << describe(configuration);
  }
}

/// A mass between two stops, one of them without a damper.
constexpr const char* kBetween = R"(
parameters: {k: 50, d: 3}
elements:
  m: {I: 2}
  x: {K: 0}
  push: {Se: 4*sin(t)}
  left: {Se: -k*(x.displacement + 1)}
  left_damper: {R: d}
  right: {Se: -k*(x.displacement - 1)}
junctions:
  v: 1
  behind_left: 1
  behind_right: 1
  touch_left: {X0: "x.displacement < -1"}
  touch_right: {X0: "x.displacement > 1"}
bonds: [push -> v, v -> m, v -> x, v -> touch_left, touch_left -> behind_left, left -> behind_left, behind_left -> left_damper,
        v -> touch_right, touch_right -> behind_right, right -> behind_right]
)";

TEST(Gates, HaveTheRatesOfEveryConfiguration) { expect_same_rates(read(kBetween), 3); }

TEST(Gates, HaveTheRatesOfEveryConfigurationOfAMachineInSpace) {
  const char* const kPlate = R"(
name: plate
parameters: {k: 2000}
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 1]}}
bodies: {plate: {points: {a: [1, 0, 0], b: [-1, 0.5, 0]}, mass: 2, inertia: [0.3, 0.4, 0.6]}}
forces:
  - {contact: plate.a, stiffness: k, damping: 30, viscous: 4}
  - {contact: plate.b, stiffness: k}
  - {stop: [ground.O, plate.a], retracted: 0.5, stroke: 1, stiffness: 300, damping: 2}
)";
  expect_same_rates(multibond::build_multibond(spatial::build_machine(
                        text::build_yaml_from_text(kPlate, "plate.yaml"), "plate.yaml")),
                    12);
}

TEST(Gates, AreNoneWhereSomethingStoresBehindTheJunction) {
  EXPECT_FALSE(build_gated(read(R"(
elements: {m: {I: 2}, tyre: {K: 50}, gap: {K: 0}}
junctions: {v: 1, touch: {X0: "gap.displacement < 0"}}
bonds: [v -> m, v -> gap, v -> touch, touch -> tyre]
)")));
}

TEST(Gates, AreNoneForX1AndForBondsThatPointAtTheJunction) {
  EXPECT_FALSE(build_gated(read(R"(
elements: {c: {C: 2}, r: {R: 5}, e: {Se: 1}}
junctions: {u: 0, line: {X1: "t < 1"}}
bonds: [e -> line, line -> u, u -> c, u -> r]
)")));
  EXPECT_FALSE(build_gated(read(R"(
elements: {m: {I: 2}, x: {K: 0}, push: {Se: 3}}
junctions: {v: 1, touch: {X0: "x.displacement < 0"}}
bonds: [v -> m, v -> x, touch -> v, push -> touch]
)")));
}

TEST(VectorEquations, OfContactsHaveBooleansAsCoefficients) {
  const auto machine =
      spatial::build_machine_from_file(std::string(RODEO_SOURCE_DIR) + "/configs/spatial/dropped_box.yaml");
  const std::optional<Hybrid> gated = build_gated(multibond::build_multibond(machine));
  ASSERT_TRUE(gated);
  EXPECT_EQ(gated->reachable.count, 256.0);
  std::vector<std::string> lines;
  for (const ShownSection& section : build_vector_switched_sections(*gated)) {
    for (const ShownEquation& equation : section.equations)
      lines.push_back(equation.left + " = " + equation.right);
  }
  const auto has = [&](const std::string& line) {
    return std::find(lines.begin(), lines.end(), line) != lines.end();
  };
  EXPECT_TRUE(has("F_force_1.normal = b1 (k*force_1.height.displacement + d v_force_1.normal.v)"));
  EXPECT_TRUE(has("v_force_1.normal.v = b1 v_force_1.rise"));
  EXPECT_EQ(lines[lines.size() - 8].substr(0, 6), "b1 = [");
}

}  // namespace
}  // namespace rodeo::reduction
