// SPDX-License-Identifier: MIT
// Fixed text that kernels with multipliers share, in the plane and in space: L D Lᵀ in the profile of the rows, and solving with it. It stands
// behind a `saddle` with `scale`, `entry()`, `fill_schur()`, `row_first` and kDamping. THEORY L8, K12.
#pragma once

namespace rodeo::codegen {

[[nodiscard]] const char* profile_text();

}  // namespace rodeo::codegen
