// SPDX-License-Identifier: MIT
#include "kinematics/spatial/forces.h"

#include "kinematics/dynamics/stop_law.h"

namespace rodeo::spatial {

namespace {

/// A force in ground axes at the point p from the centre.
void push(Vector& f, int body, const BodyState& state, const Vector3& p, const Vector3& force) {
  if (body == 0) return;
  const Eigen::Index i = 6 * (body - 1);
  f.segment<3>(i) += force;
  f.segment<3>(i + 3) += p.cross(state.R.transpose() * force);
}

/// The same at both ends of a line, against each other.
void pull(Vector& f, const RowData& ends, const BodyStates& bodies, const Vector3& force) {
  push(f, ends.first, bodies[ends.first], ends.p1, force);
  push(f, ends.second, bodies[ends.second], ends.p2, -force);
}

/// From one point to another: direction, length and its rate.
struct Span {
  Vector3 u;
  double length, rate;
};

/// None at length 0, which has no direction.
std::optional<Span> calc_span(const RowData& ends, const BodyStates& bodies) {
  const BodyState &a = bodies[ends.first], &b = bodies[ends.second];
  const Vector3 gap = b.place(ends.p2) - a.place(ends.p1);
  const double length = gap.norm();
  if (!(length > 0)) return std::nullopt;
  const Vector3 u = gap / length;
  return Span{u, length, u.dot(b.velocity_of(ends.p2) - a.velocity_of(ends.p1))};
}

void turn(Vector& f, int body, const BodyState& state, const Vector3& torque) {
  if (body != 0) f.segment<3>(6 * (body - 1) + 3) += state.R.transpose() * torque;
}

/// f −= effort · ∇coordinate.
void resist(Vector& f, const RowTerms& row, double effort) {
  for (int side = 0; side < 2; ++side) {
    if (row.body[side] == 0) continue;
    for (int c = 0; c < 6; ++c) f[6 * (row.body[side] - 1) + c] -= effort * row.d[side][c];
  }
}

std::optional<double> value_of(const std::optional<Quantity>& quantity) {
  return quantity ? std::optional<double>(quantity->value) : std::nullopt;
}

double calc_rate(const RowTerms& row, const BodyStates& bodies) {
  double rate = 0;
  for (int side = 0; side < 2; ++side) {
    const BodyState& body = bodies[row.body[side]];
    const auto& d = row.d[side];
    rate += Vector3(d[0], d[1], d[2]).dot(body.velocity) + Vector3(d[3], d[4], d[5]).dot(body.spin);
  }
  return rate;
}

}  // namespace

Forces::Forces(const Machine& machine, const BodyFrames& frames, Vector mass) : mass_(std::move(mass)) {
  if (machine.gravity) gravity_ = machine.gravity->value();
  add_elements(machine, frames);
  std::vector<expr::Expr> roots;
  for (const Force& force : machine.forces) add_force(machine, force, frames, roots);
  program_ = std::make_unique<dynamics::LoadProgram>(roots, machine.parameters, machine.inputs);
  input_count_ = machine.inputs.size();
}

Forces::~Forces() = default;
Forces::Forces(Forces&&) noexcept = default;
Forces& Forces::operator=(Forces&&) noexcept = default;

bool Forces::empty() const noexcept {
  return gravity_.isZero(0.0) && springs_.empty() && elements_.empty() && loads_.empty() && stops_.empty() &&
         contacts_.empty();
}

/// Friction of one number: about the axis where the joint turns, else along it, else of the spin.
void Forces::add_element(const Machine& machine, const Joint& joint, const BodyFrames& frames,
                         double viscous) {
  const bool turns = has_turn(joint.kind), spins = !turns && !has_slide(joint.kind);
  elements_.push_back(
      {turns ? build_turn_data(machine, joint, frames) : build_slide_data(machine, joint, frames), spins, 0.0,
       0.0, viscous});
}

void Forces::add_elements(const Machine& machine, const BodyFrames& frames) {
  const auto is_there = [](const FreeElement& e) { return e.stiffness.value > 0 || e.damping.value > 0; };
  for (const Joint& joint : machine.joints) {
    const FreeElement &about = joint.turn, &along = joint.slide;
    if (is_there(along))
      elements_.push_back({build_slide_data(machine, joint, frames), false, along.stiffness.value,
                           along.rest.value, along.damping.value});
    if (is_there(about) && has_turn(joint.kind))
      elements_.push_back({build_turn_data(machine, joint, frames), false, about.stiffness.value,
                           about.rest.value, about.damping.value});
    if (is_there(about) && !has_turn(joint.kind)) add_element(machine, joint, frames, about.damping.value);
  }
}

void Forces::add_force(const Machine& machine, const Force& force, const BodyFrames& frames,
                       std::vector<expr::Expr>& roots) {
  const auto at = [&](PointRef ref) { return frames[ref.body].point(machine.point(ref).at.value()); };
  const auto build_ends = [&] {
    RowData ends{.kind = RowKind::distance, .first = force.first.body, .second = force.second.body};
    ends.p1 = at(force.first);
    ends.p2 = at(force.second);
    return ends;
  };
  switch (force.kind) {
    case ForceKind::spring:
    case ForceKind::damper:
      springs_.push_back({build_ends(), force.stiffness.value, force.rest_length.value, force.damping.value});
      break;
    case ForceKind::stop:
      stops_.push_back({build_ends(), force.stiffness.value, force.damping.value, value_of(force.lower),
                        value_of(force.upper)});
      break;
    case ForceKind::contact:
      contacts_.push_back({force.first.body, at(force.first), force.normal.value(), force.stiffness.value,
                           force.damping.value, force.viscous.value, force.lower->value});
      break;
    case ForceKind::friction:
      add_element(machine, machine.joints[force.joint], frames, force.viscous.value);
      break;
    case ForceKind::torque:
      loads_.push_back({force.body, force.against, force.axis_body, true, Vector3::Zero(),
                        frames[force.axis_body].R.transpose()});
      roots.insert(roots.end(), force.value.begin(), force.value.end());
      break;
    case ForceKind::force:
      loads_.push_back({force.first.body, 0, 0, false, at(force.first), Matrix3::Identity()});
      roots.insert(roots.end(), force.value.begin(), force.value.end());
      break;
    case ForceKind::payload: break;  // mass of its body: build_loaded
  }
}

Power Forces::calc(double t, const BodyStates& bodies, Vector& f) {
  f.setZero(mass_.size());
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const auto i = static_cast<Eigen::Index>(6 * (b - 1));
    const Vector3& w = bodies[b].spin;
    f.segment<3>(i) = mass_[i] * gravity_;
    f.segment<3>(i + 3) = -w.cross(Vector3(mass_.segment<3>(i + 3).cwiseProduct(w)));
  }
  Power power;
  apply_springs(bodies, f, power);
  apply_elements(bodies, f, power);
  apply_stops(bodies, f, power);
  apply_contacts(bodies, f, power);
  apply_loads(t, bodies, f, power);
  return power;
}

