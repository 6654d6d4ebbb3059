// SPDX-License-Identifier: MIT
// Jᵀ P = Q R with R = [R₁₁ R₁₂; 0 0]. Combinations of rows that vanish: P [−R₁₁⁻¹R₁₂; I]. Free moves: the columns
// of Q beyond the rank.
//
// Eigen's SparseQR takes the k-th row as the k-th pivot, present in the column or not, and refuses empty rows. So the
// order is ours: rows of J by minimum degree on J Jᵀ, columns of J by the first of those rows that uses them. For a
// chain of loops R is then as sparse as a Cholesky factor, in any order of the file; COLAMD alone fills it.
#include "kinematics/machine/rank.h"

#include <Eigen/QR>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace rodeo::machine {
namespace {

using Matrix = Eigen::SparseMatrix<double>;

std::vector<int> find_row_order(const Matrix& jacobian) {
  const Matrix products = jacobian * Matrix(jacobian.transpose());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(products, order);
  return {order.indices().data(), order.indices().data() + order.size()};
}

std::vector<int> find_places(const std::vector<int>& order, Eigen::Index size) {
  std::vector<int> places(size, -1);
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = static_cast<int>(i);
  return places;
}

std::vector<int> find_column_order(const Matrix& jacobian, const std::vector<int>& row_order) {
  const std::vector<int> places = find_places(row_order, jacobian.rows());
  std::vector<std::pair<int, int>> first_use;
  for (int c = 0; c < jacobian.cols(); ++c) {
    int first = static_cast<int>(jacobian.rows());
    for (Matrix::InnerIterator it(jacobian, c); it; ++it) first = std::min(first, places[it.row()]);
    if (first < jacobian.rows()) first_use.emplace_back(first, c);
  }
  std::sort(first_use.begin(), first_use.end());
  std::vector<int> order;
  for (const auto& [first, column] : first_use) order.push_back(column);
  return order;
}

Matrix build_ordered_transpose(const Matrix& jacobian, const std::vector<int>& row_order,
                               const std::vector<int>& column_order) {
  const std::vector<int> places = find_places(row_order, jacobian.rows());
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < static_cast<int>(column_order.size()); ++i) {
    for (Matrix::InnerIterator it(jacobian, column_order[i]); it; ++it) {
      entries.emplace_back(i, places[it.row()], it.value());
    }
  }
  Matrix transposed(static_cast<Eigen::Index>(column_order.size()), jacobian.rows());
  transposed.setFromTriplets(entries.begin(), entries.end());
  return transposed;
}

}  // namespace

bool eliminate_row(Eigen::MatrixXd& columns, Eigen::Index row) {
  Eigen::Index pivot = 0;
  if (columns.row(row).cwiseAbs().maxCoeff(&pivot) < kNilPivot) return false;
  const auto last = columns.cols() - 1;
  columns.col(pivot).swap(columns.col(last));
  const Eigen::VectorXd column = columns.col(last) / columns(row, last);
  const Eigen::RowVectorXd factors = columns.row(row).head(last);
  columns.leftCols(last).noalias() -= column * factors;
  columns.conservativeResize(Eigen::NoChange, last);
  return true;
}

bool is_surely_independent(const Matrix& jacobian) {
  if (jacobian.rows() == 0) return true;
  const Eigen::SimplicialLDLT<Matrix> factor(jacobian * Matrix(jacobian.transpose()));
  return factor.info() == Eigen::Success && factor.vectorD().minCoeff() > kSurePivot;
}

RowRank::RowRank(const Matrix& jacobian)
    : rows_(static_cast<int>(jacobian.rows())),
      columns_(static_cast<int>(jacobian.cols())),
      row_order_(find_row_order(jacobian)),
      column_order_(find_column_order(jacobian, row_order_)) {
  if (column_order_.empty()) return;
  qr_ = std::make_unique<Qr>();
  qr_->setPivotThreshold(kNilPivot);
  qr_->compute(build_ordered_transpose(jacobian, row_order_, column_order_));
  if (qr_->info() != Eigen::Success) throw std::logic_error("RowRank: " + qr_->lastErrorMessage());
  rank_ = static_cast<int>(qr_->rank());
}

double RowRank::calc_least_pivot() const {
  double least = 1.0;
  for (int i = 0; i < rank_; ++i) least = std::min(least, std::abs(qr_->matrixR().coeff(i, i)));
  return least;
}

/// A column each: n with nᵀJ = 0, orthonormal.
Eigen::MatrixXd RowRank::build_dependencies() const {
  const int k = rows_ - rank_;
  if (!qr_) return Eigen::MatrixXd::Identity(rows_, k);
  Eigen::MatrixXd n(rows_, k);
  n.bottomRows(k).setIdentity();
  if (rank_ > 0) {
    const Matrix r = qr_->matrixR();
    const Eigen::MatrixXd r12 = -Eigen::MatrixXd(r.topRightCorner(rank_, k));
    n.topRows(rank_) = r.topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>().solve(r12);
  }
  const Eigen::MatrixXd ordered = qr_->colsPermutation() * n;
  Eigen::MatrixXd permuted(rows_, k);
  for (int i = 0; i < rows_; ++i) permuted.row(row_order_[i]) = ordered.row(i);
  return Eigen::HouseholderQR<Eigen::MatrixXd>(permuted).householderQ() * Eigen::MatrixXd::Identity(rows_, k);
}

// Row i follows from earlier ones if a dependency has its last entry at i: eliminate entries from the last row up.
std::vector<int> RowRank::find_dependent_rows() const {
  std::vector<int> dependent;
  if (rank_ == rows_) return dependent;
  Eigen::MatrixXd n = build_dependencies();
  for (Eigen::Index i = rows_ - 1; i >= 0 && n.cols() > 0; --i) {
    if (eliminate_row(n, i)) dependent.push_back(static_cast<int>(i));
  }
  std::reverse(dependent.begin(), dependent.end());
  return dependent;
}

Eigen::MatrixXd RowRank::build_free_moves() const {
  const auto used = static_cast<Eigen::Index>(column_order_.size());
  Eigen::MatrixXd moves = Eigen::MatrixXd::Zero(columns_, columns_ - rank_);
  Eigen::MatrixXd tail = Eigen::MatrixXd::Zero(used, used - rank_);
  tail.bottomRows(used - rank_).setIdentity();
  const Eigen::MatrixXd q = qr_ && used > rank_ ? Eigen::MatrixXd(qr_->matrixQ() * tail) : tail;
  for (Eigen::Index i = 0; i < used; ++i) moves.row(column_order_[i]).head(used - rank_) = q.row(i);
  const std::vector<int> places = find_places(column_order_, columns_);
  Eigen::Index next = used - rank_;
  for (int c = 0; c < columns_; ++c) {
    if (places[c] < 0) moves(c, next++) = 1.0;  // no row asks for this coordinate
  }
  return moves;
}

}  // namespace rodeo::machine
