// SPDX-License-Identifier: MIT
// Inside kinematics/codegen: where a body or a pin may be, by what is known of its neighbours. THEORY K3-K5.
#pragma once
#include <vector>

#include "kinematics/codegen/placement.h"

namespace rodeo::codegen {

/// Lines that the origin of a body of known direction is on: one a guide that is known or passes through a known point.
[[nodiscard]] std::vector<Line> find_lines(Placement& known, int body);

/// Loci of a pin that has no place yet: by the bodies that carry it, by guides, by cylinders.
[[nodiscard]] std::vector<Locus> find_loci(Placement& known, int pin);

}  // namespace rodeo::codegen
