// SPDX-License-Identifier: MIT
// Inside kinematics/codegen: bodies that are found together, in angles of bodies, positions along guides and angles of
// cylinders. THEORY K6.
#pragma once
#include "kinematics/codegen/placement.h"
#include "kinematics/codegen/positions.h"

namespace rodeo::codegen {

/// Gives every one of these bodies a direction and a place by new unknowns, and keeps the joints and drives that are left as
/// residuals, as many as there are unknowns; of more than that, those in `redundant` last. `earlier`: what
/// these bodies may depend on.
[[nodiscard]] IteratedBlock open_block(Placement& known, const machine::Assembly& start,
                                       const std::vector<int>& bodies,
                                       const std::vector<machine::Row>& redundant, const Positions& earlier);

}  // namespace rodeo::codegen
