// SPDX-License-Identifier: MIT
// The start pose: a guess by walking the joints from the ground, closed by the smallest move. THEORY S6.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kinematics/machine/closure.h"
#include "kinematics/spatial/start_hints.h"

namespace rodeo::spatial {
namespace {

constexpr double kCheap = 1e-3;        // weight of moves that no hint speaks of
constexpr double kFarFromStart = 0.6;  // rad or sizes: a hint that picks a branch this far from it picks none
constexpr int kMostAttempts = 12;

/// Values that joints' coordinates should have in the guess.
struct JointGuess {
  std::optional<double> turn, slide;
};

std::vector<JointGuess> build_joint_guesses(const Machine& machine) {
  std::vector<JointGuess> guesses(machine.joints.size());
  for (std::size_t j = 0; j < guesses.size(); ++j) {
    if (has_turn(machine.joints[j].kind)) {
      guesses[j].turn = machine.start_joints[j];
    } else {
      guesses[j].slide = machine.start_joints[j];
    }
  }
  for (std::size_t d = 0; d < machine.drives.size(); ++d) {
    const Drive& drive = machine.drives[d];
    if (drive.joint < 0 || !machine.start_drives[d]) continue;
    const bool is_straight = machine.joints[drive.joint].first.body == drive.first_body;
    JointGuess& guess = guesses[drive.joint];
    (drive.kind == DriveKind::slide ? guess.slide : guess.turn) =
        *machine.start_drives[d] * (is_straight ? 1 : -1);
  }
  return guesses;
}

/// Attempt 0 takes unknown values as 0; later ones scatter them.
class Guess {
 public:
  Guess(const Machine& machine, int attempt)
      : machine_(machine),
        attempt_(attempt),
        random_(static_cast<unsigned>(attempt)),
        joints_(build_joint_guesses(machine)),
        placed_(machine.bodies.size(), false) {
    pose_.bodies.resize(machine.bodies.size());
    placed_[0] = true;
  }

  Pose build() {
    while (place_next() || place_alone()) {
    }
    return pose_;
  }

 private:
  double pick(double spread) { return attempt_ == 0 ? 0.0 : spread * machine::next_uniform(random_); }

  bool place_next() {
    for (std::size_t j = 0; j < machine_.joints.size(); ++j) {
      const Joint& joint = machine_.joints[j];
      const bool has_first = placed_[joint.first.body], has_second = placed_[joint.second.body];
      if (has_first == has_second) continue;
      place(joint, joints_[j], has_first);
      return true;
    }
    return false;
  }

  /// A body that nothing holds.
  bool place_alone() {
    for (std::size_t b = 1; b < placed_.size(); ++b) {
      if (placed_[b]) continue;
      const StartBody& start = machine_.start_bodies[b];
      if (start.angles) pose_.bodies[b].q = calc_cardan_rotation(*start.angles);
      if (start.origin) pose_.bodies[b].origin = *start.origin;
      placed_[b] = true;
      return true;
    }
    return false;
  }

  /// R_12: the second body in the first.
  Matrix3 build_relative(const Joint& joint, const JointGuess& guess) {
    const JointFrame frame = build_joint_frame(joint);
    if (has_turn(joint.kind)) {
      const double angle = guess.turn ? *guess.turn : pick(3.0);
      return calc_turn(angle * joint.axis_first.value()).toRotationMatrix() * frame.G;
    }
    if (joint.kind == JointKind::prismatic || joint.kind == JointKind::fixed) return frame.G;
    if (joint.kind == JointKind::planar)
      return calc_turn(pick(3.0) * joint.axis_first.value()).toRotationMatrix() * frame.G;
    const double a = pick(3.0), b = pick(1.5), c = pick(3.0);
    return calc_cardan_rotation({a, b, c});
  }

