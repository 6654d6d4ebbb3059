// SPDX-License-Identifier: MIT
// Values of loads (torques, point forces) as functions of time, parameters and what comes from outside; in the plane and in space.
#pragma once
#include <vector>

#include "kinematics/expr/eval.h"
#include "kinematics/machine/machine.h"

namespace rodeo::dynamics {

struct LoadProgram {
  LoadProgram(const std::vector<expr::Expr>& roots, const std::vector<expr::Parameter>& parameters,
              const std::vector<machine::ForceInput>& from_outside);

  std::vector<double> inputs;  // t first, inputs from outside last: nil where nobody sends them
  std::vector<double> results;
  expr::Program program;
};

}  // namespace rodeo::dynamics
