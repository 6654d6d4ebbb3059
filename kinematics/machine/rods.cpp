// SPDX-License-Identifier: MIT
// Machine -> bond graph: bodies and pins (rods_bodies, R1-R3), guides (rods_guides, R4, R5), and here
//   cylinder  v_b = v_a + l' u(φ) + l φ' n(φ): a rod of variable length, two `K: 0`     R6
//   drives    flow sources                                                              R7
//   forces    effort sources, resistors, controlled junctions (rods_forces)             R8
#include "kinematics/machine/rods.h"

#include <fmt/format.h>

#include "kinematics/machine/rods_forces.h"
#include "kinematics/machine/rods_guides.h"

namespace rodeo::machine {
namespace {

using bondgraph::displacement_of;
using bondgraph::Domain;
using bondgraph::Kind;
using expr::cos;
using expr::sin;

class RodBuilder {
 public:
  RodBuilder(const Machine& machine, const RodOptions& options)
      : machine_(machine),
        options_(options),
        graph_(machine),
        bodies_(machine, options, graph_),
        guides_(machine, options, graph_, bodies_) {}

  bondgraph::Graph build() {
    if (options_.driven) {
      for (const Drive& drive : machine_.drives) add_drive(drive);
    }
    if (options_.forces) add_forces();
    return std::move(graph_.graph);
  }
  [[nodiscard]] Kept take_kept() {
    for (const auto& [joint, name] : guides_.kept()) kept_.slides.push_back({name, joint});
    return std::move(kept_);
  }

 private:
  // ---- drives (R6, R7)

  void add_drive(const Drive& drive) {
    if (drive.kind == DriveKind::cylinder) return add_cylinder(drive);
    if (drive.kind == DriveKind::slide)
      return add_source(drive, guides_.slide(drive.joint), Domain::translation, "v_" + drive.name);
    add_source(drive, find_relative_spin(drive), Domain::rotation, "w_" + drive.name);
  }

  void add_source(const Drive& drive, int target, Domain domain, const std::string& symbol) {
    const int source = graph_.add(drive.name + ".input", Kind::Sf, {}, drive.where, domain);
    graph_.element(source).symbol = symbol;
    graph_.bond(source, target, drive.where);
  }

  /// The junction whose flow is w_second - w_first.
  int find_relative_spin(const Drive& drive) {
    const int second = bodies_.of(drive.second_body).w;
    if (drive.first_body == 0) return second;
    const int sum = graph_.add(drive.name + ".relative", Kind::zero, {}, drive.where, Domain::rotation);
    graph_.bond(bodies_.of(drive.first_body).w, sum, drive.where);
    graph_.bond(sum, second, drive.where);
    return sum;
  }

  void add_cylinder(const Drive& drive) {
    const std::string& name = drive.name;
    const int w = graph_.add(name + ".w", Kind::one, {}, drive.where, Domain::rotation);
    const int v = graph_.add(name + ".v", Kind::one, {}, drive.where, Domain::translation);
    graph_.keep_displacement(w, name + ".angle", "X_" + name, drive.where, Domain::rotation);
    graph_.keep_displacement(v, name + ".length", "l_" + name, drive.where, Domain::translation);
    kept_.lines.push_back({name, drive.first, drive.second});
    add_source(drive, v, Domain::translation, "v_" + name);
    const Expr angle = displacement_of(name + ".angle");
    const Expr length = displacement_of(name + ".length");
    const Expr along[2] = {cos(angle), sin(angle)};
    const Expr turning[2] = {-(length * sin(angle)), length * cos(angle)};
    for (const int c : {0, 1}) {
      const std::string axis = c == 0 ? ".x" : ".y";
      const int sum = graph_.add(name + axis, Kind::zero, {}, drive.where, Domain::translation);
      if (drive.first.body != 0) graph_.bond(bodies_.pin(drive.first, c), sum, drive.where);
      graph_.feed(v, sum, along[c], name + axis + "u", drive.where, Domain::translation);
      graph_.feed(w, sum, turning[c], name + axis + "n", drive.where, Domain::rotation);
      if (drive.second.body != 0) graph_.bond(sum, bodies_.pin(drive.second, c), drive.where);
    }
  }

  // ---- forces (R8)

  void add_forces() {
    RodNodes nodes;
    nodes.pin = [this](PointRef ref, int component) { return bodies_.pin(ref, component); };
    nodes.spin = [this](int body) { return bodies_.of(body).w; };
    nodes.slide = [this](int joint) { return guides_.slide(joint); };
    nodes.payload = [this](const Force& force, int component) { return add_payload(force, component); };
    nodes.kept = &kept_;
    add_force_elements(graph_.graph, machine_, nodes);
  }

  int add_payload(const Force& force, int component) {
    const Body& body = machine_.bodies[static_cast<std::size_t>(force.body)];
    const std::string name = force.name.empty() ? body.name + ".payload" : force.name;
    const auto place = [&](Expr e, const char* letter) {
      return is_from_outside(e) ? expr::symbol(fmt::format("{}_{}", letter, name)) : e;
    };
    const int velocity = graph_.add(fmt::format("{}.v{}", name, component == 0 ? "x" : "y"), Kind::one, {},
                                    force.where, Domain::translation);
    bodies_.add_component(bodies_.of(force.body), {place(force.com_x, "a"), place(force.com_y, "b")},
                          component, name, velocity, force.where);
    return velocity;
  }

  const Machine& machine_;
  const RodOptions& options_;
  RodGraph graph_;
  RodBodies bodies_;
  RodGuides guides_;
  Kept kept_;
};

}  // namespace

bondgraph::Graph build_rods(const Machine& machine, const RodOptions& options) {
  return RodBuilder(machine, options).build();
}

Kept find_kept(const Machine& machine, const RodOptions& options) {
  RodBuilder builder(machine, options);
  (void)builder.build();
  return builder.take_kept();
}

}  // namespace rodeo::machine
