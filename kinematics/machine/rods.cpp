// SPDX-License-Identifier: MIT
// Machine -> bond graph. Every velocity is a 1-junction, every sum of velocities a 0-junction:
//   body B    w (angle), vx and vy of its centre G                                      R1
//   point P   v_P = v_G + w ẑ × p_GP: a 0-junction a component, centre -> 0 -> pin, and a transformer w -> 0 with
//             modulus ∂v_P/∂w                                                           R2
//   pin       one 1-junction a component for all points that share it; on the ground its flow is 0   R3
//   slider    n·v_b = 0 on the ground, n across the guide; on a moving guide v_b = v_a + s' u + s w_a n   R4
//   prismatic the same, and w_b = w_a                                                   R5
//   cylinder  v_b = v_a + l' u(φ) + l φ' n(φ): a rod of variable length, two `K: 0`     R6
//   drives    flow sources                                                              R7
//   forces    effort sources, resistors, controlled junctions (rods_forces)             R8
#include "kinematics/machine/rods.h"

#include <fmt/format.h>

#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "kinematics/machine/rods_forces.h"

namespace rodeo::machine {
namespace {

using bondgraph::displacement_of;
using bondgraph::Domain;
using bondgraph::Element;
using bondgraph::Graph;
using bondgraph::Kind;
using expr::cos;
using expr::sin;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

struct Expr2 {
  Expr x, y;
};

/// R(angle)·v
Expr2 rotate(Expr angle, const Expr2& v) {
  return {v.x * cos(angle) - v.y * sin(angle), v.x * sin(angle) + v.y * cos(angle)};
}

/// Points that share a pin, by component: redundant rows join in one component only.
class Pins {
 public:
  explicit Pins(const Machine& machine) {
    for (const Body& body : machine.bodies) {
      offsets_.push_back(static_cast<int>(parent_.size()));
      for (std::size_t p = 0; p < body.points.size(); ++p)
        parent_.push_back(static_cast<int>(parent_.size()));
    }
  }
  [[nodiscard]] int find(PointRef ref) { return root(offsets_[at(ref.body)] + ref.point); }
  void join(PointRef a, PointRef b) {
    const auto [low, high] = std::minmax({find(a), find(b)});  // the ground's points come first
    parent_[at(high)] = low;
  }

 private:
  int root(int i) {
    while (parent_[at(i)] != i) i = parent_[at(i)] = parent_[at(parent_[at(i)])];
    return i;
  }
  std::vector<int> offsets_;
  std::vector<int> parent_;
};

class RodBuilder {
 public:
  RodBuilder(const Machine& machine, const RodOptions& options)
      : machine_(machine),
        options_(options),
        pins_{Pins(machine), Pins(machine)},
        jointed_points_(machine.bodies.size()) {}

  std::vector<RodCentre> centres() {
    collect_used_points();
    std::vector<RodCentre> list(1);
    for (int b = 1; b < static_cast<int>(machine_.bodies.size()); ++b) {
      const Expr2 centre = find_centre(b);
      list.push_back({centre.x, centre.y});
    }
    return list;
  }

  Graph build() {
    graph_.name = machine_.name;
    graph_.file = machine_.file;
    graph_.where = machine_.where;
    graph_.parameters = machine_.parameters;
    join_pins();
    find_pinned();
    collect_used_points();
    for (int b = 1; b < static_cast<int>(machine_.bodies.size()); ++b) add_body(b);
    for (const PointRef& ref : used_points_) add_point(ref);
    for (std::size_t j = 0; j < machine_.joints.size(); ++j) add_guide(static_cast<int>(j));
    for (const Drive& drive : machine_.drives) add_drive(drive);
    if (options_.forces) add_forces();
    return std::move(graph_);
  }

 private:
  // ---- what is where

  [[nodiscard]] bool is_redundant(int joint, int component) const {
    for (const Row& row : options_.redundant) {
      if (row.joint == joint && row.component == component) return true;
    }
    return false;
  }

  void join_pins() {
    for (int j = 0; j < static_cast<int>(machine_.joints.size()); ++j) {
      const Joint& joint = machine_.joints[at(j)];
      if (joint.kind != JointKind::revolute) continue;
      for (const int component : {0, 1}) {
        if (!is_redundant(j, component)) pins_[component].join(joint.first, joint.second);
      }
    }
  }

