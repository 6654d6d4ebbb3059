// SPDX-License-Identifier: MIT
// Where a machine comes to rest under its forces, in the plane or in space. THEORY D10.
#pragma once
#include "kinematics/dynamics/problem.h"

namespace rodeo::dynamics {

struct Equilibrium {
  bool found = false;
  int steps = 0;
  double left = 0.0;      // generalised force that is left, J, of the largest that acts
  double farthest = 0.0;  // of all moves together: machine sizes, or radians
};

/// Moves problem.q to the equilibrium that lies downhill from it, joints closed and held drives where they are, and lets it rest
/// there. Inputs have their values of t = 0. Not found: problem is as it was.
[[nodiscard]] Equilibrium find_equilibrium(Problem& problem);

}  // namespace rodeo::dynamics
