// SPDX-License-Identifier: MIT
#include "kinematics/codegen/forces.h"

#include "kinematics/machine/force_names.h"

namespace rodeo::codegen {
namespace {

using machine::Force;
using machine::ForceKind;
using machine::Joint;
using machine::JointKind;

Strut build_strut(const Force& force, const LoadPoints& points) {
  const auto [d, length, speed] = points.find_length(force.first, force.second);
  const Expr stretch = length - force.rest_length.expr;
  return {length, speed, force.stiffness.expr * stretch + force.damping.expr * speed};
}

/// What a stop pushes `depth` inside of it, going on at `rate`: spring and damper, never pulling; and its energies. THEORY X7.
struct Push {
  Expr push, stored, lost;
};
Push build_push(const Force& force, const Expr& depth, const Expr& rate) {
  using expr::Op, expr::operation;
  const Expr closed = operation(Op::less, {0.0, depth});
  const Expr spring = force.stiffness.expr * depth;
  const Expr both = spring + force.damping.expr * rate;
  const Expr pushes = operation(Op::less, {0.0, both});
  const Expr push = operation(Op::select, {closed, operation(Op::select, {pushes, both, 0.0}), 0.0});
  return {push, operation(Op::select, {closed, spring * depth / 2.0, 0.0}),
          operation(Op::select, {closed, (push - spring) * rate, 0.0})};
}

Strut build_stop(const Force& force, const LoadPoints& points) {
  const auto [d, length, speed] = points.find_length(force.first, force.second);
  Expr pull = 0.0;
  if (force.lower) pull = pull - build_push(force, force.lower->expr - length, -speed).push;
  if (force.upper) pull = pull + build_push(force, length - force.upper->expr, speed).push;
  return {length, speed, pull};
}

Strut build_contact(const Force& force, const LoadPoints& points) {
  const PointMotion at = points.find(force.first);
  return {at.p.y - force.lower->expr, at.v.y, build_push(force, force.lower->expr - at.p.y, -at.v.y).push};
}

class ForceAdder {
 public:
  ForceAdder(const machine::Machine& machine, const LoadPoints& points, ForceSink& sink)
      : machine_(machine), points_(points), sink_(sink) {}

  Energies run() {
    for (int b = 1; b < static_cast<int>(machine_.bodies.size()); ++b) add_body(b);
    for (const Force& force : machine_.forces) add(force);
    return energies_;
  }

 private:
  void add_mass(int body, const Vec& local, Expr mass, Expr inertia) {
    const PointMotion at = points_.find(body, local);
    const BodyMotion& motion = points_.motion(body);
    const Vec gravity = {machine_.gravity_x ? machine_.gravity_x->expr : Expr(0.0),
                         machine_.gravity_y ? machine_.gravity_y->expr : Expr(0.0)};
    sink_.push(body, at.r, -(mass * (at.a - gravity)));
    sink_.turn(body, -(inertia * motion.alpha));
    energies_.kinetic =
        energies_.kinetic + mass * dot(at.v, at.v) / 2.0 + inertia * motion.w * motion.w / 2.0;
    energies_.potential = energies_.potential - mass * dot(gravity, at.p);
  }

  void add_body(int b) {
    const machine::Body& body = machine_.bodies[static_cast<std::size_t>(b)];
    if (!body.mass) return;
    add_mass(b, points_.find_com(b), body.mass->expr, body.inertia ? body.inertia->expr : Expr(0.0));
  }

  void add(const Force& force) {
    switch (force.kind) {
      case ForceKind::spring:
      case ForceKind::damper: return add_spring(force);
      case ForceKind::torque: return add_torque(force);
      case ForceKind::force: return add_point_force(force);
      case ForceKind::friction: return add_friction(force);
      case ForceKind::payload: return add_mass(force.body, {force.com_x, force.com_y}, force.mass, 0.0);
      case ForceKind::stop: return add_stop(force);
      case ForceKind::contact: return add_contact(force);
    }
  }

