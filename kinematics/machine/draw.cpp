// SPDX-License-Identifier: MIT
// The drawing in layers, from back to front: guides and supports, bodies, cylinders, pins, drives, names, frame.
#include "kinematics/machine/draw.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "kinematics/machine/sheet.h"

namespace rodeo::machine {
namespace {

/// A link's name beside its middle, a plate's name in it.
void write_body_name(Sheet& sheet, int body) {
  const std::vector<Vec2> outline = build_outline(sheet, body);
  if (outline.empty()) return;
  Vec2 middle{0, 0};
  for (const Vec2 p : outline) middle = middle + (1.0 / static_cast<double>(outline.size())) * p;
  Labels::Label label;
  label.text = sheet.machine.bodies[body].name;
  label.anchor = middle;
  label.font_size = 13;
  label.clearance = sheet.link + 6;
  label.style = fmt::format(R"(class="body" fill="{}" font-weight="bold")", colour_of(body).dark);
  label.leader = false;
  if (outline.size() > 2) label.spots.push_back(middle);
  for (const Vec2 corner : outline) {
    if (outline.size() > 2) label.spots.push_back(0.65 * middle + 0.35 * corner);
  }
  sheet.labels.write(sheet.canvas, label);
}

/// Whether an output of this name is marked there already.
bool is_output(const Sheet& sheet, const std::string& name, Vec2 p) {
  return std::any_of(sheet.machine.outputs.begin(), sheet.machine.outputs.end(), [&](const Output& output) {
    return output.name == name && length_of(sheet.place(output.point) - p) < 1;
  });
}

/// Names of the points that share a place on the page, each once.
void write_point_names(Sheet& sheet) {
  std::map<std::pair<long, long>, std::size_t> at;
  std::vector<std::pair<Vec2, std::vector<std::string>>> groups;
  for (const PointRef ref : all_points(sheet.machine)) {
    const Vec2 p = sheet.place(ref);
    const auto [it, is_new] = at.try_emplace({std::lround(p.x), std::lround(p.y)}, groups.size());
    if (is_new) groups.push_back({p, {}});
    auto& names = groups[it->second].second;
    const std::string& name = sheet.machine.point(ref).name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  for (auto& [p, names] : groups) {
    std::erase_if(names, [&, at_p = p](const std::string& name) { return is_output(sheet, name, at_p); });
    if (names.empty()) continue;
    sheet.labels.write(sheet.canvas, {.text = fmt::format("{}", fmt::join(names, " / ")),
                                      .anchor = p,
                                      .font_size = 12,
                                      .clearance = sheet.link + 2,
                                      .style = fmt::format(R"(class="name" fill="{}")", kInk)});
  }
}

/// The largest 1, 2 or 5 times a power of ten that is not longer.
double calc_round_length(double most) {
  const double power = std::pow(10.0, std::floor(std::log10(most)));
  for (const double digit : {5.0, 2.0}) {
    if (digit * power <= most) return digit * power;
  }
  return power;
}

void draw_scale_bar(Sheet& sheet, Vec2 left, double most) {
  const double length = calc_round_length(most / sheet.scale);
  const Vec2 right = left + Vec2{length * sheet.scale, 0};
  sheet.canvas.line(left, right, R"(class="scale" )" + stroke(kInk, 2));
  for (const Vec2 p : {left, right}) sheet.canvas.line(p - Vec2{0, 5}, p + Vec2{0, 5}, stroke(kInk, 1.4));
  sheet.canvas.text(left + Vec2{0, 20}, 12, fmt::format("{:g} m", length), fmt::format(R"(fill="{}")", kInk));
}

void draw_axes(Sheet& sheet, Vec2 origin) {
  const std::string style = fmt::format(R"(fill="{}" font-style="italic")", kInk);
  sheet.canvas.arrow(origin, origin + Vec2{34, 0}, kInk);
  sheet.canvas.arrow(origin, origin - Vec2{0, 34}, kInk);
  sheet.canvas.text(origin + Vec2{38, 4}, 12, "x", style);
  sheet.canvas.text(origin + Vec2{-3, -39}, 12, "y", style);
}

std::string count(std::size_t n, const char* thing) {
  return fmt::format("{} {}{}", n, thing, n == 1 ? "" : "s");
}

/// Title above, scale bar and axes below what was drawn.
void draw_frame(Sheet& sheet) {
  const Machine& machine = sheet.machine;
  Box box = sheet.canvas.box();
  if (!(box.width() >= 0)) box.include(Vec2{0, 0});
  draw_axes(sheet, {box.left + 4, box.bottom + 66});
  draw_scale_bar(sheet, {box.left + 76, box.bottom + 50}, std::clamp(0.3 * box.width(), 60.0, 220.0));
  sheet.canvas.text({box.left, box.top - 40}, 20, machine.name,
                    fmt::format(R"(fill="{}" font-weight="bold")", kInk));
  const std::string facts =
      fmt::format("{}, {}, {}",
                  machine.bodies.size() == 2 ? "1 body" : fmt::format("{} bodies", machine.bodies.size() - 1),
                  count(machine.joints.size(), "joint"), count(machine.drives.size(), "drive"));
  sheet.canvas.text({box.left, box.top - 20}, 12, facts, R"(fill="#555")");
}

}  // namespace

std::string build_drawing(const Machine& machine, const Pose& pose) {
  Sheet sheet = build_sheet(machine, pose);
  const int bodies = static_cast<int>(machine.bodies.size());
  for (const Joint& joint : machine.joints) draw_guide(sheet, joint);
  draw_supports(sheet);
  for (int b = 1; b < bodies; ++b) draw_body(sheet, b);
  for (const Joint& joint : machine.joints) draw_block(sheet, joint);
  for (const Drive& drive : machine.drives) draw_cylinder(sheet, drive);
  draw_points(sheet);
  for (const Drive& drive : machine.drives) draw_drive(sheet, drive);
  for (const Output& output : machine.outputs) draw_output(sheet, output);
  for (int b = 1; b < bodies; ++b) write_body_name(sheet, b);
  write_point_names(sheet);
  draw_frame(sheet);
  return sheet.canvas.build(machine.name, 24);
}

}  // namespace rodeo::machine
