// SPDX-License-Identifier: MIT
// The order of rows in a factor: a permutation, and narrow for a chain however its rows come. THEORY L8.
#include "kinematics/codegen/row_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace rodeo::codegen {
namespace {

/// Two rows a pin between neighbours of a chain, shuffled.
std::vector<MultiplierRow> build_chain(int bodies) {
  std::vector<MultiplierRow> rows;
  for (int b = 1; b <= bodies; ++b) {
    for (int component = 0; component < 2; ++component) rows.push_back({b - 1, b, false});
  }
  std::mt19937 random(7);
  std::shuffle(rows.begin(), rows.end(), random);
  return rows;
}

TEST(RowOrder, TakesEveryRowOnce) {
  std::vector<std::size_t> order = order_rows(build_chain(50)), all(100);
  std::iota(all.begin(), all.end(), 0U);
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, all);
}

/// A pin's rows meet those of the pins beside it only: at most three columns to the left of a row.
TEST(RowOrder, KeepsAChainNarrow) {
  const std::vector<MultiplierRow> rows = build_chain(200);
  std::vector<MultiplierRow> ordered;
  for (const std::size_t row : order_rows(rows)) ordered.push_back(rows[row]);
  const std::vector<std::size_t> first = find_profile(ordered), shuffled = find_profile(rows);
  std::size_t widest = 0, before = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    widest = std::max(widest, i - first[i]);
    before = std::max(before, i - shuffled[i]);
  }
  EXPECT_LE(widest, 3u);
  EXPECT_GT(before, 100u);
}

TEST(RowOrder, KnowsThatTheGroundIsNobodysNeighbour) {
  EXPECT_EQ(find_profile({{0, 1, false}, {0, 2, false}, {1, 2, false}}), (std::vector<std::size_t>{0, 1, 0}));
}

}  // namespace
}  // namespace rodeo::codegen
