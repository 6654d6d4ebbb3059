// SPDX-License-Identifier: MIT
#include "kinematics/codegen/placement.h"

#include <algorithm>
#include <cmath>

namespace rodeo::codegen {

using machine::PointRef;

Placement::Placement(const Linkage& linkage, const machine::Assembly& start)
    : linkage_(linkage), start_(start), bodies_(static_cast<std::size_t>(linkage.body_count())) {
  bodies_[0] = {Frame{}, Base{}, Expr(0.0)};
}

// ---- of a body

bool Placement::all_placed() const {
  return std::all_of(bodies_.begin(), bodies_.end(),
                     [](const Known& known) { return known.frame && known.base; });
}

void Placement::set_frame(int body, const Frame& frame, std::optional<Expr> angle) {
  of(body).frame = frame;
  of(body).angle = angle;
}

Vec Placement::on_body(int body, const Vec& r) const {
  const Base& base = *of(body).base;
  return base.place + carried(body, r - base.local);
}

Vec Placement::guide(const machine::Joint& joint) const {
  return carried(joint.first.body, {joint.direction_x.expr, joint.direction_y.expr});
}

// ---- of a pin

std::optional<Vec> Placement::place_of(PointRef ref) {
  const int pin = linkage_.pin(ref);
  const auto found = places_.find(pin);
  if (found != places_.end()) return found->second;
  for (const PointRef& member : linkage_.members(pin)) {
    if (is_placed(member.body)) return places_[pin] = on_body(member);
  }
  return std::nullopt;
}

Vec Placement::between(PointRef from, PointRef to) {
  const int a = linkage_.pin(from), b = linkage_.pin(to);
  if (const auto found = links_.find({a, b}); found != links_.end()) return found->second;
  if (const auto found = links_.find({b, a}); found != links_.end()) return -found->second;
  for (const PointRef& m : linkage_.members(a)) {
    for (const PointRef& n : linkage_.members(b)) {
      if (m.body == n.body && has_direction(m.body))
        return carried(m.body, linkage_.local(n) - linkage_.local(m));
    }
  }
  return *place_of(to) - *place_of(from);
}

// ---- in the start pose

Numbers Placement::at_start(PointRef ref) const {
  const machine::Vec2 p = machine::calc_position(linkage_.machine(), start_.pose, ref);
  return {p.x, p.y};
}

Numbers Placement::normal_at_start(const machine::Joint& joint) const {
  const double angle = start_.pose.bodies[static_cast<std::size_t>(joint.first.body)].angle;
  const double ux = joint.direction_x.value;
  const double uy = joint.direction_y.value;
  return {-(std::sin(angle) * ux + std::cos(angle) * uy), std::cos(angle) * ux - std::sin(angle) * uy};
}

}  // namespace rodeo::codegen
