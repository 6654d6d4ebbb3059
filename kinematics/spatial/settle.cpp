// SPDX-License-Identifier: MIT
#include "kinematics/spatial/settle.h"

#include <algorithm>

#include "kinematics/spatial/problem.h"

namespace rodeo::spatial {
namespace {

/// What the file says of a body; what it does not say is as the assembly found it.
Pose build_written(const Machine& machine, Pose pose) {
  for (std::size_t b = 1; b < pose.bodies.size(); ++b) {
    const StartBody& body = machine.start_bodies[b];
    if (body.angles) pose.bodies[b].q = Quaternion(calc_cardan_rotation(*body.angles));
    if (body.origin) pose.bodies[b].origin = *body.origin;
  }
  return pose;
}

/// The farthest that an origin went or a body turned, m and rad.
double calc_moved(const Pose& from, const Pose& to) {
  double moved = 0;
  for (std::size_t b = 1; b < from.bodies.size(); ++b) {
    moved = std::max({moved, (to.bodies[b].origin - from.bodies[b].origin).norm(),
                      to.bodies[b].q.angularDistance(from.bodies[b].q)});
  }
  return moved;
}

}  // namespace

dynamics::SettledStart settle_start(dynamics::Problem& problem, const Machine& machine,
                                    const Assembly& start) {
  const auto& system = dynamic_cast<const System&>(problem.system);
  const Pose projected = system.build_pose(problem.q);
  dynamics::SettledStart result =
      settle_position(problem, system.build_coordinates(build_written(machine, start.pose)));
  result.moved = calc_moved(projected, system.build_pose(problem.q));
  set_start_velocity(problem, machine);
  return result;
}

}  // namespace rodeo::spatial
