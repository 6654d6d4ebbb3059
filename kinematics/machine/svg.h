// SPDX-License-Identifier: MIT
// A canvas that writes SVG elements and keeps the box they fill. Pixels, y down.
#pragma once
#include <fmt/format.h>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "kinematics/machine/pose.h"

namespace rodeo::machine {

struct Box {
  double left = std::numeric_limits<double>::infinity(), top = left, right = -left, bottom = -left;

  [[nodiscard]] double width() const { return right - left; }
  [[nodiscard]] double height() const { return bottom - top; }
  void include(Vec2 p, double margin = 0);
};

/// & < > " ' as entities; characters that XML 1.0 forbids as '?'.
[[nodiscard]] std::string escape_xml(std::string_view text);
/// A rough width of text in a sans-serif font.
[[nodiscard]] double calc_text_width(std::string_view text, double font_size);
/// `points` of a convex outline, counterclockwise as seen with y down; collinear points left out.
[[nodiscard]] std::vector<Vec2> build_hull(std::vector<Vec2> points);

class Canvas {
 public:
  /// `style` are attributes: `fill="none" stroke="#333"`.
  void line(Vec2 a, Vec2 b, std::string_view style);
  void circle(Vec2 c, double radius, std::string_view style);
  void polygon(const std::vector<Vec2>& points, std::string_view style);
  void polyline(const std::vector<Vec2>& points, std::string_view style);
  /// With an arrow head at its end.
  void polyline_arrow(std::vector<Vec2> points, std::string_view colour);
  /// The outline at a distance around a convex hull of one or more points.
  void rounded(const std::vector<Vec2>& hull, double radius, std::string_view style);
  /// An arc from one angle to another (radians, counterclockwise on the page) with an arrow head at its end.
  void arc_arrow(Vec2 centre, double radius, double from, double to, std::string_view colour);
  void arrow(Vec2 from, Vec2 to, std::string_view colour);
  /// Left end of the baseline at `p`; text has a white rim, so that it can be read over lines.
  void text(Vec2 p, double font_size, std::string_view text, std::string_view style);
  /// Groups what follows until end_group.
  void begin_group(std::string_view name) { body_ += fmt::format("<g class=\"{}\">\n", escape_xml(name)); }
  void end_group() { body_ += "</g>\n"; }

  /// Another canvas with its (0, 0) at a place of this one, as a group.
  void place(const Canvas& part, Vec2 at, std::string_view name);

  [[nodiscard]] const Box& box() const noexcept { return box_; }
  /// The whole file, with a white ground and a margin.
  [[nodiscard]] std::string build(std::string_view title, double margin) const;

 private:
  [[nodiscard]] std::string list(const std::vector<Vec2>& points);
  void head(Vec2 tip, double angle, std::string_view colour);

  std::string body_;
  Box box_;
};

}  // namespace rodeo::machine
