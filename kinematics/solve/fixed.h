// SPDX-License-Identifier: MIT
// Inside kinematics/solve: the fixed steps behind build_integrator.
#pragma once
#include "kinematics/solve/solve.h"

namespace rodeo::solve {

[[nodiscard]] std::unique_ptr<Integrator> build_fixed(Ode& ode, Method method, const Options& options,
                                                      double time, In state);

}  // namespace rodeo::solve
