// SPDX-License-Identifier: MIT
// Every force as elements on the 1-junctions of what it acts on.
#include "kinematics/machine/rods_forces.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <tuple>

#include "kinematics/bondgraph/stops.h"
#include "kinematics/machine/force_names.h"

namespace rodeo::machine {
namespace {

using bondgraph::displacement_of;
using bondgraph::Domain;
using bondgraph::Element;
using bondgraph::flow_of;
using bondgraph::Kind;

class ForceBuilder {
 public:
  ForceBuilder(bondgraph::Graph& graph, const Machine& machine, const RodNodes& nodes)
      : graph_(graph), machine_(machine), nodes_(nodes) {
    for (const Element& element : graph.elements) used_.insert(element.name);
  }

  void add_all() {
    for (const Force& force : machine_.forces) {
      where_ = force.where;
      add(force);
    }
  }

 private:
  void add(const Force& force) {
    switch (force.kind) {
      case ForceKind::spring:
      case ForceKind::damper: return add_spring(force);
      case ForceKind::torque: return add_torque(force);
      case ForceKind::force: return add_push(force);
      case ForceKind::friction: return add_friction(force);
      case ForceKind::payload: return add_payload(force);
      case ForceKind::stop: return add_stop(force);
      case ForceKind::contact: return add_contact(force);
    }
  }

  // ---- names

  [[nodiscard]] std::string points_of(const Force& force) const { return name_points(machine_, force); }
  /// The force's own name, or its kind and what it acts on, as in `stop_PQ`.
  [[nodiscard]] std::string name_of(const Force& force, const char* kind, const std::string& on) {
    return unused(force.name.empty() ? fmt::format("{}_{}", kind, on) : force.name);
  }
  [[nodiscard]] std::string unused(const std::string& wanted) {
    std::string name = wanted;
    for (int number = 2; used_.contains(name); ++number) name = fmt::format("{}{}", wanted, number);
    used_.insert(name);
    return name;
  }

  // ---- elements

  int add(const std::string& name, Kind kind, std::vector<Expr> value, Domain domain) {
    Element element;
    element.name = name;
    element.kind = kind;
    element.value = std::move(value);
    element.domain = domain;
    element.where = where_;
    return bondgraph::add_element(graph_, std::move(element));
  }
  Element& element(int index) { return graph_.elements[static_cast<std::size_t>(index)]; }
  void bond(int tail, int head) { bondgraph::add_bond(graph_, tail, head, where_); }

  /// Keeps the integral of a 1-junction's flow, under the name that equations give it.
  Expr keep(int one, const std::string& name, const std::string& symbol, Domain domain) {
    const int port = add(name, Kind::K, {Expr(0.0)}, domain);
    element(port).symbol = symbol;
    bond(one, port);
    return displacement_of(name);
  }

  void resist(int one, const std::string& name, const Quantity& value, Domain domain) {
    if (value.value != 0) bond(one, add(name, Kind::R, {value.expr}, domain));
  }

  // ---- lengths

  struct Length {
    int rate = -1;  // 1-junction
    Expr value;
    Expr rate_value;
    std::string name;
  };

  /// l and the angle φ of the line from the first point to the second; forces between the same points share them.
  const Length& find_length(const Force& force) {
    const auto key = std::tuple(force.first.body, force.first.point, force.second.body, force.second.point);
    const auto [found, is_new] = lengths_.try_emplace(key);
    if (is_new) found->second = add_length(force, name_length(force));
    return found->second;
  }

  /// `shock` of a strut that has this name, `PQ` of its points else.
  [[nodiscard]] std::string name_length(const Force& force) {
    if (force.name.empty() || !is_strut(force) || used_.contains(force.name + ".length"))
      return unused(points_of(force));
    return force.name;
  }

