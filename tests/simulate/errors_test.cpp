// SPDX-License-Identifier: MIT
// What a run refuses or fails at: whole sentences, with file and element.
#include "tests/simulate/running.h"

namespace rodeo::simulate {
namespace {

const char* const kMass = R"(domain: translation
elements:
  push: {Se: }
  mass: {I: 2}
junctions: {v: 1}
bonds: [push -> v, v -> mass]
outputs: {inverse: 1/mass.flow}
)";

TEST(RunErrors, InputWithoutATable) {
  EXPECT_EQ(failure_of(model_of(kMass), {.duration = 1}),
            "m.yaml:3: 'push' is a source without a value, an input: give --input a CSV file with a column "
            "'push', or "
            "'push' a value");
}

TEST(RunErrors, OutputThatIsNotFinite) {
  EXPECT_EQ(failure_of(model_of(kMass), {.duration = 1}, {{0}, {1}, 1}),
            "m.yaml: 'inverse' is not finite at t = 0 s: look for a division by zero in its expression");
}

/// A spring that is too stiff for the step: what overflows first is an output.
TEST(RunErrors, OutputThatOverflowsAsTheStepIsTooLong) {
  const Model model = model_of(R"(domain: translation
elements: {mass: {I: 1}, spring: {K: 1e12}}
junctions: {v: 1}
bonds: [v -> mass, v -> spring]
start: {mass.flow: 1}
outputs: {big: mass.flow^40}
)");
  EXPECT_THAT(
      failure_of(model, {.duration = 1}),
      testing::MatchesRegex(
          "m.yaml: the step of 0.001 s is too long for .mass.momentum., .spring.displacement. .time constant "
          "1e-06 s., which rk4 makes grow from step to step: take .*--method cvode .*big.*"));
}

TEST(RunErrors, ColumnThatIsNot) {
  EXPECT_EQ(failure_of(model_of(kMass), {.duration = 1, .columns = {"mass.flwo"}}, {{0}, {1}, 1}),
            "m.yaml:1: there is no column 'mass.flwo' (did you mean 'mass.flow'?): the log can hold inverse, "
            "mass.momentum, "
            "push, push.effort, push.flow, mass.effort, mass.flow, v.flow");
}

TEST(RunErrors, RateThatBecomesInfinite) {
  // ẋ = 1/(1 − x)² blows up at t = 1/3.
  const Model model = model_of(R"(domain: translation
elements:
  push: {MSe: 1/(1 - mass.momentum)^2}
  mass: {I: 1}
junctions: {v: 1}
bonds: [push -> v, v -> mass]
)");
  EXPECT_THAT(failure_of(model, {.method = MethodKind::cvode, .duration = 1}),
              testing::StartsWith("m.yaml: cvode (bdf) stopped at t = 0.3333"));
  const Model at_once = model_of(R"(domain: translation
elements:
  push: {MSe: 1/mass.momentum}
  mass: {I: 1}
junctions: {v: 1}
bonds: [push -> v, v -> mass]
)");
  EXPECT_EQ(failure_of(at_once, {.duration = 1}),
            "m.yaml: rk4: the rate of 'mass.momentum' is not finite at t = 0 s: take a smaller step than "
            "0.001 s or a method for stiff systems (cvode), or look for a division by zero there");
}

TEST(RunErrors, LoopWithoutASolution) {
  const Model model = model_of(R"(domain: translation
elements:
  push: {Se: 10*t}
  damper: {R: {effort: atan(f)}}
  place: {K: 0}
junctions: {v: 1}
bonds: [push -> v, v -> damper, v -> place]
)");
  const std::string sentence = failure_of(model, {.duration = 1});  // atan reaches 1.57 at most
  EXPECT_THAT(sentence, testing::StartsWith(
                            "m.yaml: the algebraic loop at damper, v has no solution near (its laws stay "));
  EXPECT_THAT(sentence, testing::EndsWith(
                            " s: change the start or the laws of these elements, or put a C or an I between "
                            "them"));
  EXPECT_THAT(sentence, testing::HasSubstr(" apart) at t = 0.157"));
}

TEST(RunErrors, StartThatContradicts) {
  const std::string text = R"(domain: translation
elements: {push: {Se: 10}, I1: {I: 2}, I2: {I: 3}}
junctions: {v: 1}
bonds: [push -> v, v -> I1, v -> I2]
start:
  I1.flow: 1
  I2.flow: )";
  EXPECT_EQ(failure_of(model_of(text + "4\n"), {.duration = 1}),
            "m.yaml:7: start of 'I2.momentum': 12 contradicts the other starts, from which 3 follows (its "
            "causality is "
            "differential): leave it out, or start the others");
  EXPECT_NEAR(run(model_of(text + "1\n"), {.duration = 1, .columns = {"I2.flow"}}).last("I2.flow"), 3, 1e-12);
}

/// A relay that pushes a mass back at whichever side it is: after 0.2 s it is at rest and stays there, sliding along the threshold.
TEST(RunErrors, NoneOfARelayThatHoldsAMass) {
  const Model model = model_of(R"(domain: translation
elements:
  push: {MSe: -5*sgn(mass.momentum)}
  mass: {I: 1}
junctions: {v: 1}
bonds: [push -> v, v -> mass]
start: {mass.momentum: 1}
)");
  const Log log = run(model, {.method = MethodKind::cvode, .duration = 1});
  EXPECT_NEAR(log.last("mass.momentum"), 0, 1e-9);
  EXPECT_NEAR(run(model, {.duration = 1}).last("mass.momentum"), 0, 0.005)
      << "fixed steps go on, within a step";
}

TEST(RunErrors, MethodThatCannotServeAForm) {
  EXPECT_EQ(find_objection(FormKind::full, MethodKind::rk4),
            "rk4 cannot serve --form full, whose equations are differential-algebraic: take ida, or --form "
            "reduced");
  EXPECT_EQ(find_objection(FormKind::full, MethodKind::ida), "");
  EXPECT_EQ(find_objection(FormKind::reduced, MethodKind::ida), "");
}

}  // namespace
}  // namespace rodeo::simulate
