// SPDX-License-Identifier: MIT
// `forces:` of a machine file. The value of a torque, a force or a payload may depend on the time `t`; without a value it is
// an input, which needs a name.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kinematics/machine/read_stop.h"
#include "kinematics/machine/reader.h"

namespace rodeo::machine {
namespace {

using text::MapReader;
using text::Node;

constexpr auto kKinds = std::to_array<std::string_view>(
    {"spring", "damper", "torque", "force", "friction", "payload", "stop", "contact"});
constexpr auto kOptions =
    std::to_array<std::string_view>({"stiffness", "rest_length", "damping", "value", "viscous", "against",
                                     "mass", "com", "name", "retracted", "stroke", "height"});

expr::Scope build_scope_with_time(const expr::Scope& parameters) {
  expr::Scope scope = parameters;
  scope.known.emplace_back("t");
  scope.find = [find = parameters.find](const std::string& name) -> std::optional<Expr> {
    if (const auto parameter = find(name)) return parameter;
    if (name == "t") return expr::time_symbol();
    return std::nullopt;
  };
  return scope;
}

Quantity find_not_negative(Reader& reader, MapReader& map, const std::string& what, const std::string& key) {
  const Node* node = map.find(key);
  return node == nullptr ? Quantity{} : read_not_negative(reader, *node, what + ": " + key);
}

Quantity require_not_negative(Reader& reader, MapReader& map, const std::string& what,
                              const std::string& key) {
  const Node* node = map.require(key);
  return node == nullptr ? Quantity{} : read_not_negative(reader, *node, what + ": " + key);
}

void check_moves(Reader& reader, int body, const Where& where, const std::string& what) {
  if (body != 0) return;
  reader.faults.add(where, fmt::format("{}: the ground does not move: name another body", what));
}

void read_spring(Reader& reader, const Node& node, MapReader& map, const std::string& what, Force& force) {
  if (const auto points = read_two_points(reader, node, what)) {
    force.first = points->first;
    force.second = points->second;
  }
  force.stiffness = require_not_negative(reader, map, what, "stiffness");
  force.rest_length = find_not_negative(reader, map, what, "rest_length");
  force.damping = find_not_negative(reader, map, what, "damping");
}

void read_damper(Reader& reader, const Node& node, MapReader& map, const std::string& what, Force& force) {
  if (const auto points = read_two_points(reader, node, what)) {
    force.first = points->first;
    force.second = points->second;
  }
  force.damping = require_not_negative(reader, map, what, "damping");
}

void read_torque(Reader& reader, const Node& node, MapReader& map, const std::string& what, Force& force) {
  if (const auto body = read_body(reader, node, what)) {
    force.body = *body;
    check_moves(reader, *body, node.where, what);
  }
  if (const Node* against = map.find("against")) {
    force.against = read_body(reader, *against, what + ": against").value_or(0);
    if (force.against == force.body) {
      reader.faults.add(against->where,
                        fmt::format("{}: against: a body does not turn against itself", what));
    }
  }
  const Node* value = map.find("value");
  force.value_x = value == nullptr ? add_input(reader, {force.name, force.where}, what, "", "N m")
                                   : read_value_of_time(reader, *value, what + ": value");
}

void read_point_force(Reader& reader, const Node& node, MapReader& map, const std::string& what,
                      Force& force) {
  if (const auto point = read_point(reader, node, what)) {
    force.first = *point;
    check_moves(reader, point->body, node.where, what);
  }
  const Node* value = map.find("value");
  if (value == nullptr) {
    force.value_x = add_input(reader, {force.name, force.where}, what, ".x", "N");
    if (!force.name.empty()) force.value_y = add_input(reader, {force.name, force.where}, what, ".y", "N");
    return;
  }
  if (!is_pair(reader, *value, what + ": value", "[x, y]")) return;
  force.value_x = read_value_of_time(reader, value->items[0], what + ": value");
  force.value_y = read_value_of_time(reader, value->items[1], what + ": value");
}

void read_payload(Reader& reader, const Node& node, MapReader& map, const std::string& what, Force& force) {
  if (const auto body = read_body(reader, node, what)) {
    force.body = *body;
    check_moves(reader, *body, node.where, what);
  }
  const Node* mass = map.find("mass");
  if (mass != nullptr) {
    force.mass = read_not_negative(reader, *mass, what + ": mass").expr;
  } else {
    force.mass = add_input(reader, {force.name, force.where}, what, ".mass", "kg");
  }
  if (const Node* com = map.find("com")) {
    const QuantityPair at = read_pair(reader, *com, what + ": com");
    force.com_x = at.x.expr;
    force.com_y = at.y.expr;
  } else if (!force.name.empty() || mass != nullptr) {
    force.com_x = add_input(reader, {force.name, force.where}, what, ".x", "m");
    if (!force.name.empty()) force.com_y = add_input(reader, {force.name, force.where}, what, ".y", "m");
  }
}

void read_friction(Reader& reader, const Node& node, MapReader& map, const std::string& what, Force& force) {
  const auto joint = reader.joint_index.find(node.scalar);
  if (joint != reader.joint_index.end()) {
    force.joint = joint->second;
  } else {
    std::vector<std::string> names;
    for (const Joint& known : reader.machine.joints) names.push_back(known.name);
    reader.faults.add(node.where, fmt::format("{}: there is no joint '{}' (there are {})", what, node.scalar,
                                              text::join_names(names)));
  }
  force.viscous = require_not_negative(reader, map, what, "viscous");
}

void read_stop(Reader& reader, const Node& node, MapReader& map, const std::string& what, Force& force) {
  if (node.is_scalar()) {
    read_stop_of_drive(reader.faults, reader.machine.drives, node, what, force);
  } else if (const auto points = read_two_points(reader, node, what)) {
    force.first = points->first;
    force.second = points->second;
    force.lower = require_not_negative(reader, map, what, "retracted");
    if (map.find("stroke") != nullptr) {
      const Quantity stroke = find_not_negative(reader, map, what, "stroke");
      force.upper = Quantity{force.lower->expr + stroke.expr, force.lower->value + stroke.value};
    }
  }
  force.stiffness = require_not_negative(reader, map, what, "stiffness");
  force.damping = find_not_negative(reader, map, what, "damping");
}

void read_contact(Reader& reader, const Node& node, MapReader& map, const std::string& what, Force& force) {
  if (const auto point = read_point(reader, node, what)) {
    force.first = *point;
    check_moves(reader, point->body, node.where, what);
  }
  const Node* height = map.find("height");
  force.lower = height == nullptr ? Quantity{} : read_quantity(reader, *height, what + ": height");
  force.stiffness = require_not_negative(reader, map, what, "stiffness");
  force.damping = find_not_negative(reader, map, what, "damping");
  force.viscous = find_not_negative(reader, map, what, "viscous");
}

void read_force(Reader& reader, const Node& node, std::size_t number) {
  const std::string what = fmt::format("force {}", number);
  const auto kind = read_kind(reader, node, what, kKinds, kOptions);
  if (!kind) return;
  Force force;
  force.kind = static_cast<ForceKind>(*kind);
  force.where = node.where;
  const std::string label = fmt::format("{} ({})", what, kKinds[*kind]);
  MapReader map(node, label, reader.faults);
  const Node& target = *map.find(kKinds[*kind]);
  if (const Node* name = map.find("name")) {
    force.name = name->scalar;
    check_name(reader, force.name, name->where, label + ": name");
  }
  switch (force.kind) {
    case ForceKind::spring: read_spring(reader, target, map, label, force); break;
    case ForceKind::damper: read_damper(reader, target, map, label, force); break;
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

Expr read_value_of_time(Reader& reader, const Node& node, const std::string& what) {
  const Expr value = expr::read_expression(node, what, build_scope_with_time(reader.scope), reader.faults);
  const std::vector<Expr> symbols = expr::symbols_of({value});
  if (std::find(symbols.begin(), symbols.end(), expr::time_symbol()) == symbols.end()) {
    static_cast<void>(expr::read_value(value, reader.machine.parameters, node.where, what, reader.faults));
  }
  return value;
}

Expr add_input(Reader& reader, const Named& force, const std::string& what, const char* ending,
               const char* unit) {
  if (force.name.empty()) {
    reader.faults.add(force.where,
                      fmt::format("{}: without a value it is an input and needs a name: name: NAME", what));
    return {};
  }
  const std::string name = force.name + ending;
  for (const ForceInput& known : reader.machine.inputs) {
    if (known.name != name) continue;
    reader.faults.add(force.where, fmt::format("{}: another force is the input '{}' already: give it another "
                                               "name",
                                               what, name));
    return {};
  }
  for (const Drive& drive : reader.machine.drives) {
    if (drive.name != name) continue;
    reader.faults.add(force.where,
                      fmt::format("{}: the input '{}' would be taken for the drive of that name: "
                                  "give it another name",
                                  what, name));
  }
  reader.machine.inputs.push_back({name, unit});
  return input_symbol(name);
}

Expr input_symbol(const std::string& name) { return expr::variable("u:" + name); }

void read_forces(Reader& reader, const Node* forces) {
  if (forces == nullptr) return;
  if (!forces->is_list() && !forces->is_null()) {
    reader.faults.add(forces->where,
                      fmt::format("forces: a list of forces is needed, not {}", kind_name(*forces)));
  }
  for (std::size_t i = 0; i < forces->items.size(); ++i) read_force(reader, forces->items[i], i + 1);
}

}  // namespace rodeo::machine
