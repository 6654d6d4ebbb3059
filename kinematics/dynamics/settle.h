// SPDX-License-Identifier: MIT
// A start found by method rc: springs in the joints pull a pose together that does not close, dampers take the energy out. THEORY D8.
#pragma once
#include "kinematics/dynamics/problem.h"

namespace rodeo::dynamics {

/// What settling made of a start.
struct SettledStart {
  double open_before = 0.0, open_after = 0.0;  // m; after: before the last rounding is projected away
  double moved = 0.0;                          // from the start that was projected directly, m and rad
};

/// Settles q from where it is written, joints open: problem.q is closed afterwards. Its velocity is for the caller to set.
SettledStart settle_position(Problem& problem, const Vector& written);
/// Takes the start of a planar machine from its angles as they are written, joints open, and settles it.
SettledStart settle_start(Problem& problem, const machine::Machine& machine, const machine::Assembly& start);

}  // namespace rodeo::dynamics
