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

/// K3: e₁ = (k d + σ h ẑ×d)/d², k = (d² + r₁² - r₂²)/2, h = √(r₁² d² - k²), e₂ = e₁ - d, e₁×e₂ = σ h.
/// One division serves all: with j = 1/(d² h), 1/d² = h j and 1/h = d² j.
Dyad intersect(const Circle& a, const Circle& b, const Vec& d, const Numbers& here) {
  const Expr square = dot(d, d);
  const Expr k = 0.5 * square + 0.5 * (a.square - b.square);
  const Expr root = expr::sqrt(a.square * square - k * k);
  const Expr j = 1.0 / (square * root);
  const Expr inverse_square = root * j;
  const Numbers delta = {b.at_start.x - a.at_start.x, b.at_start.y - a.at_start.y};
  const Numbers arm = {here.x - a.at_start.x, here.y - a.at_start.y};
  const double sigma = branch_of(delta.x * arm.y - delta.y * arm.x);
  const Vec first = times({inverse_square * k, sigma * (inverse_square * root)}, d);
  return {{a.centre + first, root * (1.0 / (a.radius * b.radius))},
          first,
          first - d,
          sigma * root,
          sigma * (square * j)};
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

/// r has, in the body's frame, `across` across the guide and ±√(r² - across²) along it.
GuideThroughPoint turn_through(const Vec& r, const Vec& u, Expr across, double branch) {
  const Vec n = turn(u);
  const Expr square = dot(r, r);
  const Expr root = expr::sqrt(square - across * across);
  const Vec in_body = (branch * root) * u + across * n;
  const Expr inverse_square = 1.0 / square;
  return {{{1.0, 0.0}, {inverse_square * dot(in_body, r), inverse_square * cross(in_body, r)}},
          root / expr::sqrt(square)};
}

}  // namespace rodeo::codegen
