// SPDX-License-Identifier: MIT
// Computational causality of a bond graph: which end of every bond receives the effort. Both of Bondin's algorithms
// (its section 5): the sequential procedure with storage ports that switch from integral to differential causality
// where a conflict demands it, and backtracking where that fails. THEORY C1-C4.
#pragma once
#include <string>
#include <vector>

#include "kinematics/bondgraph/graph.h"

namespace rodeo::causality {

using bondgraph::Graph;
using bondgraph::Stroke;

/// Why a bond has its stroke.
enum class Origin {
  source,        // Se, Sf, and K: 0, which can only give effort
  integral,      // imposed on a storage port
  differential,  // imposed on a storage port after integral causality met a conflict
  resistive,     // chosen freely on an R port
  arbitrary,     // chosen freely on a bond between nodes
  derived,       // follows from others
};

enum class Algorithm { sequential, backtracking };

struct Causality {
  std::vector<Stroke> strokes;  // a bond each
  std::vector<Origin> origins;
  Algorithm algorithm = Algorithm::sequential;
  std::vector<int> arbitrary_bonds;  // in the order of choice
  std::vector<int> resistive_bonds;  // R ports whose causality was chosen
  std::vector<int> fixed;            // two-ports whose modulus cannot be inverted: one way only (THEORY V3)
  std::vector<int> switched;         // bonds of storage ports that were tried integral and had to switch
  std::string reason;                // why the second algorithm served; empty when the first did
};

/// Whether the effort of bond b arrives at this element.
[[nodiscard]] bool receives_effort(const Graph& graph, const std::vector<Stroke>& strokes, int bond,
                                   int element);
/// Storage port in integral causality: I receives effort, C and K give it.
[[nodiscard]] bool is_integral(const Graph& graph, const std::vector<Stroke>& strokes, int bond, int element);

/// An intermediate bond whose causality the modeller chooses.
struct Imposed {
  int bond = -1;
  Stroke stroke = Stroke::none;
};

/// Throws ModelError that names the bonds in conflict and what would mend it. `imposed` bonds are the first arbitrary ones;
/// storage ports of the bonds `dependent` are differential from the start.
[[nodiscard]] Causality assign_causality(const Graph& graph, const std::vector<Imposed>& imposed = {},
                                         const std::vector<int>& dependent = {});

/// Bonds of inertias whose flow those before them and the sources decide, though strokes alone do not show it: around a loop that
/// moves as a whole its own flow cancels. Of a scalar graph. THEORY C6.
[[nodiscard]] std::vector<int> find_dependent_inertias(const Graph& graph);

/// Of the components of a vector graph: each has what its bond has (THEORY V2). `bond_of`: the bond of each component.
[[nodiscard]] Causality build_components(const Causality& causality, const std::vector<int>& bond_of);

}  // namespace rodeo::causality
