// SPDX-License-Identifier: MIT
// Inside kinematics/codegen: which bodies have to be found together, where none can be placed by itself. THEORY K6.
#pragma once
#include <vector>

#include "kinematics/codegen/placement.h"

namespace rodeo::codegen {

/// The fewest bodies without a place whose constraints, with what is placed already, determine them: each coordinate is
/// matched with a constraint that it is in, and the set is closed under `the constraint matched here touches that body`.
/// Ascending. `redundant`: constraints to take only where the others do not suffice. Throws ModelError where the constraints do not
/// determine the bodies at the start pose.
[[nodiscard]] std::vector<int> find_coupled_bodies(const Placement& known, const machine::Assembly& start,
                                                   const std::vector<machine::Row>& redundant);

}  // namespace rodeo::codegen
