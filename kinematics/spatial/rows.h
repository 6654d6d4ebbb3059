// SPDX-License-Identifier: MIT
// Constraint rows in space. A body's frame of motion has its origin at a centre c (of mass, or of its points) and axes of its
// own: v = [ċ in ground axes, spin in the body's axes], six a body. Φ, J and J̇v of every kind: THEORY S4, S5.
#pragma once
#include <vector>

#include "kinematics/dynamics/rows.h"
#include "kinematics/spatial/rotation.h"

namespace rodeo::spatial {

using dynamics::Rows;
using dynamics::RowTerms;
using dynamics::Vector;

enum class RowKind {
  along,     // uᵀ(p₂ − p₁) − value, u on the first body
  across,    // uᵀw − value, u on the first body, w on the second
  turn,      // the turn of the second body against the first about u, less value, in (−π, π]
  screw,     // uᵀ(p₂ − p₁) − value·turn, value in m/rad; whole turns left out
  distance,  // |p₂ − p₁| − value
  small_turn,  // uᵀ2vec(G⁻¹q₂) − value: a component of the turn since the orientation G, for small ones
};

/// A constraint as data: points from the centres, vectors in their bodies' frames of motion.
struct RowData {
  RowKind kind = RowKind::along;
  int first = 0, second = 0;
  Vector3 p1 = Vector3::Zero(), p2 = Vector3::Zero();
  Vector3 u = Vector3::UnitX(), w = Vector3::UnitX();
  Quaternion zero = Quaternion::Identity();  // G: of the second body in the first where the turn is nil
  double value = 0.0;

  [[nodiscard]] bool is_angle() const {
    return kind == RowKind::across || kind == RowKind::turn || kind == RowKind::small_turn;
  }
};

/// The place and speed of a body; body 0 is the ground.
struct BodyState {
  Vector3 c = Vector3::Zero(), velocity = Vector3::Zero();
  Quaternion q = Quaternion::Identity();  // of length 1
  Matrix3 R = Matrix3::Identity();
  Vector3 spin = Vector3::Zero();  // in the body's axes

  [[nodiscard]] Vector3 world_spin() const { return R * spin; }
  /// Where the point p from the centre is, and how fast.
  [[nodiscard]] Vector3 place(const Vector3& p) const { return c + R * p; }
  [[nodiscard]] Vector3 velocity_of(const Vector3& p) const { return velocity + R * spin.cross(p); }
};
using BodyStates = std::vector<BodyState>;

/// Nil for what is nothing beside rounding. A planar machine in space has components that shrink towards the least number there is,
/// where processors are a hundred times slower.
[[nodiscard]] inline double flushed(double x) { return x < 1e-60 && x > -1e-60 ? 0.0 : x; }
[[nodiscard]] inline Vector3 flushed(const Vector3& x) {
  return {flushed(x[0]), flushed(x[1]), flushed(x[2])};
}

struct RowValues {
  double residual = 0.0, bias = 0.0;
};
[[nodiscard]] RowValues calc_row(const RowData& row, const BodyStates& bodies, RowTerms& terms);
void calc_rows(const std::vector<RowData>& data, const BodyStates& bodies, Rows& rows);

/// The part about u of the turn of the second body against the first, in (−π, π].
[[nodiscard]] double calc_turn_angle(const RowData& row, const BodyStates& bodies);

}  // namespace rodeo::spatial
