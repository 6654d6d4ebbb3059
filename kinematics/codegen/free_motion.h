// SPDX-License-Identifier: MIT
// Accelerations of the coordinates that nobody drives, from the reduced inertia: every mass carried to the independent velocities
// by the transformers of the reduced equations (virtual inertia), with what their change costs (gyristor). THEORY L5, L6.
#pragma once
#include <vector>

#include "kinematics/codegen/motion.h"

namespace rodeo::codegen {

/// `machine` has the free coordinates behind its drives, from number `first` on. Results: an acceleration each, of positions and
/// rates of all drives, accelerations of those that are driven, time and inputs.
[[nodiscard]] Routine build_free_motion(const machine::Machine& machine, std::size_t first,
                                        const Positions& positions, const Motion& motion);

}  // namespace rodeo::codegen
