// SPDX-License-Identifier: MIT
// Places of all bodies from given directions, along joints outwards from the ground; the joints that are left over are the
// closure errors of the loops: the integration constants that favre-1998 asks to keep, in metres. THEORY K8.
#pragma once
#include <vector>

#include "kinematics/codegen/geometry.h"
#include "kinematics/machine/machine.h"

namespace rodeo::codegen {

struct Tree {
  std::vector<Vec> origins;  // a body each
  std::vector<Expr> residuals;
};

/// frames a body, cylinders (from pin to pin) a drive, slides a joint (used where the joint has a state).
[[nodiscard]] Tree build_tree(const machine::Machine& machine, const std::vector<Frame>& frames,
                              const std::vector<Vec>& cylinders, const std::vector<Expr>& slides);

/// Joints whose position along the guide must be a state, beside those that have one, for every body to hang on the ground.
[[nodiscard]] std::vector<int> find_placing_slides(const machine::Machine& machine,
                                                   std::vector<bool> has_state);

}  // namespace rodeo::codegen
