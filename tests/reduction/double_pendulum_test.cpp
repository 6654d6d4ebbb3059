// SPDX-License-Identifier: MIT
// romero-2006, section 3: the double pendulum, (1)-(12). Printed signs that are wrong and are corrected here: (1) and (7)
// lack the minus of -L1/2 sin, (10) has +L2/2 sin, (5) has +dV12_y/dt.
#include <cmath>
#include <random>

#include "kinematics/expr/eval.h"
#include "tests/reduction/paper.h"

namespace rodeo::reduction {
namespace {

Paper undriven() {
  Paper p("double_pendulum.yaml", traditional(false));
  p.name("V11_J", p("PI1_J/J1"));
  p.name("V12_J", p("PI2_J/J2"));
  return p;
}

TEST(DoublePendulum, UndrivenHasTwoIntegralAndFourDifferentialPorts) {
  const Paper p = undriven();
  std::vector<std::string> integral;
  for (const State& state : p.model().system.states) {
    if (state.kind == State::Kind::momentum) integral.push_back(state.name);
  }
  EXPECT_EQ(integral, (std::vector<std::string>{"rod1.J.momentum", "rod2.J.momentum"}));
  EXPECT_EQ(p.model().system.differential_ports.size(), 4u);
  EXPECT_TRUE(p.full().breaks.empty());
}

TEST(DoublePendulum, UndrivenDependentFlowsAre1To4) {
  const Paper p = undriven();
  EXPECT_TRUE(proved(p.dependent("V11_x"), p("-1/2*L1*sin(X11_J)*V11_J")));                        // (1)
  EXPECT_TRUE(proved(p.dependent("V11_y"), p("1/2*L1*cos(X11_J)*V11_J")));                         // (2)
  EXPECT_TRUE(proved(p.dependent("V12_x"), p("-L1*sin(X11_J)*V11_J - 1/2*L2*sin(X12_J)*V12_J")));  // (3)
  EXPECT_TRUE(proved(p.dependent("V12_y"), p("L1*cos(X11_J)*V11_J + 1/2*L2*cos(X12_J)*V12_J")));   // (4)
}

TEST(DoublePendulum, UndrivenAngularAccelerationsAre5And6) {
  const Paper p = undriven();
  const Expr five =
      p("((m2*dV12_x + 1/2*m1*dV11_x)*L1*sin(X11_J)"
        " + ((-g/2 - 1/2*dV11_y)*m1 + (-dV12_y - g)*m2)*L1*cos(X11_J))/J1");
  const Expr six = p("(1/2*m2*L2*sin(X12_J)*dV12_x + (-g/2 - 1/2*dV12_y)*m2*L2*cos(X12_J))/J2");
  EXPECT_TRUE(proved(p.full_rate("PI1_J") / p("J1"), five));
  EXPECT_TRUE(proved(p.full_rate("PI2_J") / p("J2"), six));
}

TEST(DoublePendulum, PrintedSignsOf1And5AreNotOurs) {
  const Paper p = undriven();
  EXPECT_FALSE(prove_equal(p.dependent("V11_x"), p("1/2*L1*sin(X11_J)*V11_J")));
  EXPECT_FALSE(prove_equal(p.full_rate("PI1_J") / p("J1"),
                           p("((m2*dV12_x + 1/2*m1*dV11_x)*L1*sin(X11_J)"
                             " + ((-g/2 - 1/2*dV11_y)*m1 + (dV12_y - g)*m2)*L1*cos(X11_J))/J1")));
}

/// The left sides of Lagrange's equations of two bars, q from the x axis, gravity along -y. T and V of both centres:
///   M11 = J1 + m1 L1²/4 + m2 L1²,  M22 = J2 + m2 L2²/4,  M12 = m2 L1 L2/2 cos(q1 - q2)
constexpr const char* kLagrange1 =
    "(J1 + m1*L1^2/4 + m2*L1^2)*a1 + m2*L1*L2/2*cos(XI1_J - XI2_J)*a2"
    " + m2*L1*L2/2*sin(XI1_J - XI2_J)*V12_J^2 + (m1/2 + m2)*g*L1*cos(XI1_J)";
constexpr const char* kLagrange2 =
    "m2*L1*L2/2*cos(XI1_J - XI2_J)*a1 + (J2 + m2*L2^2/4)*a2"
    " - m2*L1*L2/2*sin(XI1_J - XI2_J)*V11_J^2 + m2/2*g*L2*cos(XI2_J)";

TEST(DoublePendulum, ReducedAccelerationsSatisfyLagrangesEquationsIdentically) {
  Paper p = undriven();
  p.name("a1", p.rate("PI1_J") / p("J1"));
  p.name("a2", p.rate("PI2_J") / p("J2"));
  EXPECT_TRUE(proved(p(kLagrange1), 0.0));
  EXPECT_TRUE(proved(p(kLagrange2), 0.0));
}

TEST(DoublePendulum, ReducedAccelerationsAreLagrangesAtRandomStates) {
  const Paper p = undriven();
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> any(-3, 3), positive(0.2, 3);
  for (int i = 0; i < 50; ++i) {
    const double L1 = positive(generator), L2 = positive(generator), m1 = positive(generator),
                 m2 = positive(generator);
    const double J1 = positive(generator), J2 = positive(generator), g = 9.81;
    const double q1 = any(generator), q2 = any(generator), u1 = any(generator), u2 = any(generator);
    const expr::Values values{{"L1", L1},
                              {"L2", L2},
                              {"m1", m1},
                              {"m2", m2},
                              {"J1", J1},
                              {"J2", J2},
                              {"g", g},
                              {"rod1.J.displacement", q1},
                              {"rod2.J.displacement", q2},
                              {"rod1.J.momentum", J1 * u1},
                              {"rod2.J.momentum", J2 * u2}};
    const double M11 = J1 + m1 * L1 * L1 / 4 + m2 * L1 * L1, M22 = J2 + m2 * L2 * L2 / 4;
    const double M12 = m2 * L1 * L2 / 2 * std::cos(q1 - q2), s = m2 * L1 * L2 / 2 * std::sin(q1 - q2);
    const double r1 = -s * u2 * u2 - (m1 / 2 + m2) * g * L1 * std::cos(q1);
    const double r2 = s * u1 * u1 - m2 / 2 * g * L2 * std::cos(q2);
    const double det = M11 * M22 - M12 * M12;
    constexpr double kRounding = 1e-10;  // relative to the largest terms, det is well away from 0
    EXPECT_NEAR(expr::calc_value(p.rate("PI1_J"), values) / J1, (r1 * M22 - M12 * r2) / det,
                kRounding * (1 + std::abs(r1 + r2) / det));
    EXPECT_NEAR(expr::calc_value(p.rate("PI2_J"), values) / J2, (M11 * r2 - M12 * r1) / det,
                kRounding * (1 + std::abs(r1 + r2) / det));
  }
}

TEST(DoublePendulum, DrivenIs7To12WithSixEquations) {
  const Paper p("double_pendulum.yaml", traditional());
  EXPECT_EQ(p.full().rates.size(), 6u);
  EXPECT_TRUE(p.full().breaks.empty());
  const Printed seven_to_twelve{
      {"XI1_x", "-1/2*L1*sin(XI1_J)*w1"},                     // (7)
      {"XI1_J", "w1"},                                        // (8)
      {"XI1_y", "1/2*L1*cos(XI1_J)*w1"},                      // (9)
      {"XI2_x", "-1/2*L2*sin(XI2_J)*w2 - L1*sin(XI1_J)*w1"},  // (10)
      {"XI2_J", "w2"},                                        // (11)
      {"XI2_y", "1/2*L2*cos(XI2_J)*w2 + L1*cos(XI1_J)*w1"},   // (12)
  };
  expect_full(p, seven_to_twelve);
  expect_reduced(p, seven_to_twelve);
}

TEST(DoublePendulum, PrintedSignsOf7And10AreNotOurs) {
  const Paper p("double_pendulum.yaml", traditional());
  EXPECT_FALSE(prove_equal(p.rate("XI1_x"), p("1/2*L1*sin(XI1_J)*w1")));
  EXPECT_FALSE(prove_equal(p.rate("XI2_x"), p("1/2*L2*sin(XI2_J)*w2 - L1*sin(XI1_J)*w1")));
}

TEST(DoublePendulum, RodEquivalentsLeaveOnly8And11) {
  const Paper p("double_pendulum.yaml", equivalent());
  EXPECT_EQ(p.full().rates.size(), 2u);
  EXPECT_TRUE(p.full().breaks.empty());
  expect_full(p, {{"XI1_J", "w1"}, {"XI2_J", "w2"}});
  expect_reduced(p, {{"XI1_J", "w1"}, {"XI2_J", "w2"}});
}

}  // namespace
}  // namespace rodeo::reduction
