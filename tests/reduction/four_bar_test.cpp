// SPDX-License-Identifier: MIT
// romero-2006, section 5: the articulated quadrilateral, (32)-(61). Its rod 3 runs from the moving pin C to the ground.
// Its arbitrary bonds (*): coupler's centre towards pin C in x, rocker's centre towards the ground pin Q in y.
#include <gmock/gmock.h>

#include "tests/reduction/paper.h"

namespace rodeo::reduction {
namespace {

const std::pair<std::string, std::string> kStar1{"coupler.vx", "coupler.C.x"};
const std::pair<std::string, std::string> kStar2{"rocker.vy", "rocker.Q.y"};

constexpr const char* kEquation32 =
    "1/4*(-L1*w1*cos(-X11_J + X13_J + X12_J) - L1*w1*cos(-X11_J + X13_J - X12_J)"
    " + 2*L1*w1*cos(X11_J + X13_J - X12_J))/sin(X13_J - X12_J)";
constexpr const char* kEquation34 =
    "1/4*(L1*w1*sin(X11_J + X13_J - X12_J) - L1*w1*sin(-X11_J + X13_J + X12_J))/sin(X13_J - X12_J)";

Paper traditional_paper() {
  Paper p("four_bar.yaml", traditional(), {kStar1, kStar2});
  p.name("Y0", p.flow_break(kStar1.first, kStar1.second).symbol);
  p.name("Y1", p.effort_break(kStar1.first, kStar1.second).symbol);
  p.name("Y2", p.flow_break(kStar2.first, kStar2.second).symbol);
  p.name("Y3", p.effort_break(kStar2.first, kStar2.second).symbol);
  return p;
}

TEST(FourBar, TraditionalHasNineDifferentialAndFourAlgebraicEquations) {
  const Paper imposed = traditional_paper();
  const Paper own("four_bar.yaml", traditional());
  for (const Paper* p : {&imposed, &own}) {
    EXPECT_EQ(p->full().rates.size(), 9u);
    EXPECT_EQ(p->full().breaks.size(), 4u);
    EXPECT_EQ(p->model().causality.arbitrary_bonds.size(), 2u);
    EXPECT_EQ(p->model().system.differential_ports.size(), 9u);
  }
}

TEST(FourBar, FlowBreaksAre32And34) {
  const Paper p = traditional_paper();
  EXPECT_TRUE(proved(p.flow(kStar1.first, kStar1.second), p(kEquation32)));
  EXPECT_TRUE(proved(p.flow(kStar2.first, kStar2.second), p(kEquation34)));
}

/// With every acceleration zero the laws of both efforts hold for the printed (33) and (35), with the sign that our bonds'
/// direction (centre -> pin) gives them.
TEST(FourBar, EffortBreaksAtRestAre33And35UpToTheBondsDirection) {
  Paper p = traditional_paper();
  const BreakVariable& first = p.effort_break(kStar1.first, kStar1.second);
  const BreakVariable& second = p.effort_break(kStar2.first, kStar2.second);
  const Expr thirty_three =
      p("(m3*g + m2*g)*(sin(-2*X12_J + X13_J) - sin(2*X12_J + X13_J))/(-4*cos(-2*X12_J + X13_J) + "
        "4*cos(X13_J))");
  const Expr thirty_five = p("3*m3*g/4 + m2*g/4 + 1/4*(m3*g + m2*g)*sin(X13_J + X12_J)/sin(X13_J - X12_J)");
  const auto printed = [&](Expr e) {
    return expr::substitute(p.at_rest(e), [&](Expr s) {
      return s == first.symbol ? -thirty_three : s == second.symbol ? -thirty_five : s;
    });
  };
  EXPECT_TRUE(proved(printed(first.value), -thirty_three));
  EXPECT_TRUE(proved(printed(second.value), -thirty_five));
}

TEST(FourBar, TraditionalIs36To44) {
  expect_full(traditional_paper(),
              {
                  {"X11_x", "-1/2*L1*sin(X11_J)*w1"},                                              // (36)
                  {"X11_J", "w1"},                                                                 // (37)
                  {"X11_y", "1/2*L1*cos(X11_J)*w1"},                                               // (38)
                  {"X12_x", "-L1*sin(X11_J)*w1 - Y0 - 2*sin(X13_J)*Y2/cos(X13_J)"},                // (39)
                  {"X12_J", "2*Y0/(L2*sin(X12_J)) + 4*sin(X13_J)*Y2/(cos(X13_J)*L2*sin(X12_J))"},  // (40)
                  {"X12_y",
                   "L1*cos(X11_J)*w1 + cos(X12_J)*Y0/sin(X12_J)"
                   " + 2*sin(X13_J)*cos(X12_J)*Y2/(cos(X13_J)*sin(X12_J))"},  // (41)
                  {"X13_x", "-sin(X13_J)*Y2/cos(X13_J)"},                     // (42)
                  {"X13_J", "-2*Y2/(L3*cos(X13_J))"},                         // (43)
                  {"X13_y",
                   "L1*cos(X11_J)*w1 + 2*cos(X12_J)*Y0/sin(X12_J)"
                   " + (-1 + 4*sin(X13_J)*cos(X12_J)/(cos(X13_J)*sin(X12_J)))*Y2"},  // (44)
              });
}

TEST(FourBar, TraditionalReducesTo45To53) {
  const Printed reduced{
      {"X11_x", "-1/2*L1*sin(X11_J)*w1"},  // (45)
      {"X11_J", "w1"},                     // (46)
      {"X11_y", "1/2*L1*cos(X11_J)*w1"},   // (47)
      {"X12_x",
       "1/4*(-cos(-X11_J + X13_J + X12_J) - cos(-X11_J + X13_J - X12_J)"
       " + 2*cos(X11_J + X13_J - X12_J))*w1*L1/sin(X13_J - X12_J)"},    // (48)
      {"X12_J", "-L1*sin(-X11_J + X13_J)*w1/(L2*sin(X13_J - X12_J))"},  // (49)
      {"X12_y",
       "1/4*(-sin(-X11_J + X13_J + X12_J) + 2*sin(X11_J + X13_J - X12_J)"
       " + sin(-X11_J + X13_J - X12_J))*w1*L1/sin(X13_J - X12_J)"},  // (50)
      {"X13_x",
       "1/4*(-L1*w1*cos(-X11_J + X13_J + X12_J) + L1*w1*cos(X11_J + X13_J - X12_J))"
       "/sin(X13_J - X12_J)"},                                         // (51)
      {"X13_J", "-L1*sin(X11_J - X12_J)*w1/(L3*sin(X13_J - X12_J))"},  // (52)
      {"X13_y", kEquation34},                                          // (53)
  };
  expect_reduced(traditional_paper(), reduced);
  expect_reduced(Paper("four_bar.yaml", traditional()), reduced);
}

TEST(FourBar, WeightDropsOut) {
  const Paper p("four_bar.yaml", traditional());
  EXPECT_THAT(
      symbols_of_rates(p.model()),
      testing::UnorderedElementsAre("L1", "L2", "L3", "crank.J.displacement", "coupler.J.displacement",
                                    "rocker.J.displacement", "crank.input"));
}

TEST(FourBar, RodEquivalentsAre54To58) {
  Paper p("four_bar.yaml", equivalent(), {kStar1, kStar2});
  p.name("Y3", p.flow_break(kStar1.first, kStar1.second).symbol);
  p.name("Y5", p.flow_break(kStar2.first, kStar2.second).symbol);
  EXPECT_TRUE(proved(p.flow(kStar1.first, kStar1.second), p(kEquation32)));  // (54) is (32)
  EXPECT_TRUE(proved(p.flow(kStar2.first, kStar2.second), p(kEquation34)));  // (55) is (34)
  expect_full(p, {
                     {"X11_J", "w1"},  // (56)
                     {"X12_J",
                      "(4*Y3*sin(X13_J + X12_J) - 4*Y3*sin(X13_J - X12_J) + 8*Y5*cos(X13_J - X12_J)"
                      " - 8*Y5*cos(X13_J + X12_J))/(2*L2*cos(X13_J) - L2*cos(2*X12_J + X13_J)"
                      " - L2*cos(-2*X12_J + X13_J))"},    // (57)
                     {"X13_J", "-2*Y5/(L3*cos(X13_J))"},  // (58)
                 });
}

TEST(FourBar, RodEquivalentsHaveTwoAlgebraicAndThreeDifferentialEquations) {
  const Paper imposed("four_bar.yaml", equivalent(), {kStar1, kStar2});
  const Paper own("four_bar.yaml", equivalent());
  for (const Paper* p : {&imposed, &own}) {
    EXPECT_EQ(p->full().breaks.size(), 2u);
    EXPECT_EQ(p->full().rates.size(), 3u);
    EXPECT_TRUE(p->model().system.differential_ports.empty());
  }
}

TEST(FourBar, RodEquivalentsReduceTo59To61) {
  const Printed reduced{
      {"X11_J", "w1"},                                                  // (59)
      {"X12_J", "-L1*sin(-X11_J + X13_J)*w1/(L2*sin(X13_J - X12_J))"},  // (60)
      {"X13_J", "-L1*sin(X11_J - X12_J)*w1/(L3*sin(X13_J - X12_J))"},   // (61)
  };
  expect_reduced(Paper("four_bar.yaml", equivalent()), reduced);
  expect_reduced(Paper("four_bar.yaml", equivalent(), {kStar1, kStar2}), reduced);
}

}  // namespace
}  // namespace rodeo::reduction
