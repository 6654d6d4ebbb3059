// SPDX-License-Identifier: MIT
// Which configurations a graph has: Booleans found and merged, what excludes what, the limit.
#include "kinematics/reduction/hybrid_equations.h"
#include "tests/hybrid/running.h"

namespace rodeo::simulate {
namespace {

/// A mass with one controlled damper a condition.
std::string with_conditions(const std::vector<std::string>& conditions) {
  std::string elements =
      "parameters: {c: 2}\nsignals: {x: {integrate: mass.flow}, y: {integrate: x}}\nelements:\n  push: {Se: "
      "1}\n  mass: {I: 2}\n";
  std::string junctions = "junctions:\n  v: 1\n", bonds = "bonds:\n  - push -> v\n  - v -> mass\n";
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const std::string n = std::to_string(i + 1);
    elements += "  r" + n + ": {R: 3}\n";
    junctions += "  j" + n + ": {X0: \"" + conditions[i] + "\"}\n";
    bonds += "  - v -> j" + n + "\n  - j" + n + " -> r" + n + "\n";
  }
  return elements + junctions + bonds;
}

TEST(Conditions, AreOneBooleanHoweverTheyAreWritten) {
  const Hybrid hybrid =
      hybrid_of(with_conditions({"x < 0", "0 > x", "not (x >= 0)", "x - c < -c", "3*x + y < y", "x >= 0"}));
  ASSERT_EQ(hybrid.conditions.booleans.size(), 1u);
  ASSERT_EQ(hybrid.drawn.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(hybrid.drawn[i].negated, i == 5) << i;
  EXPECT_EQ(hybrid.configurations.size(), 2u);
}

TEST(Conditions, OfOneExpressionExcludeEachOther) {
  EXPECT_EQ(hybrid_of(with_conditions({"x < 0", "x > 1"})).configurations.size(), 3u);  // never both
  EXPECT_EQ(hybrid_of(with_conditions({"x < 0", "x < 1"})).configurations.size(),
            3u);  // the first implies the second
  EXPECT_EQ(hybrid_of(with_conditions({"x < 0", "x > -1"})).configurations.size(), 3u);  // one or both
  EXPECT_EQ(hybrid_of(with_conditions({"x < 0", "y < 0"})).configurations.size(), 4u);   // independent
  EXPECT_EQ(hybrid_of(with_conditions({"x < 0 and y < 0", "x > 0"})).configurations.size(), 3u);
  // ten intervals of one expression are eleven configurations, not 1024
  std::vector<std::string> steps;
  for (int i = 0; i < 10; ++i) steps.push_back("x < " + std::to_string(i));
  EXPECT_EQ(hybrid_of(with_conditions(steps)).configurations.size(), 11u);
}

TEST(Conditions, BeyondTheLimitAreRefusedWithNamesAndRemedy) {
  std::vector<std::string> many;
  for (int i = 1; i <= 7; ++i) many.push_back("x + " + std::to_string(i) + "*y < 0");
  const std::string text = with_conditions(many);
  try {
    (void)hybrid_of(text);
    FAIL() << "128 configurations were built";
  } catch (const text::ModelError& error) {
    EXPECT_STREQ(error.what(),
                 "m.yaml:15: the controlled junctions j1, j2, j3, j4, j5, j6, j7 can be on and off in 128 "
                 "ways, and 64 are "
                 "built at most: give junctions that switch together one condition, or let conditions that "
                 "exclude each "
                 "other compare one and the same expression");
  }
}

TEST(Configurations, TellWhatChangesBetweenThem) {
  const Hybrid hybrid = hybrid_of(kBounce);
  ASSERT_EQ(hybrid.configurations.size(), 2u);
  const reduction::Changes on = find_changes(hybrid, hybrid.configurations[0]);
  const reduction::Changes off = find_changes(hybrid, hybrid.configurations[1]);
  EXPECT_THAT(on.on, testing::ElementsAre("contact"));
  EXPECT_THAT(on.strokes, testing::IsEmpty());
  EXPECT_EQ(on.states, 3u);
  EXPECT_THAT(off.off, testing::ElementsAre("contact"));
  EXPECT_THAT(off.strokes, testing::ElementsAre("contact -> pad"));
  EXPECT_THAT(off.differential, testing::ElementsAre("pad"));
  EXPECT_EQ(off.states, 2u);
}

TEST(Equations, HaveBooleanCoefficientsWhereConfigurationsDiffer) {
  const auto sections = build_switched_sections(hybrid_of(kBounce), reduction::Format::text);
  std::vector<std::string> lines;
  for (const auto& section : sections) {
    if (!section.heading.empty()) lines.push_back(section.heading);
    for (const auto& equation : section.equations) lines.push_back(equation.left + " = " + equation.right);
  }
  EXPECT_THAT(lines, testing::ElementsAre("d/dt P_ball = -m g + b1 k X_pad", "d/dt X_pad = -b1 P_ball / m",
                                          "d/dt height = P_ball / m", "while not b1", "X_pad = 0", "Booleans",
                                          "b1 = [height < 0]"));
}

/// Independent contacts: no products of Booleans. Two in series: the product alone.
TEST(Equations, AreMultilinear) {
  const auto both =
      build_switched_sections(hybrid_of(with_conditions({"x < 0", "y < 0"})), reduction::Format::text);
  EXPECT_EQ(both[0].equations[0].right, "1 - b1 3/2 P_mass - b2 3/2 P_mass");
  const std::string series = R"(
signals: {x: {integrate: mass.flow}, y: {integrate: x}}
elements: {push: {Se: 1}, mass: {I: 2}, r: {R: 4}}
junctions: {v: 1, j: {X0: "x < 0"}, i: {X0: "y < 0"}}
bonds: [push -> v, v -> mass, v -> j, j -> i, i -> r]
)";
  const auto product = build_switched_sections(hybrid_of(series), reduction::Format::text);
  EXPECT_EQ(product[0].equations[0].right, "1 - b1 b2 2 P_mass");
}

}  // namespace
}  // namespace rodeo::simulate