/// Tension k (l − l₀) + d l̇ pulls the ends together; at length 0 it has no direction and pulls nothing.
void Forces::apply_springs(const BodyStates& bodies, Vector& f, Power& power) const {
  for (const Spring& s : springs_) {
    const auto span = calc_span(s.ends, bodies);
    if (!span) continue;
    const double length = span->length, rate = span->rate;
    pull(f, s.ends, bodies, (s.stiffness * (length - s.rest_length) + s.damping * rate) * span->u);
    power.dissipated += s.damping * rate * rate;
  }
}

void Forces::apply_stops(const BodyStates& bodies, Vector& f, Power& power) const {
  for (const Stop& s : stops_) {
    const auto span = calc_span(s.ends, bodies);
    if (!span) continue;
    const double length = span->length, rate = span->rate;
    double apart = 0.0;
    const auto add = [&](double depth, double inward, double sign) {
      const double effort = dynamics::calc_push(s.stiffness, s.damping, depth, inward);
      apart += sign * effort;
      power.dissipated += dynamics::calc_loss(effort, s.stiffness, depth, inward);
    };
    if (s.lower) add(*s.lower - length, -rate, 1.0);
    if (s.upper) add(length - *s.upper, rate, -1.0);
    pull(f, s.ends, bodies, -apart * span->u);
  }
}

