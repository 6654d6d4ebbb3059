// SPDX-License-Identifier: MIT
// If-rules, sgn, steps in time and rows of inputs as events of the solvers, against closed forms.
#include <cmath>
#include <numbers>

#include "tests/simulate/running.h"

namespace rodeo::simulate {
namespace {

struct Way {
  const char* name;
  FormKind form;
  MethodKind method;
};

class Solvers : public testing::TestWithParam<Way> {
 protected:
  [[nodiscard]] Log run_for(const std::string& text, double seconds, double rate = 1000,
                            const InputTable& table = {}) const {
    const Model model = model_of(text);
    RunOptions options;
    options.form = GetParam().form;
    options.method = GetParam().method;
    options.duration = seconds;
    options.rate = rate;
    options.columns = {"all"};
    return run(model, options, table);
  }
};

INSTANTIATE_TEST_SUITE_P(Thresholds, Solvers,
                         testing::Values(Way{"cvode", FormKind::reduced, MethodKind::cvode},
                                         Way{"adams", FormKind::reduced, MethodKind::adams},
                                         Way{"ida", FormKind::reduced, MethodKind::ida},
                                         Way{"full", FormKind::full, MethodKind::ida}),
                         [](const auto& way) { return std::string(way.param.name); });

constexpr double kSolved = 1e-6;  // of runs of seconds at a tolerance of 1e-8 a step

/// m v̇ = F - R(v) v, one mass, one damper.
std::string mass_with(const std::string& force, const std::string& damper, const std::string& more = "") {
  return "name: m\ndomain: translation\nparameters: {m: 10}\nelements:\n  push: {Se: \"" + force +
         "\"}\n  I1: {I: m}\n  damper: " + damper +
         "\njunctions: {v: 1}\nbonds: [push -> v, v -> I1, v -> damper]\n" + more;
}

const char* const kHarder = "{R: [{if: \"_VI1_ <= 5\", then: 2}, {else: 50}]}";

/// Softer below 5 m/s: 10 v̇ = 100 - 2 v > 0 there, harder above: 10 v̇ = 100 - 50 v < 0: v stays at 5, and the damper takes the 100 N.
TEST_P(Solvers, SlideAlongTheThresholdOfAConditionalDamper) {
  const Log log = run_for(mass_with("100", kHarder), 3);
  const double v = log.at(500, "I1.flow");
  EXPECT_NEAR(v, 50 * (1 - std::exp(-0.1)), kSolved) << "before: 50 (1 - exp(-t/5))";
  for (const std::size_t row : {600U, 1500U, 3000U}) {
    EXPECT_NEAR(log.at(row, "I1.flow"), 5, kSolved);
    EXPECT_NEAR(log.at(row, "damper.effort"), 100, 1e-3);
  }
}

/// F = 100 + 100 t lets go at 250 N, t = 1.5; then 10 v̇ = 100 + 100 t - 50 v: v = 1.6 + 2 t + 0.4 exp(-5 (t - 1.5)).
TEST_P(Solvers, LeaveTheThresholdWhereOneSideLetsGo) {
  const Log log = run_for(mass_with("100 + 100*t", kHarder), 3);
  EXPECT_NEAR(log.at(1400, "I1.flow"), 5, kSolved);
  EXPECT_NEAR(log.at(2000, "I1.flow"), 5.6 + 0.4 * std::exp(-2.5), kSolved);
  EXPECT_NEAR(log.last("I1.flow"), 7.6 + 0.4 * std::exp(-7.5), kSolved);
}

/// Coulomb friction of 50 N on 10 kg: from 3 m/s at rest after 0.6 s and 0.9 m; a step of 75 N at 1 s moves it again by 2.5 m/s².
TEST_P(Solvers, HoldABlockByCoulombFriction) {
  const Log log = run_for(mass_with("if(t < 1, 0, 75)", "{R: {effort: \"50*sgn(f)\"}}",
                                    "signals: {x: {integrate: I1.flow}}\nstart: {I1.momentum: 30}\n"),
                          2);
  EXPECT_NEAR(log.at(300, "I1.flow"), 1.5, kSolved);
  EXPECT_NEAR(log.at(900, "I1.flow"), 0, kSolved);
  EXPECT_NEAR(log.at(900, "damper.effort"), 0, 1e-3) << "nothing pushes: no friction";
  EXPECT_NEAR(log.at(900, "x"), 0.9, kSolved);
  EXPECT_NEAR(log.last("I1.flow"), 2.5, kSolved);
  EXPECT_NEAR(log.last("x"), 0.9 + 1.25, kSolved);
}

/// At rest from the start, pushed with 40 t N, held until 50 N at t = 1.25: v = 2 (t - 1.25)².
TEST_P(Solvers, StartAtRestWithFriction) {
  const Log log = run_for(mass_with("40*t", "{R: {effort: \"50*sgn(f)\"}}"), 2);
  EXPECT_NEAR(log.at(1000, "I1.flow"), 0, kSolved);
  EXPECT_NEAR(log.at(1000, "damper.effort"), 40, 1e-3);
  EXPECT_NEAR(log.last("I1.flow"), 2 * 0.75 * 0.75, kSolved);
}

/// Two blocks at rest, a spring between them that pulls with less than either friction: both stay.
TEST_P(Solvers, HoldTwoBlocksAtOnce) {
  const Log log = run_for(R"yaml(
name: two
domain: translation
elements:
  a: {I: 1}
  b: {I: 2}
  fa: {R: {effort: "5*sgn(f)"}}
  fb: {R: {effort: "8*sgn(f)"}}
  spring: {K: 100}
junctions: {va: 1, vb: 1, between: 0}
bonds: [va -> a, va -> fa, va -> between, between -> spring, between -> vb, vb -> b, vb -> fb]
start: {spring.displacement: 0.04}
)yaml",
                          1);
  EXPECT_NEAR(log.last("a.flow"), 0, kSolved);
  EXPECT_NEAR(log.last("b.flow"), 0, kSolved);
  EXPECT_NEAR(log.last("fa.effort"), -4, 1e-3);
  EXPECT_NEAR(log.last("fb.effort"), 4, 1e-3);
}

/// 1000 N for 3 ms, whose ends are no ticks: 10 kg get 0.3 m/s, less what 1 N s/m takes.
TEST_P(Solvers, StepOverNoPulse) {
  const Log log = run_for(mass_with("if((t >= 0.50013) and (t < 0.50313), 1000, 0)", "{R: 1}"), 1, 10);
  const double after = 1000 * (1 - std::exp(-0.1 * 0.003));
  EXPECT_NEAR(log.last("I1.flow"), after * std::exp(-0.1 * (1 - 0.50313)), kSolved);
}

TEST_P(Solvers, StepOverNoPulseThatIsAFunctionOfTime) {
  const Log log = run_for(mass_with("if(abs(sin(t) - 0.5) < 1e-5, 1000, 0)", "{R: 0}"), 1, 10);
  const double width = std::asin(0.5 + 1e-5) - std::asin(0.5 - 1e-5);
  EXPECT_NEAR(log.last("I1.flow"), 100 * width, kSolved * 1e-2);
}

/// A square wave of 10 Hz: up and down again.
TEST_P(Solvers, SeeEveryEdgeOfASquareWave) {
  const Log log = run_for(mass_with("100*sgn(sin(20*pi*t))", "{R: 0}"), 1, 10);
  EXPECT_NEAR(log.last("I1.flow"), 0, kSolved);
  const Log half = run_for(mass_with("100*sgn(sin(20*pi*t))", "{R: 0}"), 0.95, 20);
  EXPECT_NEAR(half.last("I1.flow"), 0.5, kSolved);
}

/// A spring that pushes only, 1000 N/m behind a gap of 0.1 m: half a period π √(m/k) in contact, then back as fast as it came.
TEST_P(Solvers, LocateAbsMinAndMax) {
  const Log log = run_for(mass_with("-max(0, 1000*(x - 0.1))", "{R: 0}",
                                    "signals: {x: {integrate: I1.flow}}\nstart: {I1.momentum: 10}\n"),
                          1);
  const double contact = std::numbers::pi * std::sqrt(10.0 / 1000.0);
  EXPECT_NEAR(log.last("I1.flow"), -1, kSolved);
  EXPECT_NEAR(log.last("x"), 0.1 - (1 - 0.1 - contact), kSolved);
}

const std::string kPushed = R"(
name: pushed
domain: translation
elements:
  push: {Se: }
  I1: {I: 1}
junctions: {v: 1}
bonds: [push -> v, v -> I1]
)";

