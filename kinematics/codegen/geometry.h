// SPDX-License-Identifier: MIT
// Plane vectors of expressions, and how a body lies.
#pragma once
#include "kinematics/expr/expr.h"

namespace rodeo::codegen {

using expr::Expr;

struct Vec {
  Expr x, y;
};

inline Vec operator+(const Vec& a, const Vec& b) { return {a.x + b.x, a.y + b.y}; }
inline Vec operator-(const Vec& a, const Vec& b) { return {a.x - b.x, a.y - b.y}; }
inline Vec operator-(const Vec& a) { return {-a.x, -a.y}; }
inline Vec operator*(Expr k, const Vec& a) { return {k * a.x, k * a.y}; }
inline Expr dot(const Vec& a, const Vec& b) { return a.x * b.x + a.y * b.y; }
inline Expr cross(const Vec& a, const Vec& b) { return a.x * b.y - a.y * b.x; }
/// ẑ × a
inline Vec turn(const Vec& a) { return {-a.y, a.x}; }
/// a b as complex numbers: a turned by b's angle and stretched by its length.
inline Vec times(const Vec& a, const Vec& b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
inline Vec conjugate(const Vec& a) { return {a.x, -a.y}; }
inline Vec direction(Expr angle) { return {expr::cos(angle), expr::sin(angle)}; }
inline bool is_zero(const Vec& a) { return a.x.is_number(0) && a.y.is_number(0); }

/// How a body lies: its own vector `local` is `world` on the page, of the same length. A link's own vector serves as
/// well as a unit vector, and needs no division by its length.
struct Frame {
  Vec local{1.0, 0.0};
  Vec world{1.0, 0.0};
};

/// The vector r of the body on the page: (r/local) world.
[[nodiscard]] Vec carry(const Frame& frame, const Vec& r);

}  // namespace rodeo::codegen
