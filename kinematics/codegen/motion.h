// SPDX-License-Identifier: MIT
// Velocities and accelerations of bodies from the reduced equations: blocks written out by Cramer's rule up to
// kMaxWritten unknowns, larger ones solved at run time. THEORY K7.
#pragma once
#include <unordered_map>

#include "kinematics/codegen/kernel_model.h"

namespace rodeo::codegen {

inline constexpr std::size_t kMaxWritten = 3;

/// The pin-referred graph of a machine with the equations of its velocities and accelerations.
struct MotionModel {
  bondgraph::Graph graph;
  reduction::System system;
  reduction::Solution solution;
  std::vector<machine::RodCentre> centres;  // a body each
};

[[nodiscard]] MotionModel build_motion_model(const machine::Machine& machine,
                                             const machine::Mobility& mobility);

struct BodyMotion {
  Expr w, alpha;  // angular velocity and acceleration
  Vec v, a;       // of the body's origin
};

struct Motion {
  std::vector<BodyMotion> bodies;  // ground first, at rest
  std::vector<Expr> state_rates;   // a state of the system each
  std::vector<RunTimeSolve> solves;
  std::vector<BlockReport> blocks;
};

/// `parts`: what sines, cosines, arms and displacements of the states are, by Expr id. `known`: what need not be
/// computed again.
[[nodiscard]] Motion build_motion(const machine::Machine& machine, const MotionModel& model,
                                  const std::vector<Frame>& frames,
                                  std::unordered_map<std::uint32_t, Expr> parts, const Identities& known,
                                  bool accelerations);

}  // namespace rodeo::codegen
