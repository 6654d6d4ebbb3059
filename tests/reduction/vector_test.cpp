// SPDX-License-Identifier: MIT
// Vector graphs against their equations written by hand, and against their scalar form.
#include <gmock/gmock.h>

#include <random>

#include "kinematics/bondgraph/components.h"
#include "kinematics/bondgraph/write_graph.h"
#include "kinematics/expr/eval.h"
#include "kinematics/reduction/equations.h"
#include "kinematics/reduction/model.h"
#include "kinematics/text/yaml.h"

namespace rodeo::reduction {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

bondgraph::Graph read(const std::string& text) {
  return bondgraph::build_graph(text::build_yaml_from_text(text, "v.yaml"), "v.yaml");
}

/// Rates of the states at given values of states and time.
std::vector<double> calc_rates(const Model& model, const std::vector<double>& states, double t) {
  expr::Values values{{"t", t}};
  for (const expr::Parameter& parameter : model.graph.parameters) values[parameter.name] = parameter.number;
  for (std::size_t i = 0; i < states.size(); ++i) values[model.system.states[i].symbol->name] = states[i];
  std::vector<double> rates;
  for (const Expr rate : state_rates(model)) rates.push_back(expr::calc_value(rate, values));
  return rates;
}

const char* const kTop = R"(
domain: rotation
parameters: {J1: 1, J2: 2, J3: 5}
elements:
  J: {I: [J1, J2, J3]}
  gyro: {GY: [[0, J.momentum_3, -J.momentum_2], [-J.momentum_3, 0, J.momentum_1], [J.momentum_2, -J.momentum_1, 0]]}
junctions: {w: 1}
bonds: [{bond: w -> J, dimension: 3}, w -> gyro]
)";

TEST(VectorGraph, OfARigidBodyGivesEulersEquations) {
  const Model model = build_model(read(kTop));
  const std::vector<double> h{0.3, -0.7, 1.1};
  const double w[3] = {h[0] / 1, h[1] / 2, h[2] / 5};
  // ḣ = h × ω
  EXPECT_THAT(calc_rates(model, h, 0.0), ElementsAre(testing::DoubleNear(h[1] * w[2] - h[2] * w[1], 1e-15),
                                                     testing::DoubleNear(h[2] * w[0] - h[0] * w[2], 1e-15),
                                                     testing::DoubleNear(h[0] * w[1] - h[1] * w[0], 1e-15)));
}

/// A mass in ground axes, held by a spring in axes that turn; `bonds` say which way the rotation is drawn.
std::string turning(const std::string& elements, const std::string& bonds) {
  return "parameters: {m: 2, k: 5}\nelements:\n  M: {I: m}\n  spring: {K: [[k, 1, 0], [1, 2*k, 0], [0, 0, "
         "3*k]]}\n" +
         elements + "junctions: {v: 1, w: 1}\nbonds: [{bond: v -> M, dimension: 3}, " + bonds + "]\n";
}
const char* const kTurn = "  R: {MTF: [[cos(t), -sin(t), 0], [sin(t), cos(t), 0], [0, 0, 1]]}\n";

/// ṗ = −Rᵀ K x, ẋ = R p/m.
std::vector<double> calc_turning(const std::vector<double>& s, double t) {
  const double c = std::cos(t), d = std::sin(t);
  const double e[3] = {5 * s[3] + s[4], s[3] + 10 * s[4], 15 * s[5]};
  return {-(c * e[0] + d * e[1]),    -(-d * e[0] + c * e[1]),   -e[2],
          (c * s[0] - d * s[1]) / 2, (d * s[0] + c * s[1]) / 2, s[2] / 2};
}

TEST(VectorGraph, TurnsThroughAMatrix) {
  const Model model = build_model(read(turning(kTurn, "v -> R, R -> w, w -> spring")));
  const std::vector<double> s{0.4, -0.3, 0.2, 0.1, 0.5, -0.6};
  EXPECT_THAT(calc_rates(model, s, 0.7),
              testing::Pointwise(testing::DoubleNear(1e-14), calc_turning(s, 0.7)));
}

TEST(VectorGraph, TurnsAMatrixRoundWhereCausalityAsksForIt) {
  // drawn the other way, flow arrives where the matrix gives it: R⁻¹ is used, Rᵀ here
  const char* back = "  R: {MTF: [[cos(t), sin(t), 0], [-sin(t), cos(t), 0], [0, 0, 1]]}\n";
  const Model model = build_model(read(turning(back, "w -> R, R -> v, w -> spring")));
  const std::vector<double> s{0.4, -0.3, 0.2, 0.1, 0.5, -0.6};
  // the spring's bond leaves w as before, the power through R is counted the other way: x' = R p/m, with e = −K x at v
  std::vector<double> expected = calc_turning(s, 0.7);
  EXPECT_THAT(calc_rates(model, s, 0.7), testing::Pointwise(testing::DoubleNear(1e-14), expected));
}

