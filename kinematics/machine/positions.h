// SPDX-License-Identifier: MIT
// Positions of a machine as a person would write them, in the symbols of its graph of rods (X_crank, l_lift, s_guide): loops closed,
// lengths and angles of cylinders and of forces' lines, guides, centres of mass, outputs. THEORY R9.
#pragma once
#include <string>
#include <vector>

#include "kinematics/machine/pose.h"
#include "kinematics/machine/rods.h"

namespace rodeo::machine {

struct PositionEquation {
  Expr left, right;
  const char* unit = "m";
};

/// Of the machine that build_rods made a graph of. Bodies are placed from the ground by pins and guides; every joint that is left
/// closes a loop.
[[nodiscard]] std::vector<PositionEquation> build_positions(const Machine& machine,
                                                            const RodOptions& options);

/// A state's name in the graph, `crank.J.displacement`, and its value in a pose.
struct StateStart {
  std::string state;
  double value = 0.0;
};
[[nodiscard]] std::vector<StateStart> calc_state_starts(const Machine& machine, const RodOptions& options,
                                                        const Pose& pose);

}  // namespace rodeo::machine
