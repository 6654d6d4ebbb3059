// SPDX-License-Identifier: MIT
// Drawings are planar: their bodies and joints are read as such and lifted into space.
#include "kinematics/spatial/reader.h"

namespace rodeo::spatial {
namespace {

Triple lift(const Quantity& x, const Quantity& y) { return {x, y, {}}; }

Body lift(const machine::Body& planar) {
  Body body;
  body.name = planar.name;
  body.where = planar.where;
  body.look = planar.look;
  body.mass = planar.mass;
  for (const machine::Point& point : planar.points)
    body.points.push_back({point.name, lift(point.x, point.y), point.where});
  if (planar.com_x) body.com = lift(*planar.com_x, *planar.com_y);
  if (planar.inertia) body.inertia = Inertia{*planar.inertia, *planar.inertia, *planar.inertia, {}, {}, {}};
  return body;
}

JointKind lift(machine::JointKind kind) {
  switch (kind) {
    case machine::JointKind::revolute: return JointKind::revolute;
    case machine::JointKind::slider: return JointKind::point_on_line;
    case machine::JointKind::prismatic: return JointKind::prismatic;
  }
  return JointKind::revolute;
}

Joint lift(const machine::Joint& planar) {
  Joint joint;
  joint.kind = lift(planar.kind);
  joint.name = planar.name;
  joint.where = planar.where;
  joint.first = planar.first;
  joint.second = planar.second;
  joint.axis_first = joint.axis_second = default_axis();
  if (planar.kind == machine::JointKind::revolute) return joint;
  joint.axis_first = lift(planar.direction_x, planar.direction_y);
  joint.angle = planar.angle;
  joint.axis_second = build_turned_back(joint.axis_first, joint.angle);
  return joint;
}

}  // namespace

void read_drawing(Reader& reader, const text::Node& drawing) {
  machine::read_drawing(reader.base, drawing);
  for (const machine::Body& body : reader.base.machine.bodies) reader.machine.bodies.push_back(lift(body));
}

void read_drawn_joints(Reader& reader, const text::Node* joints) {
  machine::read_joints(reader.base, joints);
  machine::add_pins(reader.base);
  machine::index_joints(reader.base);
  for (const machine::Joint& joint : reader.base.machine.joints) reader.machine.joints.push_back(lift(joint));
}

}  // namespace rodeo::spatial
