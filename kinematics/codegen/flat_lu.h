// SPDX-License-Identifier: MIT
// L U of a sparse matrix of expressions in a given order of pivots, and what is solved with it. THEORY K14.
#pragma once
#include <vector>

#include "kinematics/codegen/flat_routine.h"
#include "kinematics/codegen/pivot_order.h"

namespace rodeo::codegen {

using ExprRow = std::vector<Expr>;

class FlatLu {
 public:
  /// Rows that get no pivot are left alone.
  FlatLu(std::vector<ExprRow> matrix, const PivotOrder& order);

  /// The smallest pivot by the largest of its column.
  [[nodiscard]] Expr margin() const noexcept { return margin_; }
  /// From now on what is solved takes the factors from the store.
  void keep(FlatStore& store);
  /// Moves of which the rows' changes are b.
  [[nodiscard]] ExprRow solve(ExprRow b) const;

 private:
  void eliminate(std::size_t step, std::size_t row);
  [[nodiscard]] std::size_t row(std::size_t step) const {
    return static_cast<std::size_t>(order_.pivots[step].row);
  }
  [[nodiscard]] std::size_t column(std::size_t step) const {
    return static_cast<std::size_t>(order_.pivots[step].column);
  }

  std::vector<ExprRow> a_;  // below the pivots L, at them their reciprocals, right of them U
  PivotOrder order_;
  Expr margin_ = 1.0;
};

}  // namespace rodeo::codegen
