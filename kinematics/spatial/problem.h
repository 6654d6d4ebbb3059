// SPDX-License-Identifier: MIT
// A spatial machine made ready to move by its forces; the methods are those of kinematics/dynamics.
#pragma once
#include "kinematics/dynamics/problem.h"
#include "kinematics/spatial/system.h"

namespace rodeo::spatial {

/// Throws ModelError with all that keeps the machine from moving by its forces.
[[nodiscard]] dynamics::Problem build_problem(const Machine& machine, const Assembly& start,
                                              const dynamics::ProblemOptions& options = {});

/// The start's velocity, from the rates that the machine asks for.
void set_start_velocity(dynamics::Problem& problem, const Machine& machine);

}  // namespace rodeo::spatial
