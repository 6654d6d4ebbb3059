// SPDX-License-Identifier: MIT
// Scale and colours of a drawing; bodies, supports, guides and points.
#include "kinematics/machine/sheet.h"

#include <algorithm>
#include <array>

#include "kinematics/machine/closure.h"

namespace rodeo::machine {
namespace {

constexpr std::array<Colour, 6> kColours{{{"#0072B2", "#005A8C"},
                                          {"#D55E00", "#A84A00"},
                                          {"#009E73", "#00735A"},
                                          {"#CC79A7", "#96447A"},
                                          {"#E69F00", "#8F6200"},
                                          {"#56B4E9", "#1F78A8"}}};

/// Pixels a metre: the whole fits a page, but links stay visible in a long chain.
double find_scale(const Machine& machine, const Pose& pose, double size) {
  Box box;
  for (const PointRef ref : all_points(machine)) box.include(calc_position(machine, pose, ref));
  if (!(std::max(box.width(), box.height()) > 1e-9 * size)) return 200 / size;
  const double fit = std::min(760 / std::max(box.width(), 1e-9), 520 / std::max(box.height(), 1e-9));
  return std::clamp(fit, 40 / size, 400 / size);
}

/// A quarter turn to the right on the page, where y points down.
Vec2 turn_right(Vec2 a) { return {-a.y, a.x}; }

Vec2 find_direction(const Sheet& sheet, const Joint& joint) {
  const double angle = sheet.pose.bodies[joint.first.body].angle +
                       std::atan2(joint.direction_y.value, joint.direction_x.value);
  return {std::cos(angle), -std::sin(angle)};
}

/// A line with short strokes on its right: fixed to the ground.
void draw_hatched(Sheet& sheet, Vec2 a, Vec2 b) {
  const double length = length_of(b - a);
  const Vec2 along = (1 / length) * (b - a), right = turn_right(along);
  sheet.canvas.line(a, b, stroke(kInk, 1.4));
  for (double s = 4; s <= length; s += 6) {
    const Vec2 p = a + s * along;
    sheet.canvas.line(p, p + 5 * (right - along), stroke(kInk, 0.8));
  }
  sheet.labels.avoid_line(a + 3 * right, b + 3 * right, 2);
}

}  // namespace

const Colour& colour_of(int body) {
  return kColours[static_cast<std::size_t>(std::max(0, body - 1)) % kColours.size()];
}

std::string stroke(const char* colour, double width) {
  return fmt::format(R"(stroke="{}" stroke-width="{}")", colour, width);
}

std::vector<PointRef> all_points(const Machine& machine) {
  std::vector<PointRef> refs;
  for (int b = 0; b < static_cast<int>(machine.bodies.size()); ++b) {
    const int count = static_cast<int>(machine.bodies[b].points.size());
    for (int p = 0; p < count; ++p) refs.push_back({b, p});
  }
  return refs;
}

Sheet build_sheet(const Machine& machine, const Pose& pose) {
  Sheet sheet{machine, pose, calc_size(machine), 1, 8, {}, {}, {}};
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
  sheet.canvas.line(a, b, stroke("#777", 0.8) + R"( stroke-dasharray="12 3 2 3")");
  sheet.labels.avoid_line(a, b, 1);
  if (along.x < 0) std::swap(a, b);  // hatches below the line
  const Vec2 off =
      (joint.kind == JointKind::prismatic ? 13 : 9) * turn_right((1 / length_of(b - a)) * (b - a));
  if (joint.first.body == 0) return draw_hatched(sheet, a + off, b + off);
  for (const double side : {-1.0, 1.0}) {
    sheet.canvas.line(a + side * off, b + side * off, stroke(colour_of(joint.first.body).fill, 1.4));
  }
}

void draw_block(Sheet& sheet, const Joint& joint) {
  if (joint.kind == JointKind::revolute) return;
  const bool held = joint.kind == JointKind::prismatic;
  const Vec2 c = sheet.place(joint.second), along = (held ? 20 : 12) * find_direction(sheet, joint);
  const Vec2 across = (held ? 12.0 / 20 : 8.0 / 12) * turn_right(along);
  const Colour& colour = colour_of(joint.second.body);
  sheet.canvas.polygon({c + along + across, c - along + across, c - along - across, c + along - across},
                       fmt::format(R"(fill="{}" fill-opacity="0.55" stroke="{}" stroke-width="1.6" )"
                                   R"(stroke-linejoin="round")",
                                   held ? colour.fill : "#fff", colour.fill));
  sheet.labels.avoid(c, held ? 16 : 11, 1.5);
}

void draw_supports(Sheet& sheet) {
  for (const auto& [body, point] : sheet.pinned) {
    if (body != 0) continue;
    const Vec2 p = sheet.place({body, point});
    sheet.canvas.polygon({p, p + Vec2{11, 18}, p + Vec2{-11, 18}},
                         R"(fill="#e6e6e6" stroke-linejoin="round" )" + stroke(kInk, 1.4));
    draw_hatched(sheet, p + Vec2{-17, 18}, p + Vec2{17, 18});
    sheet.labels.avoid(p + Vec2{0, 11}, 11, 2);
  }
}

void draw_body(Sheet& sheet, int body) {
  const std::vector<Vec2> outline = build_outline(sheet, body);
  const char* colour = colour_of(body).fill;
  sheet.canvas.rounded(outline, sheet.link,
                       fmt::format(R"(fill="{0}" fill-opacity="0.22" {1})", colour, stroke(colour, 1.8)));
  for (std::size_t i = 0; i < outline.size(); ++i) {
    sheet.labels.avoid_line(outline[i], outline[(i + 1) % outline.size()], 1,
                            outline.size() > 2 ? 5 : sheet.link + 1);
  }
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
