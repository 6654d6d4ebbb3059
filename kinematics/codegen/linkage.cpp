// SPDX-License-Identifier: MIT
#include "kinematics/codegen/linkage.h"

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
}

Vec Linkage::local(PointRef ref) const { return {machine_.point(ref).x.expr, machine_.point(ref).y.expr}; }

bool Linkage::is_apart(PointRef a, PointRef b) const {
  const auto& p = machine_.point(a);
  const auto& q = machine_.point(b);
  return p.x.value != q.x.value || p.y.value != q.y.value;
}

}  // namespace rodeo::codegen
