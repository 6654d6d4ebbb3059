// SPDX-License-Identifier: MIT
#include "kinematics/machine/rods_bodies.h"

#include <fmt/format.h>

#include <algorithm>

namespace rodeo::machine {

using bondgraph::Domain;
using bondgraph::Kind;

namespace {

bool is_point_mass(const Body& body) { return body.inertia && body.inertia->value == 0; }

}  // namespace

bool is_redundant(const RodOptions& options, int joint, int component) {
  return std::any_of(options.redundant.begin(), options.redundant.end(),
                     [&](const Row& row) { return row.joint == joint && row.component == component; });
}

RodBodies::RodBodies(const Machine& machine, const RodOptions& options, RodGraph& graph)
    : machine_(machine), options_(options), graph_(graph), pins_{Pins(machine), Pins(machine)} {
  join_pins();
  const RodPoints points(machine, options);
  for (int b = 1; b < static_cast<int>(machine.bodies.size()); ++b) add_body(b, points);
  for (const PointRef& ref : points.used()) add_point(ref);
}

// ---- bodies (R1)

void RodBodies::add_body(int b, const RodPoints& points) {
  const Body& body = machine_.bodies[static_cast<std::size_t>(b)];
  RodBody nodes;
  nodes.w = graph_.add(body.name + ".w", Kind::one, {}, body.where, Domain::rotation);
  nodes.v[0] = graph_.add(body.name + ".vx", Kind::one, {}, body.where, Domain::translation);
  nodes.v[1] = graph_.add(body.name + ".vy", Kind::one, {}, body.where, Domain::translation);
  nodes.angle = bondgraph::displacement_of(body.name + ".J");
  nodes.centre = points.find_centre(b);
  const bool is_massless = options_.form == RodForm::equivalent;
  if (is_massless || is_point_mass(body))  // turns, and nothing resists it
    graph_.keep_displacement(nodes.w, body.name + ".J", "X_" + body.name, body.where, Domain::rotation);
  if (!is_massless) add_inertias(body, nodes);
  bodies_[b] = nodes;
}

void RodBodies::add_inertias(const Body& body, const RodBody& nodes) {
  const Expr mass = body.mass ? body.mass->expr : expr::symbol("m_" + body.name);
  const Expr inertia = body.inertia ? body.inertia->expr : expr::symbol("J_" + body.name);
  if (!is_point_mass(body))
    add_inertia(body.name + ".J", "X_" + body.name, nodes.w, inertia, body.where, Domain::rotation);
  add_inertia(body.name + ".Ix", "x_" + body.name, nodes.v[0], mass, body.where, Domain::translation);
  add_inertia(body.name + ".Iy", "y_" + body.name, nodes.v[1], mass, body.where, Domain::translation);
  if (machine_.gravity_x)
    add_weight(body.name + ".weight_x", nodes.v[0], mass * machine_.gravity_x->expr, body.where);
  if (machine_.gravity_y)
    add_weight(body.name + ".weight_y", nodes.v[1], mass * machine_.gravity_y->expr, body.where);
}

void RodBodies::add_inertia(const std::string& name, const std::string& symbol, int junction, Expr value,
                            const Where& where, Domain domain) {
  const int port = graph_.add(name, Kind::I, {value}, where, domain);
  graph_.element(port).symbol = symbol;
  graph_.graph.displacement_of_inertia.push_back(port);
  graph_.bond(junction, port, where);
}

void RodBodies::add_weight(const std::string& name, int junction, Expr value, const Where& where) {
  if (value.is_number(0)) return;
  graph_.bond(graph_.add(name, Kind::Se, {value}, where, Domain::translation), junction, where);
}

// ---- points (R2)

void RodBodies::add_point(PointRef ref) {
  if (ref.body == 0) return add_ground_point(ref);
  const Point& point = machine_.point(ref);
  for (const int component : {0, 1})
    add_component(bodies_.at(ref.body), {point.x.expr, point.y.expr}, component, machine_.point_name(ref),
                  pin(ref, component), point.where);
}

void RodBodies::add_component(const RodBody& body, const Expr2& p, int component, const std::string& point,
                              int velocity, const Where& where) {
  const Expr2 turned = rotate(body.angle, {p.x - body.centre.x, p.y - body.centre.y});
  const Expr modulus = component == 0 ? -turned.y : turned.x;  // ẑ × p_GP
  const std::string name = point + (component == 0 ? ".x" : ".y");
  if (modulus.is_number(0)) return graph_.bond(body.v[component], velocity, where);
  const int sum = graph_.add(name, Kind::zero, {}, where, Domain::translation);
  graph_.bond(body.v[component], sum, where);
  graph_.feed(body.w, sum, modulus, name + "n", where, Domain::rotation);
  graph_.bond(sum, velocity, where);
}

/// It is a node of the graph only if something is pinned to it.
void RodBodies::add_ground_point(PointRef ref) {
  const Point& point = machine_.point(ref);
  for (const int component : {0, 1}) {
    if (!pinned_[component].contains(pins_[component].find(ref))) continue;
    const Expr place = component == 0 ? point.x.expr : point.y.expr;
    const int node = pin(ref, component);
    graph_.hold(node, graph_.element(node).name + "_ground", point.where, Domain::translation,
                fmt::format("{} = {}", component == 0 ? "x" : "y", expr::to_text(place)));
  }
}

// ---- pins (R3)

void RodBodies::join_pins() {
  for (const int component : {0, 1}) {
    Pins& pins = pins_[component];
    for (std::size_t j = 0; j < machine_.joints.size(); ++j) {
      const Joint& joint = machine_.joints[j];
      if (joint.kind != JointKind::revolute || is_redundant(options_, static_cast<int>(j), component))
        continue;
      const bool ascends =
          pins.find(joint.first) < pins.find(joint.second);  // the ground's points come first
      ascends ? pins.join(joint.second, joint.first) : pins.join(joint.first, joint.second);
    }
    for (const Joint& joint : machine_.joints) {
      if (joint.kind == JointKind::revolute) pinned_[component].insert(pins.find(joint.first));
    }
  }
}

/// `pin_B`; further pins whose first point has the same name are `pin_B2`, `pin_B3`.
std::string RodBodies::pin_name(PointRef ref) {
  const std::string base = "pin_" + machine_.point(ref).name;
  std::string name = base;
  while (!pin_names_.insert(name).second)
    name = fmt::format("{}{}", base, ++pin_counts_.try_emplace(base, 1).first->second);
  return name;
}

int RodBodies::pin(PointRef ref, int component) {
  const int group = pins_[component].find(ref);
  const auto found = pin_nodes_[component].find(group);
  if (found != pin_nodes_[component].end()) return found->second;
  const auto other = pin_of_group_.find(group);
  const std::string name = other != pin_of_group_.end() ? other->second : pin_name(ref);
  pin_of_group_.emplace(group, name);
  const int node = graph_.add(name + (component == 0 ? ".vx" : ".vy"), Kind::one, {},
                              machine_.point(ref).where, Domain::translation);
  pin_nodes_[component].emplace(group, node);
  return node;
}

}  // namespace rodeo::machine
