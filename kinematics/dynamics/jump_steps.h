// SPDX-License-Identifier: MIT
// Fixed steps across stops and contacts, whose force jumps where they are touched or left: a step with a jump of a rate is halved towards
// it, seven times, so that one step of 1/128 goes across. Other steps are as they are. The twin of engine/step/free_mover.h.
#pragma once
#include "kinematics/solve/solve.h"

namespace rodeo::dynamics {

/// Of euler or rk4. `smooth`: the first components of the state, those that are looked at.
[[nodiscard]] std::unique_ptr<solve::Integrator> build_jump_steps(solve::Ode& ode, solve::Method method,
                                                                  double step, std::size_t smooth,
                                                                  const std::vector<double>& state);

}  // namespace rodeo::dynamics
