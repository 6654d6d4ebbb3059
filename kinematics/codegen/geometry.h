// SPDX-License-Identifier: MIT
// Plane vectors of expressions.
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

/// A direction by its cosine and sine; rotate(R, a) = R a.
struct Rotation {
  Expr c = 1.0, s = 0.0;
};
inline Vec rotate(const Rotation& r, const Vec& a) { return {r.c * a.x - r.s * a.y, r.s * a.x + r.c * a.y}; }
inline Rotation operator*(const Rotation& a, const Rotation& b) {
  return {a.c * b.c - a.s * b.s, a.s * b.c + a.c * b.s};
}
inline Rotation inverse(const Rotation& r) { return {r.c, -r.s}; }

}  // namespace rodeo::codegen
