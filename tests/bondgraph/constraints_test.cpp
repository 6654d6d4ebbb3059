// SPDX-License-Identifier: MIT
// `lambda` as it is read, and the sentences for what is wrong with one.
#include <gmock/gmock.h>

#include "tests/bondgraph/reading.h"

namespace rodeo::bondgraph {
namespace {

TEST(Lambda, IsReadInItsThreeForms) {
  const Element holonomic =
      element(build_from_text(with_element("{lambda: {position: _Xmass_ - 2, alpha: 3, beta: 4}}")), "x");
  ASSERT_TRUE(holonomic.constraint);
  EXPECT_EQ(holonomic.kind, Kind::Se);
  EXPECT_FALSE(holonomic.is_input());
  EXPECT_TRUE(holonomic.constraint->is_holonomic);
  EXPECT_TRUE(holonomic.constraint->damping.is_number(6));
  EXPECT_TRUE(holonomic.constraint->stiffness.is_number(16));
  EXPECT_EQ(holonomic.note, "_Xmass_ - 2");
  const Element other = element(build_from_text(with_element("{lambda: {gamma: 5}}")), "x");
  EXPECT_FALSE(other.constraint->is_holonomic);
  EXPECT_TRUE(other.constraint->damping.is_number(5));
  EXPECT_TRUE(other.constraint->stiffness.is_number(0));
  for (const char* bare : {"lambda", "{lambda: }", "{lambda: {}}"}) {
    const Element none = element(build_from_text(with_element(bare)), "x");
    ASSERT_TRUE(none.constraint) << bare;
    EXPECT_TRUE(none.constraint->damping.is_number(0)) << bare;
  }
}

TEST(Lambda, SaysWhatDoesNotGoTogether) {
  EXPECT_EQ(faults_of(with_element("{lambda: 5}")),
            "m.yaml:4: element 'x': a lambda takes {position: ..., alpha: ..., beta: ...} (holonomic), "
            "{gamma: ...} "
            "(non-holonomic) or nothing, not a single value");
  EXPECT_EQ(faults_of(with_element("{lambda: {position: _Xmass_, gamma: 5}}")),
            "m.yaml:4: element 'x': gamma is for non-holonomic constraints, which have no position, alpha "
            "and beta: leave "
            "gamma or the others");
  EXPECT_EQ(faults_of(with_element("{lambda: {beta: 5}}")),
            "m.yaml:4: element 'x': alpha and beta need the constraint's position, as in {position: x^2 + "
            "y^2 - l^2}; "
            "without one, give gamma");
  EXPECT_EQ(faults_of(with_element("{lambda: {gamma: -1}}")),
            "m.yaml:4: element 'x': gamma is negative, which drives the constraint apart: give 0 or more");
  EXPECT_EQ(faults_of(with_element("{lambda: {gamma: _Vmass_}}")),
            "m.yaml:4: element 'x': gamma: 'mass.flow' must have a fixed value here: use numbers and "
            "parameters only");
  EXPECT_THAT(faults_of(with_element("{lambda: {delta: 1}}")), testing::HasSubstr("unknown key 'delta'"));
}

}  // namespace
}  // namespace rodeo::bondgraph
