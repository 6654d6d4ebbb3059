// SPDX-License-Identifier: MIT
#include "kinematics/dynamics/partition.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "kinematics/machine/rank.h"

namespace rodeo::dynamics {
namespace {

/// What one unit of a coordinate is: the machine's size, or a radian.
double unit_of(const System& system, Eigen::Index coordinate) {
  return coordinate % 3 == 2 ? 1.0 : system.size();
}

/// Angles are better than places, which turn back at dead points: a place must be this much faster to be taken.
constexpr double kPreferAngles = 3.0;

Eigen::SparseMatrix<double> build_scaled_jacobian(const System& system, const Vector& q) {
  Workspace work;
  system.calc_rows(q, {}, work);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < work.rows.terms.size(); ++i) {
    const RowTerms& row = work.rows.terms[i];
    const double unit = system.row_data()[i].kind == RowKind::angle ? 1.0 : system.size();
    for (int side = 0; side < 2; ++side) {
      for (int c = 0; c < 3 && row.body[side] != 0; ++c) {
        const int at = 3 * (row.body[side] - 1) + c;
        entries.emplace_back(static_cast<int>(i), at, row.d[side][c] * unit_of(system, at) / unit);
      }
    }
  }
  Eigen::SparseMatrix<double> jacobian(system.row_count(), system.coordinates());
  jacobian.setFromTriplets(entries.begin(), entries.end());
  return jacobian;
}

}  // namespace

Eigen::MatrixXd build_free_velocities(const System& system, const Vector& q) {
  Eigen::MatrixXd moves = machine::RowRank(build_scaled_jacobian(system, q)).build_free_moves();
  for (Eigen::Index i = 0; i < moves.rows(); ++i) moves.row(i) *= unit_of(system, i);
  return moves;
}

std::vector<int> find_independent(const System& system, const Eigen::MatrixXd& velocities, int count) {
  Eigen::MatrixXd scaled = velocities.transpose();
  for (Eigen::Index i = 0; i < scaled.cols(); ++i) {
    scaled.col(i) /= unit_of(system, i) * (i % 3 == 2 ? 1.0 : kPreferAngles);
  }
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
    const double unit = unit_of(system, independent[k]);
    for (Eigen::Index i = 0; i < R.rows(); ++i)
      spread = std::max(spread, std::abs(R(i, k)) * unit / unit_of(system, i));
  }
  return spread;
}

}  // namespace rodeo::dynamics
