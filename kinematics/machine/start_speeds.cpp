// SPDX-License-Identifier: MIT
#include "kinematics/machine/start_speeds.h"

#include <Eigen/QR>

namespace rodeo::machine {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kUnseen = 1e-9;  // of its rows: what a move does not change

/// Columns: orthonormal moves that leave the rows as they are.
MatrixXd build_null_space(const MatrixXd& rows) {
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(rows.transpose());
  const MatrixXd q = qr.householderQ();
  return q.rightCols(rows.cols() - qr.rank());
}

/// The shortest y with rows (z + moves y) nearest to 0.
VectorXd calc_correction(const MatrixXd& rows, const MatrixXd& moves, const VectorXd& z) {
  const MatrixXd effects = rows * moves;
  if (!(effects.norm() > kUnseen * rows.norm())) return VectorXd::Zero(moves.cols());
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver;
  solver.setThreshold(kUnseen * rows.norm() / effects.norm());
  solver.compute(effects);
  return solver.solve(-(rows * z));
}

}  // namespace

VectorXd calc_start_speeds(const StartSpeeds& start) {
  const Eigen::Index n = start.energy.cols();
  const MatrixXd root = start.energy.householderQr().matrixQR().topRows(n).triangularView<Eigen::Upper>();
  const MatrixXd inverse = root.triangularView<Eigen::Upper>().solve(MatrixXd::Identity(n, n));
  const MatrixXd asked = start.asked * inverse, others = start.others * inverse;  // energy is |z|²/2 now
  const VectorXd z = asked.completeOrthogonalDecomposition().solve(start.values);
  const MatrixXd moves = build_null_space(asked);
  if (moves.cols() == 0 || others.rows() == 0) return inverse * z;
  return inverse * (z + moves * calc_correction(others, moves, z));
}

}  // namespace rodeo::machine
