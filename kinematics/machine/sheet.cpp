// SPDX-License-Identifier: MIT
// Scale and colours of a drawing; bodies, supports, guides and points.
#include "kinematics/machine/sheet.h"

#include <algorithm>
#include <cmath>

#include "kinematics/machine/closure.h"

namespace rodeo::machine {
namespace {

/// Pixels a metre: the whole fits a page, but links stay visible in a long chain.
double find_scale(const Machine& machine, const Pose& pose, double size) {
  Box box;
  for (const PointRef ref : all_points(machine)) box.include(calc_position(machine, pose, ref));
  if (!(std::max(box.width(), box.height()) > 1e-9 * size)) return 200 / size;
  const double fit = std::min(760 / std::max(box.width(), 1e-9), 520 / std::max(box.height(), 1e-9));
  return std::clamp(fit, 40 / size, 400 / size);
}

bool is_strut(ForceKind kind) {
  return kind == ForceKind::spring || kind == ForceKind::damper || kind == ForceKind::stop;
}

Vec2 find_direction(const Sheet& sheet, const Joint& joint) {
  const double angle = sheet.pose.bodies[joint.first.body].angle +
                       std::atan2(joint.direction_y.value, joint.direction_x.value);
  return {std::cos(angle), -std::sin(angle)};
}

}  // namespace

Sheet build_sheet(const Machine& machine, const Pose& pose) {
  Sheet sheet{{}, machine, pose, calc_size(machine), 1, 8, {}};
  sheet.scale = find_scale(machine, pose, sheet.size);
  sheet.link = std::clamp(0.055 * sheet.size * sheet.scale, 4.0, 12.0);
  const auto add = [&](PointRef ref) { sheet.pinned.emplace(ref.body, ref.point); };
  for (const Joint& joint : machine.joints) {
    if (joint.kind == JointKind::prismatic) continue;
    if (joint.kind == JointKind::revolute) add(joint.first);
    add(joint.second);
  }
  for (const Drive& drive : machine.drives) {
    if (drive.kind != DriveKind::cylinder) continue;
    add(drive.first);
    add(drive.second);
  }
  for (const Force& force : machine.forces) {
    if (!is_strut(force.kind)) continue;
    add(force.first);
    add(force.second);
  }
  return sheet;
}

std::vector<Vec2> build_outline(const Sheet& sheet, int body) {
  std::vector<Vec2> points;
  for (int p = 0; p < static_cast<int>(sheet.machine.bodies[body].points.size()); ++p) {
    points.push_back(sheet.place({body, p}));
  }
  return build_hull(std::move(points));
}

void draw_guide(Sheet& sheet, const Joint& joint) {
  if (joint.kind == JointKind::revolute) return;
  const Vec2 p = sheet.place(joint.first), gap = sheet.place(joint.second) - p;
  const Vec2 along = find_direction(sheet, joint);
  const double slide = along.x * gap.x + along.y * gap.y, margin = 0.15 * sheet.size * sheet.scale + 24;
  Vec2 a = p + (std::min(0.0, slide) - margin) * along, b = p + (std::max(0.0, slide) + margin) * along;
  sheet.canvas.line(a, b, stroke("#777", 0.8) + kDashDot);
  sheet.labels.avoid_line(a, b, 1);
  if (along.x < 0) std::swap(a, b);  // hatches below the line
  const Vec2 off =
      (joint.kind == JointKind::prismatic ? 13 : 9) * turn_right((1 / length_of(b - a)) * (b - a));
  if (joint.first.body == 0) return draw_hatched(sheet, a + off, b + off);
  for (const double side : {-1.0, 1.0}) {
    sheet.canvas.line(a + side * off, b + side * off,
                      stroke(colour_of(sheet.machine, joint.first.body).fill, 1.4));
  }
}

void draw_block(Sheet& sheet, const Joint& joint) {
  if (joint.kind == JointKind::revolute) return;
  const bool held = joint.kind == JointKind::prismatic;
  const Vec2 c = sheet.place(joint.second), along = (held ? 20 : 12) * find_direction(sheet, joint);
  const Vec2 across = (held ? 12.0 / 20 : 8.0 / 12) * turn_right(along);
  const Colour colour = colour_of(sheet.machine, joint.second.body);
  sheet.canvas.polygon({c + along + across, c - along + across, c - along - across, c + along - across},
                       fmt::format(R"(fill="{}" fill-opacity="0.55" stroke="{}" stroke-width="1.6" )"
                                   R"(stroke-linejoin="round")",
                                   held ? colour.fill : "#fff", colour.fill));
  sheet.labels.avoid(c, held ? 16 : 11, 1.5);
}

void draw_supports(Sheet& sheet) {
  for (const auto& [body, point] : sheet.pinned) {
    if (body != 0) continue;
    draw_support(sheet, sheet.place({body, point}));
  }
}

void draw_body(Sheet& sheet, int body) {
  draw_outline(sheet, build_outline(sheet, body), colour_of(sheet.machine, body), sheet.link);
}

void draw_points(Sheet& sheet) {
  for (const PointRef ref : all_points(sheet.machine)) {
    const bool is_pin = sheet.pinned.contains({ref.body, ref.point});
    const Vec2 p = sheet.place(ref);
    if (!is_pin) {
      sheet.canvas.circle(p, 2.4, fmt::format(R"(class="point" fill="{}")", kInk));
    } else {
      sheet.canvas.circle(p, 4.5, R"(class="pin" fill="#fff" )" + stroke(kInk, 1.8));
    }
    sheet.labels.avoid(p, is_pin ? 6 : 4, 4);
  }
}

}  // namespace rodeo::machine
