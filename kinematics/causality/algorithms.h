// SPDX-License-Identifier: MIT
// Inside kinematics/causality: Bondin's two algorithms. Freedom is used by stated rules, so that the same graph always gets the
// same causality:
//   storage ports   those whose displacement or flow modulates something first, then in file order   (C2)
//   R ports         in file order, giving effort if that meets no conflict
//   other bonds     from the node that was reached first and is not complete, walk the bonds without causality
//                   breadth-first; take the bond and direction that settles most bonds   (C3)
#pragma once
#include <vector>

#include "kinematics/causality/assignment.h"

namespace rodeo::causality {

/// First algorithm: the sequential procedure with switching (C2). False: assignment.stopped_at() tells where it stopped.
[[nodiscard]] bool assign_sequentially(const Graph& graph, Assignment& assignment,
                                       const std::vector<int>& dependent);

struct Backtracked {
  bool assigned = false;
  std::vector<int> overdetermined;  // else: elements of the part that no causality fits
};

/// Second algorithm: backtracking, each step with a proof that the rest can be completed (C4).
[[nodiscard]] Backtracked assign_by_backtracking(const Graph& graph, Assignment& assignment);

}  // namespace rodeo::causality
