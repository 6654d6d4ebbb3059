// SPDX-License-Identifier: MIT
// Numbers in equations that a person reads: none is lost, whatever its fraction.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kinematics/bondgraph/graph.h"
#include "kinematics/machine/rods.h"
#include "kinematics/reduction/equations.h"
#include "kinematics/reduction/model.h"
#include "kinematics/text/yaml.h"

namespace rodeo::reduction {
namespace {

using testing::HasSubstr;

std::string equations_of(const std::string& text) {
  const Model model =
      build_model(bondgraph::build_graph(text::build_yaml_from_text(text, "m.yaml"), "m.yaml"));
  return render("", build_reduced_sections(model, Format::text), Format::text);
}

TEST(Shown, ANumberBeforeALoneTermIsKept) {
  // (0.333 + 1/3 + √2) / 0.123456789123
  EXPECT_THAT(
      equations_of(
          "elements: {a: {Se: 0.1}, b: {I: 0.123456789123}, c: {R: 0.333}, d: {R: 1/3}, e: {R: sqrt(2)}}\n"
          "junctions: {v: 1}\n"
          "bonds: [a -> v, v -> b, v -> c, v -> d, v -> e]\n"),
      HasSubstr("0.1 - 16.8524 P_b"));
}

TEST(Shown, AConditionOfSingularityKeepsItsNumbers) {
  // u·p_F + s with u = (0.3, 1)/√1.09, p_F = (0.2, 0.1); the telescope's cos² + sin² is no condition
  const machine::Machine m =
      machine::build_machine_from_file(RODEO_SOURCE_DIR "/tests/machines/moving_guide.yaml");
  EXPECT_THAT(find_singular_conditions(build_model(machine::build_rods(m))),
              testing::ElementsAre("0.153252 + s_shoe"));
}

}  // namespace
}  // namespace rodeo::reduction
