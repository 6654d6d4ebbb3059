// SPDX-License-Identifier: MIT
// With r = R p:  ṙ = ω×r = R(w×p),  r̈ = α×r + ω×(ω×r); w is the spin in the body's axes, and uᵀR(w×p) = wᵀ(p × Rᵀu).
#include "kinematics/spatial/rows.h"

#include <cmath>

namespace rodeo::spatial {
namespace {

void set(RowTerms& t, int side, const Vector3& linear, const Vector3& angular) {
  const Vector3 a = flushed(linear), b = flushed(angular);
  t.d[side] = {a.x(), a.y(), a.z(), b.x(), b.y(), b.z()};
}

/// ω×(ω×r), in ground axes.
Vector3 calc_centripetal(const BodyState& body, const Vector3& p) {
  return body.R * body.spin.cross(body.spin.cross(p));
}

/// ∇(uᵀ(p₂ − p₁)); `moment`: what u's own turning adds for the first body's spin.
void set_gap_terms(RowTerms& t, const RowData& row, const BodyStates& bodies, const Vector3& u,
                   const Vector3& moment) {
  const BodyState &a = bodies[row.first], &b = bodies[row.second];
  set(t, 0, -u, moment - row.p1.cross(a.R.transpose() * u));
  set(t, 1, u, row.p2.cross(b.R.transpose() * u));
}

/// u turns with the first body: d²/dt²(uᵀd) = uᵀd̈ + 2(ω₁×u)ᵀḋ + (ω₁×(ω₁×u))ᵀd + (α₁×u)ᵀd.
RowValues calc_along(const RowData& row, const BodyStates& bodies, RowTerms& t) {
  const BodyState &a = bodies[row.first], &b = bodies[row.second];
  const Vector3 u = a.R * row.u, gap = b.place(row.p2) - a.place(row.p1);
  set_gap_terms(t, row, bodies, u, row.u.cross(a.R.transpose() * gap));
  const Vector3 w = a.world_spin(), speed = b.velocity_of(row.p2) - a.velocity_of(row.p1);
  const double bias = u.dot(calc_centripetal(b, row.p2) - calc_centripetal(a, row.p1)) +
                      2 * w.cross(u).dot(speed) + w.cross(w.cross(u)).dot(gap);
  return {u.dot(gap) - row.value, bias};
}

/// d/dt (uᵀw) = (ω₁ − ω₂)ᵀ(u×w).
RowValues calc_across(const RowData& row, const BodyStates& bodies, RowTerms& t) {
  const BodyState &a = bodies[row.first], &b = bodies[row.second];
  const Vector3 u = a.R * row.u, w = b.R * row.w, normal = u.cross(w);
  set(t, 0, Vector3::Zero(), a.R.transpose() * normal);
  set(t, 1, Vector3::Zero(), -(b.R.transpose() * normal));
  const Vector3 w1 = a.world_spin(), w2 = b.world_spin();
  const double bias =
      w1.cross(w1.cross(u)).dot(w) + 2 * w1.cross(u).dot(w2.cross(w)) + u.dot(w2.cross(w2.cross(w)));
  return {u.dot(w) - row.value, bias};
}

/// q₁⁻¹ q₂ G⁻¹, with its scalar part not negative.
Quaternion calc_relative(const RowData& row, const BodyStates& bodies) {
  Quaternion q = bodies[row.first].q.conjugate() * bodies[row.second].q * row.zero.conjugate();
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  return q;
}

/// θ = 2 atan2(s, c), s = uᵀvec q, c = scalar q; x = G(w₂ − R₂₁w₁) is the spin that q̇ = ½ q⊗x has:
///   θ̇ = xᵀ[c(c u + u×v) + s v]/n,  n = c² + s²;   q̈ = −¼|x|² q + ½ q⊗ẋ leaves −4(cṡ − sċ)(cċ + sṡ)/n² and kᵀẋ.
RowValues calc_turn_row(const RowData& row, const BodyStates& bodies, RowTerms& t) {
  const BodyState &a = bodies[row.first], &b = bodies[row.second];
  const Quaternion q = calc_relative(row, bodies);
  const Vector3 v = q.vec();
  const double c = q.w(), s = row.u.dot(v), n = c * c + s * s;
  const Vector3 k = (c * (c * row.u + row.u.cross(v)) + s * v) / n;
  const Matrix3 G = row.zero.toRotationMatrix(), R21 = b.R.transpose() * a.R;
  const Vector3 k2 = G.transpose() * k;
  set(t, 0, Vector3::Zero(), -(R21.transpose() * k2));
  set(t, 1, Vector3::Zero(), k2);
  const Vector3 w1 = R21 * a.spin, x = G * (b.spin - w1);
  const double ds = 0.5 * x.dot(c * row.u + row.u.cross(v)), dc = -0.5 * x.dot(v);
  const double bias = k2.dot(b.spin.cross(w1)) - 4 * (c * ds - s * dc) * (c * dc + s * ds) / (n * n);
  return {calc_wrapped(2 * std::atan2(s, c) - row.value), bias};
}

/// The slide less `value` times the turn, to the nearest whole turn.
RowValues calc_screw(const RowData& row, const BodyStates& bodies, RowTerms& t) {
  RowData part = row;
  part.value = 0;
  RowTerms turn = t;
  const RowValues slide = calc_along(part, bodies, t);
  const RowValues angle = calc_turn_row(part, bodies, turn);
  for (int side = 0; side < 2; ++side) {
    for (int i = 0; i < 6; ++i) t.d[side][i] -= row.value * turn.d[side][i];
  }
  return {row.value * calc_wrapped(slide.residual / row.value - angle.residual),
          slide.bias - row.value * angle.bias};
}

RowValues calc_distance(const RowData& row, const BodyStates& bodies, RowTerms& t) {
  const BodyState &a = bodies[row.first], &b = bodies[row.second];
  const Vector3 gap = b.place(row.p2) - a.place(row.p1);
  const Vector3 speed = b.velocity_of(row.p2) - a.velocity_of(row.p1);
  const double length = gap.norm();
  const Vector3 u =
      length > 0 ? Vector3(gap / length) : Vector3(Vector3::UnitX());  // no direction: any will do
  set_gap_terms(t, row, bodies, u, Vector3::Zero());
  const double turning = length > 0 ? (speed - u.dot(speed) * u).squaredNorm() / length : 0.0;
  return {length - row.value, u.dot(calc_centripetal(b, row.p2) - calc_centripetal(a, row.p1)) + turning};
}

/// 2uᵀv of q = G⁻¹q₂ = (c, v): rate wᵀ(c u + u×v), and −½|w|² uᵀv of its second rate.
RowValues calc_small_turn(const RowData& row, const BodyStates& bodies, RowTerms& t) {
  const BodyState& b = bodies[row.second];
  Quaternion q = row.zero.conjugate() * b.q;
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  const Vector3 v = q.vec();
  set(t, 0, Vector3::Zero(), Vector3::Zero());
  set(t, 1, Vector3::Zero(), q.w() * row.u + row.u.cross(v));
  return {2 * row.u.dot(v) - row.value, -0.5 * b.spin.squaredNorm() * row.u.dot(v)};
}

}  // namespace

RowValues calc_row(const RowData& row, const BodyStates& bodies, RowTerms& t) {
  t.width = 6;
  t.body = {row.first, row.second};
  switch (row.kind) {
    case RowKind::along: return calc_along(row, bodies, t);
    case RowKind::across: return calc_across(row, bodies, t);
    case RowKind::turn: return calc_turn_row(row, bodies, t);
    case RowKind::screw: return calc_screw(row, bodies, t);
    case RowKind::distance: return calc_distance(row, bodies, t);
    case RowKind::small_turn: return calc_small_turn(row, bodies, t);
  }
  return {};
}

void calc_rows(const std::vector<RowData>& data, const BodyStates& bodies, Rows& rows) {
  const auto m = static_cast<Eigen::Index>(data.size());
  rows.terms.resize(data.size());
  rows.residual.resize(m);
  rows.bias.resize(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const RowValues values = calc_row(data[i], bodies, rows.terms[i]);
    rows.residual[i] = flushed(values.residual);
    rows.bias[i] = flushed(values.bias);
  }
}

double calc_turn_angle(const RowData& row, const BodyStates& bodies) {
  const Quaternion q = calc_relative(row, bodies);
  return calc_wrapped(2 * std::atan2(row.u.dot(q.vec()), q.w()));
}

}  // namespace rodeo::spatial
