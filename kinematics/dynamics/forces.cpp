// SPDX-License-Identifier: MIT
#include "kinematics/dynamics/forces.h"

#include "kinematics/dynamics/stop_law.h"

namespace rodeo::dynamics {

using machine::Force;
using machine::ForceKind;
using machine::Machine;

namespace {

Point2 direction_of(const machine::Joint& joint) {
  return {joint.direction_x.value, joint.direction_y.value};
}

/// A force at a point that lies `arm` from the centre of mass.
void add_force(Vector& f, int body, const Point2& arm, const Point2& force) {
  if (body == 0) return;
  const Eigen::Index i = 3 * (body - 1);
  f.segment<2>(i) += force;
  f[i + 2] += arm.x() * force.y() - arm.y() * force.x();
}

void add_torque(Vector& f, int body, double torque) {
  if (body != 0) f[3 * body - 1] += torque;
}

std::optional<double> value_of(const std::optional<machine::Quantity>& quantity) {
  return quantity ? std::optional<double>(quantity->value) : std::nullopt;
}

Point2 velocity_of(const BodyState& body, const Point2& arm) { return body.velocity + body.spin * left(arm); }

}  // namespace

Forces::Forces(const Machine& machine, std::vector<double> masses, const std::vector<Point2>& centres)
    : masses_(std::move(masses)) {
  if (machine.gravity_x) gravity_ = {machine.gravity_x->value, machine.gravity_y->value};
  const auto at = [&](machine::PointRef ref) -> Point2 {
    const machine::Point& p = machine.point(ref);
    return Point2(p.x.value, p.y.value) - centres[ref.body];
  };
  std::vector<expr::Expr> roots;
  for (const Force& force : machine.forces) {
    switch (force.kind) {
      case ForceKind::spring:
      case ForceKind::damper:
        springs_.push_back({force.first.body, force.second.body, at(force.first), at(force.second),
                            force.stiffness.value, force.rest_length.value, force.damping.value});
        break;
      case ForceKind::friction: {
        const machine::Joint& joint = machine.joints[force.joint];
        frictions_.push_back({joint.first.body, joint.second.body, joint.kind == machine::JointKind::revolute,
                              at(joint.first), at(joint.second), direction_of(joint), force.viscous.value});
        break;
      }
      case ForceKind::torque:
      case ForceKind::force: {
        const bool is_torque = force.kind == ForceKind::torque;
        loads_.push_back({is_torque ? force.body : force.first.body, force.against, is_torque,
                          is_torque ? Point2(Point2::Zero()) : at(force.first)});
        roots.insert(roots.end(), {force.value_x, force.value_y});
        break;
      }
      case ForceKind::payload: break;  // mass of its body: build_loaded
      case ForceKind::stop:
        stops_.push_back({force.first.body, force.second.body, at(force.first), at(force.second),
                          force.stiffness.value, force.damping.value, value_of(force.lower),
                          value_of(force.upper)});
        break;
      case ForceKind::contact:
        contacts_.push_back({force.first.body, at(force.first), force.stiffness.value, force.damping.value,
                             force.viscous.value, force.lower->value});
        break;
    }
  }
  program_ = std::make_unique<LoadProgram>(roots, machine.parameters, machine.inputs);
  input_count_ = machine.inputs.size();
}

Forces::~Forces() = default;
Forces::Forces(Forces&&) noexcept = default;
Forces& Forces::operator=(Forces&&) noexcept = default;

bool Forces::empty() const noexcept {
  return gravity_.isZero(0.0) && springs_.empty() && frictions_.empty() && loads_.empty() && stops_.empty() &&
         contacts_.empty();
}

Power Forces::calc(double t, const BodyStates& bodies, Vector& f) {
  f.setZero(static_cast<Eigen::Index>(3 * (bodies.size() - 1)));
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    f.segment<2>(static_cast<Eigen::Index>(3 * (b - 1))) = masses_[b] * gravity_;
  }
  Power power;
  add_springs(bodies, f, power);
  add_frictions(bodies, f, power);
  add_loads(t, bodies, f, power);
  add_stops(bodies, f, power);
  add_contacts(bodies, f, power);
  return power;
}

/// Tension k (l − l₀) + d l̇ pulls the ends together; at length 0 it has no direction and pulls nothing.
void Forces::add_springs(const BodyStates& bodies, Vector& f, Power& power) const {
  for (const Spring& s : springs_) {
    const BodyState &a = bodies[s.first], &b = bodies[s.second];
    const Point2 r1 = a.turned(s.p1), r2 = b.turned(s.p2);
    const Point2 gap = b.c + r2 - a.c - r1;
    const double length = gap.norm();
    if (!(length > 0)) continue;
    const Point2 u = gap / length;
    const double rate = u.dot(velocity_of(b, r2) - velocity_of(a, r1));
    const Point2 pull = (s.stiffness * (length - s.rest_length) + s.damping * rate) * u;
    add_force(f, s.first, r1, pull);
    add_force(f, s.second, r2, -pull);
    power.dissipated += s.damping * rate * rate;
  }
}

