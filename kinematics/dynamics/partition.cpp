// SPDX-License-Identifier: MIT
#include "kinematics/dynamics/partition.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "kinematics/machine/rank.h"

namespace rodeo::dynamics {
namespace {

Eigen::SparseMatrix<double> build_scaled_jacobian(const System& system, const Vector& q) {
  Workspace work;
  system.calc_rows(q, {}, work);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < work.rows.terms.size(); ++i) {
    const RowTerms& row = work.rows.terms[i];
    const double unit = system.row_unit(static_cast<Eigen::Index>(i));
    for (int side = 0; side < 2; ++side) {
      for (int c = 0; c < row.width && row.body[side] != 0; ++c) {
        const int at = row.width * (row.body[side] - 1) + c;
        entries.emplace_back(static_cast<int>(i), at, row.d[side][c] * system.velocity_unit(at) / unit);
      }
    }
  }
  Eigen::SparseMatrix<double> jacobian(system.row_count(), system.velocities());
  jacobian.setFromTriplets(entries.begin(), entries.end());
  return jacobian;
}

}  // namespace

Eigen::MatrixXd build_free_velocities(const System& system, const Vector& q) {
  Eigen::MatrixXd moves = machine::RowRank(build_scaled_jacobian(system, q)).build_free_moves();
  for (Eigen::Index i = 0; i < moves.rows(); ++i) moves.row(i) *= system.velocity_unit(i);
  return moves;
}

std::vector<int> find_independent(const System& system, const Eigen::MatrixXd& velocities,
                                  const std::vector<RowTerms>& coordinates, int count) {
  Eigen::MatrixXd scaled(velocities.cols(), static_cast<Eigen::Index>(coordinates.size()));
  for (Eigen::Index k = 0; k < velocities.cols(); ++k)
    scaled.row(k) = calc_product(coordinates, velocities.col(k));
  for (int i = 0; i < static_cast<int>(coordinates.size()); ++i)
    scaled.col(i) /= system.coordinate_unit(i) * system.coordinate_handicap(i);
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(scaled);
  const auto& order = qr.colsPermutation().indices();
  const auto n = std::min<Eigen::Index>(count, velocities.cols());
  std::vector<int> independent(order.data(), order.data() + n);
  std::sort(independent.begin(), independent.end());
  return independent;
}

double calc_spread(const System& system, const Eigen::MatrixXd& R, const std::vector<int>& independent) {
  double spread = 0;
  for (Eigen::Index k = 0; k < R.cols(); ++k) {
    const double unit = system.coordinate_unit(independent[k]);
    for (Eigen::Index i = 0; i < R.rows(); ++i)
      spread = std::max(spread, std::abs(R(i, k)) * unit / system.velocity_unit(i));
  }
  return spread;
}

}  // namespace rodeo::dynamics