  void place(const Joint& joint, const JointGuess& guess, bool has_first) {
    const int known = has_first ? joint.first.body : joint.second.body;
    const int body = has_first ? joint.second.body : joint.first.body;
    const Matrix3 relative = build_relative(joint, guess);
    BodyPose& at = pose_.bodies[body];
    const Matrix3 R = pose_.bodies[known].q.toRotationMatrix();
    const StartBody& start = machine_.start_bodies[body];
    at.q = start.angles ? calc_cardan_rotation(*start.angles)
                        : Matrix3(R * (has_first ? relative : Matrix3(relative.transpose())));
    const double slide = guess.slide ? *guess.slide : has_slide(joint.kind) ? pick(1.0) : 0.0;
    const Vector3 along = pose_.bodies[joint.first.body].q * joint.axis_first.value();
    const PointRef there = has_first ? joint.first : joint.second,
                   here = has_first ? joint.second : joint.first;
    const Vector3 point = calc_position(machine_, pose_, there) + (has_first ? slide : -slide) * along;
    at.origin = point - at.q * machine_.point(here).at.value();
    if (start.origin) at.origin = *start.origin;
    placed_[body] = true;
  }

  const Machine& machine_;
  int attempt_;
  std::mt19937 random_;
  std::vector<JointGuess> joints_;
  std::vector<bool> placed_;
  Pose pose_;
};

Vector build_weights(const Machine& machine) {
  Vector weights = Vector::Constant(static_cast<Eigen::Index>(6 * (machine.bodies.size() - 1)), kCheap);
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
    if (machine.start_bodies[b].angles) weights.segment<3>(static_cast<Eigen::Index>(6 * b - 3)).setOnes();
  }
  return weights;
}

/// Rows of turns have a second solution with the axes opposite, which is another machine.
bool is_flipped(const Machine& machine, const Pose& pose) {
  for (const Joint& joint : machine.joints) {
    const JointFrame frame = build_joint_frame(joint);
    const Matrix3 F1 = pose.bodies[joint.first.body].q.toRotationMatrix() * frame.F;
    const Matrix3 F2 = pose.bodies[joint.second.body].q.toRotationMatrix() * frame.G.transpose() * frame.F;
    for (const Component& component : build_components(joint)) {
      if (component.kind != ComponentKind::turn) continue;
      const int axis = component.axis == frame.k ? (frame.k + 1) % 3 : frame.k;
      if (F1.col(axis).dot(F2.col(axis)) < 0) return true;
    }
  }
  return false;
}

/// From the pose, else from every guess.
std::optional<Pose> find_closed(const Closure& closure, const Pose& from, const Vector& weights) {
  const Machine& machine = closure.machine();
  Closed closed = build_closed(closure, from, weights);
  for (int attempt = 0;; ++attempt) {
    if (closed.ok() && !is_flipped(machine, closed.pose)) return closed.pose;
    if (attempt == kMostAttempts) return std::nullopt;
    closed = build_closed(closure, Guess(machine, attempt).build(), weights);
  }
}

Closure build_holding(const Closure& closure, const RowData& row) {
  Closure holding = closure;
  holding.add(row);
  return holding;
}

/// A row of a hint that is independent of the joints, the drives and the hints before.
struct HeldRow {
  Hint hint;
  RowData row;
};

std::vector<HeldRow> list_held_at(const Closure& closure, const Pose& pose) {
  Eigen::MatrixXd free = build_free_moves(closure.calc_jacobian(pose));
  std::vector<HeldRow> held;
  for (const Hint& hint : list_hints(closure.machine())) {
    for (const RowData& row : take_rows(closure, pose, hint, free)) held.push_back({hint, row});
  }
  return held;
}

/// Where a value is at its limit nothing moves it at first order: a pose nearby tells more.
std::vector<HeldRow> list_held(const Closure& closure, const Pose& pose) {
  constexpr double kNearby = 0.05;
  std::vector<HeldRow> held = list_held_at(closure, pose);
  std::mt19937 random(1);
  const std::optional<Pose> near = build_sample(closure, pose, kNearby, random);
  if (!near) return held;
  std::vector<HeldRow> more = list_held_at(closure, *near);
  return more.size() > held.size() ? more : held;
}

/// Closes what is open by the hints: by all that are independent of each other, else by as many as go together.
class Holding {
 public:
  Holding(const Closure& closure, const Vector& weights, Assembly& result)
      : closure_(closure), weights_(weights), result_(result), held_(list_held(closure, result.pose)) {}