  /// l' = u·(v_Q − v_P), φ' = n·(v_Q − v_P)/l with u = (cos φ, sin φ), n = (−sin φ, cos φ).
  Length add_length(const Force& force, const std::string& name) {
    const Expr l = displacement_of(name + ".length"), angle = displacement_of(name + ".angle");
    const Expr c = expr::cos(angle), s = expr::sin(angle);
    const int along = add_difference(force, name + ".along", c, s);
    const int rate = add(name + ".v", Kind::one, {}, Domain::translation);
    element(rate).symbol = "F_" + name;
    bond(along, rate);
    keep(rate, name + ".length", "l_" + name, Domain::translation);
    const int across = add_difference(force, name + ".across", -(s / l), c / l);
    const int turning = add(name + ".w", Kind::one, {}, Domain::rotation);
    bond(across, turning);
    keep(turning, name + ".angle", "X_" + name, Domain::rotation);
    nodes_.kept->lines.push_back({name, force.first, force.second});
    return {rate, l, flow_of(name + ".length"), name};
  }

  /// A 0-junction that balances x·(v_Q − v_P)ₓ + y·(v_Q − v_P)ᵧ.
  int add_difference(const Force& force, const std::string& name, Expr x, Expr y) {
    const int sum = add(name, Kind::zero, {}, Domain::translation);
    for (const int c : {0, 1}) {
      const char* axis = c == 0 ? "x" : "y";
      const Expr modulus = c == 0 ? x : y;
      feed(force.second, c, sum, modulus, name + ".b" + axis);
      feed(force.first, c, sum, -modulus, name + ".a" + axis);
    }
    return sum;
  }

  void feed(PointRef point, int component, int zero, Expr modulus, const std::string& name) {
    if (point.body == 0) return;
    const int transformer = add(name, Kind::TF, {modulus}, Domain::translation);
    bond(nodes_.pin(point, component), transformer);
    bond(transformer, zero);
  }

  // ---- forces

  /// The spring is an effort of the length.
  void add_spring(const Force& force) {
    const Length& length = find_length(force);
    const bool is_damper = force.kind == ForceKind::damper;
    const std::string name = name_of(force, is_damper ? "damper" : "spring", points_of(force));
    if (force.stiffness.value != 0) {
      const Expr pull = force.stiffness.expr * (length.value - force.rest_length.expr);
      bond(add(name, Kind::Se, {-pull}, Domain::translation), length.rate);
    }
    resist(length.rate, is_damper ? name : name + ".damper", force.damping, Domain::translation);
  }

  void add_source(const std::string& name, Expr value, int one, Domain domain) {
    if (value.is_number(0)) return;
    bond(add(name, Kind::Se, is_from_outside(value) ? std::vector<Expr>{} : std::vector<Expr>{value}, domain),
         one);
  }

  void add_torque(const Force& force) {
    const std::string name =
        name_of(force, "torque", machine_.bodies[static_cast<std::size_t>(force.body)].name);
    if (force.against == 0) return add_source(name, force.value_x, nodes_.spin(force.body), Domain::rotation);
    const int between = add(name + ".w", Kind::zero, {}, Domain::rotation);
    bond(between, nodes_.spin(force.body));
    bond(nodes_.spin(force.against), between);
    const int turning = add(name + ".relative", Kind::one, {}, Domain::rotation);
    bond(turning, between);
    add_source(name, force.value_x, turning, Domain::rotation);
  }

  void add_push(const Force& force) {
    const std::string name = name_of(force, "force", machine_.point(force.first).name);
    add_source(name + ".x", force.value_x, nodes_.pin(force.first, 0), Domain::translation);
    add_source(name + ".y", force.value_y, nodes_.pin(force.first, 1), Domain::translation);
  }

  void add_friction(const Force& force) {
    const Joint& joint = machine_.joints[static_cast<std::size_t>(force.joint)];
    const std::string name = name_of(force, "friction", joint.name);
    if (joint.kind != JointKind::revolute)
      return resist(nodes_.slide(force.joint), name, force.viscous, Domain::translation);
    const int first = joint.first.body, second = joint.second.body;
    if (first == 0 || second == 0)
      return resist(nodes_.spin(first == 0 ? second : first), name, force.viscous, Domain::rotation);
    const int between = add(name + ".w", Kind::zero, {}, Domain::rotation);
    bond(nodes_.spin(second), between);
    bond(between, nodes_.spin(first));
    resist(between, name, force.viscous, Domain::rotation);
  }

