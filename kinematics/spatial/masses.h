// SPDX-License-Identifier: MIT
// Masses of bodies in space as numbers. THEORY S2.
#pragma once
#include "kinematics/spatial/joint.h"

namespace rodeo::spatial {

/// diag(m, m, m, I₁, I₂, I₃) of every moving body, in the axes of `frames`; 0 where the file gives none.
[[nodiscard]] Vector build_mass(const Machine& machine, const BodyFrames& frames);

}  // namespace rodeo::spatial
