// SPDX-License-Identifier: MIT
// Rank of a sparse Jacobian, its dependent rows in the order given, and the moves that it leaves free. THEORY M6.
#pragma once
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <Eigen/SparseQR>
#include <memory>
#include <vector>

namespace rodeo::machine {

/// Below this a dimensionless pivot is nil: far above rounding (1e-13), far below a good pose's margin (1e-2).
/// A singular pose is known only to the root of rounding, 1e-8, and so are its pivots.
inline constexpr double kNilPivot = 1e-7;

/// Makes the row nil by combining columns, at the price of one column; false if it was nil already.
bool eliminate_row(Eigen::MatrixXd& columns, Eigen::Index row);

/// Whether all rows are independent beyond doubt: no pivot of J Jᵀ below kSurePivot. The usual case, by Cholesky in time
/// linear in a chain of loops, where Eigen's QR clears a dense column for every row.
inline constexpr double kSurePivot = 1e-6;
[[nodiscard]] bool is_surely_independent(const Eigen::SparseMatrix<double>& jacobian);

/// Rank-revealing QR of the transposed Jacobian.
class RowRank {
 public:
  explicit RowRank(const Eigen::SparseMatrix<double>& jacobian);

  [[nodiscard]] int rank() const noexcept { return rank_; }
  /// The smallest pivot that counted: how far the pose is from one of lower rank.
  [[nodiscard]] double calc_least_pivot() const;
  /// Rows that follow from the rows before them, ascending.
  [[nodiscard]] std::vector<int> find_dependent_rows() const;
  /// Orthonormal columns: the moves that leave every row as it is.
  [[nodiscard]] Eigen::MatrixXd build_free_moves() const;

 private:
  [[nodiscard]] Eigen::MatrixXd build_dependencies() const;

  using Qr = Eigen::SparseQR<Eigen::SparseMatrix<double>, Eigen::NaturalOrdering<int>>;
  int rows_, columns_;
  int rank_ = 0;
  std::vector<int> row_order_;     // of the Jacobian's rows in the QR
  std::vector<int> column_order_;  // and of those of its columns that have entries
  std::unique_ptr<Qr> qr_;         // none for an empty Jacobian
};

}  // namespace rodeo::machine
