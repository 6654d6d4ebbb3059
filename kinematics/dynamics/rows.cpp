// SPDX-License-Identifier: MIT
// Rows and their derivatives. With r = R(θ) p:  ṙ = ω left(r),  r̈ = ω̇ left(r) − ω² r; the last part goes into J̇v.
#include "kinematics/dynamics/rows.h"

#include <cmath>

namespace rodeo::dynamics {
namespace {

/// A point of a body: where, how fast, and its arm from the centre of mass.
struct PointState {
  Point2 p, velocity, arm;
  Point2 centripetal;  // −ω² r
};

PointState calc_point(const BodyState& body, const Point2& p) {
  const Point2 r = body.turned(p);
  return {body.c + r, body.velocity + body.spin * left(r), r, -body.spin * body.spin * r};
}

/// ∇(uᵀ(p₂ − p₁)); `du` is u's derivative by the first body's angle.
void set_gap_terms(RowTerms& t, const PointState& a, const PointState& b, const Point2& u, const Point2& du) {
  t.d[0] = {-u.x(), -u.y(), du.dot(b.p - a.p) - u.dot(left(a.arm))};
  t.d[1] = {u.x(), u.y(), u.dot(left(b.arm))};
}

struct RowValues {
  double residual = 0.0, bias = 0.0;
};

RowValues calc_gap(const RowData& row, const PointState& a, const PointState& b, RowTerms& t) {
  set_gap_terms(t, a, b, row.u, Point2::Zero());
  return {row.u.dot(b.p - a.p) - row.value, row.u.dot(b.centripetal - a.centripetal)};
}

/// u turns with the first body: d²/dt² (uᵀd) = uᵀd̈ + 2 ω left(u)ᵀḋ − ω² uᵀd + ω̇ left(u)ᵀd.
RowValues calc_across(const RowData& row, const BodyState& first, const PointState& a, const PointState& b,
                      RowTerms& t) {
  const Point2 u = first.turned(row.u), gap = b.p - a.p;
  set_gap_terms(t, a, b, u, left(u));
  const double w = first.spin;
  return {u.dot(gap) - row.value, u.dot(b.centripetal - a.centripetal) +
                                      2 * w * left(u).dot(b.velocity - a.velocity) - w * w * u.dot(gap)};
}

RowValues calc_distance(const RowData& row, const PointState& a, const PointState& b, RowTerms& t) {
  const Point2 gap = b.p - a.p, speed = b.velocity - a.velocity;
  const double length = gap.norm();
  const Point2 u = length > 0 ? Point2(gap / length) : Point2(Point2::UnitX());  // no direction: any will do
  set_gap_terms(t, a, b, u, Point2::Zero());
  const double sideways = u.dot(left(speed));
  const double turning = length > 0 ? sideways * sideways / length : 0.0;
  return {length - row.value, u.dot(b.centripetal - a.centripetal) + turning};
}

/// Φ̇ = uᵀṗ of the second body's point, u fixed in that body.
RowValues calc_knife_edge(const RowData& row, const BodyState& body, const PointState& b, RowTerms& t) {
  const Point2 u = body.turned(row.u);
  t.d[0] = {0, 0, 0};
  t.d[1] = {u.x(), u.y(), u.dot(left(b.arm))};
  return {0.0, u.dot(b.centripetal) + body.spin * left(u).dot(b.velocity)};
}

RowValues calc_row(const RowData& row, const BodyStates& bodies, RowTerms& t) {
  t.body = {row.first, row.second};
  const BodyState &first = bodies[row.first], &second = bodies[row.second];
  if (row.kind == RowKind::angle) {
    t.d = {{{0, 0, -1}, {0, 0, 1}}};
    return {second.angle - first.angle - row.value, 0.0};
  }
  const PointState a = calc_point(first, row.p1), b = calc_point(second, row.p2);
  switch (row.kind) {
    case RowKind::across: return calc_across(row, first, a, b, t);
    case RowKind::distance: return calc_distance(row, a, b, t);
    case RowKind::knife_edge: return calc_knife_edge(row, second, b, t);
    default: return calc_gap(row, a, b, t);
  }
}

}  // namespace

// Plain pointers: Eigen's assertions stay on in what we ship, and these loops are most of the work of a large machine.
double calc_product(const RowTerms& row, const Vector& v) {
  double sum = 0;
  for (int side = 0; side < 2; ++side) {
    if (row.body[side] == 0) continue;
    const double* at = v.data() + static_cast<std::ptrdiff_t>(row.width) * (row.body[side] - 1);
    const auto& d = row.d[side];
    sum += d[0] * at[0] + d[1] * at[1] + d[2] * at[2];
    if (row.width == 6) sum += d[3] * at[3] + d[4] * at[4] + d[5] * at[5];
  }
  return sum;
}

Vector calc_product(const std::vector<RowTerms>& rows, const Vector& v) {
  Vector product(static_cast<Eigen::Index>(rows.size()));
  double* out = product.data();
  for (const RowTerms& row : rows) *out++ = calc_product(row, v);
  return product;
}

void add_transposed(const std::vector<RowTerms>& rows, const Vector& lambda, Vector& out, double sign) {
  const double* next = lambda.data();
  for (const RowTerms& row : rows) {
    const double l = sign * *next++;
    for (int side = 0; side < 2; ++side) {
      if (row.body[side] == 0) continue;
      double* at = out.data() + static_cast<std::ptrdiff_t>(row.width) * (row.body[side] - 1);
      const auto& d = row.d[side];
      for (int c = 0; c < row.width; ++c) at[c] += d[c] * l;
    }
  }
}

RowTerms build_unit_row(int index, int width) {
  RowTerms row;
  row.width = width;
  row.body[1] = index / width + 1;
  row.d[1][index % width] = 1.0;
  return row;
}

void calc_body_states(const Vector& q, const Vector& v, BodyStates& bodies) {
  bodies.resize(static_cast<std::size_t>(q.size() / 3 + 1));
  bodies[0] = {};
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const auto i = static_cast<Eigen::Index>(3 * (b - 1));
    BodyState& body = bodies[b];
    body.c = q.segment<2>(i);
    body.angle = q[i + 2];
    body.cos = std::cos(body.angle);
    body.sin = std::sin(body.angle);
    body.velocity = v.size() > 0 ? Point2(v.segment<2>(i)) : Point2(Point2::Zero());
    body.spin = v.size() > 0 ? v[i + 2] : 0.0;
  }
}

void calc_rows(const std::vector<RowData>& data, const BodyStates& bodies, Rows& rows) {
  const auto m = static_cast<Eigen::Index>(data.size());
  rows.terms.resize(data.size());
  rows.residual.resize(m);
  rows.bias.resize(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const RowValues values = calc_row(data[i], bodies, rows.terms[i]);
    rows.residual[i] = values.residual;
    rows.bias[i] = values.bias;
  }
}

}  // namespace rodeo::dynamics
