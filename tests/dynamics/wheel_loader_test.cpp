// SPDX-License-Identifier: MIT
// The wheel loader falls and its cylinders catch it.
#include "tests/dynamics/support.h"

namespace rodeo::dynamics {
namespace {

using testing_support::build;
using testing_support::build_config;

struct Fall {
  RunReport report;
  std::vector<double> boom;
  double fastest = 0, last_rate = 0;
};

Fall run_fall(const std::string& name) {
  const auto problem = build(build_config("free/wheel_loader_free"));
  const auto method = build_method(name, *problem, {});
  Fall fall;
  fall.report = run(*method, 6, 1e-3, [&](const Sample& sample) {
    fall.boom.push_back(sample.state.q[2]);
    fall.fastest = std::max(fall.fastest, std::abs(sample.state.v[2]));
    fall.last_rate = std::abs(sample.state.v[2]);
    return true;
  });
  return fall;
}

TEST(WheelLoader, FallsAndIsCaughtByItsCylinders) {
  const Fall fall = run_fall("minimal");
  const double lowest = *std::min_element(fall.boom.begin(), fall.boom.end());
  EXPECT_LT(lowest, fall.boom.front() - 0.15);     // it fell by some ten degrees
  EXPECT_GT(lowest, -34 * std::acos(-1.0) / 180);  // and not to its stop
  EXPECT_GT(fall.fastest, 0.3);
  EXPECT_LT(fall.last_rate, 0.02);                    // caught
  EXPECT_GT(fall.boom.back(), lowest + 0.02);         // it swung back
  EXPECT_LT(fall.report.largest_energy_error, 1e-3);  // of 90 kJ, and what the dampers took is counted
  EXPECT_LT(fall.report.largest_residual, 1e-12);
}

TEST(WheelLoader, FallsTheSameByMultipliersAndByBreakVariables) {
  const Fall minimal = run_fall("minimal");
  // Other equations, another solver: IDA at 1e-8; and parasitic springs under forces of 1e5 N.
  for (const auto& [name, tolerance] :
       {std::pair{"lagrange", 1e-7}, {"zcp", 1e-5}, {"lagrange-implicit", 1e-5}, {"rc", 2e-3}}) {
    const Fall other = run_fall(name);
    ASSERT_EQ(other.boom.size(), minimal.boom.size());
    double worst = 0;
    for (std::size_t i = 0; i < other.boom.size(); ++i)
      worst = std::max(worst, std::abs(other.boom[i] - minimal.boom[i]));
    EXPECT_LT(worst, tolerance) << name;
  }
}

}  // namespace
}  // namespace rodeo::dynamics
