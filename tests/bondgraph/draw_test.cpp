// SPDX-License-Identifier: MIT
// Drawn bond graphs: half-arrows, strokes, colours, labels, frames and boxes, and Graphviz's verdict on the text.
#include "kinematics/bondgraph/draw.h"

#include <gmock/gmock.h>

#include "tests/bondgraph/reading.h"

namespace rodeo::bondgraph {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string config(const std::string& name) {
  return std::string(RODEO_SOURCE_DIR) + "/configs/graphs/" + name;
}

TEST(Draw, StrokeStandsAtTheEndThatReceivesTheEffort) {
  const Graph graph = build_from_text(with_element("{R: 1}"));
  const std::string dot = build_dot(graph, {Stroke::head, Stroke::tail, Stroke::none}, {});
  EXPECT_THAT(dot,
              HasSubstr("\"push\" -> \"v\" [dir=both, arrowhead=teervee, arrowtail=none, color=\"black\"]"));
  EXPECT_THAT(dot, HasSubstr("\"v\" -> \"mass\" [dir=both, arrowhead=rvee, arrowtail=tee, color=\"black\"]"));
  EXPECT_THAT(dot, HasSubstr("\"v\" -> \"x\" [dir=both, arrowhead=rvee, arrowtail=none, color=\"black\"]"));
}

TEST(Draw, DerivedIsBlueAndImposedPink) {
  const Graph graph = build_from_text(with_element("{R: 1}"));
  const std::string dot = build_dot(graph, {}, {BondColour::derived, BondColour::imposed, BondColour::plain});
  EXPECT_THAT(dot,
              HasSubstr("\"push\" -> \"v\" [dir=both, arrowhead=rvee, arrowtail=none, color=\"#1f4fd8\"]"));
  EXPECT_THAT(dot, HasSubstr("color=\"#e91e8c\""));
}

TEST(Draw, LabelsAreShortAndEscaped) {
  const Graph graph = build_from_text(
      with_element("{R: [{if: _Vmass_ < 5, then: 750 + sin(t)*1000*mass.flow}, {else: 1500}]}"));
  EXPECT_THAT(build_dot(graph, {}, {}), HasSubstr("<b>R</b> : if(_Vmass_ &lt; 5, 750 + 1000…<br/>"));
}

TEST(Draw, InputsFieldsAndLawsSayWhatTheyAre) {
  EXPECT_THAT(build_dot(build_from_text(with_element("Sf")), {}, {}), HasSubstr("<b>Sf</b> : input"));
  EXPECT_THAT(build_dot(build_from_text(with_element("{R: {effort: f^3}}")), {}, {}),
              HasSubstr("<b>R</b> : e = _Vx_^3"));
  EXPECT_THAT(
      build_dot(build_from_text(around_mass("  x: {R: [[1, 0], [0, 1]]}\n", "  - v -> x\n  - v -> x\n")), {},
                {}),
      HasSubstr("[2×2]"));
}

TEST(Draw, LabelsLeaveOutTheFrameThatBothAreIn) {
  const Folder folder;
  folder.write("tip.yaml",
               "parameters: {x: 0}\nports: [p]\nelements: {r: {R: x}}\njunctions: {p: 1}\nbonds: [p -> r]\n");
  folder.write(
      "rod.yaml",
      "ports: [w]\nelements: {J: {K: 0}, tip: {subset: tip.yaml, with: {x: sin(_XJ_)}}}\njunctions: {w: 1}\n"
      "bonds: [w -> J, w -> tip.p]\n");
  folder.write("m.yaml", around_mass("  rod: {subset: rod.yaml}\n", "  - v -> rod.w\n"));
  EXPECT_THAT(build_dot(build_graph_from_file(folder / "m.yaml"), {}, {}),
              HasSubstr("<b>R</b> : sin(_XJ_)<br/>"));
}

TEST(Draw, NotesStandBesideTheirJunction) {
  Graph graph = build_from_text(with_element("{R: 1}"));
  graph.elements[static_cast<std::size_t>(graph.find_element("v"))].note = "x₁ - x₂ = <c>";
  EXPECT_THAT(build_dot(graph, {}, {}), HasSubstr("<i>x₁ - x₂ = &lt;c&gt;</i>"));
}

TEST(Draw, SubsetsAreFramesWithShortNamesInside) {
  const std::string dot = build_dot(build_graph_from_file(config("three_level.yaml")), {}, {});
  EXPECT_THAT(dot, HasSubstr("subgraph \"cluster_train.first.hook\""));
  EXPECT_THAT(dot, HasSubstr("\"train.first.hook.spring\" [label=<<b>K</b> : 1000000<br/>"));
  EXPECT_THAT(dot, HasSubstr(">spring</font>"));
}

TEST(Draw, FoldedSubsetsKeepTheirSignalsAndAreJoinedByOneArrow) {
  const std::string dot =
      build_dot(build_graph_from_file(config("pendulum_space.yaml")), {}, {}, {.fold_subsets = true});
  EXPECT_THAT(dot, Not(HasSubstr("signal ")));
  const std::string arrow = "\"bar\" -> \"pin\" [style=dashed";
  ASSERT_THAT(dot, HasSubstr(arrow));
  EXPECT_EQ(dot.find(arrow, dot.find(arrow) + 1), std::string::npos);
  EXPECT_THAT(dot, Not(HasSubstr("\"bar\" -> \"bar\"")));
}

TEST(Draw, FoldedSubsetsAreOneBoxWithPorts) {
  const std::string dot =
      build_dot(build_graph_from_file(config("four_bar_rods.yaml")), {}, {}, {.fold_subsets = true});
  EXPECT_THAT(dot, HasSubstr("\"crank\" -> \"coupler\" [dir=both, arrowhead=rvee, arrowtail=none, "
                             "color=\"black\", label=\"Bx → Ax\"]"));
  EXPECT_THAT(dot, Not(HasSubstr("crank.J")));
  EXPECT_THAT(dot, Not(HasSubstr("subgraph")));
}

TEST(Draw, BondsRunOutwardsFromTheInputsWhicheverWayThePowerRuns) {
  const Graph graph =
      build_from_text(around_mass("  far: {Sf: }\n", "  - v -> far\n"));  // far is the only input
  const std::string dot = build_dot(graph, {Stroke::head, Stroke::tail, Stroke::head}, {});
  EXPECT_THAT(
      dot,
      HasSubstr("\"far\" -> \"v\" [dir=both, arrowhead=none, arrowtail=teervee"));  // power from v to far
  EXPECT_THAT(dot, HasSubstr("\"v\" -> \"push\" [dir=both, arrowhead=none, arrowtail=teervee"));
}

TEST(Draw, SignalsAreDashed) {
  const std::string dot = build_dot(build_graph_from_file(config("pi_motor.yaml")), {}, {});
  EXPECT_THAT(dot, HasSubstr("\"signal error\" -> \"supply\" [style=dashed"));
  EXPECT_THAT(dot, HasSubstr("\"motor.rotor\" -> \"signal error\" [style=dashed"));
}

TEST(Draw, ValuesTooLongToWriteAreNotWritten) {
  const Folder folder;
  folder.write("s0.yaml",
               "parameters: {k: 1}\nports: [p]\nelements: {r: {R: k}}\njunctions: {p: 1}\nbonds: [p -> r]\n");
  for (int level = 1; level <= 60; ++level) {
    folder.write("s" + std::to_string(level) + ".yaml",
                 "parameters: {k: 1}\nports: {p: s.p}\nelements: {s: {subset: s" + std::to_string(level - 1) +
                     ".yaml, with: {k: k*sin(k)}}}\n");
  }
  folder.write("m.yaml", around_mass("  s: {subset: s60.yaml, with: {k: 1 + t}}\n", "  - v -> s.p\n"));
  EXPECT_THAT(build_dot(build_graph_from_file(folder / "m.yaml"), {}, {}), HasSubstr("<b>R</b> : …"));
}

TEST(Draw, TextIsTheSameOnEveryRun) {
  const auto draw = [] { return build_dot(build_graph_from_file(config("four_bar_rods.yaml")), {}, {}); };
  EXPECT_EQ(draw(), draw());
}

TEST(Picture, IsBuiltInEveryFormatAndLeavesNoFile) {
  const Folder folder;
  ::setenv("TMPDIR", (folder / "").c_str(), 1);
  const std::string dot = build_dot(build_graph_from_file(config("pi_motor.yaml")), {}, {});
  EXPECT_THAT(build_picture(dot, "svg"), HasSubstr("</svg>"));
  EXPECT_THAT(build_picture(dot, "png"), testing::StartsWith("\x89PNG"));
  EXPECT_THAT(build_picture(dot, "pdf"), testing::StartsWith("%PDF"));
  EXPECT_THAT(build_picture(dot, "plain"), testing::StartsWith("graph "));
  EXPECT_TRUE(std::filesystem::is_empty(folder / ""));
  ::unsetenv("TMPDIR");
}

TEST(Picture, OfWhatIsNoGraphIsRefused) {
  try {
    static_cast<void>(build_picture("digraph {", "svg"));
    FAIL() << "it is no graph";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("Graphviz could not draw the graph"));
  }
}

}  // namespace
}  // namespace rodeo::bondgraph
