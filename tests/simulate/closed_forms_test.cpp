// SPDX-License-Identifier: MIT
// Graphs of configs/ against their closed forms, by every method and in both forms. Hand-derived equations stand beside each;
// they are solved by formula or by the matrix exponential.
//
// Tolerances. Runge-Kutta of order 4: the error of a run with step h is close to 1/15 of how much it differs from a run with 2h, and
// twice that is allowed, beside rounding. CVODE and IDA: errors of steps add up; a thousand tolerances of the largest value.
#include <cmath>
#include <numbers>

#include "tests/simulate/running.h"

namespace rodeo::simulate {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kRounding = 1e-12;
constexpr double kTolerance = 1e-10;
constexpr double kAccumulated = 1e3 * kTolerance;

VectorXd gather(const Log& log, const std::vector<std::string>& names) {
  VectorXd values(static_cast<Eigen::Index>(names.size()));
  for (std::size_t i = 0; i < names.size(); ++i) values[static_cast<Eigen::Index>(i)] = log.last(names[i]);
  return values;
}

struct Case {
  const Model& model;
  std::vector<std::string> names;
  VectorXd exact;  // of these, at the end
  VectorXd sizes;  // the largest they are on the way, about
  double duration;
  double rate = 1000;
  InputTable table = {};
};

VectorXd calc_end(const Case& c, RunOptions options) {
  options.duration = c.duration;
  options.columns = c.names;
  options.tolerance = kTolerance;
  return gather(run(c.model, options, c.table), c.names);
}

void expect_order_four(const Case& c) {
  const VectorXd fine = calc_end(c, {.rate = c.rate});
  const VectorXd coarse = calc_end(c, {.rate = c.rate / 2});
  for (Eigen::Index i = 0; i < fine.size(); ++i) {
    const double allowed = 2 * std::abs(fine[i] - coarse[i]) / 15 + kRounding * c.sizes[i];
    EXPECT_LE(std::abs(fine[i] - c.exact[i]), allowed) << c.names[static_cast<std::size_t>(i)];
  }
  const double ratio =
      (coarse - c.exact).cwiseQuotient(c.sizes).norm() / (fine - c.exact).cwiseQuotient(c.sizes).norm();
  EXPECT_NEAR(std::log2(ratio), 4.0, 0.35);
}

void expect_tolerance(const Case& c, FormKind form, MethodKind method) {
  const VectorXd end = calc_end(c, {.form = form, .method = method, .rate = c.rate});
  for (Eigen::Index i = 0; i < end.size(); ++i) {
    EXPECT_NEAR(end[i], c.exact[i], kAccumulated * c.sizes[i])
        << method_text(method) << ' ' << c.names[static_cast<std::size_t>(i)];
  }
}

void expect_all_tolerances(const Case& c) {
  expect_tolerance(c, FormKind::reduced, MethodKind::cvode);
  expect_tolerance(c, FormKind::reduced, MethodKind::adams);
  expect_tolerance(c, FormKind::reduced, MethodKind::ida);
  expect_tolerance(c, FormKind::full, MethodKind::ida);
}

/// q̈ + R/L q̇ + q/(LC) = V/L from rest: q = CV (1 − e^(−δt)(cos ωt + δ/ω sin ωt)), i = V/(ωL) e^(−δt) sin ωt.
TEST(Rlc, RingsAsItsFormula) {
  const double V = 10, L = 2e-3, R = 1.5, C = 4.7e-5, t = 4e-3;
  const double decay = R / (2 * L), omega = std::sqrt(1 / (L * C) - decay * decay);
  const double charge =
      C * V * (1 - std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t)));
  const double current = V / (omega * L) * std::exp(-decay * t) * std::sin(omega * t);
  const Model model = config("rlc.yaml");
  const Case c{model,
               {"capacitor.displacement", "coil.flow", "voltage"},
               Eigen::Vector3d(charge, current, charge / C),
               Eigen::Vector3d(C * V, V / (omega * L), V),
               t,
               50'000};
  expect_order_four(c);
  expect_all_tolerances(c);
}

