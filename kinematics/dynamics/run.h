// SPDX-License-Identifier: MIT
// A method run over a time, sampled at a rate; what went in and out is accounted for.
#pragma once
#include <functional>

#include "kinematics/dynamics/method.h"

namespace rodeo::dynamics {

struct Sample {
  double t = 0.0;
  FullState state;
  Energy energy;
  double energy_error = 0.0;  // energy − energy at the start − work
  double residual = 0.0;      // the largest open joint, m
};

struct RunReport {
  solve::Statistics statistics;
  double seconds = 0.0;  // by the clock, samples included
  double largest_residual = 0.0, largest_energy_error = 0.0;
};

/// Calls `take` for every sample, the start first; it returns false to stop. Throws SolveError.
RunReport run(Method& method, double duration, double period, const std::function<bool(const Sample&)>& take);

}  // namespace rodeo::dynamics
