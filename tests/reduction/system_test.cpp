// SPDX-License-Identifier: MIT
// Systems of graphs at the edge of what a file can say.
#include <gtest/gtest.h>

#include "kinematics/reduction/model.h"
#include "tests/bondgraph/reading.h"

namespace rodeo::reduction {
namespace {

/// As in a subset that is looked at by itself: its ports are what bonds it.
TEST(System, OfJunctionsWithoutBondsIsEmpty) {
  const Model model = build_model(bondgraph::build_from_text(R"(
name: pin
domain: translation
ports: [x, y]
junctions: {x: 1, y: 0}
)"));
  EXPECT_TRUE(model.system.variables.empty());
  EXPECT_TRUE(model.system.equations.empty());
  EXPECT_TRUE(model.system.states.empty());
}

}  // namespace
}  // namespace rodeo::reduction
