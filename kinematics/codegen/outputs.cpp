// SPDX-License-Identifier: MIT
#include "kinematics/codegen/outputs.h"

#include "kinematics/machine/measures.h"

namespace rodeo::codegen {
namespace {

void add_point(const std::string& name, std::vector<Channel>& channels) {
  for (const auto& [suffix, unit] :
       {std::pair{"x", "m"}, {"y", "m"}, {"vx", "m/s"}, {"vy", "m/s"}, {"ax", "m/s^2"}, {"ay", "m/s^2"}}) {
    channels.push_back({name + "." + suffix, unit});
  }
}

void add_point(const machine::Point& point, const Placed& body, const BodyMotion& m,
               std::vector<Expr>& list) {
  const Vec r = carry(body.frame, {point.x.expr, point.y.expr});
  const Vec p = body.origin + r;
  const Vec v = m.v + m.w * turn(r);
  const Vec a = m.a + m.alpha * turn(r) - m.w * (m.w * r);
  for (const Expr e : {p.x, p.y, v.x, v.y, a.x, a.y}) list.push_back(e);
}

/// Value, rate, acceleration. Where two points meet their distance has no rate: nil is told.
std::array<Expr, 3> build_motion(const machine::Measure& measure, const LoadPoints& points,
                                 const std::vector<Expr>& angles) {
  if (measure.kind == machine::MeasureKind::angle) {
    const BodyMotion& body = points.motion(measure.of);
    return {angles[static_cast<std::size_t>(measure.of)], body.w, body.alpha};
  }
  const LengthMotion at = points.find_length(measure.first, measure.second);
  const Expr apart = expr::operation(expr::Op::less, {0.0, at.length});
  const auto if_apart = [&](Expr e) { return expr::operation(expr::Op::select, {apart, e, 0.0}); };
  return {at.length, if_apart(at.rate),
          if_apart(points.calc_length_acceleration(measure.first, measure.second))};
}

void add_measures(const machine::Machine& machine, const std::vector<Placed>& bodies,
                  const std::vector<Expr>& angles, const std::vector<BodyMotion>& motions,
                  std::vector<Expr>& list) {
  if (machine.measures.empty()) return;
  const LoadPoints points(machine, bodies, motions);
  for (const machine::Measure& measure : machine.measures) {
    const auto motion = build_motion(measure, points, angles);
    for (const auto& column : build_columns(machine, measure)) list.push_back(motion[column.derivative]);
  }
}

bool is_cylinder(const machine::Drive& drive) { return drive.kind == machine::DriveKind::cylinder; }

}  // namespace

std::vector<Channel> name_outputs(const machine::Machine& machine) {
  std::vector<Channel> channels;
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
    const std::string& name = machine.bodies[b].name;
    channels.push_back({name + ".angle", "rad"});
    channels.push_back({name + ".rate", "rad/s"});
    channels.push_back({name + ".acceleration", "rad/s^2"});
    add_point(name + ".origin", channels);
  }
  for (const machine::Output& output : machine.outputs) add_point(output.name, channels);
  for (const machine::Measure& measure : machine.measures) {
    for (const auto& column : build_columns(machine, measure)) channels.push_back({column.name, column.unit});
  }
  for (const machine::Drive& drive : machine.drives) {
    if (!is_cylinder(drive)) continue;
    channels.push_back({drive.name + ".length", "m"});
    channels.push_back({drive.name + ".speed", "m/s"});
    channels.push_back({drive.name + ".acceleration", "m/s^2"});
  }
  return channels;
}

std::vector<Expr> build_outputs(const machine::Machine& machine, const std::vector<Placed>& bodies,
                                const std::vector<Expr>& angles, const std::vector<BodyMotion>& motions,
                                const std::vector<DriveMotion>& drives) {
  std::vector<Expr> list;
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const BodyMotion& m = motions[b];
    for (const Expr e :
         {angles[b], m.w, m.alpha, bodies[b].origin.x, bodies[b].origin.y, m.v.x, m.v.y, m.a.x, m.a.y})
      list.push_back(e);
  }
  for (const machine::Output& output : machine.outputs) {
    const auto b = static_cast<std::size_t>(output.point.body);
    add_point(machine.point(output.point), bodies[b], motions[b], list);
  }
  add_measures(machine, bodies, angles, motions, list);
  for (std::size_t d = 0; d < machine.drives.size(); ++d) {
    if (is_cylinder(machine.drives[d])) list.insert(list.end(), drives[d].begin(), drives[d].end());
  }
  return list;
}

}  // namespace rodeo::codegen
