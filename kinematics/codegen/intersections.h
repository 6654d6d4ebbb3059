// SPDX-License-Identifier: MIT
// Where two loci of a pin meet, on the branch σ = ±1, with the dimensionless distance to the pose where they only
// touch. THEORY K3-K5.
#pragma once
#include <optional>
#include <string>

#include "kinematics/codegen/geometry.h"
#include "kinematics/machine/machine.h"

namespace rodeo::codegen {

/// A place or a direction in the start pose.
struct Numbers {
  double x = 0.0, y = 0.0;
};

/// n·X = offset, n of length 1. `at_start`: n in the start pose. `guide`: the joint that it follows.
struct Line {
  Vec normal;
  Expr offset;
  Numbers at_start;
  const machine::Joint* guide = nullptr;
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
/// `d`: from the centre of a to that of b.
[[nodiscard]] Dyad intersect(const Circle& a, const Circle& b, const Vec& d, Expr sigma);
[[nodiscard]] Intersection intersect(const Line& line, const Circle& circle, Expr sigma);

/// A guide that turns about a pin P and passes through a point Q: the frame of its body.
struct GuideThroughPoint {
  Frame frame;
  Expr margin;
};
/// `r` = Q - P on the page, `u` the guide in its body's frame, `across`: from P to the guide, along ẑ×u. K5.
[[nodiscard]] GuideThroughPoint turn_through(const Vec& r, const Vec& u, Expr across, Expr sigma);

/// +1 or -1, whichever the start pose has; `here`: the pin there.
[[nodiscard]] inline double branch_of(double value) { return value < 0 ? -1.0 : 1.0; }
[[nodiscard]] double branch_of(const Circle& a, const Circle& b, const Numbers& here);
[[nodiscard]] double branch_of(const Line& line, const Circle& circle, const Numbers& here);

}  // namespace rodeo::codegen