/// A triangle of 0.015 s between two ticks of 0.1 s, and a step.
TEST_P(Solvers, SeeRowsOfInputsBetweenTicks) {
  const Log log = run_for(kPushed, 1, 10, {{0, 0.52, 0.53, 0.535, 1}, {0, 0, 100, 0, 0}, 1});
  EXPECT_NEAR(log.last("I1.flow"), 0.75, kSolved);
  const Log step = run_for(kPushed, 1, 10, {{0, 0.25, 0.25, 1}, {0, 0, 2, 2}, 1});
  EXPECT_NEAR(step.last("I1.flow"), 1.5, kSolved);
}

TEST(FixedSteps, SeeRowsOfInputsBetweenTicks) {
  for (const MethodKind method : {MethodKind::rk4, MethodKind::euler}) {
    RunOptions options;
    options.method = method;
    options.rate = 10;
    options.duration = 1;
    const Model model = model_of(kPushed);
    const Log log = run(model, options, {{0, 0.25, 0.25, 0.252, 0.252, 1}, {0, 0, 500, 500, 0, 0}, 1});
    EXPECT_NEAR(log.last("I1.momentum"), 1, 1e-12);
  }
}

/// The shipped damper against rk4, which has no thresholds, at a hundredth of its usual step.
TEST_P(Solvers, AgreeWithFineFixedStepsOnTheConditionalDamper) {
  const Model model = config("conditional_damper.yaml");
  RunOptions options;
  options.method = MethodKind::rk4;
  options.rate = 100'000;
  options.duration = 2;
  options.columns = {"slip"};
  const Log fine = run(model, options);
  options.method = GetParam().method;
  options.form = GetParam().form;
  options.rate = 100;
  const Log log = run(model, options);
  for (std::size_t row = 0; row < log.rows.size(); ++row)
    EXPECT_NEAR(log.at(row, "slip"), fine.at(1000 * row, "slip"), 2e-3) << "row " << row;
}

