// SPDX-License-Identifier: MIT
// The double pendulum by Runge-Kutta 4: order, and energy over a hundred thousand steps.
#include <array>

#include "tests/dynamics/support.h"

namespace rodeo::dynamics {
namespace {

using testing_support::build;
using testing_support::build_config;

/// Both angles at 1 s.
std::array<double, 2> calc_end(double step) {
  const auto problem = build(build_config("double_pendulum"), {{"all"}});
  const auto method = build_method("minimal", *problem, {.step = step});
  std::array<double, 2> end{};
  run(*method, 1.0, step, [&](const Sample& sample) {
    end = {sample.state.q[2], sample.state.q[5]};
    return true;
  });
  return end;
}

/// The textbook's equations of two slender rods, in their angles; Runge-Kutta 4 at 20 µs.
std::array<double, 2> calc_reference() {
  constexpr double l1 = 1, l2 = 0.8, m1 = 2, m2 = 1.5, g = 9.81;
  const auto rate = [](const std::array<double, 4>& x) -> std::array<double, 4> {
    const double c = std::cos(x[0] - x[1]), s = std::sin(x[0] - x[1]);
    const double a11 = (m1 / 3 + m2) * l1 * l1, a12 = m2 * l1 * l2 / 2 * c, a22 = m2 * l2 * l2 / 3;
    const double b1 = -m2 * l1 * l2 / 2 * s * x[3] * x[3] - (m1 / 2 + m2) * g * l1 * std::cos(x[0]);
    const double b2 = m2 * l1 * l2 / 2 * s * x[2] * x[2] - m2 * g * l2 / 2 * std::cos(x[1]);
    const double det = a11 * a22 - a12 * a12;
    return {x[2], x[3], (b1 * a22 - b2 * a12) / det, (a11 * b2 - a12 * b1) / det};
  };
  const auto shifted = [](std::array<double, 4> x, double h, const std::array<double, 4>& k) {
    for (int i = 0; i < 4; ++i) x[i] += h * k[i];
    return x;
  };
  const double d = std::acos(-1.0) / 180, h = 2e-5;
  std::array<double, 4> x{-60 * d, -30 * d, 0, 0};
  for (int step = 0; step < 50000; ++step) {
    const auto k1 = rate(x), k2 = rate(shifted(x, h / 2, k1)), k3 = rate(shifted(x, h / 2, k2)),
               k4 = rate(shifted(x, h, k3));
    for (int i = 0; i < 4; ++i) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return {x[0], x[1]};
}

TEST(DoublePendulum, FollowsTheTextbookWithRungeKuttasOrder) {
  const auto reference = calc_reference();
  const auto off = [&](double step) {
    const auto end = calc_end(step);
    return std::hypot(end[0] - reference[0], end[1] - reference[1]);
  };
  const double coarse = off(8e-3), middle = off(4e-3), fine = off(2e-3);
  EXPECT_LT(fine, 1e-9);
  EXPECT_NEAR(std::log2(coarse / middle), 4, 0.3);
  EXPECT_NEAR(std::log2(middle / fine), 4, 0.3);
}

TEST(DoublePendulum, KeepsItsEnergyOverAHundredThousandSteps) {
  // The error of a step is of the fifth order: 1e5 steps of 0.2 ms at some 6 rad/s leave (ωh)⁴ = 2e-12 of the energy, and rounding.
  const auto problem = build(build_config("double_pendulum"), {{"all"}});
  const double step = 2e-4;
  const auto method = build_method("minimal", *problem, {.step = step});
  double kinetic = 0;
  const RunReport report = run(*method, 1e5 * step, 10 * step, [&](const Sample& sample) {
    kinetic = std::max(kinetic, sample.energy.kinetic);
    return true;
  });
  EXPECT_EQ(report.statistics.steps, 100000);
  EXPECT_GT(kinetic, 1.0);
  EXPECT_LT(report.largest_energy_error / kinetic, 1e-10);
  std::printf("double pendulum: relative energy error %.2e\n", report.largest_energy_error / kinetic);
}

}  // namespace
}  // namespace rodeo::dynamics
