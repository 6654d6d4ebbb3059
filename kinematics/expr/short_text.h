// SPDX-License-Identifier: MIT
// Expressions as text for people: 1.2 where rounding of a sum left 1.2000000000000002.
#pragma once
#include <string>

#include "kinematics/expr/expr.h"

namespace rodeo::expr {

/// to_text with numbers of six digits, where that changes them by less than a billionth.
[[nodiscard]] std::string to_short_text(Expr root);

}  // namespace rodeo::expr
