// SPDX-License-Identifier: MIT
// Integrators of ordinary equations against closed forms: the order of fixed steps, tolerances of CVODE, errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "tests/solve/problems.h"

namespace rodeo::solve {
namespace {

constexpr double kEnd = 1.0;

double calc_error(Method method, double step) {
  Oscillator problem;
  const std::array start{1.0, 0.0};
  const auto run = build_integrator(problem, method, {.step = step}, 0.0, start);
  run->advance(kEnd);
  return std::hypot(run->state()[0] - std::cos(2.0 * kEnd), run->state()[1] + 2.0 * std::sin(2.0 * kEnd));
}

double calc_order(Method method, double step) {
  return std::log2(calc_error(method, step) / calc_error(method, step / 2));
}

TEST(FixedStep, EulerHasOrderOne) { EXPECT_NEAR(calc_order(Method::euler, 1e-3), 1.0, 0.02); }

TEST(FixedStep, RungeKuttaHasOrderFour) { EXPECT_NEAR(calc_order(Method::rk4, 2e-2), 4.0, 0.1); }

TEST(FixedStep, CountsStepsAndCallsAndLandsOnTheEnd) {
  Oscillator problem;
  const std::array start{1.0, 0.0};
  const auto run = build_integrator(problem, Method::rk4, {.step = 0.1}, 0.0, start);
  run->advance(0.3);   // three steps, though 0.3 is a little more than 3 * 0.1
  run->advance(0.55);  // three of 0.25/3
  EXPECT_EQ(run->time(), 0.55);
  EXPECT_EQ(run->statistics().steps, 6);
  EXPECT_EQ(run->statistics().calls, 24);
  EXPECT_EQ(run->statistics().newton_iterations, 0);
}

TEST(FixedStep, NamesWhatIsNotFiniteAndKeepsTheStateBefore) {
  AnyOde problem(2, [](double, In x, Out out) {
    out[0] = 1.0;
    out[1] = 1.0 / (x[0] < 0.25 ? 1.0 : 0.0);
  });
  const std::array start{0.0, 0.0};
  const auto run = build_integrator(problem, Method::euler, {.step = 0.125}, 0.0, start);
  try {
    run->advance(1.0);
    FAIL();
  } catch (const SolveError& error) {
    EXPECT_STREQ(
        error.what(),
        "euler: the rate of 'mass 2' is not finite at t = 0.25 s: take a smaller step than 0.125 s or "
        "a method for stiff systems (cvode), or look for a division by zero there");
    EXPECT_EQ(error.time(), 0.25);
  }
  EXPECT_EQ(run->time(), 0.25);
  EXPECT_EQ(run->state()[0], 0.25);
}

TEST(FixedStep, RefusesToGoBackAndStepsThatAreNone) {
  Oscillator problem;
  const std::array start{1.0, 0.0};
  const auto run = build_integrator(problem, Method::rk4, {.step = 0.1}, 2.0, start);
  try {
    run->advance(1.0);
    FAIL();
  } catch (const SolveError& error) {
    EXPECT_STREQ(error.what(), "the simulation is at t = 2 s and cannot go back to t = 1 s");
  }
  EXPECT_THROW((void)build_integrator(problem, Method::rk4, {.step = 0.0}, 0.0, start), SolveError);
}

class Cvode : public testing::TestWithParam<Method> {};

TEST_P(Cvode, FollowsTheOscillatorToItsTolerance) {
  Oscillator problem;
  const std::array start{1.0, 0.0};
  const auto run =
      build_integrator(problem, GetParam(), {.relative = 1e-10, .absolute = {1e-12}}, 0.0, start);
  for (int i = 1; i <= 100; ++i) {
    const double t = 0.1 * i;
    run->advance(t);
    // A tolerance is for a step; over this run, of a few thousand steps, errors of steps add up.
    EXPECT_NEAR(run->state()[0], std::cos(2 * t), 1e-7);
    EXPECT_NEAR(run->state()[1], -2 * std::sin(2 * t), 2e-7);
  }
  EXPECT_GT(run->statistics().steps, 50);
  EXPECT_GE(run->statistics().calls, run->statistics().steps);
  EXPECT_GT(run->statistics().newton_iterations, 0);
}

TEST_P(Cvode, ThrowsOnWhatItsProblemThrew) {
  AnyOde problem(1, [](double t, In, Out out) {
    if (t > 0.5) throw std::domain_error("ours");
    out[0] = 1.0;
  });
  const std::array start{0.0};
  const auto run = build_integrator(problem, GetParam(), {}, 0.0, start);
  EXPECT_THROW(run->advance(1.0), std::domain_error);
  EXPECT_LT(run->statistics().calls, 1000);
}

TEST_P(Cvode, BeginsAnewAfterAnImpact) {
  AnyOde problem(2, [](double, In x, Out out) {
    out[0] = x[1];
    out[1] = -10.0;
  });
  const std::array start{0.0, 5.0};
  const auto run = build_integrator(problem, GetParam(), {}, 0.0, start);
  run->advance(1.0);
  EXPECT_NEAR(run->state()[1], -5.0, 1e-7);
  const std::array bounced{0.0, 2.0};
  run->restart(1.0, bounced);
  run->advance(1.2);
  EXPECT_NEAR(run->state()[0], 0.2, 1e-7);
  EXPECT_NEAR(run->calc_rates()[0], 0.0, 1e-7);
}

TEST_P(Cvode, LandsOnAKinkWhereAsked) {
  double latest = 0.0;
  AnyOde problem(1, [&](double t, In, Out out) {
    latest = std::max(latest, t);
    out[0] = std::cos(t);
  });
  const std::array start{0.0};
  const auto run = build_integrator(problem, GetParam(), {.lands = true}, 0.0, start);
  run->advance(0.7);
  EXPECT_EQ(latest, 0.7);
  EXPECT_NEAR(run->state()[0], std::sin(0.7), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Both, Cvode, testing::Values(Method::bdf, Method::adams),
                         [](const auto& method) { return std::string(method_text(method.param)); });

TEST(CvodeBdf, FollowsProtheroRobinsonInFewSteps) {
  ProtheroRobinson problem;
  const std::array start{0.0};
  const auto run =
      build_integrator(problem, Method::bdf, {.relative = 1e-8, .absolute = {1e-10}}, 0.0, start);
  run->advance(3.0);
  EXPECT_NEAR(run->state()[0], std::sin(3.0), 1e-7);
  EXPECT_LT(run->statistics().steps, 5000) << "explicit steps would need more than a million";
}

TEST(CvodeBdf, SaysThatStepsRanOut) {
  ProtheroRobinson problem;
  const std::array start{0.5};
  const auto run = build_integrator(problem, Method::bdf, {.most_steps = 5}, 0.0, start);
  try {
    run->advance(3.0);
    FAIL();
  } catch (const SolveError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("cvode (bdf) stopped at t = "));
    EXPECT_THAT(error.what(),
                testing::EndsWith(
                    " s: 5 steps did not reach t = 3 s: loosen the tolerance, or look for a singularity "
                    "there"));
    EXPECT_LT(error.time(), 3.0);
  }
}

TEST(CvodeBdf, NamesWhatIsNotFinite) {
  AnyOde problem(
      1, [](double t, In, Out out) { out[0] = t < 0.5 ? 1.0 : std::numeric_limits<double>::quiet_NaN(); });
  const std::array start{0.0};
  const auto run = build_integrator(problem, Method::bdf, {}, 0.0, start);
  try {
    run->advance(1.0);
    FAIL();
  } catch (const SolveError& error) {
    EXPECT_STREQ(
        error.what(),
        "cvode (bdf) stopped at t = 0.5 s: the rate of 'mass 1' is not finite; the equations have no finite "
        "value there: look for a division by zero");
  }
}

/// Two oscillators, one a billion times the other, from zero: weighed by the largest values that were met, both are good to nine digits.
TEST_P(Cvode, WeighsErrorsByTheLargestValues) {
  AnyOde problem(4, [](double, In x, Out out) {
    for (const std::size_t i : {0, 2}) {
      out[i] = x[i + 1];
      out[i + 1] = -4 * x[i];
    }
  });
  const std::array start{0.0, 2e-9, 0.0, 2.0};
  const Options options{
      .relative = 1e-10, .absolute = {1e-20}, .against_largest = true, .smallest_step = 1e-15};
  const auto run = build_integrator(problem, GetParam(), options, 0.0, start);
  run->advance(1.2);
  EXPECT_NEAR(run->state()[0] / 1e-9, std::sin(2.4), 1e-7);
  EXPECT_NEAR(run->state()[2], std::sin(2.4), 1e-7);
  EXPECT_LT(run->statistics().steps, 2000);
}

TEST(CvodeBdf, MovesAProblemWithoutStates) {
  AnyOde problem(0, [](double, In, Out) {});
  const auto run = build_integrator(problem, Method::bdf, {}, 0.0, {});
  run->advance(1.0);
  EXPECT_EQ(run->time(), 1.0);
  EXPECT_TRUE(run->state().empty());
}

}  // namespace
}  // namespace rodeo::solve
