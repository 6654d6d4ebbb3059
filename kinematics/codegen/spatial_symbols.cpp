// SPDX-License-Identifier: MIT
#include "kinematics/codegen/spatial_symbols.h"

#include <fmt/format.h>

#include <cmath>

namespace rodeo::codegen {
namespace {

using expr::Op;
using spatial::RowData;
using spatial::RowKind;

double cleaned(double x) { return std::fabs(x) < 1e-15 ? 0.0 : x; }

/// R of q, whatever the length of q: 2/|q|² takes the place of 2.
void set_rotation(SymbolBody& body) {
  const auto& [w, x, y, z] = body.q;
  const Expr two = 2.0 / (((w * w + x * x) + y * y) + z * z);
  const Expr xx = two * (x * x), yy = two * (y * y), zz = two * (z * z), xy = two * (x * y),
             xz = two * (x * z), yz = two * (y * z), wx = two * (w * x), wy = two * (w * y),
             wz = two * (w * z);
  body.R.rows = {Triple{1.0 - (yy + zz), xy - wz, xz + wy}, Triple{xy + wz, 1.0 - (xx + zz), yz - wx},
                 Triple{xz - wy, yz + wx, 1.0 - (xx + yy)}};
  body.T = body.R;
}

std::array<Expr, 4> times(const std::array<Expr, 4>& a, const std::array<Expr, 4>& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}
std::array<Expr, 4> conjugate(const std::array<Expr, 4>& q) { return {q[0], -q[1], -q[2], -q[3]}; }

std::array<Expr, 6> join(const Triple& a, const Triple& b) { return {a[0], a[1], a[2], b[0], b[1], b[2]}; }

/// From p1 to p2, and how that changes at constant speed.
struct Span {
  Triple p1, p2, r1, r2, gap, speed, swing;
};

Span build_span(const RowData& row, const SymbolBody& a, const SymbolBody& b, double unit) {
  Span s;
  s.p1 = build_triple(row.p1, unit);
  s.p2 = build_triple(row.p2, unit);
  s.r1 = a.R.turned(s.p1);
  s.r2 = b.R.turned(s.p2);
  const Triple t1 = cross(a.s, s.r1), t2 = cross(b.s, s.r2);
  s.gap = (b.c - a.c) + (s.r2 - s.r1);
  s.speed = (b.v + t2) - (a.v + t1);
  s.swing = cross(b.s, t2) - cross(a.s, t1);
  return s;
}

void set_gap_terms(const Span& s, const SymbolBody& a, const SymbolBody& b, const Triple& u,
                   const Triple& moment, SymbolRow& row) {
  row.d[0] = join(Triple{} - u, moment - a.moment(s.p1, s.r1, u));
  row.d[1] = join(u, b.moment(s.p2, s.r2, u));
}

SymbolRow build_along(const RowData& row, const SymbolBody& a, const SymbolBody& b, Expr value, double unit) {
  const Span s = build_span(row, a, b, unit);
  const Triple own = build_triple(row.u), u = a.R.turned(own), wu = cross(a.s, u);
  SymbolRow result;
  result.error = dot(u, s.gap) - value;
  set_gap_terms(s, a, b, u, a.moment(own, u, s.gap), result);
  result.bias = dot(u, s.swing) + 2.0 * dot(wu, s.speed) + dot(cross(a.s, wu), s.gap);
  return result;
}

SymbolRow build_place(const RowData& row, const SymbolBody& a, const SymbolBody& b, int axis, double unit) {
  const Span s = build_span(row, a, b, unit);
  Triple u;
  u[static_cast<std::size_t>(axis)] = 1.0;
  SymbolRow result;
  result.error = dot(u, s.gap);
  set_gap_terms(s, a, b, u, {}, result);
  result.bias = dot(u, s.swing);
  return result;
}

SymbolRow build_across(const RowData& row, const SymbolBody& a, const SymbolBody& b, Expr value) {
  const Triple u = a.R.turned(build_triple(row.u)), w = b.R.turned(build_triple(row.w)), normal = cross(u, w);
  const Triple wu = cross(a.s, u), ww = cross(b.s, w);
  SymbolRow result;
  result.error = dot(u, w) - value;
  result.d = {join({}, a.T.turned_back(normal)), join({}, Triple{} - b.T.turned_back(normal))};
  result.bias = dot(cross(a.s, wu), w) + 2.0 * dot(wu, ww) + dot(u, cross(b.s, ww));
  return result;
}

/// All of it keeps its value when q changes its sign or length, but for whole turns of the angle.
struct Turn {
  SymbolRow row;
  Expr angle;
};
Turn build_turn(const RowData& row, const SymbolBody& a, const SymbolBody& b) {
  const std::array<Expr, 4> zero{cleaned(row.zero.w()), cleaned(row.zero.x()), cleaned(row.zero.y()),
                                 cleaned(row.zero.z())};
  const auto q = times(times(conjugate(a.q), b.q), conjugate(zero));
  const Triple u = build_triple(row.u), v{q[1], q[2], q[3]};
  const Expr c = q[0], s = dot(u, v), n = 1.0 / (c * c + s * s);
  const Triple side = c * u + cross(u, v), k = n * (c * side + s * v);
  const spatial::Matrix3 numbers = row.zero.toRotationMatrix();
  Rotation G;
  for (int i = 0; i < 3; ++i) G.rows[static_cast<std::size_t>(i)] = build_triple(numbers.row(i).transpose());
  const Triple k2 = G.turned_back(k), w1 = b.R.turned_back(a.s), x = G.turned(b.w - w1);
  const Triple world = b.R.turned(k2);
  const Expr ds = 0.5 * dot(x, side), dc = -0.5 * dot(x, v);
  Turn turn;
  turn.angle = 2.0 * expr::operation(Op::atan2, {s, c});
  turn.row.d = {join({}, Triple{} - a.T.turned_back(world)),
                join({}, b.is_own ? k2 : b.T.turned_back(world))};
  turn.row.bias = dot(k2, cross(b.w, w1)) - 4.0 * (((c * ds - s * dc) * n) * ((c * dc + s * ds) * n));
  return turn;
}

SymbolRow build_screw(const RowData& row, const SymbolBody& a, const SymbolBody& b, double unit) {
  const Expr pitch = row.value / unit;
  SymbolRow result = build_along(row, a, b, 0.0, unit);
  const Turn turn = build_turn(row, a, b);
  const Expr turned = (1.0 / pitch) * result.error;
  result.error = pitch * (turned - unwrapped(turn.angle, turned));
  for (std::size_t i = 0; i < 12; ++i)
    result.d[i / 6][i % 6] = result.d[i / 6][i % 6] - pitch * turn.row.d[i / 6][i % 6];
  result.bias = result.bias - pitch * turn.row.bias;
  return result;
}

/// Without a length any direction will do.
SymbolRow build_distance(const RowData& row, const SymbolBody& a, const SymbolBody& b, Expr value,
                         double unit) {
  const Span s = build_span(row, a, b, unit);
  const Expr length = expr::sqrt(dot(s.gap, s.gap)), is_long = expr::operation(Op::less, {0.0, length});
  const Expr inverse = 1.0 / expr::operation(Op::select, {is_long, length, 1.0});
  Triple u = inverse * s.gap;
  u[0] = expr::operation(Op::select, {is_long, u[0], 1.0});
  SymbolRow result;
  result.error = length - value;
  set_gap_terms(s, a, b, u, {}, result);
  const Expr rate = dot(u, s.speed);
  result.bias = dot(u, s.swing) + (dot(s.speed, s.speed) - rate * rate) * inverse;
  return result;
}

}  // namespace

Expr dot(const Triple& a, const Triple& b) { return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]; }
Triple cross(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Triple operator+(const Triple& a, const Triple& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Triple operator-(const Triple& a, const Triple& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Triple operator*(Expr factor, const Triple& a) { return {factor * a[0], factor * a[1], factor * a[2]}; }

Triple Rotation::turned(const Triple& p) const { return {dot(rows[0], p), dot(rows[1], p), dot(rows[2], p)}; }
Triple Rotation::turned_back(const Triple& p) const {
  const auto& [a, b, c] = rows;
  return {(a[0] * p[0] + b[0] * p[1]) + c[0] * p[2], (a[1] * p[0] + b[1] * p[1]) + c[1] * p[2],
          (a[2] * p[0] + b[2] * p[1]) + c[2] * p[2]};
}

Triple SymbolBody::moment(const Triple& p, const Triple& r, const Triple& u) const {
  return is_own ? cross(p, R.turned_back(u)) : T.turned_back(cross(r, u));
}

std::vector<SymbolBody> build_symbol_bodies(const std::vector<Expr>& states,
                                            const std::vector<Expr>& velocities, double unit) {
  std::vector<SymbolBody> bodies(1);
  for (std::size_t b = 0; 7 * b < states.size(); ++b) {
    const Expr *x = states.data() + 7 * b, *v = velocities.data() + 6 * b;
    SymbolBody body;
    body.c = Expr(1.0 / unit) * Triple{x[0], x[1], x[2]};
    body.q = {x[3], x[4], x[5], x[6]};
    set_rotation(body);
    if (!velocities.empty()) {
      body.v = Expr(1.0 / unit) * Triple{v[0], v[1], v[2]};
      body.w = {v[3], v[4], v[5]};
      body.s = body.R.turned(body.w);
    }
    bodies.push_back(body);
  }
  return bodies;
}

SymbolRow build_symbol_row(const RowData& row, const std::vector<SymbolBody>& bodies, Expr value, double unit,
                           std::optional<int> axis) {
  const SymbolBody &a = bodies[static_cast<std::size_t>(row.first)],
                   &b = bodies[static_cast<std::size_t>(row.second)];
  const Expr length = Expr(1.0 / unit) * value;
  if (axis) return build_place(row, a, b, *axis, unit);
  switch (row.kind) {
    case RowKind::along: return build_along(row, a, b, length, unit);
    case RowKind::across: return build_across(row, a, b, value);
    case RowKind::screw: return build_screw(row, a, b, unit);
    case RowKind::distance: return build_distance(row, a, b, length, unit);
    default: break;
  }
  Turn turn = build_turn(row, a, b);
  turn.row.error = unwrapped(turn.angle, value) - value;
  return turn.row;
}

Expr build_symbol_coordinate(const RowData& at, const std::vector<SymbolBody>& bodies, Expr near) {
  const SymbolBody &a = bodies[static_cast<std::size_t>(at.first)],
                   &b = bodies[static_cast<std::size_t>(at.second)];
  return at.kind == RowKind::turn ? unwrapped(build_turn(at, a, b).angle, near)
                                  : build_along(at, a, b, 0.0, 1.0).error;
}

Triple build_triple(const spatial::Vector3& p, double unit) {
  return {cleaned(p.x() / unit), cleaned(p.y() / unit), cleaned(p.z() / unit)};
}

std::vector<Expr> build_array(Symbols& symbols, Space space, const char* name, std::size_t size) {
  std::vector<Expr> array;
  for (std::size_t i = 0; i < size; ++i) {
    array.push_back(expr::variable(fmt::format("{}[{}]", name, i)));
    symbols.set(array.back(), space, static_cast<std::uint32_t>(i));
  }
  return array;
}

}  // namespace rodeo::codegen
