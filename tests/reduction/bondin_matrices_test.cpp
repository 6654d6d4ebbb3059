// SPDX-License-Identifier: MIT
// Bondin's (4)-(7), derived anew from (1)-(3), whose print is faulty. With x the states, u the sources, z the variables of R
// ports and bonds with arbitrary causality, s what ports in differential causality give to the graph:
//   ẋ = A x + B u + C z + D s                      (1)
//   Sgn z = P (L x + M u + N z)                    (2)
//   -s = d/dt [J⁻¹ (E x + F u + G z)]              (3)
// W = (Sgn - P N)⁻¹,  K = J⁻¹ (E + G W P L),  Q = J⁻¹ (F + G W P M):
//   ẋ = A1 x + B1 u + B2 u̇                         (4)
//   A1 = (1 + D K)⁻¹ (A + C W P L - D K̇)           (5)
//   B1 = (1 + D K)⁻¹ (B + C W P M - D Q̇)           (6)
//   B2 = -(1 + D K)⁻¹ D Q                          (7)
#include <Eigen/Dense>
#include <random>

#include "kinematics/expr/eval.h"
#include "tests/bondgraph/reading.h"
#include "tests/reduction/paper.h"

namespace rodeo::reduction {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Systems {
  MatrixXd A, B, C, D, Sgn, P, L, M, N, J, E, F, G;

  [[nodiscard]] MatrixXd WP() const { return (Sgn - P * N).inverse() * P; }
  [[nodiscard]] MatrixXd K() const { return J.inverse() * (E + G * WP() * L); }
  [[nodiscard]] MatrixXd Q() const { return J.inverse() * (F + G * WP() * M); }
};

struct Reduced {
  MatrixXd A1, B1, B2;
};

/// K̇ and Q̇ are the caller's: zero where the matrices are constant.
Reduced calc_reduced(const Systems& s, const MatrixXd& K_rate, const MatrixXd& Q_rate) {
  const MatrixXd inverse = (MatrixXd::Identity(s.A.rows(), s.A.rows()) + s.D * s.K()).inverse();
  return {inverse * (s.A + s.C * s.WP() * s.L - s.D * K_rate),
          inverse * (s.B + s.C * s.WP() * s.M - s.D * Q_rate), -inverse * s.D * s.Q()};
}

constexpr int kStates = 3, kSources = 2, kBreaks = 2, kDependent = 2;

/// Matrices that change with time: random + t·random.
class RandomSystems {
 public:
  RandomSystems() : base_(build()), slope_(build()) {}
  [[nodiscard]] Systems at(double t) const {
    Systems s = base_;
    for (MatrixXd Systems::*m : kAll) s.*m += t * (slope_.*m);
    return s;
  }

 private:
  static constexpr MatrixXd Systems::*kAll[] = {
      &Systems::A, &Systems::B, &Systems::C, &Systems::D, &Systems::Sgn, &Systems::P, &Systems::L,
      &Systems::M, &Systems::N, &Systems::J, &Systems::E, &Systems::F,   &Systems::G};
  Systems build() {
    const auto r = [this](int rows, int columns) -> MatrixXd {
      return MatrixXd::NullaryExpr(rows, columns, [this] { return uniform_(generator_); });
    };
    return {r(kStates, kStates),
            r(kStates, kSources),
            r(kStates, kBreaks),
            r(kStates, kDependent),
            r(kBreaks, kBreaks) + 3 * MatrixXd::Identity(kBreaks, kBreaks),
            r(kBreaks, kBreaks),
            r(kBreaks, kStates),
            r(kBreaks, kSources),
            r(kBreaks, kBreaks),
            r(kDependent, kDependent) + 3 * MatrixXd::Identity(kDependent, kDependent),
            r(kDependent, kStates),
            r(kDependent, kSources),
            r(kDependent, kBreaks)};
  }
  std::mt19937 generator_{11};
  std::uniform_real_distribution<double> uniform_{-1, 1};
  Systems base_, slope_;
};

TEST(BondinsMatrices, SatisfyTheThreeSystemsThatTheyAreDerivedFrom) {
  const RandomSystems random;
  const Systems now = random.at(0);
  constexpr double h = 1e-5;  // central differences: h² cuts, 1e-16/h rounds
  constexpr double kTolerance = 1e-8;
  const Reduced reduced = calc_reduced(now, (random.at(h).K() - random.at(-h).K()) / (2 * h),
                                       (random.at(h).Q() - random.at(-h).Q()) / (2 * h));
  const VectorXd x = VectorXd::LinSpaced(kStates, 0.4, 1.3), u = VectorXd::LinSpaced(kSources, -0.7, 0.9);
  const VectorXd u_rate = VectorXd::LinSpaced(kSources, 0.3, -1.1);
  const VectorXd x_rate = reduced.A1 * x + reduced.B1 * u + reduced.B2 * u_rate;
  const auto z_at = [&](double t) -> VectorXd {
    const Systems s = random.at(t);
    return s.WP() * (s.L * (x + t * x_rate) + s.M * (u + t * u_rate));
  };
  const auto stored_at = [&](double t) -> VectorXd {
    const Systems s = random.at(t);
    return s.J.inverse() * (s.E * (x + t * x_rate) + s.F * (u + t * u_rate) + s.G * z_at(t));
  };
  const VectorXd z = z_at(0);
  const VectorXd s = -(stored_at(h) - stored_at(-h)) / (2 * h);
  EXPECT_LT((now.Sgn * z - now.P * (now.L * x + now.M * u + now.N * z)).norm(), 1e-14);
  EXPECT_LT((now.A * x + now.B * u + now.C * z + now.D * s - x_rate).norm(), kTolerance);
}

/// Two masses joined by a lever, v2 = n v1 + base: m2 is dependent and feels the rate of the input `base`. R1 and R2 close an
/// algebraic loop: e_R1 = R1 (f_R2 + v1), f_R2 = (push - e_R1)/R2.
constexpr const char* kLever = R"(
parameters: {m1: 2, m2: 3, n: 1.5, k: 40, R1: 5, R2: 0.7, R3: 1.1}
elements:
  m1: {I: m1}
  m2: {I: m2}
  spring: {K: k}
  push: {Se: }
  base: {Sf: }
  R1: {R: R1}
  R2: {R: R2}
  R3: {R: R3}
  lever: {TF: n}
junctions: {inlet: 1, mid: 0, v1: 1, sum: 0, v2: 1}
bonds:
  - push -> inlet
  - inlet -> R1
  - inlet -> mid
  - mid -> R2
  - mid -> v1
  - v1 -> m1
  - v1 -> spring
  - v1 -> lever
  - lever -> sum
  - base -> sum
  - sum -> v2
  - v2 -> m2
  - v2 -> R3
)";

