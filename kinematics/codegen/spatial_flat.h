// SPDX-License-Identifier: MIT
// What a small machine in space computes every tick, written out: rows, factors and solutions as tapes, without what is nil. THEORY K14.
#pragma once
#include <string>

#include "kinematics/codegen/spatial_tables.h"

namespace rodeo::codegen {

/// C functions and N_FLAT, the size of what they share; N_FLAT is 0 where the machine is too large for them.
struct FlatText {
  std::string text;
  std::size_t operations = 0;
};

/// `motion`: states over the motion, by which the order of elimination is chosen.
[[nodiscard]] FlatText build_flat_driven(const SpatialNumbers& numbers,
                                         const std::vector<spatial::Vector>& motion);
[[nodiscard]] FlatText build_flat_free(const SpatialNumbers& numbers);

/// Goes with both.
[[nodiscard]] FlatText build_flat_outputs(const SpatialNumbers& numbers);

/// States on the ways that the drives can go from the start, one by one and together.
[[nodiscard]] std::vector<spatial::Vector> build_motion(const spatial::Machine& machine,
                                                        const spatial::Assembly& start,
                                                        const spatial::Mobility& mobility,
                                                        const SpatialNumbers& numbers);

}  // namespace rodeo::codegen
