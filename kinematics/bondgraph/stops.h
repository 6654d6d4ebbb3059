// SPDX-License-Identifier: MIT
// An end stop or a contact as part of a bond graph: a controlled 0-junction on the rate of a distance or a height x, behind it a spring
// and a damper that push x back over its end. THEORY X7, X8.
#pragma once
#include <string>

#include "kinematics/bondgraph/graph.h"

namespace rodeo::bondgraph {

struct Stop {
  std::string name;    // of the junction
  std::string symbol;  // of its force in equations
  Expr condition;      // while it pushes
  Expr spring;         // k (x − end); 0: none
  Expr damping;        // 0: none
};

/// x beyond its end (below, or above), and k (x − end) + d x' of the same sign: it touches and does not pull. A stop that is deep by δ > 0
/// pushes while k δ + d δ' > 0. `damping` is 0 where there is none.
[[nodiscard]] Expr build_push_condition(bool below, Expr x, Expr rate, Expr end, Expr stiffness,
                                        Expr damping);

/// `one`: the 1-junction of x'.
void add_stop(Graph& graph, int one, const Stop& stop, const Where& where);

}  // namespace rodeo::bondgraph
