// SPDX-License-Identifier: MIT
// The start of a machine in space found by springs in its joints, as that of one in the plane. THEORY D8.
#pragma once
#include "kinematics/dynamics/settle.h"
#include "kinematics/spatial/pose.h"

namespace rodeo::spatial {

/// Takes the start from the angles and origins of bodies as they are written, joints open, and settles it.
dynamics::SettledStart settle_start(dynamics::Problem& problem, const Machine& machine,
                                    const Assembly& start);

}  // namespace rodeo::spatial
