// SPDX-License-Identifier: MIT
#include "kinematics/codegen/flat_lu.h"

namespace rodeo::codegen {

using expr::Op;

FlatLu::FlatLu(std::vector<ExprRow> matrix, const PivotOrder& order) : a_(std::move(matrix)), order_(order) {
  for (std::size_t k = 0; k < order_.pivots.size(); ++k) {
    Expr& pivot = a_[row(k)][column(k)];
    const Expr size = expr::operation(Op::abs, {pivot});
    const double largest = order_.columns[order_.pivots[k].column];
    if (!size.is_number() || size->value < largest)
      margin_ = expr::operation(Op::min, {margin_, Expr(1.0 / largest) * size});
    pivot = 1.0 / pivot;
    for (std::size_t i = k + 1; i < order_.pivots.size(); ++i) eliminate(k, row(i));
  }
}

void FlatLu::eliminate(std::size_t step, std::size_t r) {
  const std::size_t c = column(step), p = row(step);
  if (a_[r][c].is_number(0)) return;
  const Expr part = a_[r][c] * a_[p][c];
  a_[r][c] = part;
  for (std::size_t i = step + 1; i < order_.pivots.size(); ++i)
    a_[r][column(i)] = a_[r][column(i)] - part * a_[p][column(i)];
}

void FlatLu::keep(FlatStore& store) {
  for (std::size_t k = 0; k < order_.pivots.size(); ++k) {
    for (Expr& e : a_[row(k)]) e = store.keep(e);
  }
}

ExprRow FlatLu::solve(ExprRow b) const {
  const std::size_t n = order_.pivots.size();
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i) b[row(i)] = b[row(i)] - a_[row(i)][column(k)] * b[row(k)];
  }
  ExprRow x(n, 0.0);
  for (std::size_t k = n; k-- > 0;) {
    Expr sum = b[row(k)];
    for (std::size_t i = k + 1; i < n; ++i) sum = sum - a_[row(k)][column(i)] * x[column(i)];
    x[column(k)] = a_[row(k)][column(k)] * sum;
  }
  return x;
}

}  // namespace rodeo::codegen
