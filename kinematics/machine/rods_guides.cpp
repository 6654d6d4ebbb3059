// SPDX-License-Identifier: MIT
#include "kinematics/machine/rods_guides.h"

#include <fmt/format.h>

namespace rodeo::machine {

using bondgraph::Domain;
using bondgraph::Kind;

RodGuides::RodGuides(const Machine& machine, const RodOptions& options, RodGraph& graph, RodBodies& bodies)
    : machine_(machine), options_(options), graph_(graph), bodies_(bodies) {
  for (std::size_t j = 0; j < machine.joints.size(); ++j) add_guide(static_cast<int>(j));
}

void RodGuides::add_guide(int j) {
  const Joint& joint = this->joint(j);
  if (joint.kind == JointKind::revolute) return;
  const Drive* drive = find_drive(j);
  const bool has_state = joint.first.body != 0 || (options_.driven && drive != nullptr);
  const bool is_held = !is_redundant(options_, j, 0);
  if (has_state) {
    const std::string& name = drive != nullptr ? drive->name : joint.name;
    is_held ? add_slide(j, name) : add_slide_alone(j, name);
  } else if (is_held) {
    add_across(joint);
  }
  if (joint.kind == JointKind::prismatic && !is_redundant(options_, j, 1)) hold_angle(joint);
}

const Drive* RodGuides::find_drive(int joint) const {
  for (const Drive& drive : machine_.drives) {
    if (drive.kind == DriveKind::slide && drive.joint == joint) return &drive;
  }
  return nullptr;
}

// ---- guides whose position is a state

int RodGuides::slide(int j) {
  if (!slides_.contains(j)) add_slide_alone(j, joint(j).name);
  return slides_.at(j);
}

/// s is kept as the displacement of a `K: 0` on its own 1-junction.
int RodGuides::add_slide_state(int j, const std::string& name) {
  const Where& where = joint(j).where;
  const int velocity = graph_.add(name + ".v", Kind::one, {}, where, Domain::translation);
  graph_.keep_displacement(velocity, name + ".s", "s_" + name, where, Domain::translation);
  slides_[j] = velocity;
  kept_[j] = name;
  return velocity;
}

/// v_b = v_a + s' u + s w_a n, both constraints of the guide at once: a rod of variable length along it.
void RodGuides::add_slide(int j, const std::string& name) {
  const int velocity = add_slide_state(j, name);
  const Expr s = bondgraph::displacement_of(name + ".s");  // before u: factors of a product stand by age
  const Expr2 u = direction_of(joint(j));
  add_slide_component(joint(j), name, 0, velocity, u.x, -(s * u.y));
  add_slide_component(joint(j), name, 1, velocity, u.y, s * u.x);
}

void RodGuides::add_slide_component(const Joint& joint, const std::string& name, int c, int velocity,
                                    Expr along, Expr across) {
  const std::string axis = c == 0 ? ".x" : ".y";
  const bool on_ground = joint.first.body == 0;
  if (on_ground && along.is_number(0)) {
    return graph_.hold(bodies_.pin(joint.second, c), name + axis + "_guide", joint.where, Domain::translation,
                       note_of(joint));
  }
  const int sum = graph_.add(name + axis, Kind::zero, {}, joint.where, Domain::translation);
  graph_.feed(velocity, sum, along, name + axis + "u", joint.where, Domain::translation);
  if (!on_ground) {
    graph_.bond(bodies_.pin(joint.first, c), sum, joint.where);
    graph_.feed(bodies_.of(joint.first.body).w, sum, across, name + axis + "n", joint.where,
                Domain::rotation);
  }
  if (joint.second.body != 0) graph_.bond(sum, bodies_.pin(joint.second, c), joint.where);
}

/// s' = u·(v_b - v_a) alone, where the constraint across the guide is redundant.
void RodGuides::add_slide_alone(int j, const std::string& name) {
  const Where& where = joint(j).where;
  const int velocity = add_slide_state(j, name);
  const int sum = graph_.add(name + ".along", Kind::zero, {}, where, Domain::translation);
  feed_along(sum, joint(j), direction_of(joint(j)), name + ".u");
  graph_.bond(sum, velocity, where);
}

// ---- guides without one

/// n·v_b = 0 of a guide on the ground. Across an axis, that is one velocity held at zero.
void RodGuides::add_across(const Joint& joint) {
  const Expr2 u = direction_of(joint);
  const Expr2 n = {-u.y, u.x};
  for (const int c : {0, 1}) {
    const Expr other = c == 0 ? n.y : n.x;
    if (other.is_number(0)) {
      return graph_.hold(bodies_.pin(joint.second, c), joint.name + ".guide", joint.where,
                         Domain::translation, note_of(joint));
    }
  }
  const std::string name = joint.name + ".across";
  const int sum = graph_.add(name, Kind::zero, {}, joint.where, Domain::translation);
  graph_.element(sum).note = note_of(joint);
  feed_along(sum, joint, n, name);
}

void RodGuides::hold_angle(const Joint& joint) {
  const int second = joint.second.body == 0 ? -1 : bodies_.of(joint.second.body).w;
  const int first = joint.first.body == 0 ? -1 : bodies_.of(joint.first.body).w;
  if (first >= 0 && second >= 0) return graph_.bond(first, second, joint.where);
  graph_.hold(first < 0 ? second : first, joint.name + ".angle", joint.where, Domain::rotation,
              "angle = " + expr::to_text(joint.angle.expr));
}

// ---- what both need

/// d·(v_b - v_a), d on the page.
void RodGuides::feed_along(int zero, const Joint& joint, const Expr2& d, const std::string& name) {
  const Expr components[2] = {d.x, d.y};
  for (const int c : {0, 1}) {
    const char* axis = c == 0 ? "x" : "y";
    if (joint.second.body != 0)
      graph_.feed(bodies_.pin(joint.second, c), zero, components[c], fmt::format("{}.b{}", name, axis),
                  joint.where, Domain::translation);
    if (joint.first.body != 0)
      graph_.feed(bodies_.pin(joint.first, c), zero, -components[c], fmt::format("{}.a{}", name, axis),
                  joint.where, Domain::translation);
  }
}

Expr2 RodGuides::direction_of(const Joint& joint) const {
  const Expr2 u = {joint.direction_x.expr, joint.direction_y.expr};
  return joint.first.body == 0 ? u : rotate(bodies_.of(joint.first.body).angle, u);
}

std::string RodGuides::note_of(const Joint& joint) const {
  return joint.first.body == 0 ? fmt::format("on the line through {}", machine_.point_name(joint.first))
                               : "n·(b - a) = 0";
}

}  // namespace rodeo::machine
