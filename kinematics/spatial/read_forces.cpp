// SPDX-License-Identifier: MIT
// `forces:` of a spatial machine file.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kinematics/machine/read_stop.h"
#include "kinematics/spatial/reader.h"

namespace rodeo::spatial {
namespace {

using text::MapReader;
using text::Node;

constexpr auto kKinds = std::to_array<std::string_view>(
    {"spring", "damper", "torque", "force", "friction", "payload", "stop", "contact"});
constexpr auto kOptions = std::to_array<std::string_view>(
    {"stiffness", "rest_length", "damping", "value", "viscous", "against", "mass", "com", "name", "axis",
     "retracted", "stroke", "height", "normal"});
constexpr auto kEndings = std::to_array<const char*>({".x", ".y", ".z"});

Quantity read_not_negative(Reader& reader, const Node* node, const std::string& what) {
  return node == nullptr ? Quantity{} : machine::read_not_negative(reader.base, *node, what);
}

void check_moves(Reader& reader, int body, const Where& where, const std::string& what) {
  if (body != 0) return;
  reader.base.faults.add(where, fmt::format("{}: the ground does not move: name another body", what));
}

int read_moving_body(Reader& reader, const Node& node, const std::string& what) {
  const auto body = machine::read_body(reader.base, node, what);
  if (body) check_moves(reader, *body, node.where, what);
  return body.value_or(0);
}

void read_spring(Reader& reader, const Node& node, MapReader& map, const std::string& what, Force& force) {
  if (const auto points = machine::read_two_points(reader.base, node, what)) {
    force.first = points->first;
    force.second = points->second;
  }
  const bool is_spring = force.kind == ForceKind::spring;
  if (is_spring) {
    force.stiffness = read_not_negative(reader, map.require("stiffness"), what + ": stiffness");
    force.rest_length = read_not_negative(reader, map.find("rest_length"), what + ": rest_length");
  }
  const Node* damping = is_spring ? map.find("damping") : map.require("damping");
  force.damping = read_not_negative(reader, damping, what + ": damping");
}

/// Three inputs `dig.x`, `dig.y`, `dig.z`.
std::array<Expr, 3> add_inputs(Reader& reader, const Force& force, const std::string& what,
                               const char* unit) {
  std::array<Expr, 3> value;
  for (std::size_t i = 0; i < 3; ++i) {
    if (i > 0 && force.name.empty()) break;
    value[i] = machine::add_input(reader.base, {force.name, force.where}, what, kEndings[i], unit);
  }
  return value;
}

std::array<Expr, 3> read_vector_of_time(Reader& reader, const Node& node, const std::string& what) {
  std::array<Expr, 3> value;
  if (!node.is_list() || node.items.size() < 2 || node.items.size() > 3) {
    reader.base.faults.add(node.where, fmt::format("{}: three numbers [x, y, z] are needed, not {}", what,
                                                   node.is_list() ? fmt::format("{}", node.items.size())
                                                                  : std::string(kind_name(node))));
    return value;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i)
    value[i] = machine::read_value_of_time(reader.base, node.items[i], what);
  return value;
}

/// One value is about `axis`: a vector in ground axes, or `body.axis`, which turns with that body.
void read_axis_torque(Reader& reader, const Node* value, const Node* axis, const std::string& what,
                      Force& force) {
  Triple direction = default_axis();
  if (axis != nullptr && axis->is_scalar()) {
    if (const auto ref = read_axis(reader, *axis, what + ": axis")) {
      force.axis_body = ref->body;
      direction = reader.machine.bodies[ref->body].axes[ref->axis].direction;
    }
  } else if (axis != nullptr) {
    direction = read_direction(reader, *axis, what + ": axis");
  }
  const Expr size = value == nullptr
                        ? machine::add_input(reader.base, {force.name, force.where}, what, "", "N m")
                        : machine::read_value_of_time(reader.base, *value, what + ": value");
  force.value = {size * direction.x.expr, size * direction.y.expr, size * direction.z.expr};
}

void read_torque(Reader& reader, const Node& node, MapReader& map, const std::string& what, Force& force) {
  force.body = read_moving_body(reader, node, what);
  if (const Node* against = map.find("against")) {
    force.against = machine::read_body(reader.base, *against, what + ": against").value_or(0);
    if (force.against == force.body) {
      reader.base.faults.add(against->where,
                             fmt::format("{}: against: a body does not turn against itself", what));
    }
  }
  const Node* value = map.find("value");
  if (value != nullptr && value->is_list()) {
    force.value = read_vector_of_time(reader, *value, what + ": value");
    return;
  }
  read_axis_torque(reader, value, map.find("axis"), what, force);
}

void read_point_force(Reader& reader, const Node& node, MapReader& map, const std::string& what,
                      Force& force) {
  if (const auto point = machine::read_point(reader.base, node, what)) {
    force.first = *point;
    check_moves(reader, point->body, node.where, what);
  }
  const Node* value = map.find("value");
  force.value = value == nullptr ? add_inputs(reader, force, what, "N")
                                 : read_vector_of_time(reader, *value, what + ": value");
}

void read_payload(Reader& reader, const Node& node, MapReader& map, const std::string& what, Force& force) {
  force.body = read_moving_body(reader, node, what);
  const Node* mass = map.find("mass");
  force.mass = mass != nullptr
                   ? machine::read_not_negative(reader.base, *mass, what + ": mass").expr
                   : machine::add_input(reader.base, {force.name, force.where}, what, ".mass", "kg");
  if (const Node* com = map.find("com")) {
    const Triple at = read_triple(reader, *com, what + ": com");
    force.com = {at.x.expr, at.y.expr, at.z.expr};
  } else if (!force.name.empty() || mass != nullptr) {
    force.com = add_inputs(reader, force, what, "m");
  }
}

void read_friction(Reader& reader, const Node& node, MapReader& map, const std::string& what, Force& force) {
  force.joint = read_joint_name(reader, node, what).value_or(-1);
  force.viscous = read_not_negative(reader, map.require("viscous"), what + ": viscous");
  if (force.joint < 0) return;
  const JointKind kind = reader.machine.joints[force.joint].kind;
  const bool spins = kind == JointKind::spherical || kind == JointKind::universal;
  if (has_turn(kind) || has_slide(kind) || spins) return;
  reader.base.faults.add(node.where,
                         fmt::format("{}: a {} joint has no friction of one number", what, kind_text(kind)));
}

void read_stop(Reader& reader, const Node& node, MapReader& map, const std::string& what, Force& force) {
  if (node.is_scalar()) {
    machine::read_stop_of_drive(reader.base.faults, reader.machine.drives, node, what, force);
  } else if (const auto points = machine::read_two_points(reader.base, node, what)) {
    force.first = points->first;
    force.second = points->second;
    force.lower = read_not_negative(reader, map.require("retracted"), what + ": retracted");
    if (const Node* stroke = map.find("stroke")) {
      const Quantity length = read_not_negative(reader, stroke, what + ": stroke");
      force.upper = Quantity{force.lower->expr + length.expr, force.lower->value + length.value};
    }
  }
  force.stiffness = read_not_negative(reader, map.require("stiffness"), what + ": stiffness");
  force.damping = read_not_negative(reader, map.find("damping"), what + ": damping");
}

bool has_depth(const Machine& machine) {
  return std::any_of(machine.bodies.begin(), machine.bodies.end(), [](const Body& body) {
    return std::any_of(body.points.begin(), body.points.end(),
                       [](const Point& point) { return point.at.value().z() != 0; });
  });
}

/// The axis against gravity; without gravity z, or y of a machine that lies in the plane. THEORY S14.
Triple find_up(const Machine& machine) {
  Eigen::Index k = has_depth(machine) ? 2 : 1;
  double sign = 1;
  if (machine.gravity && !machine.gravity->value().isZero(0.0)) {
    machine.gravity->value().cwiseAbs().maxCoeff(&k);
    if (machine.gravity->value()[k] > 0) sign = -1;
  }
  const auto part = [&](Eigen::Index i) { return Quantity{Expr(i == k ? sign : 0.0), i == k ? sign : 0.0}; };
  return {part(0), part(1), part(2)};
}

void read_contact(Reader& reader, const Node& node, MapReader& map, const std::string& what, Force& force) {
  if (const auto point = machine::read_point(reader.base, node, what)) {
    force.first = *point;
    check_moves(reader, point->body, node.where, what);
  }
  const Node* height = map.find("height");
  force.lower =
      height == nullptr ? Quantity{} : machine::read_quantity(reader.base, *height, what + ": height");
  const Node* normal = map.find("normal");
  force.normal =
      normal == nullptr ? find_up(reader.machine) : read_direction(reader, *normal, what + ": normal");
  force.stiffness = read_not_negative(reader, map.require("stiffness"), what + ": stiffness");
  force.damping = read_not_negative(reader, map.find("damping"), what + ": damping");
  force.viscous = read_not_negative(reader, map.find("viscous"), what + ": viscous");
}

void read_force(Reader& reader, const Node& node, std::size_t number) {
  const std::string what = fmt::format("force {}", number);
  const auto kind = machine::read_kind(reader.base, node, what, kKinds, kOptions);
  if (!kind) return;
  Force force;
  force.kind = static_cast<ForceKind>(*kind);
  force.where = node.where;
  const std::string label = fmt::format("{} ({})", what, kKinds[*kind]);
  MapReader map(node, label, reader.base.faults);
  const Node& target = *map.find(kKinds[*kind]);
  if (const Node* name = map.find("name")) {
    force.name = name->scalar;
    machine::check_name(reader.base, force.name, name->where, label + ": name");
  }
  switch (force.kind) {
    case ForceKind::spring:
    case ForceKind::damper: read_spring(reader, target, map, label, force); break;
    case ForceKind::torque: read_torque(reader, target, map, label, force); break;
    case ForceKind::force: read_point_force(reader, target, map, label, force); break;
    case ForceKind::friction: read_friction(reader, target, map, label, force); break;
    case ForceKind::payload: read_payload(reader, target, map, label, force); break;
    case ForceKind::stop: read_stop(reader, target, map, label, force); break;
    case ForceKind::contact: read_contact(reader, target, map, label, force); break;
  }
  map.finish();
  reader.machine.forces.push_back(force);
}

}  // namespace

void read_forces(Reader& reader, const Node* forces) {
  if (forces == nullptr) return;
  if (!forces->is_list() && !forces->is_null()) {
    reader.base.faults.add(forces->where,
                           fmt::format("forces: a list of forces is needed, not {}", kind_name(*forces)));
  }
  for (std::size_t i = 0; i < forces->items.size(); ++i) read_force(reader, forces->items[i], i + 1);
  reader.machine.inputs = reader.base.machine.inputs;
}

}  // namespace rodeo::spatial
