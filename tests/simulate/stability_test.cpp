// SPDX-License-Identifier: MIT
// A fixed step that is too long for a graph is told before it does harm; what grows of itself is no fault of the step.
#include "kinematics/simulate/stability.h"

#include "tests/simulate/running.h"

namespace rodeo::simulate {
namespace {

using testing::HasSubstr;

/// λ² + R/L λ + 1/(LC) = 0.
Model build_rlc(const std::string& R, const std::string& L, const std::string& C) {
  return model_of("domain: electric\nelements:\n  src: {Se: 10}\n  coil: {I: " + L + "}\n  res: {R: " + R +
                  "}\n  cap: {C: " + C +
                  "}\njunctions: {i: 1}\nbonds: [src -> i, i -> coil, i -> res, i -> cap]\n"
                  "outputs: {u: cap.effort}\n");
}

std::vector<std::string> warnings_of(const Model& model, const RunOptions& options) {
  return GraphRun(model, {}, options).warnings();
}

double find_rate(const std::string& told) {
  const std::size_t at = told.find("--rate ");
  return at == std::string::npos ? 0 : std::stod(told.substr(at + 7));
}

/// λ = -1000 ± 3000i: rk4 multiplies by 2.5 a step at 1 kHz.
TEST(Stability, AStepThatMakesACircuitExplodeIsAFaultWithARateThatDoes) {
  const Model model = build_rlc("2", "1e-3", "1e-4");
  ASSERT_EQ(warnings_of(model, {.duration = 0.5}).size(), 1U);
  const std::string told = failure_of(model, {.duration = 0.5});
  EXPECT_THAT(told, HasSubstr("m.yaml: the step of 0.001 s is too long for 'coil.momentum', "
                              "'cap.displacement' (time constant 0.000316 s)"));
  EXPECT_THAT(told, HasSubstr("--method cvode"));
  const double rate = find_rate(told);
  EXPECT_TRUE(warnings_of(model, {.rate = rate, .duration = 0.5}).empty());
  EXPECT_NEAR(run(model, {.rate = rate, .duration = 0.5}).last("u"), 10, 1e-6);
}

TEST(Stability, TheGrowthIsToldLongBeforeNumbersEnd) {
  const Model model = build_rlc("2", "1e-3", "1e-4");
  GraphRun graph(model, {}, {.duration = 0.5});
  double largest = 0;
  const auto write = [&](std::span<const double> row) { largest = std::max(largest, std::abs(row[1])); };
  EXPECT_THROW(graph.run(write), solve::SolveError);
  EXPECT_LT(largest, 1e7);
}

TEST(Stability, EulersStepIsJudgedByItsOwnLimit) {
  const Model model = build_rlc("20", "0.01", "1e-2");  // λ = -1995 and -5.01: Euler's limit is 2/1995 s
  EXPECT_TRUE(warnings_of(model, {.method = MethodKind::euler, .rate = 1000, .duration = 1}).empty());
  EXPECT_EQ(warnings_of(model, {.method = MethodKind::euler, .rate = 900, .duration = 1}).size(), 1U);
  EXPECT_TRUE(warnings_of(model, {.rate = 900, .duration = 1}).empty());  // rk4's is 2.785/1995 s
}

TEST(Stability, AnUndampedCircuitAtAGoodRateIsNotBlamed) {
  const Model model = build_rlc("0", "0.01", "1e-2");  // ω = 100 1/s
  EXPECT_TRUE(warnings_of(model, {.duration = 1}).empty());
  EXPECT_EQ(warnings_of(model, {.rate = 30, .duration = 1}).size(), 1U);  // ωh = 3.3, beyond 2√2
}

/// u = i R with R < 0: grows by exp(100 t), with every method alike.
TEST(Stability, WhatGrowsOfItselfIsNoFaultOfTheStep) {
  const Model model = model_of(R"(domain: electric
elements: {coil: {I: 0.01}, res: {R: -1}}
junctions: {i: 1}
bonds: [i -> coil, i -> res]
start: {coil.flow: 1}
outputs: {i: coil.flow}
)");
  EXPECT_TRUE(warnings_of(model, {.duration = 0.8}).empty());
  const double exact = std::exp(80.0);  // 5.5e34
  EXPECT_NEAR(run(model, {.duration = 0.8}).last("i") / exact, 1, 1e-4);
}

/// One circuit that grows of itself beside one that is too fast for the step: the second alone is blamed.
TEST(Stability, BlamesTheFastOneOfTwo) {
  const std::string told = failure_of(model_of(R"(domain: electric
elements: {coil: {I: 0.01}, res: {R: -1}, src: {Se: 1}, fast: {I: 1e-4}, load: {R: 1}}
junctions: {i: 1, j: 1}
bonds: [i -> coil, i -> res, src -> j, j -> fast, j -> load]
start: {coil.flow: 1}
)"),
                                      {.duration = 0.8});
  EXPECT_THAT(told, HasSubstr("too long for 'fast.momentum' (time constant 0.0001 s)"));
}

/// A motor with its load behind a gear, La = 2e-4 H: the currents' 1/6000 s. It ended as `the algebraic loop at gear, wm is singular`.
TEST(Stability, TheStepIsBlamedBeforeALoopThatOverflows) {
  const std::string told = failure_of(model_of(R"(domain: rotation
elements:
  supply: {MSe: "0.5*err + 6*integ", domain: electric}
  Ra: {R: 1.2, domain: electric}
  La: {I: 2e-4, domain: electric}
  gy: {GY: 0.08}
  rotor: {I: 2e-4}
  gear: {TF: 0.2}
  load: {I: 0.02}
junctions: {ia: 1, wm: 1, wl: 1}
signals: {err: 20 - load.flow, integ: {integrate: err}}
bonds: [supply -> ia, ia -> Ra, ia -> La, ia -> gy, gy -> wm, wm -> rotor, wm -> gear, gear -> wl, wl -> load]
)"),
                                      {.duration = 1});
  EXPECT_THAT(told, HasSubstr("too long for 'La.momentum'"));
  EXPECT_EQ(told.find("algebraic loop"), std::string::npos) << told;
}

/// ẋ = A x with A = diag(-50, [[-1, 20], [-20, -1]]) in other coordinates would have these; here as they are.
class Linear : public solve::Ode {
 public:
  [[nodiscard]] std::size_t size() const noexcept override { return 3; }
  void rate(double, solve::In x, solve::Out out) override {
    out[0] = -50 * x[0];
    out[1] = -x[1] + 20 * x[2];
    out[2] = -20 * x[1] - x[2];
  }
  [[nodiscard]] std::string name(std::size_t i) const override { return std::string(1, "abc"[i]); }
};

TEST(Stability, NaturalModesAreSortedAndNamed) {
  Linear linear;
  const std::vector<double> x{1, 2, 3};
  const auto modes = calc_natural_modes(linear, 0, x);
  ASSERT_EQ(modes.size(), 3U);
  EXPECT_NEAR(modes[0].time_constant(), 0.02, 1e-6);
  EXPECT_EQ(modes[0].states, std::vector<std::string>{"a"});
  EXPECT_NEAR(modes[1].eigenvalue.real(), -1, 1e-6);
  EXPECT_NEAR(std::abs(modes[1].eigenvalue.imag()), 20, 1e-6);
  EXPECT_EQ(modes[1].states, (std::vector<std::string>{"b", "c"}));
}

}  // namespace
}  // namespace rodeo::simulate
