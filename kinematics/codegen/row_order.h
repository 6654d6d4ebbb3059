// SPDX-License-Identifier: MIT
// An order of constraint rows in which rows that share a body are near each other, and the profile of S = J M⁻¹ Jᵀ in it: a
// factor needs no more room than that, and a chain of loops is factorised in time linear in its length. THEORY L8.
#pragma once
#include <string>
#include <vector>

#include "kinematics/codegen/kernel_model.h"

namespace rodeo::codegen {

/// Cuthill and McKee's order, from an end: which row comes first, second, ...
[[nodiscard]] std::vector<std::size_t> order_rows(const std::vector<MultiplierRow>& rows);

/// Of rows as they are: the first column of each that is not nil.
[[nodiscard]] std::vector<std::size_t> find_profile(const std::vector<MultiplierRow>& rows);

/// Both as C: bodies and units of the rows, their profile and where each begins in the factor, the machine's size.
[[nodiscard]] std::string row_tables(const KernelModel& model);

}  // namespace rodeo::codegen
