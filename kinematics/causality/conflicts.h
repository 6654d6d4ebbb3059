// SPDX-License-Identifier: MIT
// Inside kinematics/causality: what a modeller is told where causalities contradict each other.
#pragma once
#include <string>
#include <vector>

#include "kinematics/causality/propagation.h"

namespace rodeo::causality {

/// `crank -> pin_B`
[[nodiscard]] std::string bond_name(const bondgraph::Graph& graph, int bond);
/// An element with its bonds; of -1, `its start`.
[[nodiscard]] std::string describe(const bondgraph::Graph& graph, int element);
[[nodiscard]] int other_end(const bondgraph::Graph& graph, int bond, int element);

/// `shown`: the element at which the conflict shows.
[[noreturn]] void report_source_conflict(const bondgraph::Graph& graph, int source, int bond, int shown);
[[noreturn]] void report_fixed_conflict(const bondgraph::Graph& graph, int two_port, int bond);
[[noreturn]] void report_imposed_conflict(const bondgraph::Graph& graph, int bond, int shown);
/// `region`: the elements of the over-determined part, `shown` apart, which is named.
[[noreturn]] void report_unassignable(const bondgraph::Graph& graph, const Propagation& strokes,
                                      std::vector<int> region, int shown);

}  // namespace rodeo::causality