/// x = (P1, X), u = (push, base), z = (e_R1, f_R2), s = -d/dt P2.
Systems lever_systems() {
  const double m1 = 2, m2 = 3, n = 1.5, k = 40, R1 = 5, R2 = 0.7, R3 = 1.1;
  Systems s;
  s.A = (MatrixXd(2, 2) << -n * n * R3 / m1, -k, 1 / m1, 0).finished();
  s.B = (MatrixXd(2, 2) << 1, -n * R3, 0, 0).finished();
  s.C = (MatrixXd(2, 2) << -1, 0, 0, 0).finished();
  s.D = (MatrixXd(2, 1) << n, 0).finished();
  s.Sgn = MatrixXd::Identity(2, 2);
  s.P = (MatrixXd(2, 2) << R1, 0, 0, 1 / R2).finished();
  s.L = (MatrixXd(2, 2) << 1 / m1, 0, 0, 0).finished();
  s.M = (MatrixXd(2, 2) << 0, 0, 1, 0).finished();
  s.N = (MatrixXd(2, 2) << 0, 1, -1, 0).finished();
  s.J = (MatrixXd(1, 1) << 1 / m2).finished();
  s.E = (MatrixXd(1, 2) << n / m1, 0).finished();
  s.F = (MatrixXd(1, 2) << 0, 1).finished();
  s.G = MatrixXd::Zero(1, 2);
  return s;
}

TEST(BondinsMatrices, AreTheReducedRatesOfALeverWithADamperLoop) {
  const Model model = build_model(bondgraph::build_from_text(kLever));
  EXPECT_FALSE(model.causality.resistive_bonds.empty());
  EXPECT_EQ(model.system.differential_ports.size(), 1u);
  const std::vector<std::string> states{"m1.momentum", "spring.displacement"};
  const std::vector<std::string> inputs{"push", "base"};
  ASSERT_EQ(model.system.states.size(), states.size());
  const Solved solved(model);
  const std::vector<Expr> rates = state_rates(model);
  const Reduced reduced = calc_reduced(lever_systems(), MatrixXd::Zero(1, 2), MatrixXd::Zero(1, 2));
  EXPECT_NEAR(reduced.B2(0, 1), -1.5 * 3 / (1 + 1.5 * 1.5 * 3 / 2), 1e-15);  // -n m2/(1 + n² m2/m1)
  /// The rates for one symbol 1 and all others 0: a column of a matrix.
  const auto column = [&](const std::string& symbol) {
    expr::Values values{{"m1", 2}, {"m2", 3}, {"n", 1.5}, {"k", 40}, {"R1", 5}, {"R2", 0.7}, {"R3", 1.1}};
    for (const std::string& state : states) values[state] = 0;
    for (const std::string& input : inputs) values[input] = values[input + "'"] = 0;
    values[symbol] = 1;
    VectorXd result(2);
    for (std::size_t s = 0; s < rates.size(); ++s) {
      const auto row = model.system.states[s].name == states[0] ? 0 : 1;
      result[row] = expr::calc_value(solved(rates[s]), values);
    }
    return result;
  };
  constexpr double kRounding = 1e-12;
  for (Eigen::Index j = 0; j < 2; ++j) {
    const auto name = static_cast<std::size_t>(j);
    EXPECT_LT((column(states[name]) - reduced.A1.col(j)).norm(), kRounding) << states[name];
    EXPECT_LT((column(inputs[name]) - reduced.B1.col(j)).norm(), kRounding) << inputs[name];
    EXPECT_LT((column(inputs[name] + "'") - reduced.B2.col(j)).norm(), kRounding) << inputs[name] << "'";
  }
}

}  // namespace
}  // namespace rodeo::reduction
