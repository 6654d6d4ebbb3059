// SPDX-License-Identifier: MIT
// Forces of a machine in its bond graph, for free motion: springs, dampers, torques, point forces, friction and payloads as elements; end
// stops and contacts behind controlled junctions. A length or a height that a law asks for is the displacement of a `K: 0`, so
// that equations name it. THEORY R8, X7.
#pragma once
#include <functional>

#include "kinematics/bondgraph/graph.h"
#include "kinematics/machine/rods.h"

namespace rodeo::machine {

/// What the builder of rods knows of its graph: 1-junctions.
struct RodNodes {
  std::function<int(PointRef, int)> pin;          // of a point's velocity along x (0) or y (1)
  std::function<int(int)> spin;                   // of a body's angular velocity
  std::function<int(int)> slide;                  // of a guide's sliding velocity, by joint
  std::function<int(const Force&, int)> payload;  // of a payload's velocity along x or y
  Kept* kept = nullptr;                           // lines and points that forces keep go there
};

/// Whether a force's value comes while the machine runs.
[[nodiscard]] bool is_from_outside(Expr value);
/// Points that forces act on.
[[nodiscard]] std::vector<PointRef> find_force_points(const Machine& machine);
void add_force_elements(bondgraph::Graph& graph, const Machine& machine, const RodNodes& nodes);

}  // namespace rodeo::machine