/// Body p, wheel r, strut s, tyre y; the road's velocity 0.1 sin 10t = 0.1 z, z̈ = −100 z, is a pair of states of its own.
TEST(QuarterCar, FollowsItsExponential) {
  const double ms = 250, mu = 40, ks = 1.5e4, kt = 1.5e5, b = 1000, g = 9.81, t = 1.0;
  MatrixXd A = MatrixXd::Zero(6, 6);
  A.row(0) << -b / ms, b / mu, ks, 0, 0, 0;
  A.row(1) << b / ms, -b / mu, -ks, kt, 0, 0;
  A.row(2) << -1 / ms, 1 / mu, 0, 0, 0, 0;
  A.row(3) << 0, -1 / mu, 0, 0, 0.1, 0;
  A.row(4) << 0, 0, 0, 0, 0, 10;
  A.row(5) << 0, 0, 0, 0, -10, 0;
  VectorXd constant = VectorXd::Zero(6), start = VectorXd::Zero(6);
  constant.head(2) << -ms * g, -mu * g;
  start[5] = 1;
  const VectorXd end = calc_exact(A, constant, VectorXd::Zero(6), start,
                                  (VectorXd(6) << 500, 50, 0.3, 0.03, 1, 1).finished(), t);
  const Model model = config("quarter_car.yaml");
  const Case c{model,
               {"body.momentum", "wheel.momentum", "travel", "tyre.displacement"},
               end.head(4),
               Eigen::Vector4d(500, 50, 0.3, 0.03),
               t};
  expect_order_four(c);
  expect_all_tolerances(c);
}