TEST(VectorGraph, InvertsAMatrixThatIsNotOrthogonal) {
  const Model model = build_model(
      read("elements: {M: {I: 2}, s: {K: 3}, n: {TF: [[2, 1], [0, 4]]}}\njunctions: {v: 1, w: 1}\n"
           "bonds: [{bond: v -> M, dimension: 2}, w -> n, n -> v, w -> s]\n"));
  // flow_v = N flow_w, so ẋ = N⁻¹ p/2; effort at w: −3x = Nᵀ e_v, so ṗ = e = −(Nᵀ)⁻¹ 3x
  EXPECT_THAT(calc_rates(model, {0.5, 0.8, 0.1, -0.2}, 0.0),
              testing::Pointwise(testing::DoubleNear(1e-14),
                                 std::vector<double>{-0.15, (0.6 + 0.15) / 4, (0.25 - 0.1) / 2, 0.1}));
}

/// A matrix without an inverse, and one that is not square.
const char* const kArm = R"(
parameters: {r: 0.4}
elements:
  J: {I: [1, 2, 3]}
  arm: {TF: [[0, -r, 0.1], [r, 0, 0], [-0.1, 0, 0]]}
  tip: {K: 50}
  pick: {TF: [[0, 0, 1]]}
  damper: {R: 0.3}
  push: {Se: [0, 1, 0]}
junctions: {w: 1, v: 1}
bonds: [{bond: w -> J, dimension: 3}, w -> arm, arm -> v, v -> tip, w -> pick, pick -> damper, push -> w]
start: {J.flow_3: 2, tip.displacement_1: 0.01}
)";

void expect_equal_forms(const std::string& text) {
  const Model vector = build_model(read(text));
  const bondgraph::Graph split =
      bondgraph::build_scalar(vector.vector->graph, vector.vector->causality.strokes);
  const Model scalar = build_model(read(bondgraph::build_yaml(split)));
  EXPECT_FALSE(scalar.vector.has_value());
  ASSERT_EQ(scalar.system.states.size(), vector.system.states.size());
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int sample = 0; sample < 10; ++sample) {
    std::vector<double> states(vector.system.states.size());
    for (double& state : states) state = uniform(random);
    EXPECT_THAT(calc_rates(scalar, states, 0.3 * sample),
                testing::Pointwise(testing::DoubleNear(1e-12), calc_rates(vector, states, 0.3 * sample)));
  }
  for (std::size_t i = 0; i < vector.system.states.size(); ++i)
    EXPECT_EQ(scalar.system.states[i].start, vector.system.states[i].start) << vector.system.states[i].name;
}

TEST(ScalarForm, HasTheRatesOfTheVectorForm) {
  expect_equal_forms(kTop);
  expect_equal_forms(kArm);
  expect_equal_forms(turning(kTurn, "v -> R, R -> w, w -> spring"));
  expect_equal_forms(turning("  R: {MTF: [[cos(t), sin(t), 0], [-sin(t), cos(t), 0], [0, 0, 1]]}\n",
                             "w -> R, R -> v, w -> spring"));
  expect_equal_forms(
      "elements: {M: {I: 2}, s: {K: 3}, n: {TF: [[2, 1], [0, 4]]}}\njunctions: {v: 1, w: 1}\n"
      "bonds: [{bond: v -> M, dimension: 2}, w -> n, n -> v, w -> s]\n");
}

TEST(ScalarForm, StandsOneJunctionsWhereFlowEntersAndZeroJunctionsWhereEffortDoes) {
  const Model flow_in = build_model(read(turning(kTurn, "v -> R, R -> w, w -> spring")));
  const bondgraph::Graph a =
      bondgraph::build_scalar(flow_in.vector->graph, flow_in.vector->causality.strokes);
  EXPECT_EQ(a.elements[static_cast<std::size_t>(a.find_element("R_in_1"))].kind, bondgraph::Kind::one);
  EXPECT_EQ(a.elements[static_cast<std::size_t>(a.find_element("R_out_1"))].kind, bondgraph::Kind::zero);
  EXPECT_EQ(a.find_element("R_31"), -1) << "an entry that is nil has no transformer";
  const Model effort_in = build_model(read(turning(kTurn, "w -> R, R -> v, w -> spring")));
  const bondgraph::Graph b =
      bondgraph::build_scalar(effort_in.vector->graph, effort_in.vector->causality.strokes);
  EXPECT_EQ(b.elements[static_cast<std::size_t>(b.find_element("R_in_1"))].kind, bondgraph::Kind::zero);
  EXPECT_EQ(b.elements[static_cast<std::size_t>(b.find_element("R_out_1"))].kind, bondgraph::Kind::one);
}

std::vector<std::string> lines_of(const Model& model) {
  std::vector<std::string> lines;
  for (const ShownSection& section : build_vector_sections(model)) {
    for (const ShownEquation& equation : section.equations)
      lines.push_back(equation.left + " = " + equation.right);
  }
  return lines;
}