  void add_spring(const Force& force) {
    const PointMotion a = points_.find(force.first);
    const PointMotion b = points_.find(force.second);
    const Vec d = b.p - a.p;
    const auto [length, speed, pull] = build_strut(force, points_);
    const Expr stretch = length - force.rest_length.expr;
    const Vec f = (pull / length) * d;
    sink_.push(force.first.body, a.r, f);
    sink_.push(force.second.body, b.r, -f);
    energies_.potential = energies_.potential + force.stiffness.expr * stretch * stretch / 2.0;
    energies_.lost = energies_.lost + force.damping.expr * speed * speed;
  }

  Expr add_push(const Force& force, const Expr& depth, const Expr& rate) {
    const Push push = build_push(force, depth, rate);
    energies_.potential = energies_.potential + push.stored;
    energies_.lost = energies_.lost + push.lost;
    return push.push;
  }

  void add_stop(const Force& force) {
    const PointMotion a = points_.find(force.first);
    const PointMotion b = points_.find(force.second);
    const auto [d, length, speed] = points_.find_length(force.first, force.second);
    Expr apart = 0.0;
    if (force.lower) apart = apart + add_push(force, force.lower->expr - length, -speed);
    if (force.upper) apart = apart - add_push(force, length - force.upper->expr, speed);
    const Vec f = (apart / length) * d;
    sink_.push(force.first.body, a.r, -f);
    sink_.push(force.second.body, b.r, f);
  }

  void add_contact(const Force& force) {
    const PointMotion at = points_.find(force.first);
    const Expr push = add_push(force, force.lower->expr - at.p.y, -at.v.y);
    const Expr pushes = expr::operation(expr::Op::less, {0.0, push});
    const Expr drag = expr::operation(expr::Op::select, {pushes, force.viscous.expr * at.v.x, 0.0});
    energies_.lost = energies_.lost + drag * at.v.x;
    sink_.push(force.first.body, at.r, {-drag, push});
  }

  void add_torque(const Force& force) {
    sink_.turn(force.body, force.value_x);
    sink_.turn(force.against, -force.value_x);
    const Expr rate = points_.motion(force.body).w - points_.motion(force.against).w;
    energies_.given = energies_.given + force.value_x * rate;
  }

  void add_point_force(const Force& force) {
    const PointMotion at = points_.find(force.first);
    const Vec f = {force.value_x, force.value_y};
    sink_.push(force.first.body, at.r, f);
    energies_.given = energies_.given + dot(f, at.v);
  }

  void add_friction(const Force& force) {
    const Joint& joint = machine_.joints[static_cast<std::size_t>(force.joint)];
    const int a = joint.first.body, b = joint.second.body;
    const bool turns = joint.kind == JointKind::revolute;
    const Expr rate = turns ? points_.motion(b).w - points_.motion(a).w : points_.calc_slide_rate(joint);
    energies_.lost = energies_.lost + force.viscous.expr * rate * rate;
    if (turns) {
      sink_.turn(b, -(force.viscous.expr * rate));
      sink_.turn(a, force.viscous.expr * rate);
      return;
    }
    const PointMotion at = points_.find(joint.second);
    const Vec f = (force.viscous.expr * rate) * points_.guide(joint);
    sink_.push(b, at.r, -f);
    sink_.push(a, points_.arm_there(a, at.p), f);
  }

  const machine::Machine& machine_;
  const LoadPoints& points_;
  ForceSink& sink_;
  Energies energies_;
};

}  // namespace

std::vector<Strut> build_struts(const machine::Machine& machine, const LoadPoints& points) {
  std::vector<Strut> struts;
  for (const Force& force : machine.forces) {
    if (machine::is_strut(force)) struts.push_back(build_strut(force, points));
    if (force.kind == ForceKind::stop) struts.push_back(build_stop(force, points));
    if (force.kind == ForceKind::contact) struts.push_back(build_contact(force, points));
  }
  return struts;
}

Energies add_forces(const machine::Machine& machine, const LoadPoints& points, ForceSink& sink) {
  return ForceAdder(machine, points, sink).run();
}

}  // namespace rodeo::codegen