/// Flux λ, angular momentum h, integral z: λ' = kp (ref − ω) + ki z − R i − k ω, h' = k i − b ω − cut, z' = ref − ω.
TEST(PiMotor, FollowsItsExponentialThroughTheCut) {
  const double R = 0.8, L = 2e-3, k = 0.06, J = 2e-5, b = 1e-5, kp = 0.2, ki = 5, ref = 100, cut = 0.02;
  Eigen::Matrix3d A;
  A << -R / L, -(kp + k) / J, ki, k / L, -b / J, 0, 0, -1 / J, 0;
  const Eigen::Vector3d none = Eigen::Vector3d::Zero();
  const Eigen::Vector3d sizes(0.02, 0.003, 2);
  const auto idle = [&](double t) {
    return calc_exact(A, Eigen::Vector3d(kp * ref, 0, ref), none, none, sizes, t);
  };
  const VectorXd after = calc_exact(A, Eigen::Vector3d(kp * ref, -cut, ref), none, idle(0.5), sizes, 0.1);
  const Model model = config("pi_motor.yaml");
  const std::vector<std::string> names{"motor.armature.momentum", "motor.rotor.momentum", "integral"};
  expect_order_four({model, names, idle(0.02), sizes, 0.02, 10'000});
  expect_all_tolerances({model, names, after, sizes, 0.6});
}

/// Oil volumes beyond rest a (cap), b (rod side), momentum of all p, stroke x; pump Q, leak l, throttle T.
struct Cylinder {
  double A = std::numbers::pi / 4 * 0.08 * 0.08, ring = A - std::numbers::pi / 4 * 0.045 * 0.045;
  double C = 2e-3 / 1.6e9, M = 820, load = 800, viscous = 500, leak = 1e12, throttle = 2e9, g = 9.81;

  [[nodiscard]] MatrixXd matrix() const {
    MatrixXd m = MatrixXd::Zero(4, 4);
    m.row(0) << -1 / (leak * C), 1 / (leak * C), -A / M, 0;
    m.row(1) << 1 / (leak * C), -1 / (leak * C) - 1 / (throttle * C), ring / M, 0;
    m.row(2) << A / C, -ring / C, -viscous / M, 0;
    m.row(3) << 0, 0, 1 / M, 0;
    return m;
  }
  /// Through segments of the pump's flow: time, flow at its end.
  [[nodiscard]] VectorXd run(const std::vector<std::pair<double, double>>& rows, double end) const {
    VectorXd x = VectorXd::Zero(4);
    x[0] = load * g / A * C;
    for (std::size_t i = 0; i + 1 < rows.size() && rows[i].first < end; ++i) {
      const double span = std::min(end, rows[i + 1].first) - rows[i].first;
      const double slope = (rows[i + 1].second - rows[i].second) / (rows[i + 1].first - rows[i].first);
      VectorXd constant = VectorXd::Zero(4), rising = VectorXd::Zero(4);
      constant[0] = rows[i].second;
      constant[2] = -load * g;
      rising[0] = slope;
      x = calc_exact(matrix(), constant, rising, x, Eigen::Vector4d(2e-6, 5e-7, 80, 0.1), span);
    }
    return x;
  }
};

TEST(CylinderLoad, FollowsItsExponential) {
  const Cylinder cylinder;
  const std::vector<std::pair<double, double>> rows{{0, 0}, {0.2, 5e-4}, {0.7, 5e-4}, {0.9, 0}, {1.2, 0}};
  InputTable table;
  table.count = 1;
  for (const auto& [t, q] : rows) {
    table.times.push_back(t);
    table.values.push_back(q);
  }
  const double t = 0.8;
  const VectorXd x = cylinder.run(rows, t);
  const Model model = config("cylinder_load.yaml");
  ASSERT_EQ(model.system.differential_ports.size(), 1u) << "piston and load move as one";
  const Case c{model,
               {"cylinder.cap_oil.displacement", "cylinder.rod_oil.displacement", "speed", "stroke"},
               Eigen::Vector4d(x[0], x[1], x[2] / cylinder.M, x[3]),
               Eigen::Vector4d(x[0], x[0], 0.1, 0.1),
               t,
               2000,
               table};
  expect_order_four(c);
  expect_all_tolerances(c);
}

TEST(TwoInertances, MoveAsOneMassInBothForms) {
  const Model model = config("two_inertances.yaml");
  const Case c{model,
               {"speed", "I2.momentum", "I2.effort"},
               Eigen::Vector3d(10.0 / 5 * 3, 18, 6),
               Eigen::Vector3d(6, 18, 6),
               3};
  expect_tolerance(c, FormKind::reduced, MethodKind::rk4);
  expect_all_tolerances(c);
}

TEST(Euler, HasOrderOneOnTheCircuit) {
  const Model model = config("rlc.yaml");
  const auto end = [&](double rate) {
    return run(model, {.method = MethodKind::euler, .rate = rate, .duration = 2e-3}).last("current");
  };
  const double exact =
      run(model, {.method = MethodKind::cvode, .duration = 2e-3, .tolerance = 1e-12}).last("current");
  EXPECT_NEAR(std::log2((end(1e6) - exact) / (end(2e6) - exact)), 1.0, 0.05);
}

/// u of L i' + R i + u = U, C u' = i, from rest, t after the edge.
double calc_charging(double t) {
  constexpr double U = 10, R = 2, L = 0.01, C = 1e-4, a = R / (2 * L);
  const double w = std::sqrt(1 / (L * C) - a * a);
  return t <= 0 ? 0 : U * (1 - std::exp(-a * t) * (std::cos(w * t) + a / w * std::sin(w * t)));
}

class PulseBy : public testing::TestWithParam<const char*> {};

/// Edges on ticks: the last stage of the step before must not see what comes after it. Error h⁴ of rk4, (ωh)⁴ = 1e-4 of 10 V a
/// period and some; the edge seen too early gives h/6 of the slope, 0.14 V.
TEST_P(PulseBy, FollowsItsClosedFormWithFixedSteps) {
  const Model model =
      model_of(std::string("domain: electric\nelements:\n  src: {Se: ") + GetParam() +
               "}\n  coil: {I: 0.01}\n  res: {R: 2}\n  cap: {C: 1e-4}\njunctions: {i: 1}\n"
               "bonds: [src -> i, i -> coil, i -> res, i -> cap]\noutputs: {u: cap.effort}\n");
  double worst = 0;
  const auto compare = [&](std::span<const double> row) {
    const double exact = calc_charging(row[0] - 0.01) - calc_charging(row[0] - 0.03);
    worst = std::max(worst, std::abs(row[1] - exact));
  };
  GraphRun(model, {}, {.rate = 10000, .duration = 0.06}).run(compare);
  EXPECT_LT(worst, 2e-4);
}

INSTANTIATE_TEST_SUITE_P(Written, PulseBy,
                         testing::Values("\"10*(t >= 0.01)*(t < 0.03)\"", "\"10*(t > 0.01)*(t <= 0.03)\"",
                                         "\"if(t < 0.01, 0, if(t < 0.03, 10, 0))\"",
                                         "[{if: \"t >= 0.01 and t < 0.03\", then: 10}, {else: 0}]"),
                         [](const auto& each) { return "form" + std::to_string(each.index); });

}  // namespace
}  // namespace rodeo::simulate
