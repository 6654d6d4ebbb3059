// SPDX-License-Identifier: MIT
// Functions of parameters: exponential, logarithm and power of kernels against the C library in long double, and a machine
// whose dimensions are made of all functions that a machine file may use, against the oracle.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kinematics/codegen/kernel_frame.h"
#include "tests/codegen/compare.h"

namespace rodeo::codegen {
namespace {

/// The kernel's text, compiled as it is pasted into kernels.
class KernelFunctions : public testing::Test {
 protected:
  using One = double (*)(double);
  using Two = double (*)(double, double);

  KernelFunctions() {
    std::ofstream(folder_.path() / "f.c")
        << "#include <math.h>\n"
        << kernel_math() << kernel_functions()
        << "double f_exp(double x) { return rodeo_exp(x); }\ndouble f_log(double x) { return rodeo_log(x); "
           "}\n"
           "double f_pow(double x, double y) { return rodeo_pow(x, y); }\n"
           "int f_use(double* a) { return rodeo_solve(1, a, a) > rodeo_largest(1, a); }\n";
    const std::string said =
        run("cd '" + folder_.path().string() +
            "' && cc -std=c99 -O2 -Wall -Wextra -Werror -pedantic -ffp-contract=off -fPIC -shared "
            "f.c -o f.so -lm");
    EXPECT_EQ(said, "");
    void* library = dlopen((folder_.path() / "f.so").c_str(), RTLD_NOW);
    exp = reinterpret_cast<One>(dlsym(library, "f_exp"));
    log = reinterpret_cast<One>(dlsym(library, "f_log"));
    pow = reinterpret_cast<Two>(dlsym(library, "f_pow"));
  }

  /// Distance in units of the last place of the expected number.
  static double ulps(double value, long double expected) {
    const double near = static_cast<double>(expected);
    const double ulp = std::nextafter(std::fabs(near), INFINITY) - std::fabs(near);
    return static_cast<double>(std::fabs(static_cast<long double>(value) - expected) / ulp);
  }

  TemporaryFolder folder_;
  One exp = nullptr, log = nullptr;
  Two pow = nullptr;
};

constexpr double kUlps = 0.51;  // half, and what long double itself is off by

TEST_F(KernelFunctions, AreWithinTheLastPlace) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  double worst_exp = 0, worst_log = 0, worst_pow = 0;
  for (int i = 0; i < 20'000; ++i) {
    const double x = (i % 2 == 0 ? 700.0 : 2.0) * unit(random);
    worst_exp = std::max(worst_exp, ulps(exp(x), std::exp(static_cast<long double>(x))));
    const double y = std::exp2((i % 2 == 0 ? 1000.0 : 0.5) * unit(random));
    worst_log = std::max(worst_log, ulps(log(y), std::log(static_cast<long double>(y))));
    const double base = std::exp2(10.0 * unit(random)), exponent = 60.0 * unit(random);
    worst_pow = std::max(worst_pow, ulps(pow(base, exponent), std::pow(static_cast<long double>(base),
                                                                       static_cast<long double>(exponent))));
  }
  std::printf("  ulps: exp %.4f, log %.4f, pow %.4f\n", worst_exp, worst_log, worst_pow);
  EXPECT_LE(worst_exp, kUlps);
  EXPECT_LE(worst_log, kUlps);
  EXPECT_LE(worst_pow, kUlps);
}

TEST_F(KernelFunctions, AreAsInTheCLibraryAtTheEdges) {
  for (const double x : {0.0, -0.0, 1.0, -1.0, 709.7, 709.79, -708.5, -740.0, -745.1, -800.0, 1e300, -1e300})
    EXPECT_EQ(exp(x), std::exp(x)) << x;
  for (const double x :
       {1.0, 0.0, 5e-324, 1e-310, 0x1.fffffffffffffp+1023, 2.0, 0.5, 1.0 + 0x1p-52, 1.0 - 0x1p-53})
    EXPECT_EQ(log(x), std::log(x)) << x;
  EXPECT_TRUE(std::isnan(log(-1.0)));
  EXPECT_TRUE(std::isnan(exp(NAN)));
  for (const double x : {2.0, -2.0, 0.0, 0.5, -0.5, 1.0, -1.0, 10.0, 1e-300}) {
    for (const double y : {0.0, 1.0, 2.0, 3.0, -1.0, -3.0, 17.0, 1e300, -1e300, 4503599627370497.0}) {
      EXPECT_EQ(pow(x, y), std::pow(x, y)) << x << " " << y;
    }
  }
  EXPECT_EQ(pow(2.0, 0.5), std::sqrt(2.0));
  EXPECT_TRUE(std::isnan(pow(-2.0, 0.5)));
}

/// A four-bar whose lengths are near those of configs/four_bar.yaml.
constexpr const char* kMachine = R"yaml(name: functions
parameters: {p: 0.5, q: 1.2, r: 0.8}
ground: {points: {O: [0, 0], Q: [exp(p) - log(q)/2, sin(r)*0.01 + cos(q)*0.01]}}
bodies:
  crank:   {points: {O: [0, 0], B: [tan(p)*0.9, atan(p)*0.01]}}
  coupler: {points: {B: [0, 0], C: ["1.1*q^1.5 - q^0.7/4", 0], tip: ["atan2(p, q)", "asin(p) - acos(r)/3"]}}
  rocker:  {points: {Q: [0, 0], C: ["sqrt(q)*abs(-r) + p**3", 0]}}
joints:
  - {revolute: [ground.O, crank.O]}
  - {revolute: [crank.B, coupler.B]}
  - {revolute: [coupler.C, rocker.C]}
  - {revolute: [ground.Q, rocker.Q]}
drives: {crank: {angle: crank, range: [0.6, 1.6]}}
start: {crank: 60 deg, coupler: 20 deg, rocker: 80 deg}
outputs: {tip: coupler.tip}
)yaml";

TEST(FunctionsOfParameters, AgreeWithTheOracleForTheseAndForOtherValues) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "functions.yaml").string();
  std::ofstream(file) << kMachine;
  for (const Overrides& overrides : {Overrides{}, Overrides{{"p", 0.52}, {"q", 1.17}, {"r", 0.83}}}) {
    const Comparison result = compare_with_oracle(file, overrides, 100, 10, 0.1);
    EXPECT_GE(result.compared, 50);
    EXPECT_LE(std::max({result.position, result.velocity, result.acceleration}), 1e-10) << result.worst;
  }
}

}  // namespace
}  // namespace rodeo::codegen