  /// A ground point is a node of the graph only if something is pinned to it.
  void find_pinned() {
    for (const Joint& joint : machine_.joints) {
      if (joint.kind != JointKind::revolute) continue;
      for (const int component : {0, 1}) pinned_[component].insert(pins_[component].find(joint.first));
    }
  }

  bool use(PointRef ref) {
    if (!seen_points_.insert({ref.body, ref.point}).second) return false;
    used_points_.push_back(ref);
    return true;
  }
  void use_jointed(PointRef ref) {
    if (use(ref)) jointed_points_[at(ref.body)].push_back(ref.point);
  }

  void collect_used_points() {
    for (const Joint& joint : machine_.joints) {
      use_jointed(joint.first);
      use_jointed(joint.second);
    }
    for (const Drive& drive : machine_.drives) {
      if (drive.kind != DriveKind::cylinder) continue;
      use_jointed(drive.first);
      use_jointed(drive.second);
    }
    if (options_.forces) {
      for (const PointRef& ref : find_force_points(machine_)) use(ref);
    }
    find_inner_points();
  }

  /// The point by which each body is first reached from the ground, joint by joint.
  void find_inner_points() {
    inner_points_.resize(machine_.bodies.size());
    std::vector<std::vector<const Joint*>> joints_of(machine_.bodies.size());
    for (const Joint& joint : machine_.joints) {
      for (const PointRef& ref : {joint.first, joint.second}) joints_of[at(ref.body)].push_back(&joint);
    }
    std::vector<int> reached{0};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const Joint* joint : joints_of[at(reached[i])]) {
        const PointRef other = joint->first.body == reached[i] ? joint->second : joint->first;
        if (other.body == 0 || inner_points_[at(other.body)]) continue;
        inner_points_[at(other.body)] = other.point;
        reached.push_back(other.body);
      }
    }
  }

  // ---- elements

  int add(std::string name, Kind kind, std::vector<Expr> value, const Where& where, Domain domain) {
    Element element;
    element.name = std::move(name);
    element.kind = kind;
    element.value = std::move(value);
    element.domain = domain;
    element.where = where;
    return bondgraph::add_element(graph_, std::move(element));
  }

  void bond(int tail, int head, const Where& where) { bondgraph::add_bond(graph_, tail, head, where); }

  /// Adds modulus · (flow of the 1-junction) to the balance of a 0-junction: directly where the modulus is ±1.
  void feed(int one, int zero, Expr modulus, const std::string& name, const Where& where, Domain domain) {
    if (modulus.is_number(0)) return;
    if (modulus.is_number(1)) return bond(one, zero, where);
    if (modulus.is_number(-1)) return bond(zero, one, where);
    const int transformer = add(name, Kind::TF, {modulus}, where, domain);
    bond(one, transformer, where);
    bond(transformer, zero, where);
  }

  /// Holds a flow at zero.
  void hold(int one, const std::string& name, const Where& where, Domain domain, std::string note) {
    if (!held_.insert(one).second) return;
    const int source = add(name, Kind::Sf, {Expr(0.0)}, where, domain);
    graph_.elements[at(source)].note = std::move(note);
    bond(source, one, where);
  }

  // ---- bodies (R1)

  struct BodyNodes {
    int w = -1;
    int v[2] = {-1, -1};
    Expr angle;
    Expr2 centre;
  };

  void add_body(int b) {
    const Body& body = machine_.bodies[at(b)];
    BodyNodes nodes;
    nodes.w = add(body.name + ".w", Kind::one, {}, body.where, Domain::rotation);
    nodes.v[0] = add(body.name + ".vx", Kind::one, {}, body.where, Domain::translation);
    nodes.v[1] = add(body.name + ".vy", Kind::one, {}, body.where, Domain::translation);
    nodes.angle = displacement_of(body.name + ".J");
    nodes.centre = find_centre(b);
    if (options_.form == RodForm::equivalent) {
      add_angle_port(body.name + ".J", "X_" + body.name, nodes.w, body.where);
    } else {
      add_inertias(body, nodes);
    }
    bodies_[b] = nodes;
  }