  void hold() {
    Closure all = closure_;
    for (const HeldRow& each : held_) all.add(each.row);
    if (const std::optional<Pose> pose = find_closed(all, result_.pose, weights_)) {
      result_.pose = *pose;
    } else {
      for (const HeldRow& each : held_) {
        if (!find_closed(build_holding(closure_, each.row), result_.pose, weights_)) return refuse(each.hint);
      }
      hold_in_turn();
    }
    note_missed();
  }

 private:
  void refuse(const Hint& hint) {
    result_.missed_starts = {fmt::format(
        "{} cannot be reached: the joints close with it on no branch that was tried; without it the start is "
        "at {}",
        describe_hint(closure_.machine(), hint), describe_value(closure_.machine(), hint, result_.pose))};
    result_.assembled = false;
  }

  void hold_in_turn() {
    Closure some = closure_;
    for (const HeldRow& each : held_) {
      const Closed closed = build_closed(build_holding(some, each.row), result_.pose, weights_);
      if (!closed.ok() || is_flipped(closure_.machine(), closed.pose)) {
        missed_.push_back(each.hint);
      } else {
        result_.pose = closed.pose;
        some.add(each.row);
      }
    }
  }

  /// Values that could be chosen are met; those that only pick the branch are near.
  void note_missed() {
    const Machine& machine = closure_.machine();
    for (const Hint& hint : list_hints(machine)) {
      const bool is_missed = std::find(missed_.begin(), missed_.end(), hint) != missed_.end();
      const bool is_far = calc_miss(closure_, result_.pose, hint) > kFarFromStart && !is_zero(machine, hint);
      if (!is_missed && !is_far) continue;
      result_.missed_starts.push_back(fmt::format(
          "{} cannot be reached with {}the other starts; begins at {}", describe_hint(machine, hint),
          is_missed ? "" : "the joints and ", describe_value(machine, hint, result_.pose)));
    }
  }

  const Closure& closure_;
  const Vector& weights_;
  Assembly& result_;
  std::vector<HeldRow> held_;
  std::vector<Hint> missed_;
};

std::vector<Row> build_start_rows(const Machine& machine) {
  std::vector<Row> rows = build_rows(machine, true);
  std::erase_if(rows, [&](const Row& row) { return row.drive >= 0 && !machine.start_drives[row.drive]; });
  return rows;
}

std::vector<double> list_start_values(const Machine& machine) {
  std::vector<double> values;
  for (const auto& value : machine.start_drives) values.push_back(value.value_or(0.0));
  return values;
}

void note_worst(const Machine& machine, const std::vector<Row>& rows, const Closure& closure,
                Assembly& result) {
  if (rows.empty()) return;
  Eigen::Index worst = 0;
  result.residual = closure.size() * closure.calc_residuals(result.pose).cwiseAbs().maxCoeff(&worst);
  result.worst = row_name(machine, rows[worst]);
  result.where = row_where(machine, rows[worst]);
}

}  // namespace

Assembly build_start_pose(const Machine& machine) {
  const std::vector<Row> rows = build_start_rows(machine);
  const std::vector<double> values = list_start_values(machine);
  const Closure closure(machine, rows, values);
  const Vector weights = build_weights(machine);
  Closed best{.pose = {}, .residual = HUGE_VAL};
  for (int attempt = 0; attempt < kMostAttempts && !best.ok(); ++attempt) {
    Closed closed = build_closed(closure, Guess(machine, attempt).build(), weights);
    if (closed.ok() && is_flipped(machine, closed.pose)) continue;
    if (closed.residual < best.residual) best = std::move(closed);
  }
  if (best.pose.bodies.empty()) best = build_closed(closure, Guess(machine, 0).build(), weights);
  Assembly result;
  result.assembled = best.ok() && !is_flipped(machine, best.pose);
  result.pose = best.pose;
  if (result.assembled) Holding(closure, weights, result).hold();
  for (std::size_t d = 0; d < machine.drives.size(); ++d) {
    const auto& start = machine.start_drives[d];
    result.drive_values.push_back(start ? *start : calc_drive_value(machine, result.pose, machine.drives[d]));
  }
  note_worst(machine, rows, closure, result);
  return result;
}

}  // namespace rodeo::spatial
