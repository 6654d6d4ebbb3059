// SPDX-License-Identifier: MIT
// Lines and circles.
#include "kinematics/codegen/intersections.h"

namespace rodeo::codegen {

/// By Cramer's rule; the determinant is the sine of the angle between the lines.
Intersection intersect(const Line& a, const Line& b) {
  const Expr det = cross(a.normal, b.normal);
  const Expr inverse_det = 1.0 / det;
  const Vec place = {inverse_det * (a.offset * b.normal.y - b.offset * a.normal.y),
                     inverse_det * (b.offset * a.normal.x - a.offset * b.normal.x)};
  return {place, expr::operation(expr::Op::abs, {det})};
}

/// K3: e = (k d + σ h ẑ×d)/d², k = (d² + r₁² - r₂²)/2, h = √(r₁² d² - k²); the links' cross product is σ h.
Intersection intersect(const Circle& a, const Circle& b, const Numbers& here) {
  const Vec d = b.centre - a.centre;
  const Expr square = dot(d, d);
  const Expr k = 0.5 * (square + (a.square - b.square));
  const Expr root = expr::sqrt(a.square * square - k * k);
  const Numbers delta = {b.at_start.x - a.at_start.x, b.at_start.y - a.at_start.y};
  const Numbers arm_at_start = {here.x - a.at_start.x, here.y - a.at_start.y};
  const Expr signed_root = branch_of(delta.x * arm_at_start.y - delta.y * arm_at_start.x) * root;
  const Expr inverse_square = 1.0 / square;
  const Vec arm = {inverse_square * (k * d.x - signed_root * d.y),
                   inverse_square * (k * d.y + signed_root * d.x)};
  return {a.centre + arm, root * (1.0 / (a.radius * b.radius))};
}

/// K4: X = c + f n + σ h u, f = offset - n·c, h = √(r² - f²), u along the line.
Intersection intersect(const Line& line, const Circle& circle, const Numbers& here) {
  const Expr f = line.offset - dot(line.normal, circle.centre);
  const Expr root = expr::sqrt(circle.square - f * f);
  const Vec u = -turn(line.normal);
  const Numbers along = {line.at_start.y, -line.at_start.x};
  const double sigma =
      branch_of((here.x - circle.at_start.x) * along.x + (here.y - circle.at_start.y) * along.y);
  return {circle.centre + f * line.normal + (sigma * root) * u, root * (1.0 / circle.radius)};
}

Intersection intersect(const Locus& a, const Locus& b, const Numbers& here) {
  if (a.line && b.line) return intersect(*a.line, *b.line);
  if (a.circle && b.circle) return intersect(*a.circle, *b.circle, here);
  return a.line ? intersect(*a.line, *b.circle, here) : intersect(*b.line, *a.circle, here);
}

}  // namespace rodeo::codegen
