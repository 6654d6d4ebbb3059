// SPDX-License-Identifier: MIT
// Expressions over intervals: bounds that hold all values which an expression takes where its symbols run through intervals.
// What is not bounded here may be anything. Rounding is not outward: it serves to exclude zeros, not to prove.
#pragma once
#include <limits>
#include <unordered_map>
#include <vector>

#include "kinematics/expr/expr.h"

namespace rodeo::simulate {

struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool has_zero() const noexcept { return !(low > 0) && !(high < 0); }
};

class IntervalProgram {
 public:
  explicit IntervalProgram(expr::Expr root) : nodes_(expr::reachable({root})) {}

  /// `symbols` by Expr id.
  [[nodiscard]] Interval calc(const std::unordered_map<std::uint32_t, Interval>& symbols);

 private:
  std::vector<expr::Expr> nodes_;
  std::unordered_map<std::uint32_t, Interval> done_;
};

}  // namespace rodeo::simulate