  void add_angle_port(const std::string& name, const std::string& symbol, int junction, const Where& where,
                      Domain domain = Domain::rotation) {
    const int port = add(name, Kind::K, {Expr(0.0)}, where, domain);
    graph_.elements[at(port)].symbol = symbol;
    bond(junction, port, where);
  }

  static bool is_point_mass(const Body& body) { return body.inertia && body.inertia->value == 0; }

  void add_inertias(const Body& body, const BodyNodes& nodes) {
    const Expr mass = body.mass ? body.mass->expr : expr::symbol("m_" + body.name);
    const Expr inertia = body.inertia ? body.inertia->expr : expr::symbol("J_" + body.name);
    if (is_point_mass(body))
      add_angle_port(body.name + ".J", "X_" + body.name, nodes.w,
                     body.where);  // turns, and nothing resists it
    else
      add_inertia(body.name + ".J", "X_" + body.name, nodes.w, inertia, body.where, Domain::rotation);
    add_inertia(body.name + ".Ix", "x_" + body.name, nodes.v[0], mass, body.where, Domain::translation);
    add_inertia(body.name + ".Iy", "y_" + body.name, nodes.v[1], mass, body.where, Domain::translation);
    if (machine_.gravity_x)
      add_weight(body.name + ".weight_x", nodes.v[0], mass * machine_.gravity_x->expr, body.where);
    if (machine_.gravity_y)
      add_weight(body.name + ".weight_y", nodes.v[1], mass * machine_.gravity_y->expr, body.where);
  }

  void add_inertia(const std::string& name, const std::string& symbol, int junction, Expr value,
                   const Where& where, Domain domain) {
    const int port = add(name, Kind::I, {value}, where, domain);
    graph_.elements[at(port)].symbol = symbol;
    graph_.displacement_of_inertia.push_back(port);
    bond(junction, port, where);
  }

  void add_weight(const std::string& name, int junction, Expr value, const Where& where) {
    if (value.is_number(0)) return;
    bond(add(name, Kind::Se, {value}, where, Domain::translation), junction, where);
  }

  /// Traditional: the centre of mass, where the file gives it. Else, and for the rod equivalent, which has no mass, the
  /// middle of the first two jointed points; of all points if only one is jointed.
  [[nodiscard]] Expr2 find_centre(int b) const {
    const Body& body = machine_.bodies[at(b)];
    if (options_.form == RodForm::traditional && body.com_x && body.com_y)
      return {body.com_x->expr, body.com_y->expr};
    std::vector<int> points = jointed_points_[at(b)];
    if (options_.reference == RodReference::inner_pin && !points.empty()) {
      points = {inner_points_[at(b)].value_or(points.front())};
    } else if (points.size() < 2) {
      points.resize(body.points.size());
      std::iota(points.begin(), points.end(), 0);
    } else {
      points.resize(2);
    }
    if (points.empty()) return {};
    Expr2 sum;
    for (const int p : points) sum = {sum.x + body.points[at(p)].x.expr, sum.y + body.points[at(p)].y.expr};
    const double count = static_cast<double>(points.size());
    return {sum.x / count, sum.y / count};
  }

  // ---- points and pins (R2, R3)

  /// `pin_B`; further pins whose first point has the same name are `pin_B2`, `pin_B3`.
  [[nodiscard]] std::string pin_name(PointRef ref) {
    const std::string base = "pin_" + machine_.point(ref).name;
    std::string name = base;
    while (!pin_names_.insert(name).second)
      name = fmt::format("{}{}", base, ++pin_counts_.try_emplace(base, 1).first->second);
    return name;
  }

  /// The 1-junction of a point's velocity component.
  int pin(PointRef ref, int component) {
    const int group = pins_[component].find(ref);
    const auto found = pin_nodes_[component].find(group);
    if (found != pin_nodes_[component].end()) return found->second;
    const auto other = pin_of_group_.find(group);
    const std::string name = other != pin_of_group_.end() ? other->second : pin_name(ref);
    pin_of_group_.emplace(group, name);
    const int node = add(name + (component == 0 ? ".vx" : ".vy"), Kind::one, {}, machine_.point(ref).where,
                         Domain::translation);
    pin_nodes_[component].emplace(group, node);
    return node;
  }

