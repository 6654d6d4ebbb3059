// SPDX-License-Identifier: MIT
#include "kinematics/codegen/placing.h"

#include "kinematics/codegen/positions.h"

namespace rodeo::codegen {

using machine::DriveKind;
using machine::PointRef;

int try_direct(Placement& known, int first, int second, Expr angle) {
  const bool forward = known.has_direction(first);
  if (forward == known.has_direction(second)) return -1;
  const int from = forward ? first : second;
  const int to = forward ? second : first;
  const Vec by = forward ? direction(angle) : conjugate(direction(angle));
  std::optional<Expr> sum;
  if (known.angle(from)) sum = forward ? *known.angle(from) + angle : *known.angle(from) - angle;
  known.set_frame(to, {known.frame(from).local, times(by, known.frame(from).world)}, sum);
  return to;
}

int try_direct(Placement& known, const machine::Joint& joint) {
  if (joint.kind != machine::JointKind::prismatic) return -1;
  return try_direct(known, joint.first.body, joint.second.body, joint.angle.expr);
}

int try_direct(Placement& known, const machine::Drive& drive) {
  if (drive.kind == DriveKind::slide || drive.kind == DriveKind::cylinder) return -1;
  return try_direct(known, drive.first_body, drive.second_body, drive_position(drive));
}

bool try_place_by_point(Placement& known, int body) {
  if (!known.has_direction(body)) return false;
  const Linkage& linkage = known.linkage();
  std::optional<PointRef> found;
  for (int p = 0; p < linkage.point_count(body); ++p) {
    const bool is_origin = is_zero(linkage.local({body, p}));
    if ((!found || is_origin) && known.place_of({body, p})) found = {body, p};
  }
  if (!found) return false;
  known.set_base(body, linkage.local(*found), *known.place_of(*found));
  return true;
}

int try_place_along(Placement& known, const machine::Joint& joint, Expr along) {
  const bool forward = known.is_placed(joint.first.body);
  const PointRef here = forward ? joint.second : joint.first;
  const PointRef there = forward ? joint.first : joint.second;
  if (forward == known.is_placed(joint.second.body) || !known.has_direction(here.body)) return -1;
  const Vec way = along * known.guide(joint);
  const Vec place = known.on_body(there);
  known.set_base(here.body, known.linkage().local(here), forward ? place + way : place - way);
  return here.body;
}

}  // namespace rodeo::codegen
