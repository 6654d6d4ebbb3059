// SPDX-License-Identifier: MIT
// Drives in a view: an arrow around or along an axis, or a cylinder, with name and value.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "kinematics/spatial/view.h"

namespace rodeo::spatial {
namespace {

using machine::kDriveColour;

void write_name(View& view, const Drive& drive, Vec2 anchor, double clearance) {
  view.labels.write(view.canvas, {.text = value_text(view.machine, view.pose, drive),
                                  .anchor = anchor,
                                  .font_size = 12,
                                  .clearance = clearance,
                                  .style = fmt::format(R"(fill="{}" font-style="italic")", kDriveColour),
                                  .apart = view.apart});
}

/// Where the drive turns its body: at its joint, else at the first joint of the body, else at its first point.
Vec2 find_pivot(const View& view, const Drive& drive) {
  if (drive.joint >= 0) return view.place(view.machine.joints[drive.joint].second);
  for (const Joint& joint : view.machine.joints) {
    if (joint.first.body == drive.second_body || joint.second.body == drive.second_body)
      return view.place(joint.second);
  }
  return view.place_of(build_corners(view.machine, view.pose, drive.second_body).front());
}

void draw_turn(View& view, const Drive& drive) {
  const Vec2 c = find_pivot(view, drive);
  const Vector3 axis = view.pose.bodies[drive.first_body].q * drive.axis_first.value();
  write_name(view, drive, draw_turn_arrow(view, c, axis, 22, kDriveColour)[10], 8);
}

void draw_slide(View& view, const Drive& drive) {
  const Joint& joint = view.machine.joints[drive.joint];
  const Vec2 along = view.flat(view.pose.bodies[joint.first.body].q * joint.axis_first.value());
  const Vec2 p = view.place(joint.second);
  if (length_of(along) < 0.2) return write_name(view, drive, p, 16);
  const Vec2 aside =
      (1 / length_of(along)) * (along.x >= 0 ? Vec2{along.y, -along.x} : Vec2{-along.y, along.x});
  const Vec2 c = p + 22 * aside;
  view.canvas.arrow(c - 20 * along, c + 20 * along, kDriveColour);
  view.labels.avoid_line(c - 20 * along, c + 20 * along, 3);
  write_name(view, drive, c, 7);
}

}  // namespace

std::vector<Vec2> draw_turn_arrow(View& view, Vec2 centre, const Vector3& axis, double radius,
                                  const char* colour) {
  const Vector3 some = std::abs(axis.z()) < 0.9 ? Vector3::UnitZ() : Vector3::UnitX();
  const Vector3 i = some.cross(axis).normalized(), j = axis.cross(i);
  std::vector<Vec2> arc;
  for (int n = 0; n <= 24; ++n) {
    const double angle = (n / 24.0 - 0.4) * 4 * std::numbers::pi / 3;
    arc.push_back(centre + view.flat(radius * (std::cos(angle) * i + std::sin(angle) * j)));
    view.labels.avoid(arc.back(), 4, 2);
  }
  view.canvas.polyline_arrow(arc, colour);
  return arc;
}

std::string value_text(const Machine& machine, const Pose& pose, const Drive& drive) {
  const double exact = calc_drive_value(machine, pose, drive);
  const double value =
      std::abs(exact) < 1e-12 ? 0 : exact;  // rounding of the assembly is none of the reader's
  if (drive.kind != DriveKind::angle) return fmt::format("{} = {:.4g} m", drive.name, value);
  return fmt::format("{} = {:.4g}°", drive.name, value * 180 / std::numbers::pi);
}

void draw_cylinder(View& view, const Drive& drive) {
  if (drive.kind != DriveKind::cylinder) return;
  const Vec2 a = view.place(drive.first), b = view.place(drive.second);
  const double whole = calc_drive_value(view.machine, view.pose, drive);
  const double part = drive.lower && whole > 0 ? std::min(0.88 * drive.lower->value / whole, 0.92) : 0.55;
  draw_barrel(view, a, b, part * length_of(b - a), view.link);
}

void draw_measure(View& view, const Measure& measure) {
  if (measure.drive >= 0) return;
  const double exact = calc_measure(view.machine, view.pose, measure);
  const std::string text = measure_text(measure, exact);
  if (measure.kind == MeasureKind::length)
    return draw_dimension(view, view.place(measure.first), view.place(measure.second), text);
  const Joint& joint = view.machine.joints[measure.of];
  const Vector3 axis = view.pose.bodies[joint.first.body].q * joint.axis_first.value();
  write_measure(view, draw_turn_arrow(view, view.place(joint.second), axis, 28, machine::kInk)[10], text);
}

void draw_drive(View& view, const Drive& drive) {
  if (drive.kind == DriveKind::slide) return draw_slide(view, drive);
  if (drive.kind == DriveKind::angle) return draw_turn(view, drive);
  write_name(view, drive, 0.5 * (view.place(drive.first) + view.place(drive.second)), 11);
}

}  // namespace rodeo::spatial
