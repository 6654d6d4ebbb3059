// SPDX-License-Identifier: MIT
// romero-2006, section 4: the crank-slider, (13)-(31). Its arbitrary bond (*) joins the rod's centre to the slider's end,
// in y: d/dt XI2_J follows from the slider (19), d/dt XI2_y from the crank (20). The print lost the number (24).
#include <gmock/gmock.h>

#include "tests/reduction/paper.h"

namespace rodeo::reduction {
namespace {

const std::pair<std::string, std::string> kStar{"rod.vy", "rod.C.y"};

Paper traditional_paper() {
  Paper p("crank_slider.yaml", traditional(), {kStar});
  p.name("Y1", p.flow_break(kStar.first, kStar.second).symbol);
  p.name("Y2", p.effort_break(kStar.first, kStar.second).symbol);
  return p;
}

TEST(CrankSlider, TraditionalHasSixDifferentialAndTwoAlgebraicEquations) {
  const Paper imposed = traditional_paper();
  const Paper own("crank_slider.yaml", traditional());
  for (const Paper* p : {&imposed, &own}) {
    EXPECT_EQ(p->full().rates.size(), 6u);
    EXPECT_EQ(p->full().breaks.size(), 2u);
    EXPECT_EQ(p->model().causality.arbitrary_bonds.size(), 1u);
    EXPECT_EQ(p->model().system.differential_ports.size(), 6u);
  }
}

TEST(CrankSlider, FlowBreakIs13) {
  const Paper p = traditional_paper();
  EXPECT_TRUE(proved(p.flow(kStar.first, kStar.second), p("1/2*L1*cos(XI1_J)*w1")));
  const Paper own("crank_slider.yaml", traditional());
  EXPECT_TRUE(proved(own.flow("rod.vy", "rod.B.y"), own("1/2*L1*cos(XI1_J)*w1")));
}

TEST(CrankSlider, FlowBreakFollowsFromItsOwnLaw) {
  // Y1 = L1 cos(XI1_J) w1 - Y1, whose solution is (13)
  const Paper p = traditional_paper();
  EXPECT_TRUE(proved(p.flow_break(kStar.first, kStar.second).value, p("L1*cos(XI1_J)*w1 - Y1")));
}

/// Our effort counts the power centre -> slider, so what hangs on the rod pulls with the other sign: Y2 = -m2 g/2.
TEST(CrankSlider, EffortBreakAtRestIs14UpToTheBondsDirection) {
  Paper p = traditional_paper();
  p.name("Y2", p("-m2*g/2"));
  const BreakVariable& effort = p.effort_break(kStar.first, kStar.second);
  const Expr law =
      expr::substitute(p.at_rest(effort.value), [&](Expr s) { return s == effort.symbol ? p("Y2") : s; });
  EXPECT_TRUE(proved(law, p("Y2")));
}

TEST(CrankSlider, EffortBreakInMotionHasInertialTermsThat14LeavesOut) {
  const Paper p = traditional_paper();
  const BreakVariable& effort = p.effort_break(kStar.first, kStar.second);
  EXPECT_TRUE(proved(
      effort.value, p("-Y2 - m2*g - m2*dV12_y + (L2/2*sin(XI2_J)*m2*dV12_x - J2*dV12_J)/(L2/2*cos(XI2_J))")));
}

TEST(CrankSlider, TraditionalIs15To20) {
  expect_full(traditional_paper(), {
                                       {"XI1_x", "-1/2*L1*sin(XI1_J)*w1"},                         // (15)
                                       {"XI1_J", "w1"},                                            // (16)
                                       {"XI1_y", "1/2*L1*cos(XI1_J)*w1"},                          // (17)
                                       {"XI2_x", "-L1*sin(XI1_J)*w1 + sin(XI2_J)*Y1/cos(XI2_J)"},  // (18)
                                       {"XI2_J", "-2*Y1/(L2*cos(XI2_J))"},                         // (19)
                                       {"XI2_y", "L1*cos(XI1_J)*w1 - Y1"},                         // (20)
                                   });
}

TEST(CrankSlider, TraditionalReducesTo21To26) {
  const Printed reduced{
      {"XI1_x", "-1/2*L1*sin(XI1_J)*w1"},                                                      // (21)
      {"XI1_J", "w1"},                                                                         // (22)
      {"XI1_y", "1/2*L1*cos(XI1_J)*w1"},                                                       // (23)
      {"XI2_x", "(-1/4*L1*w1*sin(XI1_J + XI2_J) - 3/4*L1*w1*sin(XI1_J - XI2_J))/cos(XI2_J)"},  // (24)
      {"XI2_J", "-L1*cos(XI1_J)*w1/(L2*cos(XI2_J))"},                                          // (25)
      {"XI2_y", "1/2*L1*cos(XI1_J)*w1"},                                                       // (26)
  };
  expect_reduced(traditional_paper(), reduced);
  expect_reduced(Paper("crank_slider.yaml", traditional()), reduced);
}

TEST(CrankSlider, WeightDropsOut) {
  const Paper p("crank_slider.yaml", traditional());
  EXPECT_THAT(
      symbols_of_rates(p.model()),
      testing::UnorderedElementsAre("L1", "L2", "crank.J.displacement", "rod.J.displacement", "crank.input"));
}

TEST(CrankSlider, RodEquivalentsAre27To29WithOneAndTwoEquations) {
  Paper p("crank_slider.yaml", equivalent(), {kStar});
  ASSERT_EQ(p.full().breaks.size(), 1u);
  EXPECT_EQ(p.full().rates.size(), 2u);
  p.name("Y7", p.flow_break(kStar.first, kStar.second).symbol);
  EXPECT_TRUE(proved(p.flow(kStar.first, kStar.second), p("1/2*L1*cos(X11_J)*w1")));  // (27)
  expect_full(p, {{"X11_J", "w1"}, {"X12_J", "-2*Y7/(L2*cos(X12_J))"}});              // (28), (29)
}

TEST(CrankSlider, RodEquivalentsByOurOwnRuleAreTheSame27To29) {
  Paper p("crank_slider.yaml", equivalent());
  ASSERT_EQ(p.full().breaks.size(), 1u);
  p.name("Y7", p.full().breaks[0].symbol);
  EXPECT_TRUE(proved(p.solved(p.model().solution.values[place(p.full().breaks[0].variable)]),
                     p("1/2*L1*cos(X11_J)*w1")));
  expect_full(p, {{"X11_J", "w1"}, {"X12_J", "-2*Y7/(L2*cos(X12_J))"}});
}

TEST(CrankSlider, RodEquivalentsReduceTo30And31) {
  const Printed reduced{{"X11_J", "w1"}, {"X12_J", "-L1*cos(X11_J)*w1/(L2*cos(X12_J))"}};
  expect_reduced(Paper("crank_slider.yaml", equivalent()), reduced);
  expect_reduced(Paper("crank_slider.yaml", equivalent(), {kStar}), reduced);
}

}  // namespace
}  // namespace rodeo::reduction