/// While it does not push there is no force of any direction.
void Forces::apply_contacts(const BodyStates& bodies, Vector& f, Power& power) const {
  for (const Contact& c : contacts_) {
    const BodyState& body = bodies[c.body];
    const Vector3 v = body.velocity_of(c.p);
    const double depth = c.height - c.normal.dot(body.place(c.p)), inward = -c.normal.dot(v);
    const double effort = dynamics::calc_push(c.stiffness, c.damping, depth, inward);
    power.dissipated += dynamics::calc_loss(effort, c.stiffness, depth, inward);
    if (!(effort > 0)) continue;
    const Vector3 along = v + inward * c.normal;
    push(f, c.body, body, c.p, effort * c.normal - c.viscous * along);
    power.dissipated += c.viscous * along.squaredNorm();
  }
}

void Forces::apply_elements(const BodyStates& bodies, Vector& f, Power& power) const {
  RowTerms row;
  for (const Element& e : elements_) {
    const BodyState &a = bodies[e.coordinate.first], &b = bodies[e.coordinate.second];
    if (e.spins) {
      const Vector3 spin = b.world_spin() - a.world_spin();
      turn(f, e.coordinate.first, a, e.damping * spin);
      turn(f, e.coordinate.second, b, -e.damping * spin);
      power.dissipated += e.damping * spin.squaredNorm();
      continue;
    }
    RowData from_rest = e.coordinate;
    from_rest.value = e.rest;
    const double value = calc_row(from_rest, bodies, row).residual, rate = calc_rate(row, bodies);
    resist(f, row, e.stiffness * value + e.damping * rate);
    power.dissipated += e.damping * rate * rate;
  }
}

void Forces::apply_loads(double t, const BodyStates& bodies, Vector& f, Power& power) {
  if (loads_.empty()) return;
  program_->inputs[0] = t;
  if (outside_) outside_(t, std::span(program_->inputs).last(input_count_));
  program_->program.run(program_->inputs.data(), program_->results.data());
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    const Load& load = loads_[i];
    const double* result = program_->results.data() + 3 * i;
    const Vector3 value(result[0], result[1], result[2]);
    const BodyState &body = bodies[load.body], &other = bodies[load.against];
    if (!load.is_torque) {
      push(f, load.body, body, load.p, value);
      power.brought += value.dot(body.velocity_of(load.p));
      continue;
    }
    const Vector3 torque = bodies[load.axis_body].R * (load.R * value);
    turn(f, load.body, body, torque);
    turn(f, load.against, other, -torque);
    power.brought += torque.dot(body.world_spin() - other.world_spin());
  }
}

double Forces::calc_stop_potential(const BodyStates& bodies) const {
  double sum = 0;
  for (const Stop& s : stops_) {
    const double length =
        (bodies[s.ends.second].place(s.ends.p2) - bodies[s.ends.first].place(s.ends.p1)).norm();
    if (s.lower) sum += dynamics::calc_stored(s.stiffness, *s.lower - length);
    if (s.upper) sum += dynamics::calc_stored(s.stiffness, length - *s.upper);
  }
  for (const Contact& c : contacts_)
    sum += dynamics::calc_stored(c.stiffness, c.height - c.normal.dot(bodies[c.body].place(c.p)));
  return sum;
}

double Forces::calc_potential(const BodyStates& bodies) const {
  double sum = calc_stop_potential(bodies);
  for (std::size_t b = 1; b < bodies.size(); ++b)
    sum -= mass_[static_cast<Eigen::Index>(6 * (b - 1))] * gravity_.dot(bodies[b].c);
  for (const Spring& s : springs_) {
    const double length =
        (bodies[s.ends.second].place(s.ends.p2) - bodies[s.ends.first].place(s.ends.p1)).norm();
    sum += 0.5 * s.stiffness * (length - s.rest_length) * (length - s.rest_length);
  }
  RowTerms unused;
  for (const Element& e : elements_) {
    if (e.stiffness == 0) continue;
    RowData from_rest = e.coordinate;
    from_rest.value = e.rest;
    const double value = calc_row(from_rest, bodies, unused).residual;
    sum += 0.5 * e.stiffness * value * value;
  }
  return sum;
}

}  // namespace rodeo::spatial
