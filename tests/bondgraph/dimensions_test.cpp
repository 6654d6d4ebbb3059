// SPDX-License-Identifier: MIT
// Vector bonds as the file states them: what is spread, what is refused.
#include <gmock/gmock.h>

#include "tests/bondgraph/reading.h"

namespace rodeo::bondgraph {
namespace {

using ::testing::HasSubstr;

/// A mass of three components with `more` beside it.
std::string around_body(const std::string& more, const std::string& bonds) {
  return "elements:\n  push: {Se: [1, 0, 2]}\n  mass: {I: 2}\n" + more +
         "junctions: {v: 1}\nbonds:\n  - push -> v\n" + "  - {bond: v -> mass, dimension: 3}\n" + bonds;
}

TEST(Dimensions, SpreadThroughJunctionsAndTwoPorts) {
  const Graph graph =
      build_from_text(around_body("  n: {TF: 2}\n  x: {R: [1, 2, 3]}\n", "  - v -> n\n  - n -> x\n"));
  for (const Bond& bond : graph.bonds) EXPECT_EQ(bond.dimension, 3);
  EXPECT_TRUE(graph.is_vector());
}

TEST(Dimensions, MatrixOfATransformerGivesBoth) {
  const Graph graph = build_from_text(
      around_body("  n: {TF: [[1, 0, 0], [0, 1, 0]]}\n  x: {R: 1}\n", "  - v -> n\n  - n -> x\n"));
  EXPECT_EQ(graph.bonds[2].dimension, 3);
  EXPECT_EQ(graph.bonds[3].dimension, 2);
}

TEST(Dimensions, ComponentsAreNamedByNumber) {
  const Graph graph = build_from_text(around_body("", "outputs: {o: mass.flow_3, u: v.flow_1}\n"));
  EXPECT_EQ(graph.outputs[0].value, expr::variable("mass.flow_3"));
  EXPECT_EQ(graph.outputs[1].value, expr::variable("v.flow_1"));
  EXPECT_THAT(faults_of(around_body("", "outputs: {o: mass.flow}\n")),
              HasSubstr("output 'o': 'mass.flow': 'mass' has 3 ports: write mass.flow_1 to mass.flow_3"));
}

TEST(Dimensions, StartOfAFlowTakesItsOwnInertia) {
  const Graph graph = build_from_text(
      "elements: {J: {I: [[1, 0], [0, 5]]}, s: {Se: [0, 0]}}\njunctions: {w: 1}\n"
      "bonds: [{bond: w -> J, dimension: 2}, s -> w]\nstart: {J.flow_2: 3}\n");
  ASSERT_EQ(graph.starts.size(), 1u);
  EXPECT_EQ(graph.starts[0].variable, "J.momentum_2");
  EXPECT_EQ(graph.starts[0].value, 15.0);
}

TEST(Dimensions, OneLawIsThatOfEachComponent) {
  const Graph graph = build_from_text(around_body("  x: {R: {effort: 3*f^3}}\n", "  - v -> x\n"));
  const Element& x = element(graph, "x");
  ASSERT_EQ(x.value.size(), 3u);
  EXPECT_EQ(x.value[1], 3.0 * expr::pow(expr::variable("x.flow_2"), 3.0));
  EXPECT_EQ(x.law, Law::nonlinear);
}

TEST(Dimensions, LawsOfComponentsMayNameEachOther) {
  const Graph graph =
      build_from_text(around_body("  x: {K: {effort: [x, 2*x, \"x*x.displacement_1\"]}}\n", "  - v -> x\n"));
  const Element& x = element(graph, "x");
  EXPECT_EQ(x.value[1], 2.0 * expr::variable("x.displacement_2"));
  EXPECT_EQ(x.value[2], expr::variable("x.displacement_3") * expr::variable("x.displacement_1"));
}

TEST(Dimensions, RulesStandForAllComponentsOrForOne) {
  const std::string rules = "[{if: v.flow_1 > 0, then: 5}, {else: 1}]";
  const Expr rule = expr::operation(
      expr::Op::select, {expr::operation(expr::Op::less, {0.0, expr::variable("v.flow_1")}), 5.0, 1.0});
  const auto value = [](const std::string& text) {
    return element(build_from_text(around_body("  x: {R: " + text + "}\n", "  - v -> x\n")), "x").value;
  };
  EXPECT_EQ(value(rules), std::vector<Expr>{rule});
  EXPECT_EQ(value("[" + rules + ", 2, 3]"), (std::vector<Expr>{rule, 2.0, 3.0}));
  EXPECT_EQ(value("[2, 3, " + rules + "]"), (std::vector<Expr>{2.0, 3.0, rule}));
  EXPECT_EQ(value("[[" + rules + ", 0, 0], [0, 1, 0], [0, 0, 1]]").at(0), rule);
  EXPECT_EQ(value("{effort: " + rules + "}").size(), 3u);
}

TEST(Dimensions, ThatDisagreeAreFaults) {
  EXPECT_EQ(faults_of(around_body("  x: {R: 1}\n", "  - {bond: v -> x, dimension: 2}\n")),
            "m.yaml:5: junction 'v': bond 'push -> v' has dimension 3 and bond 'v -> x' has dimension 2: a "
            "junction "
            "joins bonds of one dimension; put a TF with a matrix between");
  EXPECT_EQ(faults_of(around_body("  x: {R: [1, 2]}\n", "  - v -> x\n")),
            "m.yaml:4: element 'x': it has 2 values, and its bond has dimension 3");
  EXPECT_EQ(faults_of(around_body("  x: {R: [[1, 2], [2, 1]]}\n", "  - v -> x\n")),
            "m.yaml:4: element 'x': it has 2 rows, and its bond has dimension 3");
  EXPECT_EQ(
      faults_of(around_body("  n: {TF: [[1, 0]]}\n  x: {R: 1}\n",
                            "  - {bond: v -> n, dimension: 3}\n  - n -> x\n")),
      "m.yaml:4: element 'n': its matrix has 2 columns, and bond 'v -> n', which enters, has dimension 3");
}

TEST(Dimensions, ValuesThatDoNotFitAreFaults) {
  EXPECT_EQ(faults_of(around_body("  x: {Se: 1}\n", "  - x -> v\n")),
            "m.yaml:4: element 'x': its bond has dimension 3: give a list of 3 values");
  EXPECT_EQ(faults_of(around_body("  x: {R: {effort: [f, f^3]}}\n", "  - v -> x\n")),
            "m.yaml:4: element 'x': it has 2 laws, and its bond has dimension 3");
  EXPECT_EQ(faults_of("elements: {a: {R: {effort: [f, f^3]}}, s: {Se: 1}}\njunctions: {v: 1}\n"
                      "bonds: [s -> v, v -> a]\n"),
            "m.yaml:1: element 'a': it has 2 laws, and its bond has dimension 1");
  EXPECT_EQ(
      faults_of(around_body("  x: {GY: 3}\n", "  - v -> x\n")),
      "m.yaml:4: element 'x': a gyrator on one bond needs a skew matrix, as in {GY: [[0, -h], [h, 0]]}");
  EXPECT_EQ(faults_of(around_body("  x: lambda\n", "  - v -> x\n")),
            "m.yaml:4: element 'x': a lambda holds one component: take it out with a TF of one row");
  EXPECT_EQ(faults_of("elements: {a: {R: [1, 2]}, s: {Se: 1}}\njunctions: {v: 1}\nbonds: [s -> v, v -> a]\n"),
            "m.yaml:1: element 'a': it has 2 values, and its bond has dimension 1: state the bond's "
            "dimension, as in "
            "{bond: a -> b, dimension: 2}");
  EXPECT_THAT(
      faults_of(around_body("  n: {TF: [1, 2, 3]}\n  x: {R: 1}\n", "  - v -> n\n  - n -> x\n")),
      HasSubstr("element 'n': the modulus of a TF is a number or a matrix, a row for each component that "
                "leaves: [[1, 0], [0, 1]]"));
}

}  // namespace
}  // namespace rodeo::bondgraph
