// SPDX-License-Identifier: MIT
#include "kinematics/dynamics/settle.h"

#include "kinematics/dynamics/rc.h"

namespace rodeo::dynamics {
namespace {

/// The angles of the file about the origins that the assembly found.
Vector build_written(const Problem& problem, const machine::Machine& machine, machine::Pose pose) {
  for (std::size_t b = 1; b < pose.bodies.size(); ++b)
    if (machine.start_angles[b]) pose.bodies[b].angle = *machine.start_angles[b];
  return dynamic_cast<const PlanarSystem&>(problem.system).build_coordinates(pose);
}

}  // namespace

SettledStart settle_position(Problem& problem, const Vector& written) {
  const Vector projected = problem.q;
  Workspace work;
  problem.system.calc_rows(written, {}, work);
  SettledStart result;
  result.open_before = problem.system.calc_largest(work.rows.residual);
  // From rest, so that it does not move on meanwhile; its rates come after.
  const Settled settled = build_settled(problem, written, Vector::Zero(problem.system.velocities()), true);
  result.open_after = settled.residual;
  problem.q = settled.q;
  Saddle saddle(problem.system.metric());
  static_cast<void>(close_position(problem.system, saddle, problem.q, work));
  result.moved = (problem.q - projected).cwiseAbs().maxCoeff();
  return result;
}

SettledStart settle_start(Problem& problem, const machine::Machine& machine, const machine::Assembly& start) {
  const SettledStart result = settle_position(problem, build_written(problem, machine, start.pose));
  set_start_velocity(problem, machine, start);
  return result;
}

}  // namespace rodeo::dynamics
