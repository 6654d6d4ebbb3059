// SPDX-License-Identifier: MIT
// Inside kinematics/codegen: a body's direction from a neighbour's, its place from one of its points. THEORY K1, K2.
#pragma once
#include "kinematics/codegen/placement.h"

namespace rodeo::codegen {

/// second = first turned by `angle`: whichever direction is known gives the other. The body that got one, or -1.
int try_direct(Placement& known, int first, int second, Expr angle);
/// The same for a prismatic joint, and for a drive of an angle.
int try_direct(Placement& known, const machine::Joint& joint);
int try_direct(Placement& known, const machine::Drive& drive);

/// A body of known direction, by its origin if that is known, else by the first point that is.
bool try_place_by_point(Placement& known, int body);

/// A guide at position `along` puts the body without a place where the other tells. Both have directions. The body, or -1.
int try_place_along(Placement& known, const machine::Joint& joint, Expr along);

}  // namespace rodeo::codegen
