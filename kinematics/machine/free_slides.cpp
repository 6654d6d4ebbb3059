// SPDX-License-Identifier: MIT
// A slide is free if the bodies fall into two parts without its joint. The part without the ground is shifted as one piece.
#include "kinematics/machine/free_slides.h"

#include <algorithm>
#include <cmath>

#include "kinematics/machine/closure.h"

namespace rodeo::machine {
namespace {

using Part = std::vector<bool>;  // a body each

/// The other body of an edge that begins at this one and leaves the part, or -1.
int find_beyond(const Part& part, int first, int second) {
  if (part[first] == part[second]) return -1;
  return part[first] ? second : first;
}

/// One more body of the part, over joints other than `left_out` and over cylinders; -1 if there is none.
int find_next(const Machine& machine, int left_out, const Part& part) {
  for (int j = 0; j < static_cast<int>(machine.joints.size()); ++j) {
    const Joint& joint = machine.joints[j];
    const int body = j == left_out ? -1 : find_beyond(part, joint.first.body, joint.second.body);
    if (body >= 0) return body;
  }
  for (const Drive& drive : machine.drives) {
    const bool is_bond = drive.kind == DriveKind::cylinder;
    const int body = is_bond ? find_beyond(part, drive.first.body, drive.second.body) : -1;
    if (body >= 0) return body;
  }
  return -1;
}

/// All bodies that hang together with this one when the joint is left out.
Part build_part(const Machine& machine, int joint, int body) {
  Part part(machine.bodies.size(), false);
  for (; body >= 0; body = find_next(machine, joint, part)) part[body] = true;
  return part;
}

bool is_driven(const Machine& machine, int joint) {
  return std::any_of(machine.drives.begin(), machine.drives.end(), [&](const Drive& drive) {
    return drive.kind == DriveKind::slide && drive.joint == joint;
  });
}

std::optional<double> find_start(const Machine& machine, int joint) {
  if (machine.joints[joint].kind == JointKind::revolute || is_driven(machine, joint)) return std::nullopt;
  const bool is_listed = joint < static_cast<int>(machine.start_slides.size());
  if (is_listed && machine.start_slides[joint]) return machine.start_slides[joint];
  return machine.is_drawing ? std::nullopt : std::optional(0.0);
}

/// (p2 - p1)·along shall be `slide`.
Vec2 calc_shift(const Machine& machine, const Pose& pose, const Joint& joint, double slide) {
  const Vec2 p1 = calc_position(machine, pose, joint.first);
  const Vec2 p2 = calc_position(machine, pose, joint.second);
  const double angle = pose.bodies[joint.first.body].angle;
  const double c = std::cos(angle), s = std::sin(angle);
  const double dx = joint.direction_x.value, dy = joint.direction_y.value;
  const Vec2 along{c * dx - s * dy, s * dx + c * dy};
  const double way = slide - ((p2.x - p1.x) * along.x + (p2.y - p1.y) * along.y);
  return {way * along.x, way * along.y};
}

}  // namespace

bool is_free_slide(const Machine& machine, int joint) {
  const Joint& slide = machine.joints[joint];
  return !build_part(machine, joint, slide.second.body)[slide.first.body];
}

void place_free_slides(const Machine& machine, Pose& pose) {
  for (int j = 0; j < static_cast<int>(machine.joints.size()); ++j) {
    const std::optional<double> start = find_start(machine, j);
    if (!start || !is_free_slide(machine, j)) continue;
    const Joint& joint = machine.joints[j];
    const Part part = build_part(machine, j, joint.second.body);
    const Vec2 shift = calc_shift(machine, pose, joint, *start);
    const double sign = part[0] ? -1.0 : 1.0;
    for (std::size_t b = 0; b < part.size(); ++b) {
      if (part[b] == part[0]) continue;
      pose.bodies[b].x += sign * shift.x;
      pose.bodies[b].y += sign * shift.y;
    }
  }
}

}  // namespace rodeo::machine