void Forces::add_frictions(const BodyStates& bodies, Vector& f, Power& power) const {
  for (const Friction& c : frictions_) {
    const BodyState &a = bodies[c.first], &b = bodies[c.second];
    if (c.turns) {
      const double rate = b.spin - a.spin;
      add_torque(f, c.first, c.viscous * rate);
      add_torque(f, c.second, -c.viscous * rate);
      power.dissipated += c.viscous * rate * rate;
      continue;
    }
    // The rate of uᵀ(p₂ − p₁) with u on the first body: what slides is the second body's point past the first body, so
    // both forces act there.
    const Point2 u = a.turned(c.u), p = b.c + b.turned(c.p2);
    const Point2 r1 = p - a.c, r2 = p - b.c;
    const double rate = u.dot(velocity_of(b, r2) - velocity_of(a, r1));
    add_force(f, c.first, r1, c.viscous * rate * u);
    add_force(f, c.second, r2, -c.viscous * rate * u);
    power.dissipated += c.viscous * rate * rate;
  }
}

void Forces::add_loads(double t, const BodyStates& bodies, Vector& f, Power& power) {
  if (loads_.empty()) return;
  program_->inputs[0] = t;
  if (outside_) outside_(t, std::span(program_->inputs).last(input_count_));
  program_->program.run(program_->inputs.data(), program_->results.data());
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    const Load& load = loads_[i];
    const BodyState& body = bodies[load.body];
    const Point2 value(program_->results[2 * i], program_->results[2 * i + 1]);
    if (load.is_torque) {
      add_torque(f, load.body, value.x());
      add_torque(f, load.against, -value.x());
      power.brought += value.x() * (body.spin - bodies[load.against].spin);
      continue;
    }
    const Point2 arm = body.turned(load.p);
    add_force(f, load.body, arm, value);
    power.brought += value.dot(velocity_of(body, arm));
  }
}

void Forces::add_stops(const BodyStates& bodies, Vector& f, Power& power) const {
  for (const Stop& s : stops_) {
    const BodyState &a = bodies[s.first], &b = bodies[s.second];
    const Point2 r1 = a.turned(s.p1), r2 = b.turned(s.p2);
    const Point2 gap = b.c + r2 - a.c - r1;
    const double length = gap.norm();
    if (!(length > 0)) continue;
    const Point2 u = gap / length;
    const double rate = u.dot(velocity_of(b, r2) - velocity_of(a, r1));
    double apart = 0.0;
    const auto add = [&](double depth, double inward, double sign) {
      const double push = calc_push(s.stiffness, s.damping, depth, inward);
      apart += sign * push;
      power.dissipated += calc_loss(push, s.stiffness, depth, inward);
    };
    if (s.lower) add(*s.lower - length, -rate, 1.0);
    if (s.upper) add(length - *s.upper, rate, -1.0);
    add_force(f, s.first, r1, -apart * u);
    add_force(f, s.second, r2, apart * u);
  }
}

void Forces::add_contacts(const BodyStates& bodies, Vector& f, Power& power) const {
  for (const Contact& c : contacts_) {
    const BodyState& body = bodies[c.body];
    const Point2 arm = body.turned(c.p), v = velocity_of(body, arm);
    const double depth = c.height - (body.c + arm).y();
    const double push = calc_push(c.stiffness, c.damping, depth, -v.y());
    const double drag =
        push > 0 ? c.viscous * v.x() : 0.0;  // no force of any direction while it does not push
    add_force(f, c.body, arm, {-drag, push});
    power.dissipated += calc_loss(push, c.stiffness, depth, -v.y()) + drag * v.x();
  }
}

double Forces::calc_potential(const BodyStates& bodies) const {
  double sum = 0;
  for (std::size_t b = 1; b < bodies.size(); ++b) sum -= masses_[b] * gravity_.dot(bodies[b].c);
  for (const Spring& s : springs_) {
    const BodyState &a = bodies[s.first], &b = bodies[s.second];
    const double stretch = (b.c + b.turned(s.p2) - a.c - a.turned(s.p1)).norm() - s.rest_length;
    sum += 0.5 * s.stiffness * stretch * stretch;
  }
  const auto store = [&](double stiffness, double depth) { sum += calc_stored(stiffness, depth); };
  for (const Stop& s : stops_) {
    const BodyState &a = bodies[s.first], &b = bodies[s.second];
    const double length = (b.c + b.turned(s.p2) - a.c - a.turned(s.p1)).norm();
    if (s.lower) store(s.stiffness, *s.lower - length);
    if (s.upper) store(s.stiffness, length - *s.upper);
  }
  for (const Contact& c : contacts_)
    store(c.stiffness, c.height - (bodies[c.body].c + bodies[c.body].turned(c.p)).y());
  return sum;
}

}  // namespace rodeo::dynamics
