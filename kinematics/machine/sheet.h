// SPDX-License-Identifier: MIT
// The sheet that a machine is drawn on, and its parts as symbols. Sizes of symbols are pixels, places are metres times
// the scale; the page's y points down.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kinematics/machine/marks.h"
#include "kinematics/machine/pose.h"

namespace rodeo::machine {

struct Sheet : Page {
  const Machine& machine;
  const Pose& pose;
  double size = 1;   // of the machine, metres
  double scale = 1;  // pixels a metre
  double link = 8;   // half the width of a link, pixels
  std::set<std::pair<int, int>>
      pinned;  // points in a revolute joint, a cylinder, a spring, a damper or a stop

  [[nodiscard]] Vec2 place(PointRef ref) const {
    const Vec2 p = calc_position(machine, pose, ref);
    return {scale * p.x, -scale * p.y};
  }
};

[[nodiscard]] Sheet build_sheet(const Machine& machine, const Pose& pose);

/// Corners of a body's convex outline on the page.
[[nodiscard]] std::vector<Vec2> build_outline(const Sheet& sheet, int body);

/// The line that a slider or prismatic joint moves along.
void draw_guide(Sheet& sheet, const Joint& joint);
/// The block on that line.
void draw_block(Sheet& sheet, const Joint& joint);
/// Hatched triangles under the ground's pins.
void draw_supports(Sheet& sheet);
void draw_body(Sheet& sheet, int body);
void draw_cylinder(Sheet& sheet, const Drive& drive);
/// Pins as circles, other points as dots.
void draw_points(Sheet& sheet);
/// What the drive moves, as an arrow with its name and value.
void draw_drive(Sheet& sheet, const Drive& drive);
void draw_output(Sheet& sheet, const Output& output);
/// A dimension line, or an arc from the x axis to the body's. What a drive shows is left out.
void draw_measure(Sheet& sheet, const Measure& measure);
/// A point of the body where it turns: pinned to `other` if there is such a pin, else to anything.
[[nodiscard]] std::optional<PointRef> find_pivot(const Machine& machine, int other, int body);

/// sheet_forces.cpp. The ground that contacts meet, behind the bodies.
void draw_contacts(Sheet& sheet);
/// Springs, dampers and stops; returns where their names belong.
[[nodiscard]] std::vector<NamedPlace> draw_struts_of(Sheet& sheet);
/// Point forces, torques and payloads; adds their names, and those of contacts.
void draw_force(Sheet& sheet, const Force& force, std::vector<NamedPlace>& names);

}  // namespace rodeo::machine
