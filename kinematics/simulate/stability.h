// SPDX-License-Identifier: MIT
// Whether a fixed step can follow a graph. Near a state ẋ = f(t, x) moves by the eigenvalues λ of ∂f/∂x, with time constants 1/|λ|; a
// step h of an explicit method multiplies such a motion by R(λh) = 1 + z + z²/2 + z³/6 + z⁴/24, cut off after the method's order. What
// decays or swings (Re λ ≤ 0) and grows under R is a fault of the step; what grows of itself (Re λ > 0) is not.
#pragma once
#include <complex>
#include <string>
#include <vector>

#include "kinematics/solve/solve.h"

namespace rodeo::simulate {

/// A motion of its own near a state, with the states that take part in it.
struct NaturalMode {
  std::complex<double> eigenvalue;  // 1/s
  std::vector<std::string> states;
  std::vector<std::complex<double>> weights;  // of the states' rates: how far a motion is of this mode

  [[nodiscard]] double time_constant() const { return 1 / std::abs(eigenvalue); }  // s
};

/// All of them, the fastest first; empty where f has no derivative (a kink, or a block that does not solve).
[[nodiscard]] std::vector<NaturalMode> calc_natural_modes(solve::Ode& ode, double t, solve::In state);

/// |R(λh)|.
[[nodiscard]] double calc_growth(solve::Method method, std::complex<double> z);
/// The fastest mode that should not grow and does, tenfold within the duration; null where there is none.
[[nodiscard]] const NaturalMode* find_growing(const std::vector<NaturalMode>& modes, solve::Method method,
                                              double step, double duration);
/// `the step of 0.001 s is too long for 'coil.momentum' (time constant 0.0003 s): take --rate 4000 or --method cvode`
[[nodiscard]] std::string describe_long_step(const NaturalMode& mode, const std::vector<NaturalMode>& modes,
                                             solve::Method method, double step, double duration);

/// Watches a mode that grows by the step: true once it has grown ten-thousandfold, from step to step as R says and not by
/// a jump of an input.
class GrowthWatch {
 public:
  GrowthWatch() = default;
  GrowthWatch(const NaturalMode& mode, solve::Method method, double step);
  /// The state at a tick.
  [[nodiscard]] bool has_grown(solve::In state);

 private:
  std::vector<std::complex<double>> weights_;
  double factor_ = 0, first_ = 0, last_ = 0;
  std::vector<double> before_;
};

}  // namespace rodeo::simulate