// ---- equality

/// An input that stands at 2 from 0.5005 to 1.5005 s: 5 N there, else 10 N on 10 kg.
TEST_P(Solvers, KnowAnInputThatIsEqualForAWhile) {
  const std::string text = R"(
name: gear
domain: translation
elements: {lever: {Se: }, r: {R: 1}, push: {Se: [{if: "gear == 2", then: 5}, {else: 10}]}, m: {I: 10}}
signals: {gear: lever.effort}
junctions: {v: 1, z: 1}
bonds: [lever -> z, z -> r, push -> v, v -> m]
)";
  const InputTable table{{0, 0.5005, 0.5005, 1.5005, 1.5005, 3}, {1, 1, 2, 2, 3, 3}, 1};
  EXPECT_NEAR(run_for(text, 2.0, 1000, table).last("m.flow"), 1.5, kSolved);
  std::string other = text;
  other.replace(other.find("=="), 2, "!=");
  EXPECT_NEAR(run_for(other, 2.0, 1000, table).last("m.flow"), 1.5, kSolved);
  EXPECT_NEAR(run_for(other, 0.5, 1000, table).last("m.flow"), 0.25, kSolved);
}

/// The instant is an event: what it sets stays, 7 N until 0.7501 s, then -3 N.
TEST_P(Solvers, KnowTheInstantAtWhichTimeIsEqual) {
  const Log log = run_for(R"(
name: at
domain: translation
elements: {push: {Se: "if (t == 0) { 7 }; if (t == 0.7501) { -3 };"}, m: {I: 10}}
junctions: {v: 1}
bonds: [push -> v, v -> m]
)",
                          2.0);
  EXPECT_NEAR(log.last("m.flow"), 0.7 * 0.7501 - 0.3 * (2 - 0.7501), kSolved);
}

/// What comparisons and round make may be equal for a while: 10 N up to 1 m/s, then 5 N; and 5, 10, 5 N between 0.5 and 1.5 m/s.
TEST_P(Solvers, KnowStepsThatAreEqual) {
  const auto text = [](const std::string& rule, const std::string& signals) {
    return "name: s\ndomain: translation\nelements: {push: {Se: [" + rule +
           "]}, m: {I: 10}}\njunctions: {v: 1}\nbonds: [push -> v, v -> m]\n" + signals;
  };
  EXPECT_NEAR(run_for(text("{if: fast == 1, then: 5}, {else: 10}", "signals: {fast: _Vm_ > 1}\n"), 2.0)
                  .last("m.flow"),
              1.5, kSolved);
  EXPECT_NEAR(run_for(text("{if: round(_Vm_) == 1, then: 10}, {else: 5}", ""), 4.0).last("m.flow"), 2.5,
              kSolved);
}

/// What moves is equal for no length of time: told, with what to write.
TEST(Equality, OfWhatMovesIsRefusedBySolvers) {
  const Model model = model_of(mass_with("10", "{R: [{if: \"_VI1_ == 2\", then: 5}, {else: 1}]}"));
  RunOptions options;
  options.duration = 0.1;
  for (const MethodKind method : {MethodKind::cvode, MethodKind::ida}) {
    options.method = method;
    EXPECT_THAT(
        failure_of(model, options),
        testing::AllOf(testing::HasSubstr("element 'damper': 'I1.flow == 2' holds for no length of time"),
                       testing::HasSubstr("write <= or >=")));
  }
  options.method = MethodKind::rk4;
  EXPECT_EQ(failure_of(model, options), "") << "fixed steps look once a tick";
}

}  // namespace
}  // namespace rodeo::simulate
