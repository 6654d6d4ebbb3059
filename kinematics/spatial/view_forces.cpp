// SPDX-License-Identifier: MIT
// Forces in a view: what stands between points, ground under contacts, arrows and payloads, with the names of the file.
#include <algorithm>
#include <cmath>
#include <map>

#include "kinematics/spatial/view.h"

namespace rodeo::spatial {
namespace {

using machine::find_push;
using machine::kForceColour;
using machine::kInk;
using machine::NamedPlace;
using machine::stroke;
using machine::Strut;

constexpr double kReach = 46, kPart = 28;  // lengths of arrows, pixels

std::vector<machine::Ends> build_cylinders(const View& view) {
  std::vector<machine::Ends> ends;
  for (const Drive& drive : view.machine.drives) {
    if (drive.kind == DriveKind::cylinder)
      ends.emplace_back(view.place(drive.first), view.place(drive.second));
  }
  return ends;
}

/// Kinds of struts that a force is drawn with: a spring with damping has two.
std::vector<Strut::Kind> find_kinds(const Force& force) {
  if (force.kind == ForceKind::damper) return {Strut::dashpot};
  if (force.kind == ForceKind::stop) return {Strut::stop};
  if (force.kind != ForceKind::spring) return {};
  return force.damping.value > 0 ? std::vector{Strut::spring, Strut::dashpot} : std::vector{Strut::spring};
}

void add_struts(const View& view, const Force& force, std::vector<Strut>& struts) {
  std::string name = force.name;
  for (const Strut::Kind kind : find_kinds(force)) {
    struts.push_back({kind, view.place(force.first), view.place(force.second), name});
    name.clear();
  }
  if (force.kind != ForceKind::stop) return;
  const Vector3 a = calc_position(view.machine, view.pose, force.first);
  const double now = (calc_position(view.machine, view.pose, force.second) - a).norm();
  if (force.lower) struts.back().lower = force.lower->value / now;
  if (force.upper) struts.back().upper = force.upper->value / now;
}

/// The place of the ground that is nearest to the point.
Vector3 find_foot(const View& view, const Force& force) {
  const Vector3 p = calc_position(view.machine, view.pose, force.first), n = force.normal.value();
  return p - (n.dot(p) - force.lower->value) * n;
}

/// The ground seen from above or below: a patch around the feet.
void draw_patch(View& view, const Vector3& normal, const std::vector<Vector3>& feet) {
  const Vector3 some = std::abs(normal.x()) < 0.9 ? Vector3::UnitX() : Vector3::UnitY();
  const Vector3 i = (some - some.dot(normal) * normal).normalized(), j = normal.cross(i);
  std::vector<Vec2> corners;
  for (const Vector3& foot : feet) {
    for (const Vector3& side : {Vector3(i + j), Vector3(i - j), Vector3(-i - j), Vector3(j - i)})
      corners.push_back(view.place_of(foot) + view.flat(14 * side));
  }
  view.canvas.polygon(machine::build_hull(corners),
                      R"(class="patch" fill="#999" fill-opacity="0.12" )" + stroke(kInk, 0.8));
  for (const Vector3& foot : feet) {
    for (const double s : {-5.0, 0.0, 5.0}) {
      const Vec2 p = view.place_of(foot) + view.flat(s * (i - j));
      view.canvas.line(p - view.flat(4 * (i + j)), p + view.flat(4 * (i + j)), stroke(kInk, 0.8));
    }
  }
}

/// Seen from the side it is a hatched line.
void draw_plane(View& view, const Vector3& normal, const std::vector<Vector3>& feet) {
  if (std::abs(normal.dot(view.projection.toward)) > 0.05) return draw_patch(view, normal, feet);
  std::vector<Vec2> places;
  for (const Vector3& foot : feet) places.push_back(view.place_of(foot));
  const Vec2 up = view.flat(normal);
  draw_ground(view, places, (1 / length_of(up)) * up);
}

/// An arrow, or the point or cross that it is from its end.
void draw_push_along(View& view, Vec2 p, const Vector3& reach) {
  const Vec2 along = view.flat(reach);
  if (length_of(along) > 0.2 * reach.norm()) return draw_push(view, p, along);
  view.canvas.circle(p, 6, R"(class="push" fill="#fff" )" + stroke(kForceColour, 1.6));
  if (reach.dot(view.projection.toward) > 0)
    return view.canvas.circle(p, 2, fmt::format(R"(fill="{}")", kForceColour));
  for (const double side : {-4.0, 4.0})
    view.canvas.line(p - Vec2{4, side}, p + Vec2{4, side}, stroke(kForceColour, 1.4));
}

/// With a value: its direction, where it has one. As an input: the axes that it is given in.
void draw_point_force(View& view, const Force& force, std::vector<NamedPlace>& names) {
  const Vec2 p = view.place(force.first);
  const auto found = find_push(force.value, view.machine.parameters, /*input=*/0);
  const Vector3 push(found[0], found[1], found[2]);
  if (push.norm() > 0) {
    draw_push_along(view, p, kReach * push.normalized());
  } else {
    for (int k = 0; k < 3; ++k) draw_push_along(view, p, kPart * Vector3::Unit(k));
  }
  if (force.name.empty()) return;
  names.push_back({push.norm() > 0 ? p + view.flat(kReach * push.normalized()) : p, force.name});
}

/// At the joint between the two bodies, else at one of the body, else at its origin.
Vec2 find_pivot(const View& view, const Force& force) {
  const Joint* found = nullptr;
  for (const Joint& joint : view.machine.joints) {
    const int a = joint.first.body, b = joint.second.body;
    if (a != force.body && b != force.body) continue;
    if (a == force.against || b == force.against) return view.place(joint.second);
    if (found == nullptr) found = &joint;
  }
  return found != nullptr ? view.place(found->second) : view.place_of(view.pose.bodies[force.body].origin);
}

void draw_torque(View& view, const Force& force, std::vector<NamedPlace>& names) {
  const auto found = find_push(force.value, view.machine.parameters, /*input=*/1);
  const Vector3 push = view.pose.bodies[force.axis_body].q * Vector3(found[0], found[1], found[2]);
  const Vector3 axis = push.norm() > 0 ? Vector3(push.normalized()) : Vector3::UnitZ();
  const Vec2 c = find_pivot(view, force);
  const std::vector<Vec2> arc = draw_turn_arrow(view, c, axis, 16, kForceColour);
  if (!force.name.empty()) names.push_back({arc[10], force.name});
}

void draw_payload(View& view, const Force& force, std::vector<NamedPlace>& names) {
  Vector3 com;
  for (int k = 0; k < 3; ++k)
    com[k] = machine::calc_force_value(force.com[static_cast<std::size_t>(k)], view.machine.parameters, 0, 0);
  const Vec2 p = view.place_of(view.pose.bodies[force.body].place(com));
  draw_payload_mark(view, p);
  if (!force.name.empty()) names.push_back({p, force.name});
}

}  // namespace

bool is_strut(ForceKind kind) {
  return kind == ForceKind::spring || kind == ForceKind::damper || kind == ForceKind::stop;
}

void draw_contacts(View& view) {
  std::map<std::array<double, 4>, std::vector<Vector3>> feet;  // by normal and height of the ground
  for (const Force& force : view.machine.forces) {
    if (force.kind != ForceKind::contact) continue;
    const Vector3 n = force.normal.value();
    feet[{n.x(), n.y(), n.z(), force.lower->value}].push_back(find_foot(view, force));
  }
  for (const auto& [plane, places] : feet) draw_plane(view, {plane[0], plane[1], plane[2]}, places);
  for (const Force& force : view.machine.forces) {
    if (force.kind == ForceKind::contact)
      draw_drop(view, view.place(force.first), view.place_of(find_foot(view, force)));
  }
}

std::vector<NamedPlace> draw_struts_of(View& view) {
  std::vector<Strut> struts;
  for (const Force& force : view.machine.forces) add_struts(view, force, struts);
  return draw_struts(view, struts, build_cylinders(view));
}

void draw_force(View& view, const Force& force, std::vector<NamedPlace>& names) {
  if (force.kind == ForceKind::force) return draw_point_force(view, force, names);
  if (force.kind == ForceKind::torque) return draw_torque(view, force, names);
  if (force.kind == ForceKind::payload) return draw_payload(view, force, names);
  if (force.kind == ForceKind::contact && !force.name.empty())
    names.push_back({view.place_of(find_foot(view, force)), force.name});
}

void draw_force_sample(machine::Page& page, Vec2 a, Vec2 b, const Force& force) {
  std::vector<Strut> struts;
  for (const Strut::Kind kind : find_kinds(force)) struts.push_back({kind, a, b, "", 0.5, 1.0});
  if (force.kind == ForceKind::stop) struts.back().b = a + 0.75 * (b - a);
  static_cast<void>(draw_struts(page, struts));
  const Vec2 middle = 0.5 * (a + b);
  if (force.kind == ForceKind::contact) draw_ground(page, {middle}, {0, -1});
  if (force.kind == ForceKind::force) draw_push(page, a, b - a);
  if (force.kind == ForceKind::torque) draw_twist(page, middle, true);
  if (force.kind == ForceKind::payload) draw_payload_mark(page, middle);
}

std::string force_text(const Machine& machine, const Force& force) {
  const std::string name = force.name.empty() ? "" : force.name + ": ";
  const std::string first =
      is_strut(force.kind) || force.kind == ForceKind::force || force.kind == ForceKind::contact
          ? machine.point_name(force.first)
          : machine.bodies[force.body].name;
  const auto between = [&](const char* kind) {
    return fmt::format("{}{}, {} – {}", name, kind, first, machine.point_name(force.second));
  };
  switch (force.kind) {
    case ForceKind::spring: return between(force.damping.value > 0 ? "spring and damper" : "spring");
    case ForceKind::damper: return between("damper");
    case ForceKind::stop: return between("stop");
    case ForceKind::contact: return fmt::format("{}contact, {}", name, first);
    case ForceKind::force: return fmt::format("{}force, {}", name, first);
    case ForceKind::torque:
      return fmt::format("{}torque, {} – {}", name, machine.bodies[force.against].name, first);
    case ForceKind::payload: return fmt::format("{}payload, {}", name, first);
    case ForceKind::friction: return fmt::format("{}friction, {}", name, machine.joints[force.joint].name);
  }
  return {};
}

}  // namespace rodeo::spatial