  void add_point(PointRef ref) {
    if (ref.body == 0) return ground_point(ref);
    const Point& point = machine_.point(ref);
    for (const int component : {0, 1})
      add_component(bodies_.at(ref.body), {point.x.expr, point.y.expr}, component, machine_.point_name(ref),
                    pin(ref, component), point.where);
  }

  /// The velocity of a point p of a body's frame, one component, into a 1-junction.
  void add_component(const BodyNodes& body, const Expr2& p, int component, const std::string& point,
                     int velocity, const Where& where) {
    const Expr2 turned = rotate(body.angle, {p.x - body.centre.x, p.y - body.centre.y});
    const Expr modulus = component == 0 ? -turned.y : turned.x;  // ẑ × p_GP
    const std::string name = point + (component == 0 ? ".x" : ".y");
    if (modulus.is_number(0)) return bond(body.v[component], velocity, where);
    const int sum = add(name, Kind::zero, {}, where, Domain::translation);
    bond(body.v[component], sum, where);
    feed(body.w, sum, modulus, name + "n", where, Domain::rotation);
    bond(sum, velocity, where);
  }

  void ground_point(PointRef ref) {
    const Point& point = machine_.point(ref);
    for (const int component : {0, 1}) {
      if (!pinned_[component].contains(pins_[component].find(ref))) continue;
      const Expr place = component == 0 ? point.x.expr : point.y.expr;
      const int node = pin(ref, component);
      hold(node, graph_.elements[at(node)].name + "_ground", point.where, Domain::translation,
           fmt::format("{} = {}", component == 0 ? "x" : "y", expr::to_text(place)));
    }
  }

  // ---- guides (R4, R5)

  /// v·d for a direction d fixed in `body`: terms of both points, d turned with the body.
  void feed_along(int zero, const Joint& joint, const Expr2& d, const std::string& name) {
    const Expr components[2] = {d.x, d.y};
    for (const int c : {0, 1}) {
      const std::string axis = c == 0 ? "x" : "y";
      if (joint.second.body != 0)
        feed(pin(joint.second, c), zero, components[c], name + ".b" + axis, joint.where, Domain::translation);
      if (joint.first.body != 0)
        feed(pin(joint.first, c), zero, -components[c], name + ".a" + axis, joint.where, Domain::translation);
    }
  }

  [[nodiscard]] Expr2 guide_direction(const Joint& joint) const {
    const Expr2 u = {joint.direction_x.expr, joint.direction_y.expr};
    return joint.first.body == 0 ? u : rotate(bodies_.at(joint.first.body).angle, u);
  }

  void add_guide(int j) {
    const Joint& joint = machine_.joints[at(j)];
    if (joint.kind == JointKind::revolute) return;
    const bool is_driven = options_.driven && slide_drive(j) != nullptr;
    const bool has_state = joint.first.body != 0 || is_driven;
    if (has_state) {
      is_redundant(j, 0) ? add_slide_alone(j, slide_drive(j)) : add_slide(j, slide_drive(j));
    } else if (!is_redundant(j, 0)) {
      add_across(j);
    }
    if (joint.kind == JointKind::prismatic && !is_redundant(j, 1)) hold_angle(joint);
  }

  [[nodiscard]] const Drive* slide_drive(int joint) const {
    for (const Drive& drive : machine_.drives) {
      if (drive.kind == DriveKind::slide && drive.joint == joint) return &drive;
    }
    return nullptr;
  }

  [[nodiscard]] static std::string slide_name(const Joint& joint, const Drive* drive) {
    return drive != nullptr ? drive->name : joint.name;
  }

  /// s is kept as the displacement of a `K: 0` on its own 1-junction.
  int add_slide_state(int j, const Drive* drive) {
    const Joint& joint = machine_.joints[at(j)];
    const std::string name = slide_name(joint, drive);
    const int velocity = add(name + ".v", Kind::one, {}, joint.where, Domain::translation);
    add_angle_port(name + ".s", "s_" + name, velocity, joint.where, Domain::translation);
    slides_[j] = {velocity, displacement_of(name + ".s")};
    return velocity;
  }

