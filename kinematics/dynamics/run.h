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

/// Free motion that must not be trusted: energy that no source gave, or a joint that is open by more than errors of a method are.
class FaultError : public solve::SolveError {
 public:
  using SolveError::SolveError;
};

struct RunReport {
  solve::Statistics statistics;
  double seconds = 0.0;  // by the clock, samples included
  double largest_residual = 0.0, largest_energy_error = 0.0;
  double lost = 0.0, scale = 0.0;  // J that are gone and nothing dissipates; J that move
  double damped = 0.0;             // J of what is lost that the method's own dampers took
  /// Whether what is lost is worth a note.
  [[nodiscard]] bool has_lost() const noexcept;
};

/// Calls `take` for every sample, the start first; it returns false to stop. Throws SolveError, and FaultError.
RunReport run(Method& method, double duration, double period, const std::function<bool(const Sample&)>& take);

}  // namespace rodeo::dynamics
