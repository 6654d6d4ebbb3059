// SPDX-License-Identifier: MIT
// Drives and outputs in a drawing: cylinders, arrows with name and value, marked points.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "kinematics/machine/sheet.h"

namespace rodeo::machine {

std::optional<PointRef> find_pivot(const Machine& machine, int other, int body) {
  std::optional<PointRef> any;
  for (const Joint& joint : machine.joints) {
    if (joint.kind != JointKind::revolute) continue;
    const bool first = joint.first.body == body, second = joint.second.body == body;
    if (!first && !second) continue;
    const PointRef own = first ? joint.first : joint.second;
    if ((first ? joint.second : joint.first).body == other) return own;
    if (!any) any = own;
  }
  return any;
}

namespace {

std::string value_text(const Sheet& sheet, const Drive& drive) {
  const double exact = calc_drive_value(sheet.machine, sheet.pose, drive);
  const double value =
      std::abs(exact) < 1e-12 ? 0 : exact;  // rounding of the assembly is none of the reader's
  if (drive.kind == DriveKind::cylinder || drive.kind == DriveKind::slide) {
    return fmt::format("{} = {:.4g} m", drive.name, value);
  }
  return fmt::format("{} = {:.4g}°", drive.name, value * 180 / std::numbers::pi);
}

void write_name(Sheet& sheet, const Drive& drive, Vec2 anchor, double clearance) {
  sheet.labels.write(sheet.canvas, {.text = value_text(sheet, drive),
                                    .anchor = anchor,
                                    .font_size = 12,
                                    .clearance = clearance,
                                    .style = fmt::format(R"(fill="{}" font-style="italic")", kDriveColour)});
}

/// Where the body points from its pivot: to its farthest point, in radians on the page, counterclockwise.
double find_heading(const Sheet& sheet, PointRef pivot) {
  const Vec2 from = sheet.place(pivot);
  Vec2 reach{1, 0};
  double most = 1e-6;
  for (int p = 0; p < static_cast<int>(sheet.machine.bodies[pivot.body].points.size()); ++p) {
    const Vec2 d = sheet.place({pivot.body, p}) - from;
    if (length_of(d) <= most) continue;
    most = length_of(d);
    reach = d;
  }
  return std::atan2(-reach.y, reach.x);
}

/// From the first body's x axis to the second's if the link lies along it, else a short arrow across the link.
void draw_turn(Sheet& sheet, const Drive& drive) {
  const auto pivot = find_pivot(sheet.machine, drive.first_body, drive.second_body);
  if (!pivot) return;
  const Vec2 c = sheet.place(*pivot);
  const double heading = find_heading(sheet, *pivot), reference = sheet.pose.bodies[drive.first_body].angle;
  const double angle = sheet.pose.bodies[drive.second_body].angle;
  const double turn = std::remainder(angle - reference, 2 * std::numbers::pi);
  const double radius = std::clamp(0.25 * sheet.size * sheet.scale, 22.0, 42.0);
  const bool along_link = std::abs(std::remainder(angle - heading, 2 * std::numbers::pi)) < 0.02;
  const double from = along_link && std::abs(turn) > 0.3 ? reference : heading - 0.6;
  const double to = from == reference ? reference + turn : heading + 0.6;
  if (from == reference) {
    const Vec2 tip = c + (radius + 14) * Vec2{std::cos(reference), -std::sin(reference)};
    sheet.canvas.line(c, tip, stroke(kDriveColour, 0.8) + R"( stroke-dasharray="4 3")");
    sheet.labels.avoid_line(c, tip, 1);
  }
  sheet.canvas.arc_arrow(c, radius, from, to, kDriveColour);
  for (int i = 0; i <= 6; ++i) {
    const double a = from + (to - from) * i / 6;
    sheet.labels.avoid(c + radius * Vec2{std::cos(a), -std::sin(a)}, 5, 2);
  }
  const double middle = from == reference ? (from + to) / 2 : to;
  write_name(sheet, drive, c + radius * Vec2{std::cos(middle), -std::sin(middle)}, 8);
}

void draw_slide(Sheet& sheet, const Drive& drive) {
  const Joint& joint = sheet.machine.joints[drive.joint];
  const double angle = sheet.pose.bodies[joint.first.body].angle +
                       std::atan2(joint.direction_y.value, joint.direction_x.value);
  const Vec2 along{std::cos(angle), -std::sin(angle)};
  const Vec2 up = along.x >= 0 ? Vec2{along.y, -along.x} : Vec2{-along.y, along.x};
  const Vec2 c = sheet.place(drive.second) + 22 * up;
  sheet.canvas.arrow(c - 20 * along, c + 20 * along, kDriveColour);
  sheet.labels.avoid_line(c - 20 * along, c + 20 * along, 3);
  write_name(sheet, drive, c, 7);
}

}  // namespace

// The barrel is as long as the retracted cylinder lets it be, else 55 % of what is seen.
void draw_cylinder(Sheet& sheet, const Drive& drive) {
  if (drive.kind != DriveKind::cylinder) return;
  const Vec2 a = sheet.place(drive.first), b = sheet.place(drive.second);
  const double length = length_of(b - a);
  const double barrel =
      drive.lower ? std::min(0.88 * drive.lower->value * sheet.scale, 0.92 * length) : 0.55 * length;
  draw_barrel(sheet, a, b, barrel, sheet.link);
}

void draw_drive(Sheet& sheet, const Drive& drive) {
  if (drive.kind == DriveKind::slide) return draw_slide(sheet, drive);
  if (drive.kind != DriveKind::cylinder) return draw_turn(sheet, drive);
  const Vec2 a = sheet.place(drive.first), b = sheet.place(drive.second);
  write_name(sheet, drive, 0.5 * (a + b), 11);
}

void draw_output(Sheet& sheet, const Output& output) {
  draw_output_mark(sheet, sheet.place(output.point), output.name);
}

void draw_measure(Sheet& sheet, const Measure& measure) {
  if (measure.drive >= 0) return;
  const double value = calc_measure(sheet.machine, sheet.pose, measure);
  const std::string text = measure_text(measure, value);
  if (measure.kind == MeasureKind::length)
    return draw_dimension(sheet, sheet.place(measure.first), sheet.place(measure.second), text);
  const auto pivot = find_pivot(sheet.machine, 0, measure.of);
  const Vec2 c = sheet.place(pivot ? *pivot : PointRef{measure.of, 0});
  constexpr double kRadius = 30;
  const auto at = [&](double angle) { return c + kRadius * Vec2{std::cos(angle), -std::sin(angle)}; };
  const double turn = std::remainder(value, 2 * std::numbers::pi);
  sheet.canvas.line(c, c + Vec2{kRadius + 10, 0}, stroke(kInk, 0.8) + R"( stroke-dasharray="4 3")");
  sheet.canvas.line(c, c + (1 + 10 / kRadius) * (at(value) - c),
                    stroke(kInk, 0.8) + R"( stroke-dasharray="4 3")");
  sheet.canvas.arc_arrow(c, kRadius, 0, turn, kInk);
  for (int i = 0; i <= 6; ++i) sheet.labels.avoid(at(turn * i / 6), 5, 1);
  write_measure(sheet, at(turn / 2), text);
}

}  // namespace rodeo::machine
