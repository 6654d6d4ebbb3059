// SPDX-License-Identifier: MIT
// Slides that nothing drives and no loop holds: where they begin.
#pragma once
#include "kinematics/machine/pose.h"

namespace rodeo::machine {

/// Whether this slider or prismatic joint is the only bond between two parts of the machine.
[[nodiscard]] bool is_free_slide(const Machine& machine, int joint);

/// Shifts what hangs on the machine by such a slider or prismatic joint alone to the joint's start value: 0 if the file gives
/// none; in a drawing it then stays where it is drawn. All other joints and drives stay as they are. THEORY M5.
void place_free_slides(const Machine& machine, Pose& pose);

}  // namespace rodeo::machine
