// SPDX-License-Identifier: MIT
// The pendulum by every method against its closed form in Jacobi's elliptic functions.
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>

#include "kinematics/dynamics/implicit.h"
#include "kinematics/dynamics/minimal.h"
#include "kinematics/dynamics/rc.h"
#include "tests/dynamics/support.h"

namespace rodeo::dynamics {
namespace {

using testing_support::build;
using testing_support::build_config;

/// From rest at the horizontal:  φ(t) = 2 asin(k cd(ω₀t, k)) from the vertical, k = sin 45°; ω₀² = m g L / (m L² + J).
struct Pendulum {
  double inertia = 0.0;
  [[nodiscard]] double calc_angle(double t) const {
    const double k = std::sqrt(0.5), w = std::sqrt(9.81 / (1 + inertia));
    return 2 * std::asin(k * boost::math::jacobi_cd(k, w * t)) - std::acos(-1.0) / 2;
  }
};

struct Claim {
  const char* method;
  Solver solver;
  double angle, energy;  // rad and J, over 10 s
};

class PendulumBy : public testing::TestWithParam<Claim> {};

TEST_P(PendulumBy, FollowsItsClosedFormForTenSeconds) {
  const auto problem = build(build_config("free/pendulum", {"J=0.1"}));
  const auto method = build_method(GetParam().method, *problem, {.solver = GetParam().solver});
  const Pendulum pendulum{0.1};
  double worst = 0;
  const RunReport report = run(*method, 10, 1e-3, [&](const Sample& sample) {
    worst = std::max(worst, std::abs(sample.state.q[2] - pendulum.calc_angle(sample.t)));
    return true;
  });
  EXPECT_LT(worst, GetParam().angle);
  EXPECT_LT(report.largest_energy_error, GetParam().energy);
}

// What each can promise at 1 ms and a tolerance of 1e-8:
// RK4's error is (ωh)⁴ a period, 1e-10 here; Baumgarte's correction lets a joint open by 2e-9 m, which comes back as energy; BDF adds up
// its tolerance over some thousand steps; parasitic springs shift the pin by some micrometres and BDF damps
// their oscillation.
INSTANTIATE_TEST_SUITE_P(
    Method, PendulumBy,
    testing::Values(Claim{"minimal", Solver::rk4, 1e-10, 1e-10}, Claim{"minimal", Solver::cvode, 1e-5, 1e-5},
                    Claim{"minimal", Solver::euler, 0.5, 2.0}, Claim{"lagrange", Solver::rk4, 1e-6, 1e-6},
                    Claim{"lagrange", Solver::cvode, 1e-4, 1e-4},
                    Claim{"lagrange-implicit", Solver::ida, 1e-4, 2e-4},
                    Claim{"rc", Solver::cvode, 2e-3, 5e-3}, Claim{"rc", Solver::rk4, 1e-4, 1e-3},
                    Claim{"zcp", Solver::ida, 1e-4, 2e-4}),
    [](const auto& test) {
      std::string name =
          std::string(test.param.method) + "_" + std::to_string(static_cast<int>(test.param.solver));
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

/// Soft joints, hardly damped: what the machine lacks is in their springs or was taken by their dampers, and nowhere else.
TEST(SpringsInTheJoints, HoldWhatTheMachineLacks) {
  const auto problem = build(build_config("free/pendulum", {"J=0.1"}));
  Rc rc(*problem, {.solver = Solver::rk4, .step = 2e-5, .frequency = 1000, .damping_ratio = 0.02});
  double lacking = 0, unaccounted = 0, damped = 0;
  run(rc, 1, 1e-3, [&](const Sample& sample) {
    lacking = std::max(lacking, std::abs(sample.energy_error));
    unaccounted =
        std::max(unaccounted, std::abs(sample.energy_error + sample.state.stored + sample.state.damped));
    damped = sample.state.damped;
    return true;
  });
  EXPECT_GT(lacking, 1e-5);
  EXPECT_GT(damped, 1e-6);
  EXPECT_LT(unaccounted, 0.1 * damped);
}

TEST(BenchmarkA01, KeepsItsEnergyToAMicrojouleForTenSeconds) {
  // A point mass: its rod has no inertia, which only the constraints make good.
  const Pendulum pendulum;
  for (const char* name : {"minimal", "lagrange"}) {
    const auto problem = build(build_config("free/pendulum", {"J=0"}));
    const auto method = build_method(name, *problem, {});
    double worst = 0;
    const RunReport report = run(*method, 10, 1e-3, [&](const Sample& sample) {
      worst = std::max(worst, std::abs(sample.state.q[2] - pendulum.calc_angle(sample.t)));
      return true;
    });
    EXPECT_LT(report.largest_energy_error, 1e-6) << name;
    EXPECT_LT(worst, 1e-6) << name;
    RecordProperty(std::string("energy_error_") + name, std::to_string(report.largest_energy_error));
    std::printf("A01 %s: %.3f s, energy error %.2e J\n", name, report.seconds, report.largest_energy_error);
  }
}

TEST(Rc, StartsWithAPeakThatItsDampersTakeAway) {
  // At rest no spring is loaded, and at once the pin has to carry the weight: the parasites swing, for as long as their time scale.
  const auto problem = build(build_config("free/pendulum", {"J=0.1"}));
  Rc rc(*problem, {.solver = Solver::rk4, .step = 1e-5});
  const Pendulum pendulum{0.1};
  double early = 0, late = 0;
  run(rc, 0.02, 1e-5, [&](const Sample& sample) {
    const double h = 1e-6;
    const double rate = (pendulum.calc_angle(sample.t + h) - pendulum.calc_angle(sample.t - h)) / (2 * h);
    const double off = std::abs(sample.state.v[2] - rate);
    (sample.t < 1e-3 ? early : late) = std::max(sample.t < 1e-3 ? early : late, off);
    return true;
  });
  EXPECT_GT(early, 1e-4);
  EXPECT_GT(early, 20 * late);
  EXPECT_LT(early, 4e-3);
}

TEST(Rc, TellsTheFrequenciesThatItAdds) {
  // A pin at 1 m from the centre of mass feels 1/(1/m + L²/J) across the rod, where its spring has 3000 Hz, and m along it.
  const auto problem = build(build_config("free/pendulum", {"J=0.1"}));
  const Rc rc(*problem, {});
  const double highest = 2 * std::acos(-1.0) * 3000;
  EXPECT_NEAR(rc.modes().highest, highest, 1e-6 * highest);
  EXPECT_NEAR(rc.modes().lowest, highest / std::sqrt(11.0), 1e-6 * highest);
  for (const int row : {0, 1})
    EXPECT_NEAR(rc.stiffness(row), highest * highest / 11, 1e-6 * highest * highest) << row;
  EXPECT_EQ(rc.notes()[1], "adds frequencies of 904.5 Hz to 3000 Hz: time scale 3.79e-05 s");
}

TEST(Zcp, BringsIndexThreeToOne) {
  const auto problem = build(build_config("free/pendulum"));
  const Zcp zcp(*problem, {});
  EXPECT_EQ(zcp.index_before(), 3);
  EXPECT_EQ(zcp.index_after(), 1);
  EXPECT_EQ(zcp.equations(), 8);  // three coordinates, their rates, two break variables
}

TEST(Minimal, HasTwoEquationsADegreeOfFreedom) {
  const auto problem = build(build_config("free/pendulum"));
  const Minimal minimal(*problem, {});
  EXPECT_EQ(minimal.equations(), 2);
  EXPECT_EQ(coordinate_name(minimal.system(), minimal.independent()[0]), "rod.angle");
}

TEST(Solvers, OfTheWrongKindAreRefused) {
  const auto problem = build(build_config("free/pendulum"));
  try {
    (void)build_method("minimal", *problem, {.solver = Solver::ida});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "method minimal is an ordinary equation: it takes euler, rk4 or cvode");
  }
  try {
    (void)build_method("zcp", *problem, {.solver = Solver::rk4});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "method zcp is a differential-algebraic system: it takes ida only");
  }
}

}  // namespace
}  // namespace rodeo::dynamics
