// SPDX-License-Identifier: MIT
// Carrying vectors with a body.
#include "kinematics/codegen/geometry.h"

namespace rodeo::codegen {
namespace {

bool is_same(const Vec& a, const Vec& b) { return a.x == b.x && a.y == b.y; }

/// a/b as complex numbers; constants of the machine, computed once.
Vec ratio(const Vec& a, const Vec& b) {
  if (b.y.is_number(0)) return {a.x / b.x, a.y / b.x};
  const Expr square = dot(b, b);
  return {dot(b, a) / square, cross(b, a) / square};
}

}  // namespace

Vec carry(const Frame& frame, const Vec& r) {
  if (is_zero(r)) return {0.0, 0.0};
  if (is_same(r, frame.local)) return frame.world;
  if (is_same(-r, frame.local)) return -frame.world;
  return times(ratio(r, frame.local), frame.world);
}

}  // namespace rodeo::codegen
