// SPDX-License-Identifier: MIT
// The outputs of a small machine in space written out, in the order of show_all.
#include "kinematics/codegen/flat_routine.h"
#include "kinematics/codegen/spatial_flat.h"
#include "kinematics/codegen/spatial_symbols.h"

namespace rodeo::codegen {
namespace {

using ExprRow = std::vector<Expr>;

void add(const Triple& triple, ExprRow& values) { values.insert(values.end(), triple.begin(), triple.end()); }

/// Of a point p from the centre: place, velocity, acceleration.
struct Shown {
  Triple place, velocity, acceleration;
};
Shown show(const SymbolBody& body, const Triple& a, const Triple& spin_rate, const Triple& p) {
  const Triple r = body.R.turned(p), swing = cross(body.s, r);
  return {body.c + r, body.v + swing, (a + cross(body.R.turned(spin_rate), r)) + cross(body.s, swing)};
}

/// q G, of length 1.
std::array<Expr, 4> build_own(const SymbolBody& body, const spatial::BodyFrame& frame) {
  const auto& q = body.q;
  const Expr scale = 1.0 / expr::sqrt(((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3]);
  const spatial::Quaternion turn = spatial::Quaternion(spatial::Matrix3(frame.R.transpose())).normalized();
  const Triple v = build_triple(turn.vec());
  const Expr w = turn.w();
  return {scale * (q[0] * w - q[1] * v[0] - q[2] * v[1] - q[3] * v[2]),
          scale * (q[0] * v[0] + q[1] * w + q[2] * v[2] - q[3] * v[1]),
          scale * (q[0] * v[1] - q[1] * v[2] + q[2] * w + q[3] * v[0]),
          scale * (q[0] * v[2] + q[1] * v[1] - q[2] * v[0] + q[3] * w)};
}

void add_body(const SymbolBody& body, const Expr* a, const spatial::BodyFrame& frame, ExprRow& values) {
  const Triple linear{a[0], a[1], a[2]}, spin_rate{a[3], a[4], a[5]};
  const Shown origin = show(body, linear, spin_rate, build_triple(frame.point(spatial::Vector3::Zero())));
  const auto q = build_own(body, frame);
  Rotation axes;
  for (int i = 0; i < 3; ++i)
    axes.rows[static_cast<std::size_t>(i)] = build_triple(frame.R.row(i).transpose());
  add(origin.place, values);
  values.insert(values.end(), q.begin(), q.end());
  add(axes.turned(body.w), values);
  add(origin.velocity, values);
  add(axes.turned(spin_rate), values);
  add(origin.acceleration, values);
}

/// J x of a row: its rate of velocities, the most of its acceleration of accelerations.
Expr build_product(const spatial::RowData& at, const SymbolRow& row, const ExprRow& x) {
  Expr sum = 0.0;
  for (const auto& [side, body] : {std::pair{0, at.first}, {1, at.second}}) {
    for (std::size_t i = 0; body > 0 && i < 6; ++i)
      sum = sum + row.d[static_cast<std::size_t>(side)][i] * x[6 * static_cast<std::size_t>(body - 1) + i];
  }
  return sum;
}

/// `near`: the coordinates before.
void add_measure(const SpatialMeasure& measure, const std::vector<SymbolBody>& bodies, const ExprRow& v,
                 const ExprRow& a, const ExprRow& near, ExprRow& values) {
  const SymbolRow row = build_symbol_row(measure.at, bodies, 0.0, 1.0);
  const bool is_angle = measure.coordinate >= 0;
  if (measure.told[0])
    values.push_back(is_angle ? build_symbol_coordinate(measure.at, bodies,
                                                        near[static_cast<std::size_t>(measure.coordinate)])
                              : row.error);
  if (measure.told[1]) values.push_back(build_product(measure.at, row, v));
  if (measure.told[2]) values.push_back(row.bias + build_product(measure.at, row, a));
}

}  // namespace

FlatText build_flat_outputs(const SpatialNumbers& n) {
  Symbols symbols;
  const auto x = build_array(symbols, Space::state, "x", static_cast<std::size_t>(n.q.size()));
  const auto v = build_array(symbols, Space::drive, "v", static_cast<std::size_t>(n.mass.size()));
  const auto a = build_array(symbols, Space::parameter, "p", v.size());
  const auto near = build_array(symbols, Space::derived, "k", n.coordinates.size());
  const auto bodies = build_symbol_bodies(x, v, 1.0);
  ExprRow values;
  for (std::size_t b = 1; b < bodies.size(); ++b) add_body(bodies[b], &a[6 * (b - 1)], n.frames[b], values);
  for (const spatial::Output& output : n.machine.outputs) {
    const auto b = static_cast<std::size_t>(output.point.body);
    const Triple p = build_triple(n.frames[b].point(n.machine.point(output.point).at.value()));
    const Expr* of = b == 0 ? nullptr : &a[6 * (b - 1)];
    const Shown point = b == 0 ? show(bodies[0], {}, {}, p)
                               : show(bodies[b], {of[0], of[1], of[2]}, {of[3], of[4], of[5]}, p);
    for (const Triple& triple : {point.place, point.velocity, point.acceleration}) add(triple, values);
  }
  for (const SpatialMeasure& measure : n.measures) add_measure(measure, bodies, v, a, near, values);
  for (std::size_t i = 0; i < n.coordinates.size(); ++i)
    values.push_back(build_symbol_coordinate(n.coordinates[i].at, bodies, near[i]));
  const FlatRoutine routine = build_flat_routine(symbols, "flat_show", "xupk", values);
  return {routine.text, routine.operations};
}

}  // namespace rodeo::codegen
