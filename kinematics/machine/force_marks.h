// SPDX-License-Identifier: MIT
// Symbols of what pushes, in the plane and in space: springs, dashpots, stops, ground under contacts, forces, torques, payloads.
// Pixels, y down. A symbol tells where and which way, not how much.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kinematics/expr/parse.h"
#include "kinematics/machine/marks.h"

namespace rodeo::machine {

inline constexpr const char* kForceColour = "#6A1B9A";

/// What stands between two places of the page.
struct Strut {
  enum Kind { spring, dashpot, stop };
  Kind kind = spring;
  Vec2 a, b;
  std::string name = {};
  std::optional<double> lower = {}, upper = {};  // stop: its ends, 1 being the distance from a to b
};
using Ends = std::pair<Vec2, Vec2>;
/// Struts between the same two places stand side by side, and beside the cylinders between them. Returns where names belong.
[[nodiscard]] std::vector<NamedPlace> draw_struts(Page& page, const std::vector<Strut>& struts,
                                                  const std::vector<Ends>& cylinders = {});

/// Hatched ground through the feet; `up` of length 1 on the page.
void draw_ground(Page& page, const std::vector<Vec2>& feet, Vec2 up);
/// A dotted line from a point to the ground that it may touch.
void draw_drop(Page& page, Vec2 p, Vec2 foot);
/// An arrow from p along `reach`, in pixels.
void draw_push(Page& page, Vec2 p, Vec2 reach);
/// Counterclockwise about c if `positive`.
void draw_twist(Page& page, Vec2 c, bool positive);
void draw_payload_mark(Page& page, Vec2 p);
void write_force_names(Page& page, const std::vector<NamedPlace>& places);

/// The value of an expression of the parameters, t and inputs, all inputs being `input`.
[[nodiscard]] double calc_force_value(Expr value, const std::vector<expr::Parameter>& parameters, double t,
                                      double input);
/// The values at the first of a few times at which they are not all 0; 0 if there is none.
[[nodiscard]] std::array<double, 3> find_push(const std::array<Expr, 3>& value,
                                              const std::vector<expr::Parameter>& parameters, double input);

}  // namespace rodeo::machine
