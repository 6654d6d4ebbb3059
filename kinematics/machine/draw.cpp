// SPDX-License-Identifier: MIT
// The drawing in layers, from back to front: guides and supports, bodies, cylinders, springs, pins, drives, forces, names,
// frame.
#include "kinematics/machine/draw.h"

#include <algorithm>

#include "kinematics/machine/force_marks.h"
#include "kinematics/machine/sheet.h"

namespace rodeo::machine {
namespace {

/// Whether an output of this name is marked there already.
bool is_output(const Sheet& sheet, const std::string& name, Vec2 p) {
  return std::any_of(sheet.machine.outputs.begin(), sheet.machine.outputs.end(), [&](const Output& output) {
    return output.name == name && length_of(sheet.place(output.point) - p) < 1;
  });
}

void write_point_names(Sheet& sheet) {
  std::vector<NamedPlace> places;
  for (const PointRef ref : all_points(sheet.machine)) {
    const NamedPlace place{sheet.place(ref), sheet.machine.point(ref).name};
    if (!is_output(sheet, place.name, place.at)) places.push_back(place);
  }
  write_names(sheet, places,
              {.font_size = 12,
               .clearance = sheet.link + 2,
               .style = fmt::format(R"(class="name" fill="{}")", kInk)});
}

void draw_axes(Sheet& sheet, Vec2 origin) {
  const std::string style = fmt::format(R"(fill="{}" font-style="italic")", kInk);
  sheet.canvas.arrow(origin, origin + Vec2{34, 0}, kInk);
  sheet.canvas.arrow(origin, origin - Vec2{0, 34}, kInk);
  sheet.canvas.text(origin + Vec2{38, 4}, 12, "x", style);
  sheet.canvas.text(origin + Vec2{-3, -39}, 12, "y", style);
}

/// Title above, scale bar and axes below what was drawn.
void draw_frame(Sheet& sheet) {
  const Machine& machine = sheet.machine;
  Box box = sheet.canvas.box();
  if (!(box.width() >= 0)) box.include(Vec2{0, 0});
  draw_axes(sheet, {box.left + 4, box.bottom + 66});
  draw_scale_bar(sheet.canvas, {box.left + 76, box.bottom + 50}, std::clamp(0.3 * box.width(), 60.0, 220.0),
                 sheet.scale);
  sheet.canvas.text({box.left, box.top - 40}, 20, machine.name,
                    fmt::format(R"(fill="{}" font-weight="bold")", kInk));
  std::string facts = fmt::format("{}, {}, {}", count_text(machine.bodies.size() - 1, "body", "bodies"),
                                  count_text(machine.joints.size(), "joint", "joints"),
                                  count_text(machine.drives.size(), "drive", "drives"));
  if (!machine.forces.empty()) facts += ", " + count_text(machine.forces.size(), "force", "forces");
  sheet.canvas.text({box.left, box.top - 20}, 12, facts, R"(fill="#555")");
}

}  // namespace

std::string build_drawing(const Machine& machine, const Pose& pose) {
  Sheet sheet = build_sheet(machine, pose);
  const int bodies = static_cast<int>(machine.bodies.size());
  for (const Joint& joint : machine.joints) draw_guide(sheet, joint);
  draw_contacts(sheet);
  draw_supports(sheet);
  for (int b = 1; b < bodies; ++b) draw_body(sheet, b);
  for (const Joint& joint : machine.joints) draw_block(sheet, joint);
  for (const Drive& drive : machine.drives) draw_cylinder(sheet, drive);
  std::vector<NamedPlace> force_names = draw_struts_of(sheet);
  draw_points(sheet);
  for (const Drive& drive : machine.drives) draw_drive(sheet, drive);
  for (const Force& force : machine.forces) draw_force(sheet, force, force_names);
  for (const Output& output : machine.outputs) draw_output(sheet, output);
  for (const Measure& measure : machine.measures) draw_measure(sheet, measure);
  write_force_names(sheet, force_names);
  for (int b = 1; b < bodies; ++b)
    write_body_name(sheet, build_outline(sheet, b), machine.bodies[b].name, colour_of(machine, b),
                    sheet.link);
  write_point_names(sheet);
  draw_frame(sheet);
  return sheet.canvas.build(machine.name, 24);
}

}  // namespace rodeo::machine
