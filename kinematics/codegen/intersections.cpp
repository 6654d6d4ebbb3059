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
/// One division serves all: with j = 1/(d² σh), 1/d² = σh j and 1/σh = d² j.
Dyad intersect(const Circle& a, const Circle& b, const Vec& d, Expr sigma) {
  const Expr square = dot(d, d);
  const Expr k = 0.5 * square + 0.5 * (a.square - b.square);
  const Expr root = expr::sqrt(a.square * square - k * k);
  const Expr signed_root = sigma * root;
  const Expr j = 1.0 / (square * signed_root);
  const Expr inverse_square = signed_root * j;
  const Vec first = times({inverse_square * k, inverse_square * signed_root}, d);
  const Expr margin = root * (1.0 / (a.radius * b.radius));
  return {{a.centre + first, margin}, first, first - d, signed_root, square * j};
}

double branch_of(const Circle& a, const Circle& b, const Numbers& here) {
  const Numbers delta = {b.at_start.x - a.at_start.x, b.at_start.y - a.at_start.y};
  const Numbers arm = {here.x - a.at_start.x, here.y - a.at_start.y};
  return branch_of(delta.x * arm.y - delta.y * arm.x);
}

/// K4: X = c + f n + σ h u, f = offset - n·c, h = √(r² - f²), u along the line.
Intersection intersect(const Line& line, const Circle& circle, Expr sigma) {
  const Expr f = line.offset - dot(line.normal, circle.centre);
  const Expr root = expr::sqrt(circle.square - f * f);
  const Vec u = -turn(line.normal);
  return {circle.centre + f * line.normal + (sigma * root) * u, root * (1.0 / circle.radius)};
}

double branch_of(const Line& line, const Circle& circle, const Numbers& here) {
  const Numbers along = {line.at_start.y, -line.at_start.x};
  return branch_of((here.x - circle.at_start.x) * along.x + (here.y - circle.at_start.y) * along.y);
}

/// r has, in the body's frame, `across` across the guide and ±√(r² - across²) along it.
GuideThroughPoint turn_through(const Vec& r, const Vec& u, Expr across, Expr sigma) {
  const Vec n = turn(u);
  const Expr square = dot(r, r);
  const Expr root = expr::sqrt(square - across * across);
  const Vec in_body = (sigma * root) * u + across * n;
  const Expr inverse_square = 1.0 / square;
  return {{{1.0, 0.0}, {inverse_square * dot(in_body, r), inverse_square * cross(in_body, r)}},
          root / expr::sqrt(square)};
}

}  // namespace rodeo::codegen
