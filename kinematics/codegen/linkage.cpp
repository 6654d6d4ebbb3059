// SPDX-License-Identifier: MIT
#include "kinematics/codegen/linkage.h"

#include "kinematics/codegen/positions.h"

namespace rodeo::codegen {

using machine::Drive;
using machine::DriveKind;
using machine::Joint;
using machine::JointKind;
using machine::PointRef;

namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Bodies that a drive acts between.
std::pair<int, int> ends_of(const Drive& drive) {
  const bool by_points = drive.kind == DriveKind::cylinder || drive.kind == DriveKind::slide;
  if (by_points) return {drive.first.body, drive.second.body};
  return {drive.first_body, drive.second_body};
}

}  // namespace

Linkage::Linkage(const machine::Machine& machine)
    : machine_(machine),
      pins_(machine),
      joints_of_(machine.bodies.size()),
      drives_of_(machine.bodies.size()) {
  for (std::size_t j = 0; j < machine.joints.size(); ++j) {
    const Joint& joint = machine.joints[j];
    if (joint.kind == JointKind::revolute) pins_.join(joint.first, joint.second);
    for (const PointRef& ref : {joint.first, joint.second})
      joints_of_[at(ref.body)].push_back(static_cast<int>(j));
  }
  for (int b = 0; b < body_count(); ++b) {
    for (int p = 0; p < point_count(b); ++p) members_[pin({b, p})].push_back({b, p});
  }
  for (std::size_t d = 0; d < machine.drives.size(); ++d) {
    const auto [first, second] = ends_of(machine.drives[d]);
    drives_of_[at(first)].push_back(static_cast<int>(d));
    drives_of_[at(second)].push_back(static_cast<int>(d));
  }
  build_clusters();
}

// ---- clusters

void Linkage::build_clusters() {
  held_.resize(machine_.bodies.size());
  for (int b = 0; b < body_count(); ++b) {
    held_[at(b)].cluster = b;
    clusters_.push_back({b});
  }
  for (const Drive& drive : machine_.drives) {
    if (drive.kind == DriveKind::slide) hold(drive);
  }
}

/// The second body's cluster becomes part of the first's: in the first body's frame, x = S + q u + R(angle)(x_B - P).
bool Linkage::hold(const Drive& drive) {
  const Joint& joint = this->joint(drive.joint);
  const int a = joint.first.body, b = joint.second.body;
  if (joint.kind != JointKind::prismatic || a == 0 || b == 0 || held_[at(a)].cluster == held_[at(b)].cluster)
    return false;
  const Held first = held_[at(a)], second = held_[at(b)];
  const Vec turned = direction(joint.angle.expr);
  const Vec along = drive_position(drive) * Vec{joint.direction_x.expr, joint.direction_y.expr};
  const Vec rotation =
      times(first.rotation, turned);  // of b in the first cluster, and where b's origin is there
  const Vec offset =
      first.offset + times(first.rotation, local(joint.first) + along) - times(rotation, local(joint.second));
  const Vec by = times(rotation, conjugate(second.rotation));
  for (const int body : clusters_[at(second.cluster)]) {
    Held& held = held_[at(body)];
    held = {first.cluster, times(by, held.rotation), offset + times(by, held.offset - second.offset)};
    clusters_[at(first.cluster)].push_back(body);
  }
  clusters_[at(second.cluster)].clear();
  return true;
}

Vec Linkage::local_in(int body, PointRef ref) const {
  if (ref.body == body) return local(ref);
  const Held &to = held_[at(body)], &from = held_[at(ref.body)];
  return times(conjugate(to.rotation), from.offset + times(from.rotation, local(ref)) - to.offset);
}

Vec Linkage::local(PointRef ref) const { return {machine_.point(ref).x.expr, machine_.point(ref).y.expr}; }

bool Linkage::is_apart(PointRef a, PointRef b) const {
  const auto& p = machine_.point(a);
  const auto& q = machine_.point(b);
  return p.x.value != q.x.value || p.y.value != q.y.value;
}

}  // namespace rodeo::codegen
