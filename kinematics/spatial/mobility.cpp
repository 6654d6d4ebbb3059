// SPDX-License-Identifier: MIT
// Mobility and redundant constraints by the rank of the Jacobian over sampled motion, as kinematics/machine does it in the plane.
// THEORY S7.
#include <algorithm>
#include <cmath>

#include "kinematics/machine/rank.h"
#include "kinematics/spatial/closure.h"

namespace rodeo::spatial {
namespace {

using machine::RowRank;

constexpr double kClearPivot = 1e-4;   // dimensionless
constexpr double kNilResidual = 1e-8;  // dimensionless; a row that is not redundant leaves by 1e-4 or more

RowRank build_rank(const Closure& closure, const Pose& pose) {
  return RowRank(closure.calc_jacobian(pose).sparseView());
}

Pose find_regular_pose(const Closure& joints, const Closure& all, const Pose& from) {
  const auto most = std::min(static_cast<Eigen::Index>(all.row_count()), all.moves());
  Pose best = from;
  int best_rank = -1;
  const auto look_at = [&](const Pose& pose) {
    const RowRank rows = build_rank(all, pose);
    if (rows.rank() <= best_rank || rows.calc_least_pivot() < kClearPivot) return;
    best = pose;
    best_rank = rows.rank();
  };
  look_at(from);
  std::mt19937 random(1);
  for (const double amplitude : {0.1, 0.3, 0.3, 0.6, 0.6, 1.0}) {
    if (best_rank == most) break;
    if (const auto sample = build_sample(joints, from, amplitude, random)) look_at(*sample);
  }
  return best;
}

std::vector<Row> build_without(const std::vector<Row>& rows, const std::vector<int>& left_out) {
  std::vector<Row> kept;
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
    if (std::find(left_out.begin(), left_out.end(), i) == left_out.end()) kept.push_back(rows[i]);
  }
  return kept;
}

/// Those of the candidates that stay satisfied over the motion that the other rows allow.
std::vector<int> find_satisfied(const Closure& joints, const std::vector<Row>& rows, const Pose& from,
                                const std::vector<int>& candidates) {
  const Closure others(joints.machine(), build_without(rows, candidates), {});
  std::vector<int> satisfied = candidates;
  std::mt19937 random(2);
  for (const double amplitude : {0.02, 0.05, 0.05, 0.1}) {
    const std::optional<Pose> sample = build_sample(others, from, amplitude, random);
    if (!sample) continue;
    const Vector r = joints.calc_residuals(*sample);
    std::erase_if(satisfied, [&](int row) { return std::abs(r[row]) > kNilResidual; });
  }
  return satisfied;
}

std::vector<int> find_redundant(const Closure& joints, const std::vector<Row>& rows, const Pose& from,
                                std::vector<int> candidates) {
  while (!candidates.empty()) {
    std::vector<int> satisfied = find_satisfied(joints, rows, from, candidates);
    if (satisfied.size() == candidates.size()) break;
    candidates = std::move(satisfied);
  }
  return candidates;
}

}  // namespace

Mobility calc_mobility(const Machine& machine, const Assembly& start) {
  const std::vector<Row> joint_rows = build_rows(machine, false), all_rows = build_rows(machine, true);
  const Closure joints(machine, joint_rows, {});
  const Closure all(machine, all_rows, start.drive_values);
  const int count = static_cast<int>(joint_rows.size());
  // Drives that contradict each other keep the machine from closing; its joints alone may close.
  const Closed closed = start.assembled ? Closed{.pose = start.pose} : build_closed(joints, start.pose);
  const Pose regular = closed.ok() ? find_regular_pose(joints, all, closed.pose) : start.pose;

  Mobility result;
  result.gruebler = calc_gruebler(machine);
  result.start_mobility = static_cast<int>(joints.moves()) - build_rank(joints, closed.pose).rank();
  std::vector<int> candidates;
  for (const int row : build_rank(all, regular).find_dependent_rows()) {
    if (row < count) {
      candidates.push_back(row);
    } else {
      result.conflicting_drives.push_back(all_rows[row]);
    }
  }
  if (!closed.ok()) candidates.clear();
  for (const int row : find_redundant(joints, joint_rows, regular, candidates))
    result.redundant.push_back(joint_rows[row]);
  result.mobility = result.gruebler + static_cast<int>(result.redundant.size());
  const int independent = static_cast<int>(machine.drives.size() - result.conflicting_drives.size());
  result.free_motions = std::max(0, result.mobility - independent);
  return result;
}

}  // namespace rodeo::spatial
