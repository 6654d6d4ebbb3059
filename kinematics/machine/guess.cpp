// SPDX-License-Identifier: MIT
// Pins place a body exactly, sliding joints only across their line: pins are walked first. THEORY M5.
#include "kinematics/machine/guess.h"

#include <array>
#include <cmath>
#include <deque>
#include <numbers>
#include <random>

#include "kinematics/machine/closure.h"

namespace rodeo::machine {
namespace {

using Angles = std::vector<std::optional<double>>;

/// θ₂ = θ₁ + difference where one of the two is known; true if that was news.
bool relate(Angles& angles, int first, int second, double difference) {
  if (angles[first] && !angles[second]) {
    angles[second] = *angles[first] + difference;
    return true;
  }
  if (angles[second] && !angles[first]) {
    angles[first] = *angles[second] - difference;
    return true;
  }
  return false;
}

bool relate_all(const Machine& machine, const DriveTargets& targets, Angles& angles) {
  bool news = false;
  for (const Joint& joint : machine.joints) {
    if (joint.kind != JointKind::prismatic) continue;
    news |= relate(angles, joint.first.body, joint.second.body, joint.angle.value);
  }
  for (std::size_t d = 0; d < machine.drives.size(); ++d) {
    const Drive& drive = machine.drives[d];
    if (drive.kind != DriveKind::relative_angle || !targets[d]) continue;
    news |= relate(angles, drive.first_body, drive.second_body, *targets[d]);
  }
  return news;
}

/// Angles in order of trust: driven, given, related to those, unknown.
std::vector<double> build_angles(const Machine& machine, const DriveTargets& targets, int attempt,
                                 std::mt19937& random) {
  Angles angles = machine.start_angles;
  angles.resize(machine.bodies.size());
  angles[0] = 0.0;
  for (std::size_t b = 1; b < angles.size(); ++b) {
    if (angles[b] && attempt > 0) *angles[b] += 0.3 * next_uniform(random);
  }
  for (std::size_t d = 0; d < machine.drives.size(); ++d) {
    if (machine.drives[d].kind == DriveKind::angle && targets[d]) {
      angles[machine.drives[d].second_body] = targets[d];
    }
  }
  while (relate_all(machine, targets, angles)) {
  }
  std::vector<double> result;
  for (const auto& angle : angles) {
    const double scatter = attempt > 0 ? std::numbers::pi * next_uniform(random) : 0.0;
    result.push_back(angle.value_or(scatter));
  }
  return result;
}

/// Walks from placed bodies over joints to the rest.
class Walk {
 public:
  Walk(const Machine& machine, const DriveTargets& targets, const std::vector<double>& angles)
      : machine_(machine),
        targets_(targets),
        joints_of_(machine.bodies.size()),
        placed_(machine.bodies.size()) {
    for (const double angle : angles) pose_.bodies.push_back({0, 0, angle});
    for (int j = 0; j < static_cast<int>(machine.joints.size()); ++j) {
      joints_of_[machine.joints[j].first.body].push_back(j);
      joints_of_[machine.joints[j].second.body].push_back(j);
    }
  }

  [[nodiscard]] Pose build(int attempt, std::mt19937& random) {
    add(0);
    for (auto joint = next(); joint; joint = next()) {
      const double scatter = attempt > 0 ? calc_size(machine_) * next_uniform(random) : 0.0;
      visit(*joint, scatter);
    }
    return pose_;
  }

 private:
  void add(int body) {
    placed_[body] = true;
    for (const int j : joints_of_[body]) {
      const JointKind kind = machine_.joints[j].kind;
      queues_[kind == JointKind::revolute ? 0 : kind == JointKind::prismatic ? 1 : 2].push_back(j);
    }
  }

  std::optional<int> next() {
    for (auto& queue : queues_) {
      if (queue.empty()) continue;
      const int joint = queue.front();
      queue.pop_front();
      return joint;
    }
    return std::nullopt;
  }

  /// How far the second point lies along the direction: as driven, or where the body lies now.
  [[nodiscard]] double find_slide(int j, Vec2 along, Vec2 gap, double scatter) const {
    for (std::size_t d = 0; d < machine_.drives.size(); ++d) {
      if (machine_.drives[d].kind == DriveKind::slide && machine_.drives[d].joint == j && targets_[d]) {
        return *targets_[d];
      }
    }
    return along.x * gap.x + along.y * gap.y + scatter;
  }

  /// Shifts the body of the joint that has no place yet, so that the joint closes.
  void visit(int j, double scatter) {
    const Joint& joint = machine_.joints[j];
    const int first = joint.first.body, second = joint.second.body;
    if (placed_[first] && placed_[second]) return;
    const Vec2 p1 = calc_position(machine_, pose_, joint.first),
               p2 = calc_position(machine_, pose_, joint.second);
    Vec2 shift{p1.x - p2.x, p1.y - p2.y};  // of the second body
    if (joint.kind != JointKind::revolute) {
      const double c = std::cos(pose_.bodies[first].angle), s = std::sin(pose_.bodies[first].angle);
      const double dx = joint.direction_x.value, dy = joint.direction_y.value;
      const Vec2 along{c * dx - s * dy, s * dx + c * dy};
      const double slide = find_slide(j, along, {-shift.x, -shift.y}, scatter);
      shift = {shift.x + slide * along.x, shift.y + slide * along.y};
    }
    const int body = placed_[first] ? second : first;
    const double sign = placed_[first] ? 1.0 : -1.0;
    pose_.bodies[body].x += sign * shift.x;
    pose_.bodies[body].y += sign * shift.y;
    add(body);
  }

  const Machine& machine_;
  const DriveTargets& targets_;
  std::vector<std::vector<int>> joints_of_;
  std::vector<bool> placed_;
  std::array<std::deque<int>, 3> queues_;  // revolute, prismatic, slider
  Pose pose_;
};

}  // namespace

Pose build_guess(const Machine& machine, const DriveTargets& targets, int attempt) {
  std::mt19937 random(static_cast<unsigned>(attempt));
  const std::vector<double> angles = build_angles(machine, targets, attempt, random);
  return Walk(machine, targets, angles).build(attempt, random);
}

}  // namespace rodeo::machine
