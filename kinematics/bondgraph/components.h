// SPDX-License-Identifier: MIT
// A graph with vector bonds as one with scalar bonds, in two forms (boudon-2019, 'Modelling with scalar bonds'). THEORY V2-V5.
//   components: what the vector graph says, component by component. A matrix stays one element: a two-port of n + m bonds,
//               an I, C, K or R of n ports. Every component has the causality of its bond.
//   scalar:     nothing but scalar elements. A matrix becomes a junction for each component and a scalar two-port for each entry that is
//               not nil, after the causality of the vector graph: flow in, flow out with 1-junctions where flow enters, or
//               effort in, effort out with 0-junctions there.
#pragma once
#include <vector>

#include "kinematics/bondgraph/graph.h"

namespace rodeo::bondgraph {

struct Components {
  Graph graph;
  std::vector<int> bond_of;  // the vector bond of each bond; -1 for bonds inside of a scalar form of a matrix
};

/// `strokes`: a bond of `graph` each.
[[nodiscard]] Components build_components(const Graph& graph, const std::vector<Stroke>& strokes);
[[nodiscard]] Graph build_scalar(const Graph& graph, const std::vector<Stroke>& strokes);

}  // namespace rodeo::bondgraph
