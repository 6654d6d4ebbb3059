// SPDX-License-Identifier: MIT
// Mobility and redundant constraints by the rank of the Jacobian over sampled motion. THEORY M6.
//
// Why samples: at a flat pose rows depend on each other that do not elsewhere, so the pose of the largest rank counts.
// Why without the row: a row that follows from the others to first order may still stop the motion at second order (a
// stretched chain); a redundant one stays satisfied when nothing enforces it.
#include <algorithm>
#include <cmath>

#include "kinematics/machine/closure.h"
#include "kinematics/machine/pose.h"
#include "kinematics/machine/rank.h"

namespace rodeo::machine {
namespace {

constexpr double kClearPivot = 1e-4;   // dimensionless
constexpr double kNilResidual = 1e-8;  // dimensionless; a row that is not redundant leaves by 1e-4 or more

int calc_rank(const Closure& closure, const Pose& pose) {
  return RowRank(closure.calc_jacobian(pose)).rank();
}

/// The pose of the largest rank among `from` and samples of the joints' motion. A pose next to a singular one is
/// known too badly to count rows in: rows that are redundant look independent there.
Pose find_regular_pose(const Closure& joints, const Closure& all, const Pose& from) {
  const int most = static_cast<int>(std::min<std::size_t>(all.rows().size(), 3 * (from.bodies.size() - 1)));
  Pose best = from;
  int best_rank = -1;
  const auto look_at = [&](const Pose& pose) {
    const RowRank rows(all.calc_jacobian(pose));
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
std::vector<int> find_satisfied(const Closure& joints, const Pose& from, const std::vector<int>& candidates) {
  const Closure others(joints.machine(), build_without(joints.rows(), candidates), {});
  std::vector<int> satisfied = candidates;
  std::mt19937 random(2);
  for (const double amplitude : {0.02, 0.05, 0.05, 0.1}) {
    const std::optional<Pose> sample = build_sample(others, from, amplitude, random);
    if (!sample) continue;
    const Eigen::VectorXd r = joints.calc_residuals(*sample);
    std::erase_if(satisfied, [&](int row) { return std::abs(r[row]) > kNilResidual; });
  }
  return satisfied;
}

/// Rows that leave are enforced, and the rest is tried again.
std::vector<int> find_redundant(const Closure& joints, const Pose& from, std::vector<int> candidates) {
  while (!candidates.empty()) {
    std::vector<int> satisfied = find_satisfied(joints, from, candidates);
    if (satisfied.size() == candidates.size()) break;
    candidates = std::move(satisfied);
  }
  return candidates;
}

}  // namespace

Mobility calc_mobility(const Machine& machine, const Assembly& start) {
  const int coordinates = 3 * (static_cast<int>(machine.bodies.size()) - 1);
  const Closure joints(machine, build_rows(machine, false), {});
  const Closure all(machine, build_rows(machine, true), start.drive_values);
  const int joint_rows = static_cast<int>(joints.rows().size());
  if (start.assembled && is_surely_independent(all.calc_jacobian(start.pose))) {
    const int freedom = coordinates - joint_rows;
    return {freedom, freedom, freedom, {}, std::max(0, freedom - static_cast<int>(machine.drives.size())),
            {}};
  }
  // Drives that contradict each other keep the machine from closing; its joints alone may close.
  const Closed closed = start.assembled ? Closed{.pose = start.pose} : build_closed(joints, start.pose);
  const Pose regular = closed.ok() ? find_regular_pose(joints, all, closed.pose) : start.pose;

  Mobility result;
  result.gruebler = coordinates - joint_rows;
  result.start_mobility = coordinates - calc_rank(joints, closed.pose);
  std::vector<int> candidates;
  for (const int row : RowRank(all.calc_jacobian(regular)).find_dependent_rows()) {
    if (row < joint_rows) {
      candidates.push_back(row);
    } else {
      result.conflicting_drives.push_back(all.rows()[row]);
    }
  }
  if (!closed.ok()) candidates.clear();
  for (const int row : find_redundant(joints, regular, candidates))
    result.redundant.push_back(joints.rows()[row]);
  result.mobility = result.gruebler + static_cast<int>(result.redundant.size());
  const int independent = static_cast<int>(machine.drives.size() - result.conflicting_drives.size());
  result.free_motions = std::max(0, result.mobility - independent);
  return result;
}

}  // namespace rodeo::machine
