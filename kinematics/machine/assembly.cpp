// SPDX-License-Identifier: MIT
// The start pose, and poses near a known one. THEORY M5. A start pose is found in two rounds: first every given angle
// is dear to change and the rest is cheap, which finds the branch; then the given angles that the drives leave open are
// held exactly.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kinematics/machine/closure.h"
#include "kinematics/machine/free_slides.h"
#include "kinematics/machine/guess.h"
#include "kinematics/machine/pose.h"
#include "kinematics/machine/rank.h"

namespace rodeo::machine {
namespace {

constexpr double kCheap = 1e-3;        // weight of a move that no start angle speaks against
constexpr double kFarFromStart = 0.6;  // rad: a solution this far from a given angle is not taken at once
constexpr double kExact = 1e-13;       // rad
constexpr double kMet = 2e-6 * std::numbers::pi;  // rad: a start angle that is farther off is told

const std::optional<double>& start_angle(const Machine& machine, int body) {
  static const std::optional<double> none;
  return body < static_cast<int>(machine.start_angles.size()) ? machine.start_angles[body] : none;
}

/// The value of an unlisted angle drive that its bodies' start angles give.
std::optional<double> find_implied(const Machine& machine, const Drive& drive) {
  const auto& second = start_angle(machine, drive.second_body);
  if (drive.kind == DriveKind::angle) return second;
  const auto first = drive.first_body == 0 ? std::optional(0.0) : start_angle(machine, drive.first_body);
  if (drive.kind != DriveKind::relative_angle || !first || !second) return std::nullopt;
  return *second - *first;
}

DriveTargets build_targets(const Machine& machine, bool with_implied) {
  DriveTargets targets = machine.start_drives;
  targets.resize(machine.drives.size());
  for (std::size_t d = 0; d < targets.size(); ++d) {
    if (!targets[d] && with_implied) targets[d] = find_implied(machine, machine.drives[d]);
  }
  return targets;
}

Closure build_start_closure(const Machine& machine, const DriveTargets& targets,
                            std::vector<HeldAngle> held = {}) {
  std::vector<Row> rows = build_rows(machine, true);
  std::erase_if(rows, [&](const Row& row) { return row.drive >= 0 && !targets[row.drive]; });
  std::vector<double> values;
  for (const auto& target : targets) values.push_back(target.value_or(0.0));
  return {machine, std::move(rows), std::move(values), std::move(held)};
}

Eigen::VectorXd build_start_weights(const Machine& machine) {
  const int bodies = static_cast<int>(machine.bodies.size()) - 1;
  Eigen::VectorXd weights = Eigen::VectorXd::Constant(Eigen::Index{3} * bodies, kCheap);
  for (int b = 1; b <= bodies; ++b) {
    if (start_angle(machine, b)) weights[3 * b - 1] = 1.0;
  }
  return weights;
}

double calc_distance(const Machine& machine, const Pose& pose) {
  double distance = 0;
  for (int b = 1; b < static_cast<int>(pose.bodies.size()); ++b) {
    const auto& given = start_angle(machine, b);
    if (given) distance = std::max(distance, std::abs(pose.bodies[b].angle - *given));
  }
  return distance;
}

/// Bodies whose angle, not only its sine and cosine, is in some row.
std::vector<bool> find_counted(const Machine& machine) {
  std::vector<bool> counted(machine.bodies.size(), false);
  for (const Joint& joint : machine.joints) {
    if (joint.kind != JointKind::prismatic) continue;
    counted[joint.first.body] = counted[joint.second.body] = true;
  }
  for (const Drive& drive : machine.drives) {
    if (drive.kind == DriveKind::angle || drive.kind == DriveKind::relative_angle) {
      counted[drive.first_body] = counted[drive.second_body] = true;
    }
  }
  return counted;
}

/// Takes out whole turns that the iteration may have added.
void unwind(const Machine& machine, Pose& pose) {
  const std::vector<bool> counted = find_counted(machine);
  for (int b = 1; b < static_cast<int>(pose.bodies.size()); ++b) {
    if (counted[b]) continue;
    constexpr double kTurn = 2 * std::numbers::pi;
    const double turns = std::round((pose.bodies[b].angle - start_angle(machine, b).value_or(0.0)) / kTurn);
    if (turns != 0) pose.bodies[b].angle -= turns * kTurn;
  }
}

/// Few attempts for a large machine: each costs as much as an assembly that succeeds.
int find_attempts(const Machine& machine) {
  return std::clamp(static_cast<int>(2000 / machine.bodies.size()), 2, 40);
}

/// The closed pose nearest to the given angles that the attempts find; else that of least residual.
Closed build_branch(const Machine& machine, const DriveTargets& targets) {
  const Closure closure = build_start_closure(machine, targets);
  const Eigen::VectorXd weights = build_start_weights(machine);
  Closed best;
  for (int attempt = 0; attempt < find_attempts(machine); ++attempt) {
    Closed found = build_closed(closure, build_guess(machine, targets, attempt), weights);
    unwind(machine, found.pose);
    const bool nearer =
        found.ok() && (!best.ok() || calc_distance(machine, found.pose) < calc_distance(machine, best.pose));
    if (attempt == 0 || nearer || (!best.ok() && found.residual < best.residual)) best = std::move(found);
    if (best.ok() && calc_distance(machine, best.pose) < kFarFromStart) break;
  }
  return best;
}

/// Whether the machine closes with every frame at the origin, as a drawing does: there an angle of 0 is as drawn.
bool is_drawn(const Machine& machine) {
  const Closure joints(machine, build_rows(machine, false), {});
  const Eigen::VectorXd r = joints.calc_residuals({std::vector<BodyPose>(machine.bodies.size())});
  return r.size() == 0 || r.cwiseAbs().maxCoeff() <= kClosed;
}

/// Bodies with a start angle in the order in which these count: those that unlisted drives move, then what turns a
/// drawing away from the pose drawn, then the order of the file.
std::vector<int> find_given_bodies(const Machine& machine, const DriveTargets& targets) {
  std::vector<int> rank(machine.bodies.size(), 2);
  const bool drawn = is_drawn(machine);
  for (int b = 0; drawn && b < static_cast<int>(rank.size()); ++b) {
    if (start_angle(machine, b) != 0.0) rank[b] = 1;
  }
  for (std::size_t d = 0; d < machine.drives.size(); ++d) {
    const Drive& drive = machine.drives[d];
    if (targets[d]) continue;
    const bool by_points = drive.kind == DriveKind::cylinder || drive.kind == DriveKind::slide;
    rank[by_points ? drive.first.body : drive.first_body] -= 2;
    rank[by_points ? drive.second.body : drive.second_body] -= 2;
  }
  std::vector<int> bodies;
  for (int b = 1; b < static_cast<int>(rank.size()); ++b) {
    if (start_angle(machine, b)) bodies.push_back(b);
  }
  std::stable_sort(bodies.begin(), bodies.end(), [&](int a, int b) { return rank[a] < rank[b]; });
  return bodies;
}

/// The given angles, in that order, that can be chosen freely in this pose.
std::vector<HeldAngle> find_held_angles(const Machine& machine, const DriveTargets& targets,
                                        const Pose& pose) {
  const Closure closure = build_start_closure(machine, targets);
  Eigen::MatrixXd moves = RowRank(closure.calc_jacobian(pose)).build_free_moves();
  std::vector<HeldAngle> held;
  for (const int body : find_given_bodies(machine, targets)) {
    if (moves.cols() == 0) break;
    if (eliminate_row(moves, 3 * body - 1)) held.push_back({body, *start_angle(machine, body)});
  }
  return held;
}

/// Meets the given angles exactly as far as they are independent; keeps the pose if that leads elsewhere.
void sharpen(const Machine& machine, const DriveTargets& targets, Closed& branch) {
  if (calc_distance(machine, branch.pose) < kExact) return;
  const std::vector<HeldAngle> held = find_held_angles(machine, targets, branch.pose);
  if (held.empty()) return;
  const Closed sharp =
      build_closed(build_start_closure(machine, targets, held), branch.pose, build_start_weights(machine));
  const double bound = 2 * calc_distance(machine, branch.pose) + kFarFromStart;
  if (sharp.ok() && calc_distance(machine, sharp.pose) < bound) branch = sharp;
}

/// Whether anything closes with this angle, on whatever branch.
bool is_reachable(const Machine& machine, const DriveTargets& targets, const HeldAngle& held) {
  const Closure closure = build_start_closure(machine, targets, {held});
  for (int attempt = 0; attempt < find_attempts(machine); ++attempt) {
    const Pose guess = build_guess(machine, targets, attempt);
    if (build_closed(closure, guess, build_start_weights(machine)).ok()) return true;
  }
  return false;
}

double to_degrees(double angle) { return angle * 180 / std::numbers::pi; }

/// Given angles that could be chosen and are not met; whether the machine is assembled nevertheless.
bool find_missed(const Machine& machine, const DriveTargets& targets, const Pose& pose,
                 std::vector<std::string>& missed) {
  if (calc_distance(machine, pose) <= kMet) return true;
  const std::vector<HeldAngle> held = find_held_angles(machine, targets, pose);
  for (const HeldAngle& each : held) {
    const double found = pose.bodies[each.body].angle;
    if (std::abs(found - each.angle) <= kMet) continue;
    const std::string start = fmt::format("start '{}': {:.6g} deg cannot be reached",
                                          machine.bodies[each.body].name, to_degrees(each.angle));
    if (!is_reachable(machine, targets, each)) {
      missed = {fmt::format(
          "{}: the joints close with it on no branch that was tried; without it the start is at {:.6g} deg",
          start, to_degrees(found))};
      return false;
    }
    missed.push_back(fmt::format("{} with the other starts; begins at {:.6g} deg", start, to_degrees(found)));
  }
  return true;
}

/// Residual and worst row in metres.
Assembly build_report(const Machine& machine, const Closure& closure, const Closed& closed,
                      std::vector<double> drive_values) {
  Assembly result;
  result.assembled = closed.ok();
  result.pose = closed.pose;
  result.drive_values = std::move(drive_values);
  const Eigen::VectorXd r = closure.calc_residuals(closed.pose);
  if (r.size() == 0) return result;
  Eigen::Index worst = 0;
  result.residual = r.cwiseAbs().maxCoeff(&worst) * closure.size();
  const Row& row = closure.rows()[worst];
  result.worst = row_name(machine, row);
  result.where = row.drive >= 0 ? machine.drives[row.drive].where : machine.joints[row.joint].where;
  return result;
}

}  // namespace

Assembly build_start_pose(const Machine& machine) {
  DriveTargets targets = build_targets(machine, true);
  Closed branch = build_branch(machine, targets);
  const DriveTargets listed = build_targets(machine, false);
  if (!branch.ok() &&
      listed != targets) {  // rough start angles of several driven bodies contradict each other
    targets = listed;
    branch = build_branch(machine, targets);
  }
  if (branch.ok()) sharpen(machine, targets, branch);
  std::vector<std::string> missed;
  const bool is_met = !branch.ok() || find_missed(machine, targets, branch.pose, missed);
  if (branch.ok()) place_free_slides(machine, branch.pose);
  std::vector<double> values;
  for (std::size_t d = 0; d < targets.size(); ++d) {
    values.push_back(targets[d] ? *targets[d] : calc_drive_value(machine, branch.pose, machine.drives[d]));
  }
  Assembly start = build_report(machine, build_start_closure(machine, targets), branch, std::move(values));
  start.assembled = start.assembled && is_met;
  start.missed_starts = std::move(missed);
  return start;
}

// Continuation: drives go in steps that are small against the machine, so that the branch and the turns are kept.
Assembly build_pose_near(const Machine& machine, const Pose& from, const std::vector<double>& drive_values) {
  std::vector<double> at;
  double distance = 0;
  const double size = calc_size(machine);
  for (std::size_t d = 0; d < machine.drives.size(); ++d) {
    const Drive& drive = machine.drives[d];
    at.push_back(calc_drive_value(machine, from, drive));
    const bool is_length = drive.kind == DriveKind::cylinder || drive.kind == DriveKind::slide;
    distance = std::max(distance, std::abs(drive_values[d] - at[d]) / (is_length ? size : 1.0));
  }
  const int steps = 1 + static_cast<int>(std::min(1e4, distance / 0.1));
  const std::vector<Row> rows = build_rows(machine, true);
  Closed closed{.pose = from};
  for (int i = 1; i < steps && closed.ok(); ++i) {
    std::vector<double> values = at;
    for (std::size_t d = 0; d < at.size(); ++d) values[d] += (drive_values[d] - at[d]) * i / steps;
    closed = build_closed(Closure(machine, rows, values), closed.pose);
  }
  const Closure closure(machine, rows, drive_values);
  closed = build_closed(closure, closed.pose);
  return build_report(machine, closure, closed, drive_values);
}

}  // namespace rodeo::machine