  /// A point mass. What comes from outside while the machine runs has a symbol here, as a mass that is not known has.
  void add_payload(const Force& force) {
    const std::string name =
        name_of(force, "payload", machine_.bodies[static_cast<std::size_t>(force.body)].name);
    const Expr mass = is_from_outside(force.mass) ? expr::symbol("m_" + name) : force.mass;
    const std::optional<Quantity> gravity[2] = {machine_.gravity_x, machine_.gravity_y};
    for (const int c : {0, 1}) {
      const int velocity = nodes_.payload(force, c);
      const char* axis = c == 0 ? "x" : "y";
      bond(velocity, add(name + ".I" + axis, Kind::I, {mass}, Domain::translation));
      if (gravity[c])
        add_source(name + ".weight_" + axis, mass * gravity[c]->expr, velocity, Domain::translation);
    }
  }

  // ---- stops

  [[nodiscard]] static Expr damping_of(const Quantity& damping) {
    return damping.value == 0 ? Expr(0.0) : damping.expr;
  }
  [[nodiscard]] static Expr pushes(const Force& force, bool below, Expr x, Expr rate, Expr end) {
    return bondgraph::build_push_condition(below, x, rate, end, force.stiffness.expr,
                                           damping_of(force.damping));
  }

  void add_stop(const Force& force) {
    const Length length = find_length(force);
    const std::string name = name_of(force, "stop", points_of(force));
    const auto add_end = [&](const Quantity& end, const char* which, bool below) {
      const Expr condition = pushes(force, below, length.value, length.rate_value, end.expr);
      const Expr spring = force.stiffness.expr * (length.value - end.expr);
      bondgraph::add_stop(
          graph_, length.rate,
          {name + which, "F_" + length.name + which, condition, spring, damping_of(force.damping)}, where_);
    };
    if (force.lower) add_end(*force.lower, ".short", true);
    if (force.upper) add_end(*force.upper, ".long", false);
  }

  /// Along y a spring and a damper, along x a damper, both while the ground pushes.
  void add_contact(const Force& force) {
    const std::string point = machine_.point(force.first).name;
    const std::string name = name_of(force, "contact", point);
    const int rise = nodes_.pin(force.first, 1);
    const Expr y = keep(rise, name + ".height", "y_" + point, Domain::translation);
    nodes_.kept->points.push_back({name, point, force.first, force.viscous.value != 0});
    const Expr condition = pushes(force, true, y, flow_of(name + ".height"), force.lower->expr);
    const Expr spring = force.stiffness.expr * (y - force.lower->expr);
    bondgraph::add_stop(graph_, rise,
                        {name + ".normal", "F_" + point + ".y", condition, spring, damping_of(force.damping)},
                        where_);
    if (force.viscous.value == 0) return;
    const int slip = nodes_.pin(force.first, 0);
    keep(slip, name + ".place", "x_" + point, Domain::translation);
    bondgraph::add_stop(graph_, slip,
                        {name + ".along", "F_" + point + ".x", condition, 0.0, force.viscous.expr}, where_);
  }

  bondgraph::Graph& graph_;
  const Machine& machine_;
  const RodNodes& nodes_;
  std::set<std::string> used_;
  std::map<std::tuple<int, int, int, int>, Length> lengths_;
  Where where_;
};

}  // namespace

bool is_from_outside(Expr value) { return value.is_symbol() && value->kind == expr::SymbolKind::variable; }

std::vector<PointRef> find_force_points(const Machine& machine) {
  std::vector<PointRef> points;
  for (const Force& force : machine.forces) {
    switch (force.kind) {
      case ForceKind::spring:
      case ForceKind::damper:
      case ForceKind::stop: points.push_back(force.second); [[fallthrough]];
      case ForceKind::force:
      case ForceKind::contact: points.push_back(force.first); break;
      case ForceKind::torque:
      case ForceKind::friction:
      case ForceKind::payload: break;
    }
  }
  return points;
}

void add_force_elements(bondgraph::Graph& graph, const Machine& machine, const RodNodes& nodes) {
  ForceBuilder(graph, machine, nodes).add_all();
}

}  // namespace rodeo::machine
