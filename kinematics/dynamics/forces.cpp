// SPDX-License-Identifier: MIT
#include "kinematics/dynamics/forces.h"

#include "kinematics/expr/eval.h"

namespace rodeo::dynamics {

using machine::Force;
using machine::ForceKind;
using machine::Machine;

/// Values of the loads, two an entry, as functions of t.
struct Forces::Program {
  Program(const std::vector<expr::Expr>& roots, std::vector<expr::Expr> symbols, std::vector<double> values)
      : inputs(std::move(values)), results(roots.size()), program(roots, symbols) {}
  std::vector<double> inputs;  // t first
  std::vector<double> results;
  expr::Program program;
};

namespace {

struct Symbols {
  std::vector<expr::Expr> symbols{expr::time_symbol()};
  std::vector<double> values{0.0};
};

Symbols build_symbols(const Machine& machine) {
  Symbols all;
  for (const expr::Parameter& parameter : machine.parameters) {
    all.symbols.push_back(expr::symbol(parameter.name));
    all.values.push_back(parameter.number);
  }
  for (const machine::ForceInput& input : machine.inputs) {  // the last ones; nil where nobody sends them
    all.symbols.push_back(machine::input_symbol(input.name));
    all.values.push_back(0.0);
  }
  return all;
}

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

Point2 velocity_of(const BodyState& body, const Point2& arm) { return body.velocity + body.spin * left(arm); }

}  // namespace

Forces::Forces(const Machine& machine, const std::vector<double>& masses, const std::vector<Point2>& centres)
    : masses_(masses) {
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
    }
  }
  const Symbols symbols = build_symbols(machine);
  program_ = std::make_unique<Program>(roots, symbols.symbols, symbols.values);
  input_count_ = machine.inputs.size();
}

Forces::~Forces() = default;
Forces::Forces(Forces&&) noexcept = default;
Forces& Forces::operator=(Forces&&) noexcept = default;

bool Forces::empty() const noexcept {
  return gravity_.isZero(0.0) && springs_.empty() && frictions_.empty() && loads_.empty();
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

double Forces::calc_potential(const BodyStates& bodies) const {
  double sum = 0;
  for (std::size_t b = 1; b < bodies.size(); ++b) sum -= masses_[b] * gravity_.dot(bodies[b].c);
  for (const Spring& s : springs_) {
    const BodyState &a = bodies[s.first], &b = bodies[s.second];
    const double stretch = (b.c + b.turned(s.p2) - a.c - a.turned(s.p1)).norm() - s.rest_length;
    sum += 0.5 * s.stiffness * stretch * stretch;
  }
  return sum;
}

}  // namespace rodeo::dynamics
