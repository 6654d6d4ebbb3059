// SPDX-License-Identifier: MIT
// Forces in a drawing: what stands between points, ground under contacts, arrows and payloads, with the names of the file.
#include <algorithm>
#include <map>

#include "kinematics/machine/force_marks.h"
#include "kinematics/machine/sheet.h"

namespace rodeo::machine {
namespace {

constexpr double kReach = 46, kPart = 28;  // lengths of arrows, pixels

std::vector<Ends> build_cylinders(const Sheet& sheet) {
  std::vector<Ends> ends;
  for (const Drive& drive : sheet.machine.drives) {
    if (drive.kind == DriveKind::cylinder)
      ends.emplace_back(sheet.place(drive.first), sheet.place(drive.second));
  }
  return ends;
}

void add_struts(const Sheet& sheet, const Force& force, std::vector<Strut>& struts) {
  const auto add = [&](Strut::Kind kind, const std::string& name) {
    struts.push_back({kind, sheet.place(force.first), sheet.place(force.second), name});
  };
  if (force.kind == ForceKind::spring) add(Strut::spring, force.name);
  if (force.kind == ForceKind::spring && force.damping.value > 0) add(Strut::dashpot, "");
  if (force.kind == ForceKind::damper) add(Strut::dashpot, force.name);
  if (force.kind != ForceKind::stop) return;
  add(Strut::stop, force.name);
  const double now = length_of(struts.back().b - struts.back().a) / sheet.scale;
  if (force.lower) struts.back().lower = force.lower->value / now;
  if (force.upper) struts.back().upper = force.upper->value / now;
}

Vec2 find_foot(const Sheet& sheet, const Force& force) {
  return {sheet.place(force.first).x, -sheet.scale * force.lower->value};
}

/// With a value: its direction, where it has one. As an input: the axes that it is given in.
void draw_point_force(Sheet& sheet, const Force& force, std::vector<NamedPlace>& names) {
  const Vec2 p = sheet.place(force.first);
  const auto push = find_push({force.value_x, force.value_y, Expr()}, sheet.machine.parameters, /*input=*/0);
  const Vec2 along{push[0], -push[1]};
  const double size = length_of(along);
  if (size > 0) {
    draw_push(sheet, p, (kReach / size) * along);
  } else {
    draw_push(sheet, p, {kPart, 0});
    draw_push(sheet, p, {0, -kPart});
  }
  if (!force.name.empty()) names.push_back({size > 0 ? p + (kReach / size) * along : p, force.name});
}

/// At the pin between the two bodies where there is one.
void draw_torque(Sheet& sheet, const Force& force, std::vector<NamedPlace>& names) {
  const auto pivot = find_pivot(sheet.machine, force.against, force.body);
  const BodyPose& body = sheet.pose.bodies[force.body];
  const Vec2 c = pivot ? sheet.place(*pivot) : Vec2{sheet.scale * body.x, -sheet.scale * body.y};
  const auto push = find_push({force.value_x, Expr(), Expr()}, sheet.machine.parameters, /*input=*/1);
  draw_twist(sheet, c, push[0] >= 0);
  if (!force.name.empty()) names.push_back({c + Vec2{17, 0}, force.name});
}

void draw_payload(Sheet& sheet, const Force& force, std::vector<NamedPlace>& names) {
  const auto value = [&](Expr e) { return calc_force_value(e, sheet.machine.parameters, 0, 0); };
  const BodyPose& body = sheet.pose.bodies[force.body];
  const double x = value(force.com_x), y = value(force.com_y), c = std::cos(body.angle),
               s = std::sin(body.angle);
  const Vec2 p{sheet.scale * (body.x + c * x - s * y), -sheet.scale * (body.y + s * x + c * y)};
  draw_payload_mark(sheet, p);
  if (!force.name.empty()) names.push_back({p, force.name});
}

}  // namespace

void draw_contacts(Sheet& sheet) {
  std::map<double, std::vector<Vec2>> feet;  // by the height of the ground
  for (const Force& force : sheet.machine.forces) {
    if (force.kind == ForceKind::contact) feet[force.lower->value].push_back(find_foot(sheet, force));
  }
  for (const auto& [height, places] : feet) draw_ground(sheet, places, {0, -1});
  for (const Force& force : sheet.machine.forces) {
    if (force.kind == ForceKind::contact) draw_drop(sheet, sheet.place(force.first), find_foot(sheet, force));
  }
}

std::vector<NamedPlace> draw_struts_of(Sheet& sheet) {
  std::vector<Strut> struts;
  for (const Force& force : sheet.machine.forces) add_struts(sheet, force, struts);
  return draw_struts(sheet, struts, build_cylinders(sheet));
}

void draw_force(Sheet& sheet, const Force& force, std::vector<NamedPlace>& names) {
  if (force.kind == ForceKind::force) return draw_point_force(sheet, force, names);
  if (force.kind == ForceKind::torque) return draw_torque(sheet, force, names);
  if (force.kind == ForceKind::payload) return draw_payload(sheet, force, names);
  if (force.kind == ForceKind::contact && !force.name.empty())
    names.push_back({find_foot(sheet, force), force.name});
}

}  // namespace rodeo::machine
