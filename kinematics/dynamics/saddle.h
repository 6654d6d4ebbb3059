// SPDX-License-Identifier: MIT
// The one linear system of constrained motion:
//     [M Jᵀ; J 0] [x; λ] = [f; g],   M diagonal.
// Solved by S = J M⁻¹ Jᵀ + εD and as many corrections as the residual asks for. The corrections start at a given (x, λ)
// and are a proximal iteration: what the rows determine converges to the exact solution, and what they leave open at
// a pose of lower rank (or in redundant rows) stays as given. Continuity through a flat pose comes from that: the start
// is the value of a moment ago. THEORY D4.
//
// Small systems are dense; large ones sparse, in time linear in a chain of loops.
#pragma once
#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <array>
#include <map>
#include <vector>

#include "kinematics/dynamics/rows.h"

namespace rodeo::dynamics {

class Saddle {
 public:
  /// `weights`: M for the factor, all positive.
  explicit Saddle(Vector weights);

  [[nodiscard]] const Vector& weights() const noexcept { return weights_; }

  /// `damping` is ε, relative to each row's own size.
  void factor(const std::vector<RowTerms>& rows, double damping = kDamping);
  /// Other values of the same rows under the old factor: corrections make up for the difference while it is small.
  void set_rows(const std::vector<RowTerms>& rows) { rows_ = rows; }
  /// From (x, λ) as given to the solution, for a mass that may differ from the weights (a point mass has no inertia).
  void solve(const Vector& mass, const Vector& f, const Vector& g, Vector& x, Vector& lambda) const;
  /// The move to g nearest to x in the norm of the weights; λ starts at nil.
  void project(const Vector& g, Vector& x) const;
  /// Of S, relative to its rows' sizes: how far the pose is from one of lower rank, squared.
  [[nodiscard]] double least_pivot() const noexcept { return least_pivot_; }

  static constexpr double kDamping = 1e-13;

 private:
  struct Product {  // one body's part in one entry of S
    int entry, row, column, row_side, column_side;
    Eigen::Index at;  // the body's first coordinate
  };
  void analyse(const std::vector<RowTerms>& rows);
  void build_pattern(std::map<std::array<int, 2>, int>& entries, int rows);
  void fill(const std::vector<RowTerms>& rows, double damping);
  void calc_schur(Vector& b) const;
  /// r_ and s_; the largest of both.
  double calc_residual(const Vector& mass, const Vector& f, const Vector& g, const Vector& x,
                       const Vector& lambda) const;
  [[nodiscard]] double calc_size(const Vector& f, const Vector& x) const;
  [[nodiscard]] bool is_dense() const noexcept;

  Vector weights_, inverse_, root_inverse_;
  std::vector<RowTerms> rows_;
  std::vector<std::array<int, 2>> pattern_;  // the bodies of the rows that were analysed
  std::vector<Product> products_;
  Eigen::SparseMatrix<double> schur_;  // the lower half, rows scaled to a unit diagonal
  Vector scale_;
  std::vector<int> diagonal_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> sparse_;
  Eigen::MatrixXd full_;
  Eigen::LDLT<Eigen::MatrixXd> dense_;
  double least_pivot_ = 1.0;
  // Of solve(): kept, so that it does not allocate.
  mutable Vector r_, s_, change_, move_;
};

}  // namespace rodeo::dynamics
