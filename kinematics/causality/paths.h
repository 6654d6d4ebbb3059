// SPDX-License-Identifier: MIT
// Zero-order causal paths: closed causal paths without an integration, in the four classes of boudon-2019 ('Zero-order
// causal path opening method'). THEORY C5.
//   1  between a storage port in integral and one in differential causality
//   2  between two ports whose laws are algebraic (R)
//   3  from an algebraic port back to itself
//   4  a causal cycle in the junction structure
#pragma once
#include <string>
#include <vector>

#include "kinematics/causality/causality.h"

namespace rodeo::causality {

struct ZeroOrderPath {
  int zcp_class = 4;
  std::vector<int> bonds;             // along the path
  std::vector<std::string> elements;  // names, in order
};

/// One path for each pair of ports (classes 1, 2), port (3) and bond that opens a cycle (4): every dependence has its
/// path in the list, not every path that shows it.
[[nodiscard]] std::vector<ZeroOrderPath> find_zero_order_paths(const Graph& graph,
                                                               const Causality& causality);

}  // namespace rodeo::causality
