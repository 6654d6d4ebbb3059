// SPDX-License-Identifier: MIT
// Names, units and growth of a graph in memory.
#include "tests/bondgraph/reading.h"

namespace rodeo::bondgraph {
namespace {

Element make(const std::string& name, Kind kind, Domain domain = Domain::unset) {
  Element result;
  result.name = name;
  result.kind = kind;
  result.domain = domain;
  return result;
}

TEST(Graph, BondsAreKnownToBothElements) {
  Graph graph;
  const int a = add_element(graph, make("a", Kind::Se));
  const int b = add_element(graph, make("b", Kind::one));
  const int bond = add_bond(graph, a, b, {});
  EXPECT_EQ(graph.elements[0].bonds, std::vector{bond});
  EXPECT_EQ(graph.elements[1].bonds, std::vector{bond});
  EXPECT_EQ(graph.find_element("b"), b);
  EXPECT_EQ(graph.find_element("c"), -1);
}

TEST(Graph, TwoPortKeepsTheEnteringBondFirst) {
  Graph graph;
  const int a = add_element(graph, make("a", Kind::one));
  const int n = add_element(graph, make("n", Kind::TF));
  const int b = add_element(graph, make("b", Kind::one));
  const int leaves = add_bond(graph, n, b, {});
  const int enters = add_bond(graph, a, n, {});
  EXPECT_EQ(graph.elements[1].bonds, (std::vector{enters, leaves}));
}

TEST(Graph, VariablesAreNamedByElementAndQuantity) {
  EXPECT_EQ(flow_of("rod1.J")->name, "rod1.J.flow");
  EXPECT_EQ(displacement_of("s"), expr::variable("s.displacement"));
  EXPECT_EQ(variable_name("field", "flow", 2), "field.flow_2");
}

TEST(Units, EffortTimesFlowIsPowerInEveryDomain) {
  EXPECT_STREQ(units_of(Domain::translation).effort, "N");
  EXPECT_STREQ(units_of(Domain::translation).momentum, "N s");
  EXPECT_STREQ(units_of(Domain::rotation).displacement, "rad");
  EXPECT_STREQ(units_of(Domain::hydraulic).flow, "m^3/s");
  EXPECT_STREQ(units_of(Domain::electric).effort, "V");
  EXPECT_STREQ(units_of(Domain::acoustic).effort, "Pa");
  EXPECT_STREQ(units_of(Domain::thermal).flow, "W/K");
  EXPECT_STREQ(units_of(Domain::unset).effort, "");
}

TEST(Units, ValuesHaveTheUnitOfTheirKind) {
  EXPECT_STREQ(value_unit(make("m", Kind::I, Domain::translation)), "kg");
  EXPECT_STREQ(value_unit(make("r", Kind::R, Domain::electric)), "ohm");
  EXPECT_STREQ(value_unit(make("k", Kind::K, Domain::rotation)), "N m/rad");
  EXPECT_STREQ(value_unit(make("c", Kind::C, Domain::hydraulic)), "m^3/Pa");
  EXPECT_STREQ(value_unit(make("s", Kind::Sf, Domain::thermal)), "W/K");
  EXPECT_STREQ(value_unit(make("n", Kind::TF, Domain::rotation)), "");
}

}  // namespace
}  // namespace rodeo::bondgraph
