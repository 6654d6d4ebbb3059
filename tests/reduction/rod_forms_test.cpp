// SPDX-License-Identifier: MIT
// What holds for every driven machine of configs/: both rod forms turn the rods alike, weight drops out, and no block is
// larger than its loop (issue 2; romero-2006, sections 3 to 6).
#include <gmock/gmock.h>

#include <map>
#include <optional>

#include "tests/reduction/paper.h"

namespace rodeo::reduction {
namespace {

const std::vector<std::string> kMachines{"double_pendulum.yaml", "crank_slider.yaml", "four_bar.yaml",
                                         "wheel_loader.yaml", "wheel_loader_cylinders.yaml"};

Model model_of(const std::string& file, RodForm form) {
  return build_model(machine::build_rods(machine::build_machine_from_file(config(file)), {form, true, {}}));
}

std::vector<std::size_t> moving_sizes(const Model& model) {
  std::vector<std::size_t> sizes;
  for (const int b : find_moving_blocks(model))
    sizes.push_back(model.solution.blocks[place(b)].unknowns.size());
  return sizes;
}

class RodForms : public testing::TestWithParam<std::string> {};

/// Rates of the states by name. Those that are unknowns of a block are solved by Cramer in terms of earlier blocks'
/// rates, which have the same symbols in every model: no expression grows beyond its loop.
std::map<std::string, Expr> build_rates(const Model& model) {
  const std::vector<Expr> rates = state_rates(model);
  std::unordered_map<std::uint32_t, std::string> state_of;
  for (std::size_t s = 0; s < rates.size(); ++s) state_of.emplace(rates[s].id(), model.system.states[s].name);
  std::unordered_map<std::uint32_t, Expr> common;
  std::map<std::string, Expr> result;
  const auto in_common = [&](Expr e) {
    return expr::substitute(
        e, [&](Expr symbol) { return common.contains(symbol.id()) ? common.at(symbol.id()) : symbol; });
  };
  for (const int b : find_moving_blocks(model)) {
    const Block& block = model.solution.blocks[place(b)];
    for (std::size_t u = 0; u < block.unknowns.size(); ++u) {
      const Expr unknown = model.system.variables[place(block.unknowns[u])].symbol;
      const std::string& name = state_of.at(unknown.id());
      result[name] = in_common(cramer_numerator(block, u)) / in_common(determinant(block.matrix));
      common.emplace(unknown.id(), expr::variable("d/dt " + name));
    }
  }
  for (std::size_t s = 0; s < rates.size(); ++s)
    result.emplace(model.system.states[s].name, in_common(rates[s]));
  return result;
}

TEST_P(RodForms, ReduceToTheSameAngularRates) {
  const auto full = build_rates(model_of(GetParam(), RodForm::traditional));
  for (const auto& [name, rate] : build_rates(model_of(GetParam(), RodForm::equivalent))) {
    ASSERT_TRUE(full.contains(name)) << name;
    EXPECT_TRUE(proved(full.at(name), rate)) << name;
  }
}

/// Masses and inertias as symbols, gravity in both directions.
TEST_P(RodForms, LeaveNoMassInertiaOrGravityInTheRates) {
  machine::Machine machine = machine::build_machine_from_file(config(GetParam()));
  for (machine::Body& body : machine.bodies) body.mass = body.inertia = std::nullopt;
  machine.gravity_x = machine.gravity_y = machine::Quantity{expr::symbol("g"), 9.81};
  const Graph graph = machine::build_rods(machine, {RodForm::traditional, true, {}});
  const auto is_weight = testing::AnyOf("g", testing::StartsWith("m_"), testing::StartsWith("J_"));
  EXPECT_THAT(symbols_of_rates(build_model(graph)), testing::Not(testing::Contains(is_weight)));
}

INSTANTIATE_TEST_SUITE_P(Machines, RodForms, testing::ValuesIn(kMachines), [](const auto& param_info) {
  return param_info.param.substr(0, param_info.param.find('.'));
});

TEST(WheelLoader, HasSixDifferentialEquationsTwoInputsAndTwoBlocksOfTwo) {
  const Model model = model_of("wheel_loader.yaml", RodForm::equivalent);
  EXPECT_EQ(model.system.states.size(), 6u);
  EXPECT_EQ(model.system.inputs.size(), 2u);
  EXPECT_THAT(moving_sizes(model), testing::ElementsAre(2, 2));
  EXPECT_THAT(moving_sizes(model_of("wheel_loader.yaml", RodForm::traditional)), testing::ElementsAre(2, 2));
}

TEST(WheelLoader, OnCylindersHasTenStatesAndFourBlocksOfTwo) {
  const Model model = model_of("wheel_loader_cylinders.yaml", RodForm::equivalent);
  EXPECT_EQ(model.system.states.size(), 10u);  // six rods, angle and length of two cylinders
  EXPECT_EQ(model.system.inputs.size(), 2u);
  EXPECT_THAT(moving_sizes(model), testing::ElementsAre(2, 2, 2, 2));
}

/// A loop of revolute rods closes in two equations: x and y.
TEST(WheelLoader, NoSymbolicSystemOfTheRatesIsLargerThanItsLoop) {
  for (const std::string& file : kMachines) {
    for (const RodForm form : {RodForm::traditional, RodForm::equivalent}) {
      EXPECT_THAT(moving_sizes(model_of(file, form)), testing::Each(testing::Le(2u))) << file;
    }
  }
}

}  // namespace
}  // namespace rodeo::reduction
