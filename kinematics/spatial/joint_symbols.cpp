// SPDX-License-Identifier: MIT
#include "kinematics/spatial/joint_symbols.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rodeo::spatial {
namespace {

using machine::Canvas;
using machine::colour_of;
using machine::kInk;
using machine::stroke;
using Ring = std::vector<Vector3>;

constexpr int kCorners = 32;  // of what is round

std::string filled(const std::string& fill, double opacity, const char* line, double width = 1.4) {
  return fmt::format(R"(fill="{}" fill-opacity="{}" stroke-linejoin="round" {})", fill, opacity,
                     stroke(line, width));
}

/// Corners around an axis, the first of them between the two directions across.
Ring build_ring(const Vector3& axis, double radius, int corners) {
  const Vector3 some = std::abs(axis.z()) < 0.9 ? Vector3::UnitZ() : Vector3::UnitX();
  const Vector3 i = some.cross(axis).normalized(), j = axis.cross(i);
  Ring ring;
  for (int c = 0; c < corners; ++c) {
    const double angle = (2 * c + 1) * std::numbers::pi / corners;
    ring.push_back(radius * (std::cos(angle) * i + std::sin(angle) * j));
  }
  return ring;
}

std::vector<Vec2> build_flat(const Projection& projection, Vec2 at, const Ring& ring, const Vector3& shift) {
  std::vector<Vec2> points;
  for (const Vector3& p : ring) points.push_back(at + projection.flat(p + shift));
  return points;
}

/// A ring drawn out along the axis: its outline, and the end that is seen.
void draw_prism(Canvas& canvas, const Projection& projection, const Symbol& s, const Ring& ring, double half,
                const std::string& style) {
  const Vector3 near = (s.axis.dot(projection.toward) < 0 ? -half : half) * s.axis;
  const std::vector<Vec2> end = build_flat(projection, s.at, ring, near);
  std::vector<Vec2> all = build_flat(projection, s.at, ring, -near);
  all.insert(all.end(), end.begin(), end.end());
  const std::vector<Vec2> hull = machine::build_hull(all);
  canvas.polygon(hull, R"(fill="#fff" )");
  canvas.polygon(hull, style);
  canvas.polygon(end, style);
}

/// Slanted lines on the side that is seen.
void draw_thread(Canvas& canvas, const Projection& projection, const Symbol& s, double radius, double half) {
  const Vector3 side = s.axis.cross(projection.toward);
  if (side.norm() < 0.2) return;
  for (const double at : {-0.6, -0.1, 0.4}) {
    const Vector3 a = at * half * s.axis - radius * side.normalized();
    const Vector3 b = (at + 0.4) * half * s.axis + radius * side.normalized();
    canvas.line(s.at + projection.flat(a), s.at + projection.flat(b), stroke(kInk, 1.2));
  }
}

void draw_bar(Canvas& canvas, const Projection& projection, Vec2 at, const Vector3& arm, double width) {
  canvas.line(at - projection.flat(arm), at + projection.flat(arm),
              R"(stroke-linecap="round" )" + stroke(kInk, width));
}

void draw_plate(Canvas& canvas, const Projection& projection, const Symbol& s, double shift) {
  canvas.polygon(build_flat(projection, s.at, build_ring(s.axis, 22, 4), shift * s.axis),
                 filled(s.colour, 0.25, kInk, 1.2));
}

void draw_ball(Canvas& canvas, Vec2 at, double radius) {
  canvas.circle(at, radius, filled("#fff", 1, kInk, 1.8));
}

}  // namespace

bool has_axis(JointKind kind) { return kind != JointKind::spherical && kind != JointKind::fixed; }

Symbol build_symbol(const View& view, const Joint& joint) {
  const auto& bodies = view.pose.bodies;
  return {joint.kind, view.place(joint.second), bodies[joint.first.body].q * joint.axis_first.value(),
          bodies[joint.second.body].q * joint.axis_second.value(),
          colour_of(view.machine, joint.second.body).fill};
}

void draw_symbol(Canvas& canvas, const Projection& projection, const Symbol& s) {
  const std::string block = filled(s.colour, 0.45, kInk);
  switch (s.kind) {
    case JointKind::revolute:
      draw_prism(canvas, projection, s, build_ring(s.axis, 7, kCorners), 9, filled("#fff", 1, kInk, 1.6));
      break;
    case JointKind::cylindrical:
      draw_prism(canvas, projection, s, build_ring(s.axis, 7, kCorners), 17, block);
      break;
    case JointKind::screw:
      draw_prism(canvas, projection, s, build_ring(s.axis, 7, kCorners), 17, block);
      draw_thread(canvas, projection, s, 7, 17);
      break;
    case JointKind::prismatic: draw_prism(canvas, projection, s, build_ring(s.axis, 11, 4), 16, block); break;
    case JointKind::spherical:
      draw_ball(canvas, s.at, 9);
      canvas.circle(s.at, 5, filled("#bbb", 1, kInk, 1.2));
      break;
    case JointKind::universal:
      draw_ball(canvas, s.at, 9);
      draw_bar(canvas, projection, s.at, 9 * s.axis, 3);
      draw_bar(canvas, projection, s.at, 9 * s.second, 3);
      break;
    case JointKind::planar:
      draw_plate(canvas, projection, s, -3);
      draw_plate(canvas, projection, s, 3);
      break;
    case JointKind::point_on_plane:
      draw_plate(canvas, projection, s, 0);
      draw_ball(canvas, s.at, 5);
      break;
    case JointKind::point_on_line:
      draw_bar(canvas, projection, s.at, 18 * s.axis, 3);
      draw_ball(canvas, s.at, 6);
      break;
    case JointKind::fixed:
      canvas.polygon({s.at + Vec2{6, 6}, s.at + Vec2{-6, 6}, s.at + Vec2{-6, -6}, s.at + Vec2{6, -6}},
                     filled("#555", 1, kInk));
      break;
  }
}

namespace {

/// A centre line of the axis, or the cross that it is from its end.
void draw_axis(View& view, Vec2 from, Vec2 to, const Vector3& axis) {
  const std::string style = R"(class="axis" )" + stroke("#777", 0.9) + machine::kDashDot;
  const double reach = 30 + view.link;
  const Vec2 along = view.flat(axis);
  if (length_of(along) < 0.2) {
    view.canvas.line(to - Vec2{16, 0}, to + Vec2{16, 0}, style);
    view.canvas.line(to - Vec2{0, 16}, to + Vec2{0, 16}, style);
    return;
  }
  const Vec2 gap = to - from;
  const bool ahead = gap.x * along.x + gap.y * along.y > 0;
  const Vec2 end = ahead ? to + reach * along : to - reach * along;
  const Vec2 begin = ahead ? from - reach * along : from + reach * along;
  view.canvas.line(begin, end, style);
  view.labels.avoid_line(begin, end, 0.6, 3);
}

bool is_guided(JointKind kind) { return has_slide(kind) || kind == JointKind::point_on_line; }

}  // namespace

void draw_guide(View& view, const Joint& joint) {
  if (!has_axis(joint.kind)) return;
  const Symbol s = build_symbol(view, joint);
  const Vec2 from = is_guided(joint.kind) ? view.place(joint.first) : s.at;
  if (is_guided(joint.kind)) {
    const Vec2 reach = 26 * view.flat(s.axis);
    const Vec2 gap = s.at - from;
    const double sign = gap.x * reach.x + gap.y * reach.y < 0 ? -1 : 1;
    const std::string colour = colour_of(view.machine, joint.first.body).fill;
    view.canvas.line(from - sign * reach, s.at + sign * reach,
                     R"(stroke-linecap="round" stroke-opacity="0.6" )" + stroke(colour, 5));
    view.labels.avoid_line(from, s.at, 1);
  }
  draw_axis(view, from, s.at, s.axis);
  if (joint.kind == JointKind::universal) draw_axis(view, s.at, s.at, s.second);
}

void draw_joint(View& view, const Joint& joint) {
  draw_symbol(view.canvas, view.projection, build_symbol(view, joint));
  view.labels.avoid(view.place(joint.second), 10, 3);
}

}  // namespace rodeo::spatial
