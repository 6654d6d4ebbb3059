// SPDX-License-Identifier: MIT
// Inside kinematics/codegen: what closes a block of angles that are found together. THEORY K6.
#pragma once
#include "kinematics/codegen/placement.h"
#include "kinematics/codegen/positions.h"

namespace rodeo::codegen {

/// Residuals of all joints and cylinders that the block's unknowns open, and their derivatives. All its bodies are placed.
void close_block(const Placement& known, IteratedBlock& block);

}  // namespace rodeo::codegen
