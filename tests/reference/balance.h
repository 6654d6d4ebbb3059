// SPDX-License-Identifier: MIT
// The balance of a machine under all that acts on it, written again by hand: d'Alembert with the motion of an oracle in absolute
// coordinates.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "tests/reference/absolute_oracle.h"

namespace rodeo::reference {

using machine::Force;
using machine::ForceKind;
using machine::Joint;

inline Real cross(const Vector2& a, const Vector2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// What acts on one body: force, and moment about the origin of the page.
struct Wrench {
  Vector2 force = Vector2::Zero();
  Real moment = 0;
  Real size = 0;  // of all that was added, for relative errors

  void push(const Vector2& at, const Vector2& f) {
    force += f;
    moment += cross(at, f);
    size += f.norm();
  }
  void turn(Real torque) {
    moment += torque;
    size += std::abs(torque);
  }
};

/// `values`: loads and inputs by name; what is not named is nil.
class Balance {
 public:
  Balance(const Machine& machine, const Motion& motion, std::map<std::string, double> values, double time)
      : machine_(machine),
        oracle_(machine),
        motion_(motion),
        values_(std::move(values)),
        time_(time),
        wrenches_(machine.bodies.size()) {}

  [[nodiscard]] Real calc_error() {
    for (std::size_t b = 1; b < machine_.bodies.size(); ++b) add_mass_of(static_cast<int>(b));
    for (const Force& force : machine_.forces) add(force);
    for (const Joint& joint : machine_.joints) add(joint);
    for (const machine::Drive& drive : machine_.drives) add(drive);
    Real largest = 0;
    for (std::size_t b = 1; b < wrenches_.size(); ++b) {
      const Real size = wrenches_[b].size + 1e-9L;
      largest = std::max({largest, wrenches_[b].force.norm() / size, std::abs(wrenches_[b].moment) / size});
    }
    return largest;
  }

 private:
  Wrench& on(int body) { return wrenches_[static_cast<std::size_t>(body)]; }
  PointMotion point(PointRef ref) { return oracle_.calc_point(motion_, ref); }
  [[nodiscard]] Real value(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? 0.0L : found->second;  // a redundant row carries nothing
  }
  [[nodiscard]] Real number(expr::Expr e) const {
    const expr::Expr known = expr::substitute(e, [&](expr::Expr symbol) -> expr::Expr {
      if (symbol == expr::time_symbol()) return time_;
      for (const expr::Parameter& p : machine_.parameters) {
        if (symbol == expr::symbol(p.name)) return p.number;
      }
      return values_.at(symbol->name.substr(2));  // u:dig.x
    });
    EXPECT_TRUE(known.is_number());
    return known->value;
  }
  [[nodiscard]] Real rate(int body) const { return body == 0 ? 0.0L : motion_.v[3 * body - 1]; }

  /// A point of a body that is none of the file's.
  PointMotion place(int body, Real x, Real y) const {
    const Eigen::Index i = 3 * (body - 1);
    const Real c = std::cos(motion_.q[i + 2]), s = std::sin(motion_.q[i + 2]), w = motion_.v[i + 2];
    const Vector2 r(c * x - s * y, s * x + c * y);
    return {motion_.q.segment<2>(i) + r, motion_.v.segment<2>(i) + w * turned(r),
            motion_.a.segment<2>(i) + motion_.a[i + 2] * turned(r) - w * w * r};
  }

  void add_mass(int body, Real x, Real y, Real mass) {
    const Vector2 g(machine_.gravity_x ? machine_.gravity_x->value : 0.0,
                    machine_.gravity_y ? machine_.gravity_y->value : 0.0);
    const PointMotion at = place(body, x, y);
    on(body).push(at.p, -mass * (at.a - g));
  }

  void add_mass_of(int b) {
    const machine::Body& body = machine_.bodies[static_cast<std::size_t>(b)];
    if (!body.mass) return;
    ASSERT_TRUE(body.com_x) << "tests give every centre";
    add_mass(b, body.com_x->value, body.com_y->value, body.mass->value);
    if (body.inertia) on(b).turn(-body.inertia->value * motion_.a[3 * b - 1]);
  }

  void add(const Force& force) {
    switch (force.kind) {
      case ForceKind::spring:
      case ForceKind::damper: {
        const PointMotion a = point(force.first), b = point(force.second);
        const Vector2 d = b.p - a.p;
        const Vector2 e = d.normalized();
        const Vector2 pull = (force.stiffness.value * (d.norm() - force.rest_length.value) +
                              force.damping.value * e.dot(b.v - a.v)) *
                             e;
        on(force.first.body).push(a.p, pull);
        on(force.second.body).push(b.p, -pull);
        return;
      }
      case ForceKind::torque:
        on(force.body).turn(number(force.value_x));
        on(force.against).turn(-number(force.value_x));
        return;
      case ForceKind::force:
        on(force.first.body).push(point(force.first).p, {number(force.value_x), number(force.value_y)});
        return;
      case ForceKind::payload:
        add_mass(force.body, number(force.com_x), number(force.com_y), number(force.mass));
        return;
      case ForceKind::friction: add_friction(force); return;
      case ForceKind::stop:
      case ForceKind::contact: ADD_FAILURE() << "tests of loads have no stops"; return;
    }
  }

  void add_friction(const Force& force) {
    const Joint& joint = machine_.joints[static_cast<std::size_t>(force.joint)];
    const int a = joint.first.body, b = joint.second.body;
    if (joint.kind == JointKind::revolute) {
      const Real torque = force.viscous.value * (rate(b) - rate(a));
      on(b).turn(-torque);
      on(a).turn(torque);
      return;
    }
    const PointMotion p = point(joint.second), q = point(joint.first);
    const Vector2 u = direction(joint);
    const Real speed = u.dot(p.v - q.v - rate(a) * turned(p.p - q.p));
    on(b).push(p.p, -force.viscous.value * speed * u);
    on(a).push(p.p, force.viscous.value * speed * u);
  }

  [[nodiscard]] Vector2 direction(const Joint& joint) const {
    const Real angle = joint.first.body == 0 ? 0.0L : motion_.q[3 * joint.first.body - 1];
    const Real x = joint.direction_x.value, y = joint.direction_y.value;
    return {std::cos(angle) * x - std::sin(angle) * y, std::sin(angle) * x + std::cos(angle) * y};
  }

  void couple(int a, int b, const Vector2& at, const Vector2& f) {
    on(b).push(at, f);
    on(a).push(at, -f);
  }

  void add(const Joint& joint) {
    const int a = joint.first.body, b = joint.second.body;
    const Vector2 at = point(joint.second).p;
    if (joint.kind == JointKind::revolute)
      return couple(a, b, at, {value(joint.name + ".fx"), value(joint.name + ".fy")});
    couple(a, b, at, value(joint.name + ".force") * turned(direction(joint)));
    if (joint.kind != JointKind::prismatic) return;
    on(b).turn(value(joint.name + ".torque"));
    on(a).turn(-value(joint.name + ".torque"));
  }

  void add(const machine::Drive& drive) {
    if (drive.kind == machine::DriveKind::angle || drive.kind == machine::DriveKind::relative_angle) {
      on(drive.second_body).turn(value(drive.name + ".torque"));
      on(drive.first_body).turn(-value(drive.name + ".torque"));
      return;
    }
    const Real f = value(drive.name + ".force");
    if (drive.kind == machine::DriveKind::cylinder) {
      const Vector2 a = point(drive.first).p, b = point(drive.second).p;
      const Vector2 e = (b - a).normalized();
      on(drive.second.body).push(b, f * e);
      on(drive.first.body).push(a, -f * e);
      return;
    }
    const Joint& joint = machine_.joints[static_cast<std::size_t>(drive.joint)];
    couple(joint.first.body, joint.second.body, point(joint.second).p, f * direction(joint));
  }

  const Machine& machine_;
  AbsoluteOracle oracle_;
  const Motion& motion_;
  std::map<std::string, double> values_;
  double time_;
  std::vector<Wrench> wrenches_;
};

}  // namespace rodeo::reference
