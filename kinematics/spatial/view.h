// SPDX-License-Identifier: MIT
// One view of a machine in space: what is seen from one side, on a page of its own whose (0, 0) is the ground's origin. Places are
// metres times the scale, symbols are pixels, and the page's y points down. THEORY S13.
#pragma once
#include <string>
#include <vector>

#include "kinematics/machine/force_marks.h"
#include "kinematics/machine/marks.h"
#include "kinematics/spatial/pose.h"

namespace rodeo::spatial {

using machine::all_points;
using machine::Vec2;

/// A parallel projection: p is seen at (right·p, up·p), and `toward` points at who looks.
struct Projection {
  const char* name;
  const char* title;
  Vector3 right, up, toward;

  [[nodiscard]] Vec2 flat(const Vector3& v) const { return {right.dot(v), -up.dot(v)}; }
};

/// As third-angle projection has them, z up: front from −y, side from +x, top from +z, and an isometric view from between the
/// three, in which lengths along x, y and z are to scale.
[[nodiscard]] const Projection& front_view();
[[nodiscard]] const Projection& side_view();
[[nodiscard]] const Projection& top_view();
[[nodiscard]] const Projection& isometric_view();

struct View : machine::Page {
  const Machine& machine;
  const Pose& pose;
  const Projection& projection;
  double scale;  // pixels a metre
  double link;   // half the width of a link, pixels

  [[nodiscard]] Vec2 flat(const Vector3& v) const { return projection.flat(v); }
  [[nodiscard]] Vec2 place_of(const Vector3& p_W) const { return scale * flat(p_W); }
  [[nodiscard]] Vec2 place(PointRef ref) const { return place_of(calc_position(machine, pose, ref)); }
};

/// Pixels a metre: every view fits its quarter of a page, but links stay visible in a long chain.
[[nodiscard]] double find_scale(const Machine& machine, const Pose& pose);
[[nodiscard]] View build_view(const Machine& machine, const Pose& pose, const Projection& projection,
                              double scale);

/// Points of a body in the ground's frame.
[[nodiscard]] std::vector<Vector3> build_corners(const Machine& machine, const Pose& pose, int body);

/// view_drives.cpp
void draw_cylinder(View& view, const Drive& drive);
void draw_drive(View& view, const Drive& drive);
[[nodiscard]] std::string value_text(const Machine& machine, const Pose& pose, const Drive& drive);
/// An output: a dimension line, or an arrow around the joint's axis. What a drive shows is left out.
void draw_measure(View& view, const Measure& measure);
/// Two thirds of a circle about an axis of length 1, in the sense of a positive angle; returns its points.
std::vector<Vec2> draw_turn_arrow(View& view, Vec2 centre, const Vector3& axis, double radius,
                                  const char* colour);

/// view_forces.cpp. The ground that contacts meet, behind the bodies.
void draw_contacts(View& view);
/// Springs, dampers and stops; returns where their names belong.
[[nodiscard]] std::vector<machine::NamedPlace> draw_struts_of(View& view);
/// Point forces, torques and payloads; adds their names, and those of contacts.
void draw_force(View& view, const Force& force, std::vector<machine::NamedPlace>& names);
/// The force's symbol for a legend, from a to b.
void draw_force_sample(machine::Page& page, Vec2 a, Vec2 b, const Force& force);
/// `soft: spring, ground.W – arm.A`.
[[nodiscard]] std::string force_text(const Machine& machine, const Force& force);
[[nodiscard]] bool is_strut(ForceKind kind);

}  // namespace rodeo::spatial
