// SPDX-License-Identifier: MIT
#include "kinematics/codegen/outputs.h"

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
  for (std::size_t d = 0; d < machine.drives.size(); ++d) {
    if (is_cylinder(machine.drives[d])) list.insert(list.end(), drives[d].begin(), drives[d].end());
  }
  return list;
}

}  // namespace rodeo::codegen
