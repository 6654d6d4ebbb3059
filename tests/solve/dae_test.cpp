// SPDX-License-Identifier: MIT
// IDA against closed forms, and consistent starts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "tests/solve/problems.h"

namespace rodeo::solve {
namespace {

const Options kTight{.relative = 1e-10, .absolute = {1e-12}};

TEST(Ida, FollowsAnIndexOneProblem) {
  Cubic problem;
  const std::array start{1.0, 0.3};  // 0.3 is a guess
  const auto run = build_integrator(problem, kTight, 0.0, start);
  EXPECT_NEAR(run->state()[1], 1.0, 1e-12);
  EXPECT_NEAR(run->calc_rates()[0], -1.0, 1e-12);
  for (int i = 1; i <= 20; ++i) {
    run->advance(0.1 * i);
    EXPECT_NEAR(run->state()[0], std::exp(-0.1 * i), 1e-8);
    EXPECT_NEAR(run->state()[1], std::exp(-0.1 * i), 1e-8);
  }
  EXPECT_GT(run->statistics().newton_iterations, run->statistics().steps / 2);
  EXPECT_GT(run->statistics().jacobians, 0);
}

TEST(Ida, FollowsAStiffProblem) {
  ProtheroRobinson ode;
  AnyDae problem(1, 1, [&](double t, In y, In rates, Out out) {
    ode.rate(t, y, out);
    out[0] -= rates[0];
  });
  const std::array start{0.0};
  const auto run = build_integrator(problem, kTight, 0.0, start);
  run->advance(3.0);
  EXPECT_NEAR(run->state()[0], std::sin(3.0), 1e-8);
}

TEST(Ida, BeginsAnewFromAnotherState) {
  Cubic problem;
  const std::array start{1.0, 1.0};
  const auto run = build_integrator(problem, kTight, 0.0, start);
  run->advance(0.5);
  const std::array other{2.0, 0.0};
  run->restart(0.5, other);
  EXPECT_NEAR(run->state()[1], 2.0, 1e-12);
  run->advance(1.0);
  EXPECT_NEAR(run->state()[0], 2 * std::exp(-0.5), 1e-8);
}

/// y₁ and what it stores: the start is consistent as a whole, and a correction of halves of it would be singular.
TEST(Ida, TakesAStartThatIsConsistentAsItIs) {
  // ẏ₁ = 6 − 2 ẏ₂, y₂ = y₁: a mass of 1 and one of 2 on it.
  AnyDae problem(2, 2, [](double, In y, In rates, Out out) {
    out[0] = rates[0] - 6.0 + 2 * rates[1];
    out[1] = y[1] - y[0];
  });
  const std::array start{1.0, 1.0}, rates{2.0, 2.0};
  Options options = kTight;
  options.starts_consistent = true;
  const auto run = build_integrator(problem, options, 0.0, start, rates);
  run->advance(3.0);
  EXPECT_NEAR(run->state()[0], 7.0, 1e-8);
  EXPECT_NEAR(run->state()[1], 7.0, 1e-8);
}

TEST(Ida, ThrowsOnWhatItsProblemThrew) {
  AnyDae problem(1, 1, [](double t, In, In rates, Out out) {
    if (t > 0.5) throw std::domain_error("ours");
    out[0] = rates[0] - 1.0;
  });
  const std::array start{0.0};
  const auto run = build_integrator(problem, {}, 0.0, start);
  EXPECT_THROW(run->advance(1.0), std::domain_error);
}

TEST(Ida, SaysWhereItStopped) {
  // y₂ = √(1 − t) has no value after t = 1.
  AnyDae problem(2, 1, [](double t, In y, In rates, Out out) {
    out[0] = rates[0] - y[1];
    out[1] = y[1] - std::sqrt(1.0 - t);
  });
  const std::array start{0.0, 1.0};
  const auto run = build_integrator(problem, {}, 0.0, start);
  try {
    run->advance(2.0);
    FAIL();
  } catch (const SolveError& error) {
    EXPECT_NEAR(error.time(), 1.0, 1e-3);
    EXPECT_THAT(error.what(), testing::StartsWith("ida stopped at t = "));
  }
  EXPECT_NEAR(run->state()[0], 2.0 / 3.0, 1e-4);
}

TEST(Consistent, FindsWhatIsFarAway) {
  Cubic problem;
  const std::array start{3.0, -40.0};
  const Consistent found = build_consistent(problem, 0.0, start, {});
  EXPECT_NEAR(found.state[1], 3.0, 1e-10);
  EXPECT_NEAR(found.rates[0], -3.0, 1e-10);
  EXPECT_EQ(found.state[0], 3.0) << "the differential components are given";
}

TEST(Consistent, BearsARowThatSaysNothingNew) {
  AnyDae problem(3, 1, [](double, In y, In rates, Out out) {
    out[0] = rates[0] - y[1];
    out[1] = y[1] + y[2] - y[0];
    out[2] = 2 * (y[1] + y[2]) - 2 * y[0];
  });
  const std::array start{1.0, 0.0, 0.0};
  const Consistent found = build_consistent(problem, 0.0, start, {});
  EXPECT_NEAR(found.state[1], 1.0 / 3.0, 1e-6) << "the shortest way there, as it is not determined";
  EXPECT_LT(found.residual, 1e-10);
}

TEST(Consistent, SaysWhichEquationCannotBeFulfilled) {
  AnyDae problem(2, 1, [](double, In y, In rates, Out out) {
    out[0] = rates[0] - 1.0;
    out[1] = y[1] * y[1] + 4.0;
  });
  const std::array start{0.0, 1.0};
  try {
    (void)build_integrator(problem, {}, 0.0, start);
    FAIL();
  } catch (const SolveError& error) {
    EXPECT_STREQ(
        error.what(),
        "no consistent start was found at t = 0 s: equation 2 is off by 4 at best; give start values that "
        "fulfil it");
  }
}

}  // namespace
}  // namespace rodeo::solve
