// SPDX-License-Identifier: MIT
// A machine made ready to move by its forces: checked, drives let go or held, redundant rows found and named, and a
// start that satisfies every constraint in position and velocity. THEORY D5.
#pragma once
#include <string>
#include <vector>

#include "kinematics/dynamics/saddle.h"
#include "kinematics/dynamics/system.h"

namespace rodeo::dynamics {

/// A start rate that the constraints did not allow.
struct RateChange {
  std::string name;
  double asked = 0.0, got = 0.0;
};

struct Problem {
  System system;                       // redundant rows left out
  System redundant_system;             // all rows
  Vector q, v;                         // the start, consistent
  int mobility = 0;                    // degrees of freedom that move
  std::vector<std::string> redundant;  // rows, by name
  std::vector<std::string> held;       // drives
  std::vector<RateChange> changes;
  double moved = 0.0;  // the largest move that closed the start pose, m
};

struct ProblemOptions {
  std::vector<std::string> released;  // names of drives that do not hold; `all` for every one
};

/// Throws ModelError with all that keeps the machine from moving by its forces.
[[nodiscard]] Problem build_problem(const machine::Machine& machine, const machine::Assembly& start,
                                    const ProblemOptions& options = {});

/// The nearest q (in the norm of the masses) that closes all rows; false if there is none near.
bool close_position(const System& system, Saddle& saddle, Vector& q, Workspace& work);
/// The nearest v with J v = 0. `work` holds the rows at q.
void close_velocity(Saddle& saddle, const Workspace& work, Vector& v);

}  // namespace rodeo::dynamics
