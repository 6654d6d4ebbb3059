// SPDX-License-Identifier: MIT
// A kernel that keeps its constraints by multipliers: coordinates of all bodies, [M Jᵀ; J 0] with Baumgarte's right side, drives
// as rows that move. Flat poses do not stop it, and errors of closure are forgotten, not nil. THEORY L8.
#pragma once
#include "kinematics/codegen/kernel_model.h"

namespace rodeo::codegen {

/// Numbers of a factor, at most.
inline constexpr std::size_t kMostFactorNumbers = 65536;

/// Throws ModelError for bodies without mass, and for a machine whose factor would be too large.
[[nodiscard]] KernelModel build_lagrange_model(const machine::Machine& machine,
                                               const machine::Assembly& start,
                                               const machine::Mobility& mobility);

}  // namespace rodeo::codegen