TEST(VectorEquations, NameVectorsAndMatrices) {
  EXPECT_THAT(lines_of(build_model(read(turning(kTurn, "v -> R, R -> w, w -> spring")))),
              ElementsAre("f_v = m⁻¹ P_M", "f_w = [R] f_v", "d/dt P_M = -[R]ᵀ [spring] X_spring",
                          "d/dt X_spring = f_w", "[spring] = [k, 1, 0; 1, 2*k, 0; 0, 0, 3*k]",
                          "[R] = [cos(t), -sin(t), 0; sin(t), cos(t), 0; 0, 0, 1]"));
}

/// A spring behind two junctions, one bond between them drawn against the others.
TEST(VectorEquations, WriteOneSign) {
  EXPECT_THAT(lines_of(build_model(read(R"(
elements: {M: {I: 2}, W: {I: 3}, s: {K: 5}}
junctions: {v: 1, w: 1, f: 0, x: 1, y: 1}
bonds: [{bond: v -> M, dimension: 2}, w -> W, f -> v, w -> f, f -> x, y -> x, y -> s]
)"))),
              ElementsAre("f_v = 2⁻¹ P_M", "f_w = 3⁻¹ P_W", "f_x = -f_v + f_w", "f_y = f_x", "e_f = 5 X_s",
                          "d/dt P_M = e_f", "d/dt P_W = -e_f", "d/dt X_s = f_y"));
}

/// A mass in a plane with a law of its own along each axis, one of them coupled, and quadratic drag on every component.
const char* const kLaws = R"(
elements:
  M: {I: 2}
  drag: {R: {effort: "3*abs(f)*f"}}
  spring: {K: {effort: ["4*x + x^3", "x*spring.displacement_1^2"]}}
junctions: {v: 1}
bonds: [{bond: v -> M, dimension: 2}, v -> drag, v -> spring]
)";

TEST(VectorGraph, TakesLawsThatAreNotLinearComponentByComponent) {
  const Model model = build_model(read(kLaws));
  const std::vector<double> s{0.4, -0.3, 0.6, 0.5};  // p1, p2, x1, x2
  const auto drag = [](double p) { return 3 * std::abs(p / 2) * p / 2; };
  const std::vector<double> expected{-drag(0.4) - 4 * 0.6 - 0.6 * 0.6 * 0.6, -drag(-0.3) - 0.5 * 0.6 * 0.6,
                                     0.2, -0.15};
  EXPECT_THAT(calc_rates(model, s, 0.0), testing::Pointwise(testing::DoubleNear(1e-15), expected));
  const Model scalar =
      build_model(bondgraph::build_scalar(model.vector->graph, model.vector->causality.strokes));
  EXPECT_THAT(calc_rates(scalar, s, 0.0), testing::Pointwise(testing::DoubleNear(1e-15), expected));
  const Model again = build_model(read(bondgraph::build_yaml(model.vector->graph)));
  EXPECT_THAT(calc_rates(again, s, 0.0), testing::Pointwise(testing::DoubleNear(1e-15), expected));
}

TEST(VectorEquations, WriteLawsWithoutAFactorOfTheirVariable) {
  EXPECT_THAT(lines_of(build_model(read(kLaws))),
              ElementsAre("f_v = 2⁻¹ P_M", "d/dt P_M = -[drag] - [spring]", "d/dt X_spring = f_v",
                          "[drag] = [3*drag.flow_1*abs(drag.flow_1); 3*drag.flow_2*abs(drag.flow_2)]",
                          testing::StartsWith("[spring] = [")));
}

TEST(VectorCausality, FixesTwoPortsWithoutAnInverse) {
  const Model model = build_model(read(kArm));
  std::vector<std::string> names;
  for (const int e : model.vector->causality.fixed)
    names.push_back(model.vector->graph.elements[static_cast<std::size_t>(e)].name);
  EXPECT_THAT(names, ElementsAre("arm", "pick"));
}

TEST(VectorCausality, SaysWhenAFixedTwoPortMeetsAFlowSource) {
  // two ends of one body held by flow sources: boudon-2019's oscillating bar
  const std::string held = R"(
elements:
  J: {I: [1, 2, 3]}
  arm: {TF: [[0, -1, 0], [1, 0, 0], [0, 0, 0]]}
  wall: {Sf: [0, 0, 0]}
junctions: {w: 1, v: 1}
bonds: [{bond: w -> J, dimension: 3}, w -> arm, arm -> v, wall -> v]
)";
  try {
    static_cast<void>(build_model(read(held)));
    FAIL() << "no conflict was found";
  } catch (const text::ModelError& error) {
    EXPECT_STREQ(error.what(),
                 "v.yaml:4: element 'arm': its matrix has no inverse, so it takes the flow that enters and "
                 "the effort of "
                 "the bond that leaves (rule C2), but others impose the opposite on bond w -> arm: let an R "
                 "and C, or a "
                 "lambda, hold what a flow source holds");
  }
}

}  // namespace
}  // namespace rodeo::reduction
