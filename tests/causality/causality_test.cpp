// SPDX-License-Identifier: MIT
// Causality: the nodes' rules, what switches, what backtracks, what cannot be assigned and how it says so. THEORY C1-C4.
#include "kinematics/causality/causality.h"

#include <gmock/gmock.h>

#include "kinematics/causality/propagation.h"
#include "kinematics/machine/rods.h"
#include "tests/bondgraph/reading.h"
#include "tests/causality/rules.h"

namespace rodeo::causality {
namespace {

using bondgraph::build_from_text;
using testing::HasSubstr;

std::string fault_of(const Graph& graph) {
  try {
    static_cast<void>(assign_causality(graph));
  } catch (const text::ModelError& error) {
    return error.what();
  }
  return {};
}

bool is_integral_port(const Graph& graph, const Causality& causality, const std::string& name) {
  const int element = graph.find_element(name);
  return is_integral(graph, causality.strokes, graph.elements.at(static_cast<std::size_t>(element)).bonds[0],
                     element);
}

std::string name_of_head(const Graph& graph, int bond) {
  return graph.elements[static_cast<std::size_t>(graph.bonds[static_cast<std::size_t>(bond)].head)].name;
}

// ---- the nodes' rules

/// n elements R around one node.
Graph star(const std::string& node, int count) {
  std::string elements = "elements:\n", bonds = "bonds:\n";
  for (int i = 0; i < count; ++i) {
    elements += "  r" + std::to_string(i) + ": {R: 1}\n";
    bonds += "  - j -> r" + std::to_string(i) + "\n";
  }
  return build_from_text(elements + "junctions: {j: " + node + "}\n" + bonds);
}

TEST(Propagation, ZeroJunctionTakesOneEffortAndGivesItToAllOthers) {
  const Graph graph = star("0", 4);
  Propagation strokes(graph);
  EXPECT_TRUE(strokes.impose(2, true, graph.find_element("j")));
  EXPECT_TRUE(strokes.complete());
  for (const int bond : {0, 1, 3}) EXPECT_EQ(strokes.stroke(bond), Stroke::head);
  EXPECT_FALSE(strokes.impose(0, true, graph.find_element("j")));
}

TEST(Propagation, OneJunctionTakesOneFlowAndGivesItToAllOthers) {
  const Graph graph = star("1", 4);
  Propagation strokes(graph);
  EXPECT_TRUE(strokes.impose(2, false, graph.find_element("j")));
  EXPECT_TRUE(strokes.complete());
  for (const int bond : {0, 1, 3}) EXPECT_EQ(strokes.stroke(bond), Stroke::tail);
}

TEST(Propagation, LastOpenBondOfAJunctionIsTheStrongOne) {
  const Graph graph = star("1", 3);
  const int j = graph.find_element("j");
  Propagation strokes(graph);
  EXPECT_TRUE(strokes.impose(0, true, j));
  EXPECT_FALSE(strokes.complete());
  EXPECT_TRUE(strokes.impose(1, true, j));
  EXPECT_EQ(strokes.stroke(2), Stroke::head);
}

Graph two_port(const std::string& kind) {
  return build_from_text("elements: {a: {R: 1}, n: {" + kind +
                         ": 2}, b: {R: 1}}\nbonds:\n  - a -> n\n  - n -> b\n");
}

TEST(Propagation, EffortPassesThroughATransformerAndTurnsBackAtAGyrator) {
  const Graph transformer = two_port("TF");
  Propagation through(transformer);
  EXPECT_TRUE(through.impose(0, true, transformer.find_element("n")));
  EXPECT_EQ(through.stroke(1), Stroke::head);
  const Graph gyrator = two_port("GY");
  Propagation back(gyrator);
  EXPECT_TRUE(back.impose(0, true, gyrator.find_element("n")));
  EXPECT_EQ(back.stroke(1), Stroke::tail);
}

TEST(Propagation, UndoLeavesNoTrace) {
  const Graph graph = star("0", 4);
  Propagation strokes(graph);
  const std::size_t mark = strokes.mark();
  EXPECT_TRUE(strokes.impose(1, true, graph.find_element("j")));
  strokes.undo_to(mark);
  EXPECT_THAT(strokes.strokes(), testing::Each(Stroke::none));
  EXPECT_TRUE(strokes.impose(3, true, graph.find_element("j")));
}

// ---- storage ports

TEST(Causality, PrefersIntegralCausality) {
  const Graph graph = build_from_text(bondgraph::with_element("{K: 3}"));
  const Causality causality = assign_causality(graph);
  EXPECT_TRUE(is_integral_port(graph, causality, "mass"));
  EXPECT_TRUE(is_integral_port(graph, causality, "x"));
  EXPECT_EQ(causality.algorithm, Algorithm::sequential);
  EXPECT_TRUE(causality.switched.empty());
  EXPECT_TRUE(causality.arbitrary_bonds.empty());
  EXPECT_EQ(causality.reason, "");
}

TEST(Causality, SecondOfTwoRigidlyJoinedInertancesIsDifferential) {
  const Graph graph = build_from_text(bondgraph::with_element("{I: 3}"));
  const Causality causality = assign_causality(graph);
  EXPECT_TRUE(is_integral_port(graph, causality, "mass"));
  EXPECT_FALSE(is_integral_port(graph, causality, "x"));
}

/// Crank and rod of a driven crank-slider: the source settles the crank; each port of the rod is tried integral and
/// meets a conflict further on.
TEST(Causality, InertancesSwitchWhereALaterConflictDemandsIt) {
  const Graph graph = machine::build_rods(
      machine::build_machine_from_file(std::string(RODEO_SOURCE_DIR) + "/configs/crank_slider.yaml"),
      {machine::RodForm::traditional, true, {}});
  const Causality causality = assign_causality(graph);
  std::vector<std::string> switched;
  for (const int bond : causality.switched) {
    EXPECT_EQ(causality.origins[static_cast<std::size_t>(bond)], Origin::differential);
    switched.push_back(name_of_head(graph, bond));
  }
  EXPECT_THAT(switched, testing::ElementsAre("rod.J", "rod.Ix", "rod.Iy"));
}

TEST(Causality, InertanceOnAFlowSourceIsDifferential) {
  const Graph graph = build_from_text(
      "elements: {u: {Sf: 1}, m: {I: 1}}\njunctions: {v: 1}\nbonds:\n  - u -> v\n  - v -> m\n");
  EXPECT_FALSE(is_integral_port(graph, assign_causality(graph), "m"));
}

// ---- R ports and arbitrary bonds

TEST(Causality, ResistorsOfALoopAreChosenAndReported) {
  const Graph graph = build_from_text(R"(
elements: {push: {Se: 1}, R1: {R: 1}, R2: {R: 1}, m: {I: 1}}
junctions: {a: 1, b: 0, v: 1}
bonds:
  - push -> a
  - a -> R1
  - a -> b
  - b -> R2
  - b -> v
  - v -> m
)");
  const Causality causality = assign_causality(graph);
  ASSERT_EQ(causality.resistive_bonds.size(), 1u);
  EXPECT_EQ(causality.origins[static_cast<std::size_t>(causality.resistive_bonds[0])], Origin::resistive);
  EXPECT_EQ(name_of_head(graph, causality.resistive_bonds[0]), "R1");
  EXPECT_TRUE(causality.arbitrary_bonds.empty());
}

/// A ring of junctions without anything that imposes on it.
constexpr const char* kRing = R"(
elements: {u: {Sf: 1}, e: {Se: 1}, A: {TF: 2}, B: {TF: 3}}
junctions: {a: 1, b: 0, c: 1, d: 0}
bonds:
  - e -> a
  - a -> A
  - A -> b
  - b -> c
  - c -> B
  - B -> d
  - d -> a
  - u -> b
)";

TEST(Causality, ArbitraryBondsAreListedInOrderOfChoiceWithTheirOrigin) {
  const Graph graph = build_from_text(kRing);
  const Causality causality = assign_causality(graph);
  EXPECT_EQ(find_broken_rules(graph, causality.strokes), "");
  EXPECT_EQ(causality.arbitrary_bonds.size(), 1u);
  for (const int bond : causality.arbitrary_bonds) {
    EXPECT_EQ(causality.origins[static_cast<std::size_t>(bond)], Origin::arbitrary);
  }
}

TEST(Causality, ImposedBondsAreTheFirstArbitraryOnes) {
  const Graph graph = build_from_text(kRing);
  for (const Stroke stroke : {Stroke::head, Stroke::tail}) {
    const Causality causality = assign_causality(graph, {{3, stroke}});
    EXPECT_EQ(causality.arbitrary_bonds.at(0), 3);
    EXPECT_EQ(causality.strokes[3], stroke);
    EXPECT_EQ(find_broken_rules(graph, causality.strokes), "");
  }
}

TEST(Causality, ImposedBondThatContradictsASourceIsRefused) {
  const Graph graph = build_from_text(bondgraph::with_element("{K: 3}"));
  try {
    static_cast<void>(assign_causality(graph, {{0, Stroke::tail}}));
    FAIL() << "push gives effort, so its bond cannot";
  } catch (const text::ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the causality imposed on bond push -> v contradicts"));
  }
}

// ---- what cannot be assigned

TEST(Conflict, OfTwoFlowSourcesNamesBothEndsAndTheRemedy) {
  const Graph graph = build_from_text(
      "elements: {u: {Sf: 1}, w: {Sf: 2}, m: {I: 1}}\njunctions: {v: 1}\nbonds:\n  - u -> v\n  - w -> v\n  - "
      "v -> m\n");
  const std::string fault = fault_of(graph);
  EXPECT_EQ(
      fault,
      "m.yaml:1: 'w' (Sf) imposes a flow on bond w -> v, but others impose it already: the conflict shows at "
      "1-junction 'v' (bonds u -> v, w -> v, v -> m); remove one of these sources, or put a C or R on a "
      "0-junction "
      "between them");
}

TEST(Conflict, OfTwoEffortSourcesAsksForAnInertance) {
  const Graph graph = build_from_text(
      "elements: {a: {Se: 1}, b: {Se: 2}, k: {K: 1}}\njunctions: {z: 0}\nbonds:\n  - a -> z\n  - b -> z\n  - "
      "z -> k\n");
  EXPECT_THAT(fault_of(graph), HasSubstr("'b' (Se) imposes an effort on bond b -> z"));
  EXPECT_THAT(fault_of(graph), HasSubstr("put an I or R on a 1-junction between them"));
}

/// A four-bar driven at crank and rocker: no node alone sees that the second drive is one too many.
TEST(Conflict, ThatNoSingleRuleSeesNamesTheNodeAndTheSources) {
  machine::Machine machine =
      machine::build_machine_from_file(std::string(RODEO_SOURCE_DIR) + "/configs/four_bar.yaml");
  machine::Drive second = machine.drives[0];
  second.name = "rocker";
  second.second_body = 3;
  machine.drives.push_back(second);
  for (const machine::RodForm form : {machine::RodForm::equivalent, machine::RodForm::traditional}) {
    const std::string fault = fault_of(machine::build_rods(machine, {form, true, {}}));
    EXPECT_THAT(fault, HasSubstr("four_bar.yaml: no causality fits this graph: 1-junction 'coupler.v"));
    EXPECT_THAT(fault, testing::AnyOf(HasSubstr("is over-determined by crank.input, rocker.input, "),
                                      HasSubstr("is over-determined by rocker.input, crank.input, ")));
    EXPECT_THAT(fault, HasSubstr("; remove one of these sources, or let a C, I or R take up the difference"));
  }
}

/// Three levers side by side between two 0-junctions: whatever gives the effort, two of them meet at one end.
TEST(Conflict, WithoutASourceToBlameNamesTheNode) {
  const std::string fault = fault_of(build_from_text(R"(
elements: {k: {K: 1}, r: {R: 1}, A: {TF: 2}, B: {TF: 3}, C: {TF: 4}}
junctions: {p: 0, q: 0}
bonds:
  - p -> r
  - p -> A
  - A -> q
  - p -> B
  - B -> q
  - p -> C
  - C -> q
  - q -> k
)"));
  EXPECT_EQ(
      fault,
      "m.yaml:2: no causality fits this graph: 0-junction 'q' (bonds A -> q, B -> q, C -> q, q -> k) is "
      "over-determined; remove one of its bonds, or let a C, I or R take up the difference");
}

/// The sequential procedure gives R1 the effort, which the gyrator then cannot take; going back over that choice helps.
TEST(Backtracking, ServesWhereTheSequentialProcedureStopsAndSaysWhere) {
  const Graph graph = build_from_text(R"(
elements: {u: {Sf: 1}, R1: {R: 1}, R2: {R: 1}, G: {GY: 2}}
junctions: {p: 0, v: 1}
bonds:
  - u -> p
  - p -> v
  - v -> R1
  - v -> R2
  - p -> G
  - G -> v
)");
  const Causality causality = assign_causality(graph);
  EXPECT_EQ(causality.algorithm, Algorithm::backtracking);
  EXPECT_EQ(causality.reason, "the sequential procedure stopped at GY 'G' (bonds p -> G, G -> v)");
  EXPECT_EQ(find_broken_rules(graph, causality.strokes), "");
}

}  // namespace
}  // namespace rodeo::causality
