// SPDX-License-Identifier: MIT
#include "kinematics/codegen/spatial_flat.h"

namespace rodeo::codegen {

FlatText build_flat_free(const SpatialNumbers& n) { (void)n; return {"#define N_FLAT 0\n", 0}; }

}  // namespace rodeo::codegen
