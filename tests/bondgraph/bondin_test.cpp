// SPDX-License-Identifier: MIT
// Values as Bondin prints them: conditions in braces, functions of libraries between dollars.
#include <gmock/gmock.h>

#include <cstdlib>

#include "kinematics/expr/eval.h"
#include "tests/bondgraph/reading.h"

namespace rodeo::bondgraph {
namespace {

using testing::HasSubstr;

/// Figure 6 of the paper, of one mass.
const std::string kFigure6 = R"(
elements:
  push: {Se: 1}
  mass: {I: 2}
  x:
    R: |
      if ((abs(_Vmass_)>0) and (abs(_Vmass_)<=5))
      {
          750
      };
      if ((abs(_Vmass_)>5) and (abs(_Vmass_)<=10))
      {
          1000
      };
      if (abs(_Vmass_)>10)
      {
          1500
      };
junctions: {v: 1}
bonds: [push -> v, v -> mass, v -> x]
)";

TEST(Bondin, ReadsTheConditionsOfFigure6) {
  const Graph graph = build_from_text(kFigure6);
  const Expr value = element(graph, "x").value.at(0);
  for (const auto& [speed, hardness] :
       std::map<double, double>{{-3, 750}, {5, 750}, {7, 1000}, {10, 1000}, {-11, 1500}})
    EXPECT_EQ(expr::calc_value(value, {{"mass.flow", speed}, {"rule_1", 3}}), hardness);
}

TEST(Bondin, HasTheValueBeforeWhereNoConditionHolds) {
  const Graph graph = build_from_text(kFigure6);
  ASSERT_EQ(graph.memories.size(), 1u);
  const auto at_rest = [&](double before) {
    return expr::calc_value(element(graph, "x").value.at(0), {{"mass.flow", 0}, {"rule_1", before}});
  };
  EXPECT_EQ(at_rest(1), 750);
  EXPECT_EQ(at_rest(2), 1000);
  EXPECT_EQ(at_rest(3), 1500);
  EXPECT_EQ(expr::calc_value(graph.memories[0].now, {{"mass.flow", 7}, {"rule_1", 1}}), 2);
  EXPECT_EQ(expr::calc_value(graph.memories[0].now, {{"mass.flow", 0}, {"rule_1", 3}}), 3);
}

TEST(Bondin, TakesRequirementsInBracketsOfTheirOwnAndAnElse) {
  const Graph graph = build_from_text(with_element("{R: \"if (t>1) and (t<=2) { 750 }; else { 2*4 };\"}"));
  EXPECT_TRUE(graph.memories.empty());
  EXPECT_EQ(expr::calc_value(element(graph, "x").value.at(0), {{"t", 1.5}}), 750);
  EXPECT_EQ(expr::calc_value(element(graph, "x").value.at(0), {{"t", 3.0}}), 8);
}

TEST(Bondin, SaysWhatIsWrongWithATextOfItsKind) {
  EXPECT_EQ(faults_of(with_element("{R: \"if (t>1) { 750 }; when (t>2) { 3 };\"}")),
            "m.yaml:4: element 'x': 'if (...) { value };' is needed at 'when (t>2) { 3 };'");
  EXPECT_EQ(faults_of(with_element("{R: \"if (t>1) { 750 ;\"}")),
            "m.yaml:4: element 'x': the value of a condition stands in { }: 'if (t>1) { 750 ;'");
  EXPECT_THAT(faults_of(with_element("{R: \"if (speed>1) { 750 };\"}")), HasSubstr("unknown name 'speed'"));
  EXPECT_EQ(
      faults_of(with_element("{R: DLL$hardness}")),
      "m.yaml:4: element 'x': a library's function is written DLL$library$function$argument1$argument2$");
}

TEST(Bondin, CallsALibraryBetweenDollars) {
  const Folder folder;
  const std::string source = std::string(RODEO_SOURCE_DIR) + "/configs/graphs/hardness.c";
  const std::string command =
      "gcc -shared -fPIC -o '" + (folder / "characteristics.so") + "' '" + source + "' -lm";
  ASSERT_EQ(std::system(command.c_str()), 0);
  for (const std::string library : {"characteristics", "characteristics.dll", "characteristics.so"}) {
    folder.write("m.yaml", with_element("{R: DLL$" + library + "$hardness$_Vmass_$2*t$}"));
    const Graph graph = build_graph_from_file(folder / "m.yaml");
    const Expr value = element(graph, "x").value.at(0);
    ASSERT_EQ(value->op, expr::Op::call);
    EXPECT_EQ(value->args, (std::vector{expr::time_symbol(), flow_of("mass"), 2.0 * expr::time_symbol()}));
  }
  folder.write("n.yaml", with_element("{R: DLL$none$hardness$}"));
  EXPECT_THAT(folder.faults_of_file("n.yaml"), HasSubstr("element 'x': there is no library 'none.so'"));
}

}  // namespace
}  // namespace rodeo::bondgraph
