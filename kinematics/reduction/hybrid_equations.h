// SPDX-License-Identifier: MIT
// State equations with Boolean coefficients.
#pragma once
#include "kinematics/reduction/equations.h"
#include "kinematics/reduction/hybrid.h"

namespace rodeo::reduction {

/// The rates of the states as polynomials of the Booleans: off + b (on - off). Where a configuration has blocks too large to write
/// out, the equations of each configuration instead. THEORY X4.
[[nodiscard]] std::vector<ShownSection> build_switched_sections(const Hybrid& hybrid, Format format);
[[nodiscard]] std::vector<ShownSection> build_full_switched_sections(const Hybrid& hybrid, Format format);
/// Of one model with vector bonds: not switched, or gated.
[[nodiscard]] std::vector<ShownSection> build_vector_switched_sections(const Hybrid& hybrid);

}  // namespace rodeo::reduction
