// SPDX-License-Identifier: MIT
#include "kinematics/spatial/independent.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "kinematics/spatial/closure.h"

namespace rodeo::spatial {
namespace {

using Matrix = Eigen::MatrixXd;

constexpr double kStride = 0.1;  // radians or sizes
constexpr int kStrides = 70;     // one way: about a turn
constexpr double kGood = 0.02;   // least pivot over the motion at which the first choice stays
constexpr double kBetter = 2.0;  // times as good: what a change is worth
constexpr std::size_t kMostRows = 200;

/// Poses along the motion, one way from the start.
std::vector<Pose> walk(const Closure& closure, const Pose& start, double sign) {
  std::vector<Pose> poses{start};
  Vector along;
  for (int i = 0; i < kStrides; ++i) {
    const Matrix free = build_free_moves(closure.calc_jacobian(poses.back()));
    if (free.cols() == 0) break;
    along = i == 0 ? Vector(sign * free.col(0)) : Vector(free * (free.transpose() * along));
    if (!(along.norm() > 1e-6)) break;
    const Closed closed =
        build_closed(closure, closure.calc_moved(poses.back(), kStride * along.normalized()));
    if (!closed.ok()) break;
    poses.push_back(closed.pose);
  }
  return poses;
}

std::vector<Matrix> build_jacobians(const Closure& closure, const Pose& start) {
  std::vector<Matrix> jacobians;
  for (const double sign : {1.0, -1.0}) {
    for (const Pose& pose : walk(closure, start, sign)) jacobians.push_back(closure.calc_jacobian(pose));
  }
  return jacobians;
}

/// The least pivot of these rows, in any of the poses.
double calc_score(const std::vector<Matrix>& jacobians, const std::vector<int>& rows) {
  double least = HUGE_VAL;
  for (const Matrix& jacobian : jacobians) {
    Matrix part(jacobian.cols(), static_cast<Eigen::Index>(rows.size()));
    for (Eigen::Index i = 0; i < part.cols(); ++i) part.col(i) = jacobian.row(rows[i]).transpose();
    const Eigen::ColPivHouseholderQR<Matrix> qr(part);
    least = std::min(least, qr.matrixR().diagonal().cwiseAbs().minCoeff());
  }
  return least;
}

/// The rows that a pivoted QR takes first in one pose.
std::vector<int> find_pivots(const Matrix& jacobian, std::size_t count) {
  const Eigen::ColPivHouseholderQR<Matrix> qr(jacobian.transpose());
  const auto& order = qr.colsPermutation().indices();
  std::vector<int> rows(order.data(), order.data() + count);
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::vector<int> find_best(const std::vector<Matrix>& jacobians, std::vector<int> best) {
  double score = calc_score(jacobians, best);
  const std::size_t count = best.size();
  if (score > kGood) return best;
  score *= kBetter;
  for (std::size_t i = 0; i < jacobians.size(); i += 4) {
    const std::vector<int> rows = find_pivots(jacobians[i], count);
    const double other = calc_score(jacobians, rows);
    if (other <= score) continue;
    score = other;
    best = rows;
  }
  return best;
}

bool is_same(const Row& a, const Row& b) {
  return a.joint == b.joint && a.drive == b.drive && a.component == b.component;
}

std::vector<int> find_places(const std::vector<Row>& all, const std::vector<Row>& some) {
  std::vector<int> places;
  for (int i = 0; i < static_cast<int>(all.size()); ++i) {
    if (std::any_of(some.begin(), some.end(), [&](const Row& row) { return is_same(row, all[i]); }))
      places.push_back(i);
  }
  return places;
}

}  // namespace

RowChoice choose_rows(const Machine& machine, const Assembly& start, const Mobility& mobility) {
  const std::vector<Row> first = build_independent_rows(machine, mobility), all = build_rows(machine, true);
  const bool is_fixed =
      mobility.redundant.empty() || !mobility.conflicting_drives.empty() || all.size() > kMostRows;
  if (is_fixed) return {first, mobility.redundant, 1.0};
  const Closure closure(machine, all, start.drive_values);
  const std::vector<Matrix> jacobians = build_jacobians(closure, start.pose);
  const std::vector<int> best = find_best(jacobians, find_places(all, first));
  RowChoice choice;
  choice.least_pivot = calc_score(jacobians, best);
  for (int i = 0; i < static_cast<int>(all.size()); ++i) {
    const bool is_kept = std::binary_search(best.begin(), best.end(), i);
    (is_kept ? choice.kept : choice.left_out).push_back(all[i]);
  }
  return choice;
}

}  // namespace rodeo::spatial
