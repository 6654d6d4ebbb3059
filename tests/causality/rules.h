// SPDX-License-Identifier: MIT
// The nodes' rules, counted from the strokes alone: the oracle of the causality tests. THEORY C1.
#pragma once
#include <string>
#include <vector>

#include "kinematics/bondgraph/graph.h"

namespace rodeo::causality {

/// Strokes at an element: bonds whose effort arrives there.
inline int count_strokes_at(const bondgraph::Graph& graph, const std::vector<bondgraph::Stroke>& strokes,
                            int element) {
  int count = 0;
  for (std::size_t b = 0; b < graph.bonds.size(); ++b) {
    if (graph.bonds[b].head == element && strokes[b] == bondgraph::Stroke::head) ++count;
    if (graph.bonds[b].tail == element && strokes[b] == bondgraph::Stroke::tail) ++count;
  }
  return count;
}

inline bool obeys_rule(const bondgraph::Element& element, int strokes) {
  using bondgraph::Kind;
  const int bonds = static_cast<int>(element.bonds.size());
  switch (element.kind) {
    case Kind::zero: return strokes == 1;
    case Kind::one: return strokes == bonds - 1;
    case Kind::TF: return strokes == 1;
    case Kind::GY: return strokes == 0 || strokes == 2;
    case Kind::Se: return strokes == 0;
    case Kind::Sf: return strokes == bonds;
    case Kind::K: return !(element.value.size() == 1 && element.value[0].is_number(0)) || strokes == 0;
    default: return true;
  }
}

/// Names of the elements whose rule is broken and of bonds without a stroke; empty when all is well.
inline std::string find_broken_rules(const bondgraph::Graph& graph,
                                     const std::vector<bondgraph::Stroke>& strokes) {
  std::string broken;
  for (std::size_t b = 0; b < strokes.size(); ++b) {
    if (strokes[b] == bondgraph::Stroke::none) broken += "bond " + std::to_string(b) + " ";
  }
  for (std::size_t e = 0; e < graph.elements.size(); ++e) {
    const int count = count_strokes_at(graph, strokes, static_cast<int>(e));
    if (!obeys_rule(graph.elements[e], count)) broken += graph.elements[e].name + " ";
  }
  return broken;
}

}  // namespace rodeo::causality
