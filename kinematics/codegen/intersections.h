// SPDX-License-Identifier: MIT
// Where two loci of a pin meet, on the branch of the start pose, with the dimensionless distance to the pose where they only
// touch. THEORY K3-K5.
#pragma once
#include <optional>
#include <string>

#include "kinematics/codegen/geometry.h"

namespace rodeo::codegen {

/// A place or a direction in the start pose.
struct Numbers {
  double x = 0.0, y = 0.0;
};

/// n·X = offset, n of length 1. `at_start`: n in the start pose.
struct Line {
  Vec normal;
  Expr offset;
  Numbers at_start;
};

/// `at_start`: the centre in the start pose. `pin`: of the centre.
struct Circle {
  Vec centre;
  Expr radius, square;
  Numbers at_start;
  int pin = -1;
};

/// Where a pin may be: on a line or on a circle.
struct Locus {
  std::optional<Line> line;
  std::optional<Circle> circle;
  std::string owner;
};

struct Intersection {
  Vec place;
  Expr margin;  // not a number where they do not meet
};

/// Two circles also tell the links from their centres to the pin, and their cross product with its reciprocal.
struct Dyad {
  Intersection meeting;
  Vec first, second;
  Expr cross, inverse_cross;
};

[[nodiscard]] Intersection intersect(const Line& a, const Line& b);
/// `d`: from the centre of a to that of b. `here`: the pin in the start pose, which tells the branch.
[[nodiscard]] Dyad intersect(const Circle& a, const Circle& b, const Vec& d, const Numbers& here);
[[nodiscard]] Intersection intersect(const Line& line, const Circle& circle, const Numbers& here);

/// A guide that turns about a pin P and passes through a point Q: the frame of its body.
struct GuideThroughPoint {
  Frame frame;
  Expr margin;
};
/// `r` = Q - P on the page, `u` the guide in its body's frame, `across`: from P to the guide, along ẑ×u. K5.
[[nodiscard]] GuideThroughPoint turn_through(const Vec& r, const Vec& u, Expr across, double branch);

/// +1 or -1, whichever the start pose has.
[[nodiscard]] inline double branch_of(double value) { return value < 0 ? -1.0 : 1.0; }

}  // namespace rodeo::codegen
