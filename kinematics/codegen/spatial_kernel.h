// SPDX-License-Identifier: MIT
// The kernel of a machine in space: fixed C text over tables of its numbers, so that parameters are numbers in it (-p builds another).
// Where the drives fix everything it is closed by Newton's method at every tick (THEORY K11), else it moves by its forces with
// multipliers (K12).
#pragma once
#include <string>

#include "kinematics/codegen/build.h"
#include "kinematics/spatial/pose.h"

namespace rodeo::codegen {

/// Throws ModelError.
[[nodiscard]] Kernel build_spatial_kernel(const spatial::Machine& machine, const spatial::Assembly& start,
                                          const spatial::Mobility& mobility);

/// As interface_json and certificate_json of a machine in the plane.
[[nodiscard]] std::string spatial_interface_json(const spatial::Machine& machine,
                                                 const spatial::Assembly& start, const Kernel& kernel);
[[nodiscard]] std::string spatial_certificate_json(const spatial::Machine& machine,
                                                   const spatial::Mobility& mobility, const Kernel& kernel);

}  // namespace rodeo::codegen