  /// v_b = v_a + s' u + s w_a n, both constraints of the guide at once: a rod of variable length along it.
  void add_slide(int j, const Drive* drive) {
    const Joint& joint = machine_.joints[at(j)];
    const int velocity = add_slide_state(j, drive);
    const Expr2 u = guide_direction(joint);
    const Expr s = slides_.at(j).displacement;
    const Expr along[2] = {u.x, u.y};
    const Expr across[2] = {-(s * u.y), s * u.x};
    for (const int c : {0, 1})
      add_slide_component(joint, slide_name(joint, drive), c, velocity, along[c], across[c]);
  }

  void add_slide_component(const Joint& joint, const std::string& name, int c, int velocity, Expr along,
                           Expr across) {
    const std::string axis = c == 0 ? ".x" : ".y";
    const bool on_ground = joint.first.body == 0;
    if (on_ground && along.is_number(0)) {
      return hold(pin(joint.second, c), name + axis + "_guide", joint.where, Domain::translation,
                  guide_note(joint));
    }
    const int sum = add(name + axis, Kind::zero, {}, joint.where, Domain::translation);
    feed(velocity, sum, along, name + axis + "u", joint.where, Domain::translation);
    if (!on_ground) {
      bond(pin(joint.first, c), sum, joint.where);
      feed(bodies_.at(joint.first.body).w, sum, across, name + axis + "n", joint.where, Domain::rotation);
    }
    if (joint.second.body != 0) bond(sum, pin(joint.second, c), joint.where);
  }

  /// s' = u·(v_b - v_a) alone, where the constraint across the guide is redundant.
  void add_slide_alone(int j, const Drive* drive) {
    const Joint& joint = machine_.joints[at(j)];
    const int velocity = add_slide_state(j, drive);
    const std::string name = slide_name(joint, drive);
    const int sum = add(name + ".along", Kind::zero, {}, joint.where, Domain::translation);
    feed_along(sum, joint, guide_direction(joint), name + ".u");
    bond(sum, velocity, joint.where);
  }

  /// n·v_b = 0 of a guide on the ground. Across an axis, that is one velocity held at zero.
  void add_across(int j) {
    const Joint& joint = machine_.joints[at(j)];
    const Expr2 u = guide_direction(joint);
    const Expr2 n = {-u.y, u.x};
    const std::string name = joint.name + ".across";
    for (const int c : {0, 1}) {
      const Expr other = c == 0 ? n.y : n.x;
      if (other.is_number(0)) {
        return hold(pin(joint.second, c), joint.name + ".guide", joint.where, Domain::translation,
                    guide_note(joint));
      }
    }
    const int sum = add(name, Kind::zero, {}, joint.where, Domain::translation);
    graph_.elements[at(sum)].note = guide_note(joint);
    feed_along(sum, joint, n, name);
  }

  [[nodiscard]] std::string guide_note(const Joint& joint) const {
    return joint.first.body == 0 ? fmt::format("on the line through {}", machine_.point_name(joint.first))
                                 : "n·(b - a) = 0";
  }

  void hold_angle(const Joint& joint) {
    const int second = joint.second.body == 0 ? -1 : bodies_.at(joint.second.body).w;
    const int first = joint.first.body == 0 ? -1 : bodies_.at(joint.first.body).w;
    const std::string note = "angle = " + expr::to_text(joint.angle.expr);
    if (first < 0) return hold(second, joint.name + ".angle", joint.where, Domain::rotation, note);
    if (second < 0) return hold(first, joint.name + ".angle", joint.where, Domain::rotation, note);
    bond(first, second, joint.where);
  }

  // ---- drives (R6, R7)

  void add_source(const Drive& drive, int target, Domain domain, const std::string& symbol) {
    const int source = add(drive.name + ".input", Kind::Sf, {}, drive.where, domain);
    graph_.elements[at(source)].symbol = symbol;
    bond(source, target, drive.where);
  }

  void add_drive(const Drive& drive) {
    if (drive.kind == DriveKind::cylinder) return add_cylinder(drive);
    if (!options_.driven) return;
    if (drive.kind == DriveKind::slide) {
      add_source(drive, slides_.at(drive.joint).velocity, Domain::translation, "v_" + drive.name);
    } else if (drive.first_body == 0) {
      add_source(drive, bodies_.at(drive.second_body).w, Domain::rotation, "w_" + drive.name);
    } else {
      const int sum = add(drive.name + ".relative", Kind::zero, {}, drive.where, Domain::rotation);
      bond(bodies_.at(drive.first_body).w, sum, drive.where);
      bond(sum, bodies_.at(drive.second_body).w, drive.where);
      add_source(drive, sum, Domain::rotation, "w_" + drive.name);
    }
  }

