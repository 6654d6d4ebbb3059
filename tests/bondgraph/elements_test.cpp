// SPDX-License-Identifier: MIT
// Elements, junctions, bonds, starts, outputs, signals, and the sentences for what is wrong with them.
#include <gmock/gmock.h>

#include "tests/bondgraph/reading.h"

namespace rodeo::bondgraph {
namespace {

using testing::HasSubstr;

TEST(Elements, EveryKindIsRead) {
  const Graph graph = build_from_text(R"(
elements:
  a: {Se: 1}
  b: {Sf: 1}
  c: {MSe: sin(t)}
  d: {MSf: sin(t)}
  i: {I: 1}
  s: {C: 1}
  k: {K: 0}
  r: {R: 1}
  n: {TF: 2}
  m: {MTF: _Xk_}
  g: {GY: 2}
  h: {MGY: t}
junctions: {u: 1, v: 1, w: 0, x: 1, y: 0}
bonds: [a -> u, u -> i, u -> n, n -> v, v -> r, c -> v, v -> m, m -> w, b -> w, w -> s, w -> g, g -> x, x -> k, x -> h, h -> y, d -> y]
)");
  EXPECT_EQ(element(graph, "c").kind, Kind::Se);
  EXPECT_EQ(element(graph, "d").kind, Kind::Sf);
  EXPECT_EQ(element(graph, "m").kind, Kind::TF);
  EXPECT_EQ(element(graph, "h").kind, Kind::GY);
  EXPECT_EQ(element(graph, "u").kind, Kind::one);
  EXPECT_EQ(element(graph, "w").kind, Kind::zero);
  EXPECT_TRUE(element(graph, "k").value[0].is_number(0));
  EXPECT_EQ(graph.elements.size(), 17u);
  EXPECT_EQ(graph.bonds.size(), 16u);
}

TEST(Elements, SourceWithoutAValueIsAnInput) {
  EXPECT_TRUE(element(build_from_text(with_element("{Sf: }")), "x").is_input());
  EXPECT_TRUE(element(build_from_text(with_element("{Se: ~}")), "x").is_input());
  EXPECT_TRUE(element(build_from_text(with_element("Sf")), "x").is_input());
  EXPECT_FALSE(element(build_from_text(with_element("{Sf: 0}")), "x").is_input());
}

TEST(Elements, MissingValueNamesLineAndRemedy) {
  EXPECT_EQ(faults_of(with_element("{R: }")), "m.yaml:4: element 'x': R needs a value, as in {R: 5}");
}

TEST(Elements, UnknownKindListsTheKinds) {
  EXPECT_EQ(faults_of(with_element("{RR: 4}")),
            "m.yaml:4: element 'x': no kind of element is named (did you mean 'R'?); the kinds are Se, Sf, "
            "MSe, MSf, I, "
            "C, K, R, TF, MTF, GY, MGY, lambda, as in {I: 5}, or {subset: file.yaml}");
}

TEST(Elements, TwoKindsAreAFault) {
  EXPECT_THAT(faults_of(with_element("{R: 4, I: 5}")),
              HasSubstr("element 'x': it is both R and I: an element has one kind"));
}

TEST(Elements, UnknownKeyIsAFault) {
  EXPECT_THAT(faults_of(with_element("{R: 4, colour: red}")),
              HasSubstr("m.yaml:4: element 'x': unknown key 'colour'"));
  EXPECT_THAT(faults_of(with_element("{R: 4}", "gravity: 3\n")),
              HasSubstr("bond graph: unknown key 'gravity'"));
}

TEST(Elements, ExpressionCutAtACommaIsExplained) {
  EXPECT_THAT(faults_of(with_element("{R: max(1, 2)}")), HasSubstr("cut"));
  EXPECT_EQ(faults_of(with_element("{R: \"max(1, 2)\"}")), "");
}

TEST(Elements, NamesAreUniqueAndPlain) {
  EXPECT_EQ(faults_of(around_mass("  v: {R: 1}\n", "")),
            "m.yaml:5: 'v': the name stands for an element and for a junction: rename one of them");
  EXPECT_THAT(faults_of(around_mass("  a-b: {R: 1}\n", "")),
              HasSubstr("'a-b': a name is made of letters, digits and _"));
}

TEST(Elements, SeveralFaultsAreReportedTogetherInFileOrder) {
  EXPECT_EQ(
      faults_of("elements: {a: {R: }, b: {I: zz}}\nbonds:\n  - a -> c\n"),
      "m.yaml:1: element 'a': R needs a value, as in {R: 5}\n"
      "m.yaml:1: element 'b': unknown name 'zz'; known: t\n"
      "m.yaml:3: bond 'a -> c': there is no element or junction 'c' (did you mean 'a'?); there are a, b");
}

TEST(Junctions, OnlyZeroAndOneExist) {
  EXPECT_EQ(faults_of("elements: {a: {R: 1}}\njunctions: {j: 2}\nbonds: [j -> a]\n"),
            "m.yaml:2: junction 'j': a junction is 0 or 1");
}

TEST(Junctions, ControlledOnesNameTheirKind) {
  EXPECT_EQ(faults_of("elements: {a: {R: 1}}\njunctions: {j: {X2: \"t < 0\"}}\nbonds: [j -> a]\n"),
            "m.yaml:2: junction 'j': a junction is 0 or 1, or controlled by a condition, as in {X0: \"gap < "
            "0\"} or "
            "{X1: ...}");
}

TEST(Junctions, KeepTheConditionThatControlsThem) {
  const Graph graph = build_from_text(
      "elements: {a: {R: 1}, s: {Se: 1}, m: {I: 1}}\njunctions: {j: {X1: \"m.flow < 2\"}}\n"
      "bonds: [j -> a, s -> j, j -> m]\n");
  const Element& junction = graph.elements[3];
  EXPECT_EQ(junction.kind, Kind::one);
  ASSERT_TRUE(junction.condition.has_value());
  EXPECT_EQ(expr::to_text(*junction.condition), "m.flow < 2");
}

/// The junction is on line 2.
std::string faults_of_condition(const std::string& condition) {
  return faults_of(
      "elements: {a: {R: 1}, s: {Se: 1}, m: {I: 1}}\njunctions: {j: {X1: \"" + condition +
      "\"}}\nbonds: [j -> a, s -> j, j -> m]\nparameters: {on: 1}\nsignals: {late: t > 1, twice: 2*t, "
      "height: {integrate: m.flow}}\n");
}

TEST(Junctions, AreControlledByAComparison) {
  const auto refused = [](const std::string& text) {
    return "m.yaml:2: junction 'j': '" + text + "' is no condition: compare it with something, as in " +
           text + " < 0";
  };
  EXPECT_EQ(faults_of_condition("height"), refused("height"));
  EXPECT_EQ(faults_of_condition("twice"), refused("twice"));
  EXPECT_EQ(faults_of_condition("m.flow"), refused("m.flow"));
  EXPECT_EQ(faults_of_condition("t"), refused("t"));
  EXPECT_EQ(faults_of_condition("late and height"), refused("late and height"));
}

TEST(Junctions, AreControlledByTruthValuesToo) {
  for (const char* condition : {"late", "not late", "on", "1", "height < 0", "on*late", "1 - late",
                                "if(height < 0, late, on)", "height < 0 and late"})
    EXPECT_EQ(faults_of_condition(condition), "") << condition;
}

TEST(Bonds, MayBeMapsOfDimensionOne) {
  const Graph graph = build_from_text(around_mass("  x: {R: 1}\n", "  - {bond: v -> x, dimension: 1}\n"));
  EXPECT_EQ(graph.bonds.size(), 3u);
  EXPECT_EQ(graph.bonds[2].dimension, 1);
  EXPECT_EQ(graph.bonds[2].where.line, 9);
}

TEST(Bonds, DimensionIsAWholeNumber) {
  EXPECT_EQ(faults_of(around_mass("  x: {R: 1}\n", "  - {bond: v -> x, dimension: 1.5}\n")),
            "m.yaml:9: bond 'v -> x': a dimension is a whole number from 1 to 100, not 1.5");
}

TEST(Bonds, ToNowhereIsAFault) {
  EXPECT_THAT(faults_of(around_mass("  x: {R: 1}\n", "  - v -> y\n")),
              HasSubstr("m.yaml:9: bond 'v -> y': there is no element or junction 'y' (did you mean 'x'?); "
                        "there are push, mass, x, v"));
}

TEST(Bonds, HaveOneArrowAndTwoEnds) {
  EXPECT_THAT(faults_of(around_mass("  x: {R: 1}\n", "  - v x\n")),
              HasSubstr("bond 'v x': a bond is written a -> b, with one arrow"));
  EXPECT_THAT(faults_of(around_mass("", "  - v -> v\n")),
              HasSubstr("bond 'v -> v': a bond joins two different things"));
  EXPECT_THAT(faults_of("elements: {a: {R: 1}}\nbonds: {a: b}\n"),
              HasSubstr("bonds: a list of a -> b is needed here, not a map"));
}

TEST(Bonds, AgainstTheUsualDirectionAreLeftAsDrawn) {
  const Graph graph = build_from_text(around_mass("  x: {R: 1}\n", "  - x -> v\n"));
  EXPECT_EQ(graph.bonds[2].tail, graph.find_element("x"));
}

TEST(Start, GivesStatesInOrder) {
  const Graph graph = build_from_text(
      with_element("{K: 3}", "parameters: {a: 0.5}\nstart: {x.displacement: 2*a, mass.momentum: 4}\n"));
  ASSERT_EQ(graph.starts.size(), 2u);
  EXPECT_EQ(graph.starts[0].variable, "x.displacement");
  EXPECT_EQ(graph.starts[0].value, 1.0);
  EXPECT_EQ(graph.starts[1].variable, "mass.momentum");
}

TEST(Start, FlowOfAnInertiaBecomesItsMomentum) {
  const Graph graph = build_from_text(with_element("{R: 3}", "start: {mass.flow: 3}\n"));
  EXPECT_EQ(graph.starts.at(0).variable, "mass.momentum");
  EXPECT_EQ(graph.starts.at(0).value, 6.0);
}

TEST(Start, OfADisplacementKeepsTheInertiasDisplacement) {
  const Graph graph = build_from_text(with_element("{R: 3}", "start: {mass.displacement: 3}\n"));
  EXPECT_EQ(graph.displacement_of_inertia, std::vector{graph.find_element("mass")});
}

TEST(Start, OfWhatIsNoStateIsAFault) {
  EXPECT_THAT(faults_of(with_element("{R: 3}", "start: {x.flow: 3}\n")),
              HasSubstr("start of 'x.flow': the flow of a R is no state"));
  EXPECT_THAT(faults_of(with_element("{R: 3}", "start: {x: 3}\n")),
              HasSubstr("start of 'x': a start is named ELEMENT.displacement"));
  EXPECT_THAT(faults_of(with_element("{R: 3}", "start: {y.flow: 3}\n")),
              HasSubstr("there is no element 'y' (did you mean 'x'?)"));
  EXPECT_THAT(faults_of(with_element("{R: 3}", "start: {mass.flow: t}\n")),
              HasSubstr("'t' must have a fixed value here"));
}

TEST(Start, TwiceInOneFileIsAFault) {
  EXPECT_THAT(faults_of(with_element("{R: 3}", "start: {mass.flow: 3, mass.momentum: 2}\n")),
              HasSubstr("is started twice"));
}

TEST(Outputs, AreExpressions) {
  const Graph graph = build_from_text(with_element("{R: 3}", "outputs: {power: x.effort*x.flow}\n"));
  EXPECT_EQ(graph.outputs.at(0).name, "power");
  EXPECT_EQ(graph.outputs.at(0).value, effort_of("x") * flow_of("x"));
}

TEST(Signals, NameEachOtherInAnyOrder) {
  const Graph graph =
      build_from_text(around_mass("", "",
                                  "parameters: {ref: 3}\nsignals:\n  drive: 2*error + sum\n  error: ref - "
                                  "mass.flow\n  sum: {integrate: error, start: 2*ref}\n"));
  ASSERT_EQ(graph.signals.size(), 3u);
  EXPECT_EQ(graph.signals[0].value, 2.0 * expr::variable("error") + expr::variable("sum"));
  EXPECT_EQ(graph.signals[1].value, expr::symbol("ref") - flow_of("mass"));
  EXPECT_TRUE(graph.signals[2].integrates);
  EXPECT_EQ(graph.signals[2].start, 6.0);
}

TEST(Signals, IntegralsBreakLoopsAndNothingElseDoes) {
  EXPECT_EQ(faults_of(around_mass("", "", "signals: {a: -b, b: {integrate: a}}\n")), "");
  EXPECT_EQ(faults_of(around_mass("", "", "signals:\n  z: a\n  a: 2*b\n  b: c\n  c: a + 1\n")),
            "m.yaml:10: signals need each other at the same instant: a -> b -> c -> a; put an integral "
            "between them");
  EXPECT_THAT(faults_of(around_mass("", "", "signals: {a: a + 1}\n")), HasSubstr("a -> a"));
}

TEST(Signals, StartByNameUnderStart) {
  EXPECT_EQ(
      build_from_text(around_mass("", "", "signals: {b: {integrate: t}}\nstart: {b: 4}\n")).signals[0].start,
      4.0);
  EXPECT_THAT(faults_of(around_mass("", "", "signals: {b: t}\nstart: {b: 4}\n")),
              HasSubstr("signal 'b' is no integral and has no start"));
}

TEST(Signals, HaveNamesOfTheirOwn) {
  EXPECT_THAT(faults_of(around_mass("", "", "signals: {mass: t}\n")),
              HasSubstr("signal 'mass': the name is taken by an element or a junction"));
  EXPECT_THAT(faults_of(around_mass("", "", "parameters: {q: 1}\nsignals: {q: t}\n")),
              HasSubstr("signal 'q': the name is taken by a parameter"));
  EXPECT_THAT(faults_of(around_mass("", "", "signals: {t: 3}\n")), HasSubstr("t is the time"));
  EXPECT_THAT(faults_of(around_mass("", "", "signals: {q: {integral: t}}\n")),
              HasSubstr("signal 'q': key 'integrate' is missing"));
}

TEST(Parameters, AreOverriddenAndStaySymbols) {
  const Graph graph = build_from_text(with_element("{R: 2*b}", "parameters: {b: 3}\n"), {"b=7"});
  EXPECT_EQ(graph.parameters.at(0).number, 7.0);
  EXPECT_EQ(element(graph, "x").value[0], 2.0 * expr::symbol("b"));
}

TEST(Parameters, HideConstantsButNotTime) {
  EXPECT_EQ(element(build_from_text(with_element("{R: e}", "parameters: {e: 3}\n")), "x").value[0],
            expr::symbol("e"));
  EXPECT_THAT(faults_of(with_element("{R: t}", "parameters: {t: 3}\n")),
              HasSubstr("parameter 't': t is the time: choose another name"));
}

}  // namespace
}  // namespace rodeo::bondgraph
