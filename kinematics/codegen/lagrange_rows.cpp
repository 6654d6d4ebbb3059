// SPDX-License-Identifier: MIT
#include "kinematics/codegen/lagrange_rows.h"

namespace rodeo::codegen {
namespace {

using machine::DriveKind;
using machine::JointKind;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

class RowBuilder {
 public:
  RowBuilder(const machine::Machine& machine, const CentredBodies& bodies)
      : machine_(machine), bodies_(bodies), points_(machine, bodies.placed, bodies.motions) {}

  RowExprs build_joint(const machine::Joint& joint, int component) {
    if (joint.kind == JointKind::revolute)
      return build_gap(joint.first, joint.second, component == 0 ? Vec{1.0, 0.0} : Vec{0.0, 1.0});
    if (component == 0) return build_across(joint.first, joint.second, turn(points_.guide(joint)));
    RowExprs row = build_angle(joint.first.body, joint.second.body);
    row.residual = row.residual - joint.angle.expr;
    return row;
  }

  RowExprs build_drive(const machine::Drive& drive) {
    RowExprs row;
    switch (drive.kind) {
      case DriveKind::angle:
      case DriveKind::relative_angle: row = build_angle(drive.first_body, drive.second_body); break;
      case DriveKind::slide:
        row = build_across(drive.first, drive.second, points_.guide(machine_.joints[at(drive.joint)]));
        break;
      case DriveKind::cylinder: row = build_distance(drive.first, drive.second); break;
    }
    row.residual = row.residual - drive_position(drive);
    row.rate = row.rate - drive_rate(drive);
    row.bias = row.bias - drive_acceleration(drive);
    return row;
  }

  std::array<Expr, 3> build_length(const machine::Drive& drive) {
    const LengthMotion at = points_.find_length(drive.first, drive.second);
    return {at.length, at.rate, points_.calc_length_acceleration(drive.first, drive.second)};
  }

 private:
  /// From the centre of mass of its body.
  [[nodiscard]] Vec arm(machine::PointRef ref) const {
    const machine::Point& p = machine_.point(ref);
    const Vec local{p.x.expr, p.y.expr};
    if (ref.body == 0) return local;
    return carry(bodies_.placed[at(ref.body)].frame, local - points_.find_com(ref.body));
  }

  static RowExprs build_terms(const Vec& u, Expr turn_first, Expr turn_second) {
    RowExprs row;
    row.terms = {-u.x, -u.y, turn_first, u.x, u.y, turn_second};
    return row;
  }

  RowExprs build_gap(machine::PointRef first, machine::PointRef second, const Vec& u) {
    const PointMotion a = points_.find(first), b = points_.find(second);
    RowExprs row = build_terms(u, -dot(u, turn(arm(first))), dot(u, turn(arm(second))));
    row.residual = dot(u, b.p - a.p);
    row.rate = dot(u, b.v - a.v);
    row.bias = dot(u, b.a - a.a);
    return row;
  }

  /// u turns with the first body.
  RowExprs build_across(machine::PointRef first, machine::PointRef second, const Vec& u) {
    RowExprs row = build_gap(first, second, u);
    const PointMotion a = points_.find(first), b = points_.find(second);
    const Expr w = first.body == 0 ? Expr(0.0) : points_.motion(first.body).w;
    row.terms[2] = row.terms[2] + dot(turn(u), b.p - a.p);
    row.rate = row.rate + w * dot(turn(u), b.p - a.p);
    row.bias = row.bias + 2.0 * (w * dot(turn(u), b.v - a.v)) - w * (w * dot(u, b.p - a.p));
    return row;
  }

  RowExprs build_distance(machine::PointRef first, machine::PointRef second) {
    const PointMotion a = points_.find(first), b = points_.find(second);
    const Vec d = b.p - a.p;
    const Expr length = expr::sqrt(dot(d, d));
    const Vec u = (1.0 / length) * d;
    RowExprs row = build_gap(first, second, u);
    const Expr sideways = dot(turn(u), b.v - a.v);
    row.residual = length;
    row.bias = row.bias + sideways * sideways / length;
    return row;
  }

  RowExprs build_angle(int first, int second) {
    RowExprs row = build_terms({0.0, 0.0}, -1.0, 1.0);
    row.residual = bodies_.angles[at(second)] - bodies_.angles[at(first)];
    row.rate = bodies_.motions[at(second)].w - bodies_.motions[at(first)].w;
    row.bias = 0.0;
    return row;
  }

  const machine::Machine& machine_;
  const CentredBodies& bodies_;
  LoadPoints points_;
};

}  // namespace

std::array<Channel, 3> coordinate_channels(const machine::Body& body) {
  return {{{body.name + ".com.x", "m"}, {body.name + ".com.y", "m"}, {body.name + ".com.angle", "rad"}}};
}

CentredBodies build_centred_bodies(const machine::Machine& machine,
                                   const std::function<Expr(const std::string&)>& position,
                                   bool accelerations) {
  const LoadPoints points(machine);
  CentredBodies bodies{{Placed{}}, {BodyMotion{}}, {0.0}, {Vec{}}, {Vec{}}};
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
    std::array<Expr, 3> q, v, a;
    const auto channels = coordinate_channels(machine.bodies[b]);
    for (std::size_t i = 0; i < 3; ++i) {
      q[i] = position(channels[i].name);
      v[i] = expr::variable("v:" + channels[i].name);
      a[i] = accelerations ? expr::variable("a:" + channels[i].name) : Expr(0.0);
    }
    Placed placed;
    placed.frame.world = direction(q[2]);
    placed.angle = q[2];
    const Vec r = carry(placed.frame, points.find_com(static_cast<int>(b)));
    placed.origin = Vec{q[0], q[1]} - r;
    bodies.placed.push_back(placed);
    bodies.motions.push_back(
        {v[2], a[2], Vec{v[0], v[1]} - v[2] * turn(r), Vec{a[0], a[1]} - a[2] * turn(r) + v[2] * (v[2] * r)});
    bodies.angles.push_back(q[2]);
    bodies.centres.push_back({q[0], q[1]});
    bodies.from_origin.push_back(r);
  }
  return bodies;
}

RowExprs build_row(const machine::Machine& machine, const CentredBodies& bodies, const machine::Row& row) {
  RowBuilder builder(machine, bodies);
  if (row.drive >= 0) return builder.build_drive(machine.drives[at(row.drive)]);
  return builder.build_joint(machine.joints[at(row.joint)], row.component);
}

std::array<Expr, 3> build_length(const machine::Machine& machine, const CentredBodies& bodies,
                                 const machine::Drive& cylinder) {
  return RowBuilder(machine, bodies).build_length(cylinder);
}

}  // namespace rodeo::codegen