  void add_cylinder(const Drive& drive) {
    if (!options_.driven) return;
    const std::string& name = drive.name;
    const int w = add(name + ".w", Kind::one, {}, drive.where, Domain::rotation);
    const int v = add(name + ".v", Kind::one, {}, drive.where, Domain::translation);
    add_angle_port(name + ".angle", "X_" + name, w, drive.where);
    add_angle_port(name + ".length", "l_" + name, v, drive.where, Domain::translation);
    add_source(drive, v, Domain::translation, "v_" + name);
    const Expr angle = displacement_of(name + ".angle");
    const Expr length = displacement_of(name + ".length");
    const Expr along[2] = {cos(angle), sin(angle)};
    const Expr turning[2] = {-(length * sin(angle)), length * cos(angle)};
    for (const int c : {0, 1}) {
      const std::string axis = c == 0 ? ".x" : ".y";
      const int sum = add(name + axis, Kind::zero, {}, drive.where, Domain::translation);
      if (drive.first.body != 0) bond(pin(drive.first, c), sum, drive.where);
      feed(v, sum, along[c], name + axis + "u", drive.where, Domain::translation);
      feed(w, sum, turning[c], name + axis + "n", drive.where, Domain::rotation);
      if (drive.second.body != 0) bond(sum, pin(drive.second, c), drive.where);
    }
  }

  // ---- forces (R8)

  void add_forces() {
    RodNodes nodes;
    nodes.pin = [this](PointRef ref, int component) { return pin(ref, component); };
    nodes.spin = [this](int body) { return bodies_.at(body).w; };
    nodes.slide = [this](int joint) { return find_slide(joint); };
    nodes.payload = [this](const Force& force, int component) { return add_payload(force, component); };
    add_force_elements(graph_, machine_, nodes);
  }

  /// s', also where no state is kept for it.
  int find_slide(int j) {
    const auto found = slides_.find(j);
    if (found == slides_.end()) add_slide_alone(j, nullptr);
    return slides_.at(j).velocity;
  }

  int add_payload(const Force& force, int component) {
    const std::string name =
        force.name.empty() ? machine_.bodies[at(force.body)].name + ".payload" : force.name;
    const char* axis = component == 0 ? "x" : "y";
    const auto place = [&](Expr e, const char* letter) {
      const bool is_input = e.is_symbol() && e->kind == expr::SymbolKind::variable;
      return is_input ? expr::symbol(fmt::format("{}_{}", letter, name)) : e;
    };
    const int velocity =
        add(fmt::format("{}.v{}", name, axis), Kind::one, {}, force.where, Domain::translation);
    add_component(bodies_.at(force.body), {place(force.com_x, "a"), place(force.com_y, "b")}, component, name,
                  velocity, force.where);
    return velocity;
  }

  struct Slide {
    int velocity = -1;
    Expr displacement;
  };

  const Machine& machine_;
  const RodOptions& options_;
  Graph graph_;
  Pins pins_[2];
  std::set<int> pinned_[2];
  std::vector<PointRef> used_points_;
  std::vector<std::vector<int>> jointed_points_;  // a body each
  std::vector<std::optional<int>> inner_points_;  // a body each
  std::set<std::pair<int, int>> seen_points_;
  std::map<int, BodyNodes> bodies_;
  std::map<int, int> pin_nodes_[2];
  std::map<int, std::string> pin_of_group_;
  std::set<std::string> pin_names_;
  std::map<std::string, int> pin_counts_;
  std::set<int> held_;
  std::map<int, Slide> slides_;
};

}  // namespace

std::vector<RodCentre> find_centres(const Machine& machine, const RodOptions& options) {
  return RodBuilder(machine, options).centres();
}

bondgraph::Graph build_rods(const Machine& machine, const RodOptions& options) {
  return RodBuilder(machine, options).build();
}

}  // namespace rodeo::machine
