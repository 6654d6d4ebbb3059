// SPDX-License-Identifier: MIT
// What drawings in the plane and in space have in common: colours, names, scale bar, and the symbols of ground, cylinders and
// outputs. Pixels, y down.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "kinematics/machine/labels.h"
#include "kinematics/machine/svg.h"

namespace rodeo::machine {

/// `#rrggbb`; the darker one for names.
struct Colour {
  std::string fill, dark;
};
/// `own`: what the file says, or empty: then one of Okabe and Ito's colours, which the colour-blind can tell apart; grey for
/// the ground.
[[nodiscard]] Colour find_colour_of(int body, const std::string& own);
/// Of a body in drawings and, by scene.json, in the viewer.
template <typename AnyMachine>
[[nodiscard]] Colour colour_of(const AnyMachine& machine, int body) {
  return find_colour_of(body, machine.bodies[body].look.colour);
}
[[nodiscard]] std::string stroke(const std::string& colour, double width);

inline constexpr const char* kInk = "#222";
inline constexpr const char* kDriveColour = "#B00020";
inline constexpr const char* kDashDot = R"( stroke-dasharray="12 3 2 3")";

inline Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
inline Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
inline Vec2 operator*(double k, Vec2 a) { return {k * a.x, k * a.y}; }
inline double length_of(Vec2 a) { return std::hypot(a.x, a.y); }
/// A quarter turn to the right on the page, where y points down.
inline Vec2 turn_right(Vec2 a) { return {-a.y, a.x}; }

/// Points of all bodies, of a machine in the plane or in space.
template <typename AnyMachine>
[[nodiscard]] std::vector<PointRef> all_points(const AnyMachine& machine) {
  std::vector<PointRef> refs;
  for (int b = 0; b < static_cast<int>(machine.bodies.size()); ++b) {
    const int count = static_cast<int>(machine.bodies[b].points.size());
    for (int p = 0; p < count; ++p) refs.push_back({b, p});
  }
  return refs;
}

/// What is drawn on, with the places that names should leave free.
struct Page {
  Canvas canvas;
  Labels labels;
  double apart = 0;  // pixels between names, where they crowd
};

/// A line with short strokes on its right: fixed to the ground.
void draw_hatched(Page& page, Vec2 a, Vec2 b);
/// A triangle on hatched ground under a pin.
void draw_support(Page& page, Vec2 p);
/// `hull`: corners of the body on the page; `link`: half the width of a link.
void draw_outline(Page& page, const std::vector<Vec2>& hull, const Colour& colour, double link);
/// A barrel as long as `barrel` and a rod from a to b.
void draw_barrel(Page& page, Vec2 a, Vec2 b, double barrel, double link);
/// A dimension line from a to b with its value, `lift = 1.2 m`.
void draw_dimension(Page& page, Vec2 a, Vec2 b, const std::string& value);
/// `level = 20°`; of a length `lift = 1.2 m`.
[[nodiscard]] std::string measure_text(const Measure& measure, double value);
/// The value of an output where it belongs.
void write_measure(Page& page, Vec2 at, const std::string& value);
void draw_output_mark(Page& page, Vec2 p, const std::string& name);

/// A link's name beside its middle, a plate's name in it.
void write_body_name(Page& page, const std::vector<Vec2>& hull, const std::string& name, const Colour& colour,
                     double link);
struct NamedPlace {
  Vec2 at;
  std::string name;
};
/// Names that share a place on the page stand in one label, each once. `label` gives the rest: font, clearance, style.
void write_names(Page& page, const std::vector<NamedPlace>& places, Labels::Label label);

/// The bar is a round length, not longer than `most` pixels.
void draw_scale_bar(Canvas& canvas, Vec2 left, double most, double scale);
/// `1 joint`, `2 joints`.
[[nodiscard]] std::string count_text(std::size_t n, const char* one, const char* many);

}  // namespace rodeo::machine
