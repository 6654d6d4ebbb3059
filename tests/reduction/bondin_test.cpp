// SPDX-License-Identifier: MIT
// Bondin's examples through the whole chain: rigidly joined inertances (its figure 5), a damper by conditions (figure 6) and by
// a shared library (section 8), a PI-regulated motor (figure 4), subsets of three levels (section 9), and the contract's
// quarter car. Hand-derived equations are beside each.
#include <cmath>
#include <cstdlib>
#include <map>

#include "kinematics/bondgraph/library.h"
#include "kinematics/expr/eval.h"
#include "tests/bondgraph/reading.h"
#include "tests/reduction/paper.h"

namespace rodeo::reduction {
namespace {

Model model_of(const std::string& file) {
  return build_model(bondgraph::build_graph_from_file(config("graphs/" + file)));
}

/// Reduced rate of a state by name.
Expr rate_of(const Model& model, const std::string& state) {
  for (std::size_t s = 0; s < model.system.states.size(); ++s) {
    if (model.system.states[s].name == state) return Solved(model)(state_rates(model)[s]);
  }
  ADD_FAILURE() << "no state " << state;
  return {};
}

/// An expression of parameters, states and `t`.
Expr typed(const Model& model, const std::string& text) {
  return expr::build_expression(text, {[&](const std::string& name) -> std::optional<Expr> {
                                         if (name == "t") return expr::time_symbol();
                                         for (const State& state : model.system.states) {
                                           if (state.name == name) return state.symbol;
                                         }
                                         return expr::symbol(name);
                                       },
                                       {},
                                       nullptr});
}

expr::Values parameters_of(const Model& model) {
  expr::Values values{{"t", 0.0}};
  for (const expr::Parameter& parameter : model.graph.parameters) values[parameter.name] = parameter.number;
  return values;
}

TEST(TwoInertances, MoveAsOneMass) {
  const Model model = model_of("two_inertances.yaml");
  ASSERT_EQ(model.system.states.size(), 1u);
  EXPECT_EQ(model.system.differential_ports.size(), 1u);
  EXPECT_TRUE(proved(rate_of(model, "I1.momentum"), typed(model, "F*m1/(m1 + m2)")));
}

TEST(QuarterCar, HasItsHandDerivedEquations) {
  const Model model = model_of("quarter_car.yaml");
  ASSERT_EQ(model.system.states.size(), 4u);
  const std::string strut = "(ks*spring.displacement + b*(wheel.momentum/mu - body.momentum/ms))";
  const Printed expected{{"body.momentum", strut + " - ms*g"},
                         {"wheel.momentum", "kt*tyre.displacement - " + strut + " - mu*g"},
                         {"spring.displacement", "wheel.momentum/mu - body.momentum/ms"},
                         {"tyre.displacement", "0.1*sin(10*t) - wheel.momentum/mu"}};
  for (const auto& [state, right] : expected)
    EXPECT_TRUE(proved(rate_of(model, state), typed(model, right))) << state;
}

/// The damper's resistance as the model applies it: d/dt P1 = F sin(2t) - R (v1 - v2), at t = 0.
double resistance_at(const Model& model, double slip, const expr::Context& context = {}) {
  expr::Values values = parameters_of(model);
  values["I1.momentum"] = values["m1"] * (slip + 1);
  values["I2.momentum"] = values["m2"];
  return -expr::calc_value(rate_of(model, "I1.momentum"), values, context) / slip;
}

void expect_figure6(const Model& model, const expr::Context& context = {}) {
  constexpr double kRounding = 1e-9;
  for (const auto& [slip, resistance] : {std::pair{0.1, 750.0},
                                         {4.99, 750.0},
                                         {5.01, 1000.0},
                                         {9.99, 1000.0},
                                         {10.01, 1500.0},
                                         {-4.99, 750.0},
                                         {-5.01, 1000.0},
                                         {-10.01, 1500.0}}) {
    EXPECT_NEAR(resistance_at(model, slip, context), resistance, kRounding) << slip;
  }
}

TEST(ConditionalDamper, HasTheHardnessOfItsRules) { expect_figure6(model_of("conditional_damper.yaml")); }

TEST(LibraryDamper, HasTheHardnessThatTheLibraryGives) {
  const bondgraph::Folder folder;
  const std::string graphs = config("graphs/");
  std::filesystem::copy_file(graphs + "library_damper.yaml", folder / "m.yaml");
  ASSERT_EQ(
      std::system(
          ("gcc -shared -fPIC -o '" + (folder / "hardness.so") + "' '" + graphs + "hardness.c' -lm").c_str()),
      0);
  const Model model = build_model(bondgraph::build_graph_from_file(folder / "m.yaml"));
  bondgraph::allow_library(folder / "hardness.so");
  bondgraph::LibraryFunctions functions;
  expr::Context context;
  context.call = [&](const expr::Node& call, const std::vector<double>& args) {
    return functions.build_value(call, args);
  };
  expect_figure6(model, context);
}

/// λ' = kp (ref - ω) + ki i - R λ/L - k ω,  h' = k λ/L - b ω + tool,  i' = ref - ω,  ω = h/J
TEST(PiMotor, HasItsHandDerivedStateMatrix) {
  const Model model = model_of("pi_motor.yaml");
  const double R = 0.8, L = 2e-3, k = 0.06, J = 2e-5, b = 1e-5, kp = 0.2, ki = 5, ref = 100, cut = 0.02;
  const std::vector<std::string> states{"motor.armature.momentum", "motor.rotor.momentum", "integral"};
  const double matrix[3][3] = {{-R / L, -(kp + k) / J, ki}, {k / L, -b / J, 0}, {0, -1 / J, 0}};
  const double constant[3] = {kp * ref, -cut, ref};
  ASSERT_EQ(model.system.states.size(), 3u);
  expr::Values rest = parameters_of(model);
  rest["t"] = 1;  // the cut has begun
  for (const std::string& state : states) rest[state] = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Expr rate = rate_of(model, states[i]);
    EXPECT_NEAR(expr::calc_value(rate, rest), constant[i], 1e-12 * ref);
    for (std::size_t j = 0; j < 3; ++j) {
      expr::Values ahead = rest, behind = rest;
      ahead[states[j]] = 0.5;  // linear: any step will do
      behind[states[j]] = -0.5;
      const double slope = expr::calc_value(rate, ahead) - expr::calc_value(rate, behind);
      EXPECT_NEAR(slope, matrix[i][j], 1e-12 * (kp + k) / J) << i << j;
    }
  }
}

constexpr const char* kFlatTrain = R"(
domain: translation
parameters: {pull: 5e4, load: 3e4}
elements:
  engine: {I: 8e4}
  traction: {Se: pull}
  mass1: {I: 2e4 + load}
  wheels1: {R: 200}
  spring1: {K: 1e6}
  damper1: {R: 2*0.1*sqrt(1e6*(2e4 + load))}
  mass2: {I: (2e4 + load)/2}
  wheels2: {R: 200}
  spring2: {K: 8e5}
  damper2: {R: 2*0.1*sqrt(8e5*((2e4 + load)/2))}
junctions: {v: 1, between1: 0, stretch1: 1, v1: 1, between2: 0, stretch2: 1, v2: 1}
bonds:
  - traction -> v
  - v -> engine
  - v -> between1
  - between1 -> v1
  - between1 -> stretch1
  - stretch1 -> spring1
  - stretch1 -> damper1
  - v1 -> mass1
  - v1 -> wheels1
  - v1 -> between2
  - between2 -> v2
  - between2 -> stretch2
  - stretch2 -> spring2
  - stretch2 -> damper2
  - v2 -> mass2
  - v2 -> wheels2
)";

TEST(ThreeLevelSubset, HasTheRatesOfTheSameGraphWrittenFlat) {
  const Model nested = model_of("three_level.yaml");
  const Model flat = build_model(bondgraph::build_from_text(kFlatTrain));
  const std::map<std::string, std::string> flat_name{
      {"engine.momentum", "engine.momentum"},
      {"train.first.mass.momentum", "mass1.momentum"},
      {"train.first.hook.spring.displacement", "spring1.displacement"},
      {"train.second.mass.momentum", "mass2.momentum"},
      {"train.second.hook.spring.displacement", "spring2.displacement"}};
  EXPECT_EQ(nested.system.states.size(), flat_name.size());
  EXPECT_EQ(flat.system.states.size(), flat_name.size());
  for (const auto& [name, other] : flat_name) {
    const Expr renamed = expr::substitute(rate_of(nested, name), [&](Expr symbol) {
      const auto found = flat_name.find(symbol->name);
      return found == flat_name.end() ? symbol : expr::variable(found->second);
    });
    EXPECT_TRUE(proved(renamed, rate_of(flat, other))) << name;
  }
}

}  // namespace
}  // namespace rodeo::reduction
