// SPDX-License-Identifier: MIT
// A picture to be drawn: panels, one above the other, of curves in the units that the axes show. Gnuplot (gnuplot.h) and a page of
// our own (page.h) draw it.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "viz/plot/thin.h"

namespace rodeo::plot {

struct Series {
  std::string name;  // in the legend; empty: not there
  std::vector<double> x;
  std::vector<double> y;
  std::size_t colour = 0;       // index into kColours
  std::size_t dash = 0;         // 0: a whole line
  std::vector<double> shade{};  // 0 to 1 a point: coloured by it instead
};

/// A line drawn over the curves, in black: an outline, a machine. Lines are parted by nan.
struct Drawing {
  std::vector<double> x;
  std::vector<double> y;
  double width = 1;
  bool has_dots = false;
};

/// A letter at a place on the x axis, with a line from bottom to top, or at a point.
struct Mark {
  double x = 0;
  std::optional<double> y;
  std::string text;
  bool is_left = false;   // the letter of a point stands to its left
  bool is_below = false;  // and below it
};

/// A picture of numbers within [low, high]: row by row from the lowest, nan where there is none.
struct Field {
  double x0 = 0, y0 = 0;  // centre of the first cell
  double cell = 1;
  std::size_t width = 0, height = 0;
  std::vector<double> values{};
};

struct Panel {
  std::string x_label;
  std::string y_label;
  bool is_equal = false;  // a metre is as long on either axis
  bool is_path = false;   // x is not time: it may come back
  bool is_log = false;    // y are powers of ten
  std::vector<Series> series;
  std::vector<Mark> marks;
  std::vector<Drawing> drawings;
  std::optional<Field> field;
  std::string shade_label;  // of the colours of shades and field
  Range shade{0, 1};
};

struct Figure {
  std::string title;
  std::vector<Panel> panels;
  int width = 0;  // pixels; 0: as the panels need
  int height = 0;
};

/// Told apart by the colour-blind too (Okabe and Ito, without the yellow).
inline constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                           "#e69f00", "#56b4e9", "#555555", "#7f3c8d"};
inline constexpr std::size_t kColourCount = std::size(kColours);

/// Dark to bright and even to the eye, for shades 0 to 1.
struct Colour {
  int red, green, blue;
};
inline constexpr Colour kShades[] = {{68, 1, 84},    {71, 44, 122},  {59, 81, 139},
                                     {44, 113, 142}, {33, 144, 141}, {39, 173, 129},
                                     {92, 200, 99},  {170, 220, 50}, {253, 231, 37}};
inline constexpr std::size_t kShadeCount = std::size(kShades);
[[nodiscard]] Colour calc_shade(double value);

/// What a panel's axes must show of everything in it, with room around it.
struct Frame {
  Range x;
  Range y;
};
[[nodiscard]] Frame calc_frame(const Panel& panel);
/// The frame made larger, so that a unit is as long on both axes of an area of these pixels.
[[nodiscard]] Frame calc_equal(Frame frame, double width, double height);

}  // namespace rodeo::plot
