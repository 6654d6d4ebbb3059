// SPDX-License-Identifier: MIT
#include "kinematics/codegen/loci.h"

#include <set>

#include "kinematics/codegen/positions.h"

namespace rodeo::codegen {
namespace {

using machine::Drive;
using machine::DriveKind;
using machine::Joint;
using machine::JointKind;
using machine::PointRef;

/// A body of known direction that is held by a line carries its pins on lines.
std::optional<Locus> find_locus_by_line(Placement& known, PointRef member) {
  const std::vector<Line> lines = find_lines(known, member.body);
  if (lines.empty()) return std::nullopt;
  const Vec arm = known.carried(member.body, known.linkage().local(member));
  const Line& held = lines[0];
  return Locus{Line{held.normal, held.offset + dot(held.normal, arm), held.at_start, held.guide},
               std::nullopt, known.linkage().name(member.body)};
}

/// A body that turns about a known pin carries its other pins on circles.
std::optional<Locus> find_locus_about(Placement& known, PointRef pivot, PointRef member) {
  const Linkage& linkage = known.linkage();
  const auto centre = known.place_of(pivot);
  if (!centre || (pivot.body == member.body && !linkage.is_apart(pivot, member))) return std::nullopt;
  const Vec d = linkage.local_in(pivot.body, member) - linkage.local(pivot);
  const Expr square = dot(d, d);
  const Expr radius = d.y.is_number(0) ? expr::operation(expr::Op::abs, {d.x}) : expr::sqrt(square);
  return Locus{std::nullopt, Circle{*centre, radius, square, known.at_start(pivot), linkage.pin(pivot)},
               linkage.name(member.body)};
}

/// The pin may be on the body itself, or on one that a driven slide holds to it.
std::optional<Locus> find_locus_by_circle(Placement& known, PointRef member) {
  for (const int body : known.linkage().held_with(member.body)) {
    for (int p = 0; p < known.linkage().point_count(body); ++p) {
      if (const auto locus = find_locus_about(known, {body, p}, member)) return locus;
    }
  }
  return std::nullopt;
}

std::optional<Locus> find_locus_by_body(Placement& known, PointRef member) {
  if (known.is_placed(member.body)) return std::nullopt;
  return known.has_direction(member.body) ? find_locus_by_line(known, member)
                                          : find_locus_by_circle(known, member);
}

void add_guide_locus(Placement& known, const Joint& joint, int pin, std::vector<Locus>& loci) {
  if (joint.kind == JointKind::revolute || known.linkage().pin(joint.second) != pin) return;
  if (!known.is_placed(joint.first.body)) return;
  if (known.has_direction(joint.second.body)) return;  // the body's own line says it already
  const Vec n = turn(known.guide(joint));
  loci.push_back({Line{n, dot(n, *known.place_of(joint.first)), known.normal_at_start(joint), &joint},
                  std::nullopt, joint.name});
}

void add_cylinder_locus(Placement& known, const Drive& drive, int pin, std::vector<Locus>& loci) {
  if (drive.kind != DriveKind::cylinder) return;
  const Linkage& linkage = known.linkage();
  for (const bool forward : {true, false}) {
    const PointRef here = forward ? drive.second : drive.first;
    const PointRef there = forward ? drive.first : drive.second;
    if (linkage.pin(here) != pin || !known.place_of(there)) continue;
    const Expr length = drive_position(drive);
    const Circle circle{*known.place_of(there), length, length * length, known.at_start(there),
                        linkage.pin(there)};
    loci.push_back({std::nullopt, circle, drive.name});
  }
}

}  // namespace

std::vector<Line> find_lines(Placement& known, int body) {
  const Linkage& linkage = known.linkage();
  std::vector<Line> lines;
  for (const int j : linkage.joints_of(body)) {
    const Joint& joint = linkage.joint(j);
    if (joint.kind == JointKind::revolute) continue;
    const bool is_guided = joint.second.body == body && known.is_placed(joint.first.body);
    const bool guides = !is_guided && joint.first.body == body && known.place_of(joint.second);
    if (!is_guided && !guides) continue;
    const PointRef here = guides ? joint.first : joint.second;
    const PointRef there = guides ? joint.second : joint.first;
    const Vec n = turn(known.guide(joint));
    const Expr offset = dot(n, *known.place_of(there) - known.carried(body, linkage.local(here)));
    lines.push_back({n, offset, known.normal_at_start(joint), &joint});
  }
  return lines;
}

std::vector<Locus> find_loci(Placement& known, int pin) {
  const Linkage& linkage = known.linkage();
  std::vector<Locus> loci;
  std::set<int> joints, drives;
  for (const PointRef& member : linkage.members(pin)) {
    if (const auto locus = find_locus_by_body(known, member)) loci.push_back(*locus);
    joints.insert(linkage.joints_of(member.body).begin(), linkage.joints_of(member.body).end());
    drives.insert(linkage.drives_of(member.body).begin(), linkage.drives_of(member.body).end());
  }
  for (const int j : joints) add_guide_locus(known, linkage.joint(j), pin, loci);
  for (const int d : drives) add_cylinder_locus(known, linkage.drive(d), pin, loci);
  return loci;
}

}  // namespace rodeo::codegen
