// SPDX-License-Identifier: MIT
// Jᵀ P = Q R with R = [R₁₁ R₁₂; 0 0]. Combinations of rows that vanish: P [−R₁₁⁻¹R₁₂; I]. Free moves: the columns
// of Q beyond the rank. Eigen's SparseQR refuses empty rows, so columns of J without entries are set aside.
#include "kinematics/machine/rank.h"

#include <Eigen/QR>
#include <algorithm>
#include <stdexcept>
#include <string>

namespace rodeo::machine {
namespace {

using Matrix = Eigen::SparseMatrix<double>;

std::vector<int> find_used_columns(const Matrix& jacobian) {
  std::vector<int> used;
  for (int c = 0; c < jacobian.cols(); ++c) {
    if (Matrix::InnerIterator(jacobian, c)) used.push_back(c);
  }
  return used;
}

Matrix build_transposed(const Matrix& jacobian, const std::vector<int>& columns) {
  std::vector<Eigen::Triplet<double, Eigen::Index>> entries;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (Matrix::InnerIterator it(jacobian, columns[i]); it; ++it)
      entries.emplace_back(i, it.row(), it.value());
  }
  Matrix transposed(static_cast<Eigen::Index>(columns.size()), jacobian.rows());
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

RowRank::RowRank(const Matrix& jacobian)
    : rows_(static_cast<int>(jacobian.rows())),
      columns_(static_cast<int>(jacobian.cols())),
      used_(find_used_columns(jacobian)) {
  if (rows_ == 0 || used_.empty()) return;
  qr_ = std::make_unique<Qr>();
  qr_->setPivotThreshold(kNilPivot);
  qr_->compute(build_transposed(jacobian, used_));
  if (qr_->info() != Eigen::Success) throw std::logic_error("RowRank: " + qr_->lastErrorMessage());
  rank_ = static_cast<int>(qr_->rank());
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
  const Eigen::MatrixXd permuted = qr_->colsPermutation() * n;
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
  const int free = columns_ - rank_;
  Eigen::MatrixXd moves = Eigen::MatrixXd::Zero(columns_, free);
  const int from_qr = static_cast<int>(used_.size()) - rank_;
  if (from_qr > 0 && qr_) {
    Eigen::MatrixXd tail = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(used_.size()), from_qr);
    tail.bottomRows(from_qr).setIdentity();
    const Eigen::MatrixXd q = qr_->matrixQ() * tail;
    for (std::size_t i = 0; i < used_.size(); ++i) moves.row(used_[i]).head(from_qr) = q.row(i);
  }
  int next = std::max(0, from_qr);
  std::vector<bool> is_used(columns_, false);
  for (const int c : used_) is_used[c] = true;
  for (int c = 0; c < columns_; ++c) {
    if (!is_used[c]) moves(c, next++) = 1.0;
  }
  return moves;
}

}  // namespace rodeo::machine
