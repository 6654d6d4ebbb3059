// SPDX-License-Identifier: MIT
// Inside kinematics/causality: ports that get a causality of their own, and in which order. THEORY C2.
#pragma once
#include <vector>

#include "kinematics/bondgraph/graph.h"

namespace rodeo::causality {

struct Port {
  int element;
  int bond;
};

/// A `K: 0` can only give effort: it is a source.
[[nodiscard]] bool is_zero_stiffness(const bondgraph::Element& element);
/// Se, Sf and `K: 0`.
[[nodiscard]] bool acts_as_source(const bondgraph::Element& element);
/// In integral causality an I receives effort, a C or K gives it.
[[nodiscard]] bool integral_arrives(const bondgraph::Element& element);

/// Those whose displacement or flow modulates something first, then in file order.
[[nodiscard]] std::vector<Port> find_storage_ports(const bondgraph::Graph& graph);
/// In file order.
[[nodiscard]] std::vector<Port> find_resistor_ports(const bondgraph::Graph& graph);
/// Elements whose matrix has no inverse: they work one way only. THEORY V3.
[[nodiscard]] std::vector<int> find_fixed_two_ports(const bondgraph::Graph& graph);

}  // namespace rodeo::causality
