// SPDX-License-Identifier: MIT
#include "kinematics/codegen/load_points.h"

namespace rodeo::codegen {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

Expr output_symbol(const std::string& name) { return expr::variable("o:" + name); }

LoadPoints::LoadPoints(const machine::Machine& machine, std::vector<Placed> bodies,
                       std::vector<BodyMotion> motions)
    : machine_(machine), bodies_(std::move(bodies)), motions_(std::move(motions)) {
  machine::RodOptions options;
  options.reference = machine::RodReference::inner_pin;
  pivots_ = machine::find_centres(machine, options);
}

LoadPoints::LoadPoints(const machine::Machine& machine)
    : LoadPoints(machine, std::vector<Placed>(1), std::vector<BodyMotion>(1)) {
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
    const auto output = [&](const char* what) { return output_symbol(machine.bodies[b].name + what); };
    Placed placed;
    placed.frame.world = direction(output(".angle"));
    placed.origin = {output(".origin.x"), output(".origin.y")};
    bodies_.push_back(placed);
    motions_.push_back({output(".rate"),
                        output(".acceleration"),
                        {output(".origin.vx"), output(".origin.vy")},
                        {output(".origin.ax"), output(".origin.ay")}});
  }
}

PointMotion LoadPoints::find(machine::PointRef ref) const {
  const machine::Point& point = machine_.point(ref);
  return find(ref.body, {point.x.expr, point.y.expr});
}

PointMotion LoadPoints::find(int body, const Vec& local) const {
  if (body == 0) return {local, local, {0.0, 0.0}, {0.0, 0.0}};
  const BodyMotion& m = motion(body);
  const Vec r = carry(bodies_[at(body)].frame, local);
  return {r, bodies_[at(body)].origin + r, m.v + m.w * turn(r), m.a + m.alpha * turn(r) - m.w * (m.w * r)};
}

LengthMotion LoadPoints::find_length(machine::PointRef first, machine::PointRef second) const {
  const PointMotion a = find(first), b = find(second);
  const Vec d = b.p - a.p;
  const Expr length = expr::sqrt(dot(d, d));
  return {d, length, dot(d, b.v - a.v) / length};
}

/// l l̈ = dᵀd̈ + ḋᵀḋ − l̇².
Expr LoadPoints::calc_length_acceleration(machine::PointRef first, machine::PointRef second) const {
  const LengthMotion at = find_length(first, second);
  const PointMotion a = find(first), b = find(second);
  const Vec v = b.v - a.v;
  return (dot(at.d, b.a - a.a) + dot(v, v) - at.rate * at.rate) / at.length;
}

Vec LoadPoints::arm_there(int body, const Vec& p) const { return p - bodies_[at(body)].origin; }

Vec LoadPoints::velocity_there(int body, const Vec& p) const {
  if (body == 0) return {0.0, 0.0};
  return motion(body).v + motion(body).w * turn(arm_there(body, p));
}

Vec LoadPoints::acceleration_there(int body, const Vec& p) const {
  if (body == 0) return {0.0, 0.0};
  const BodyMotion& m = motion(body);
  const Vec r = arm_there(body, p);
  return m.a + m.alpha * turn(r) - m.w * (m.w * r);
}

Expr LoadPoints::calc_slide_rate(const machine::Joint& joint) const {
  const PointMotion at = find(joint.second);
  return dot(guide(joint), at.v - velocity_there(joint.first.body, at.p));
}

/// Coriolis' part is across the guide: what slides along it moves along it only.
Expr LoadPoints::calc_slide_acceleration(const machine::Joint& joint) const {
  const PointMotion at = find(joint.second);
  return dot(guide(joint), at.a - acceleration_there(joint.first.body, at.p));
}

Vec LoadPoints::guide(const machine::Joint& joint) const {
  return carry(bodies_[at(joint.first.body)].frame, {joint.direction_x.expr, joint.direction_y.expr});
}

Vec LoadPoints::find_com(int body) const {
  const machine::Body& b = machine_.bodies[at(body)];
  if (b.com_x && b.com_y) return {b.com_x->expr, b.com_y->expr};
  Vec sum{0.0, 0.0};
  for (const machine::Point& point : b.points) sum = sum + Vec{point.x.expr, point.y.expr};
  return (1.0 / static_cast<double>(b.points.size())) * sum;
}

Vec LoadPoints::find_pivot(int body) const {
  return find(body, {pivots_[at(body)].x, pivots_[at(body)].y}).r;
}

}  // namespace rodeo::codegen
