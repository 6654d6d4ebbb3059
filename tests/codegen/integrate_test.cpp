// SPDX-License-Identifier: MIT
// integrate(): the reduced ODE by Euler, Heun and Runge-Kutta 4, with and without correction of the closure error.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/codegen/built_kernel.h"

namespace rodeo::codegen {
namespace {

const rodeo_kernel* four_bar() {
  static const rodeo_kernel* kernel = load_kernel(fs::path(built_folder(config("four_bar"))) / "kernel.so");
  return kernel;
}

/// The crank's path: 2 rad/s on average, breathing.
double crank_angle(double t) { return four_bar()->start_drives[0] + 2 * t + 0.3 * std::sin(3 * t); }
double crank_rate(double t) { return 2 + 0.9 * std::cos(3 * t); }

/// `n` periods to `end`; the instance's states are where the integration led.
void integrate(Instance& instance, double end, int n, int method, int closure, double gain) {
  const double h = end / n;
  for (int i = 0; i < n; ++i) {
    const double t = h * i;
    const std::vector<double> rates{crank_rate(t), crank_rate(t + 0.5 * h), crank_rate(t + h)};
    if (instance.k->integrate(instance.memory.data(), rates.data(), h, method, closure, gain) != RODEO_OK) {
      ADD_FAILURE() << "refused at t = " << t;
      return;
    }
  }
}

/// Distance of the integrated angles from the exact step's.
double calc_error(double end, int n, int method) {
  Instance instance(four_bar());
  EXPECT_EQ(instance.init(), RODEO_OK);
  integrate(instance, end, n, method, RODEO_NONE, 0.0);
  Instance exact(four_bar());
  std::vector<double> outputs;
  EXPECT_EQ(exact.init(), RODEO_OK);
  for (int i = 1; i <= 1000; ++i)  // in small steps for the sake of unwrapping
    EXPECT_EQ(exact.step({crank_angle(end * i / 1000), 0.0, 0.0}, outputs), RODEO_OK);
  double error = 0.0;
  for (std::size_t s = 0; s < instance.k->n_states; ++s)
    error = std::max(error, std::abs(instance.state()[s] - exact.state()[s]));
  return error;
}

/// log2 of the ratio of errors at h and h/2, steps small enough for it and large enough to be above rounding.
double measure_order(int method, int n) {
  const double coarse = calc_error(1.3, n, method);
  const double fine = calc_error(1.3, 2 * n, method);
  std::printf("  errors %.3e, %.3e rad: order %.3f\n", coarse, fine, std::log2(coarse / fine));
  return std::log2(coarse / fine);
}

TEST(Integrate, EulerIsOfOrderOne) { EXPECT_NEAR(measure_order(RODEO_EULER, 2000), 1.0, 0.05); }
TEST(Integrate, HeunIsOfOrderTwo) { EXPECT_NEAR(measure_order(RODEO_HEUN, 1000), 2.0, 0.05); }
TEST(Integrate, RungeKuttaIsOfOrderFour) { EXPECT_NEAR(measure_order(RODEO_RK4, 100), 4.0, 0.1); }

/// Closure error at the end of 100 s at 1 kHz, metres.
double closure_after_100_s(int method, int closure, double gain) {
  Instance instance(four_bar());
  EXPECT_EQ(instance.init(), RODEO_OK);
  integrate(instance, 100.0, 100'000, method, closure, gain);
  std::printf("  closure error after 100 s: %.3e m\n", instance.closure());
  return instance.closure();
}

TEST(Integrate, RungeKuttaAloneKeepsTheLoopWithinAHundredthOfANanometre) {
  EXPECT_LE(closure_after_100_s(RODEO_RK4, RODEO_NONE, 0.0), 1e-11);
}

TEST(Integrate, EulerAloneOpensTheLoopByCentimetres) {
  EXPECT_GE(closure_after_100_s(RODEO_EULER, RODEO_NONE, 0.0), 0.01);
}

/// Euler leaves h/2 |ë| a second, |ë| at most about (3 rad/s)² times 1.2 m; drawn back at 10 a second it stays below
/// 1e-3/2 · 11 / 10 = 0.5 mm.
TEST(Integrate, BaumgarteBoundsTheErrorOfEuler) {
  EXPECT_LE(closure_after_100_s(RODEO_EULER, RODEO_BAUMGARTE, 10.0), 5e-4);
}

TEST(Integrate, BaumgarteDrawsAnOpenLoopTogetherAtItsGain) {
  Instance instance(four_bar());
  ASSERT_EQ(instance.init(), RODEO_OK);
  std::vector<double> states = instance.state();
  states.back() += 1e-3;
  ASSERT_EQ(instance.k->set_state(instance.memory.data(), states.data()), RODEO_OK);
  const double before = instance.closure();
  const std::vector<double> rest(3, 0.0);
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(
        instance.k->integrate(instance.memory.data(), rest.data(), 1e-3, RODEO_RK4, RODEO_BAUMGARTE, 5.0),
        RODEO_OK);
  // e(t) = e(0) exp(-gain t), t = 1 s; 1 % for what is not linear in a millimetre
  EXPECT_NEAR(instance.closure() / before, std::exp(-5.0), 0.01 * std::exp(-5.0));
}

TEST(Integrate, RefusesWhatIsNoMethodNoPeriodOrNotFiniteAndLeavesTheStateAlone) {
  Instance instance(four_bar());
  ASSERT_EQ(instance.init(), RODEO_OK);
  const std::vector<double> before = instance.memory;
  const std::vector<double> good(3, 1.0), bad{1.0, NAN, 1.0};
  const auto call = [&](const std::vector<double>& rates, double period, int method) {
    return instance.k->integrate(instance.memory.data(), rates.data(), period, method, RODEO_NONE, 0.0);
  };
  EXPECT_EQ(call(bad, 1e-3, RODEO_RK4), RODEO_BAD_INPUT);
  EXPECT_EQ(call(good, 0.0, RODEO_RK4), RODEO_BAD_INPUT);
  EXPECT_EQ(call(good, NAN, RODEO_RK4), RODEO_BAD_INPUT);
  EXPECT_EQ(call(good, INFINITY, RODEO_RK4), RODEO_BAD_INPUT);
  EXPECT_EQ(call(good, 1e-3, 3), RODEO_BAD_INPUT);
  EXPECT_EQ(call(good, 1e-3, -1), RODEO_BAD_INPUT);
  EXPECT_EQ(instance.memory, before);
}

/// poses() at the integrated states gives what step() gives at the same pose.
TEST(Integrate, IsShownByPosesAsAStepShowsIt) {
  for (const std::string machine : {"four_bar", "wheel_loader", "telehandler", "crank_slider"}) {
    const rodeo_kernel* k = load_kernel(fs::path(built_folder(config(machine))) / "kernel.so");
    Instance instance(k);
    ASSERT_EQ(instance.init(), RODEO_OK);
    std::vector<double> drives, rates, outputs, shown(k->n_outputs);
    for (std::size_t d = 0; d < k->n_drives; ++d) {
      drives.insert(drives.end(), {k->start_drives[d], 0.3, -0.2});
      rates.insert(rates.end(), {0.3, -0.2});
    }
    ASSERT_EQ(instance.step(drives, outputs), RODEO_OK);
    ASSERT_EQ(k->poses(instance.memory.data(), rates.data(), shown.data()), RODEO_OK);
    for (std::size_t i = 0; i < outputs.size(); ++i)
      EXPECT_NEAR(shown[i], outputs[i], 1e-12) << k->outputs[i].name;
  }
}

/// derivatives() of the states beside the rates of the bodies that step() gives.
TEST(Derivatives, AreTheRatesOfTheBodies) {
  const rodeo_kernel* k = load_kernel(fs::path(built_folder(config("excavator"))) / "kernel.so");
  Instance instance(k);
  ASSERT_EQ(instance.init(), RODEO_OK);
  std::vector<double> drives, rates, outputs, result(k->n_states);
  for (std::size_t d = 0; d < k->n_drives; ++d) {
    rates.push_back(0.1 + 0.05 * static_cast<double>(d));
    drives.insert(drives.end(), {k->start_drives[d], rates.back(), 0.0});
  }
  ASSERT_EQ(instance.step(drives, outputs), RODEO_OK);
  ASSERT_EQ(k->derivatives(instance.memory.data(), instance.state().data(), rates.data(), result.data()),
            RODEO_OK);
  for (const std::string body : {"boom", "arm", "rocker", "link", "bucket"}) {
    for (std::size_t s = 0; s < k->n_states; ++s) {
      if (k->states[s].name != body + ".angle") continue;
      EXPECT_NEAR(result[s], outputs[find_output(k, body + ".rate")], 1e-13) << body;
    }
  }
}

}  // namespace
}  // namespace rodeo::codegen
