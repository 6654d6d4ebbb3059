// SPDX-License-Identifier: MIT
// All coordinates, multipliers, and Baumgarte's correction as favre-1998 adds it. THEORY D7.
//     [M Jᵀ; J 0] [a; λ] = [f; −J̇v − 2α Φ̇ − β² Φ]     holonomic: Φ̈ + 2αΦ̇ + β²Φ = 0
//                                                        non-holonomic: Ψ̇ + αΨ = 0
#pragma once
#include "kinematics/dynamics/method.h"

namespace rodeo::dynamics {

class Lagrange : public Method, public solve::Ode {
 public:
  Lagrange(Problem& problem, const MethodOptions& options);

  [[nodiscard]] const System& system() const noexcept override { return system_; }
  [[nodiscard]] int equations() const noexcept override {
    return static_cast<int>(q_.size() + v_.size() + system_.row_count());
  }
  [[nodiscard]] std::string solver_name() const override {
    return ode_solver_name(options_, Solver::rk4, false);
  }
  [[nodiscard]] std::vector<std::string> notes() const override;
  [[nodiscard]] std::unique_ptr<solve::Integrator> build_integrator() override;
  void read(double t, solve::In state, FullState& full) override;

  /// [q, v, work].
  [[nodiscard]] std::size_t size() const noexcept override {
    return static_cast<std::size_t>(q_.size() + v_.size() + 1);
  }
  void rate(double t, solve::In state, solve::Out out) override;

 private:
  void calc(double t, solve::In state);

  System& system_;
  MethodOptions options_;
  Saddle saddle_;
  Workspace work_;
  Vector q_, v_, a_, lambda_;
};

/// [q, v, work] as the state of a solver.
[[nodiscard]] std::vector<double> build_full_state(const Vector& q, const Vector& v, double work);

}  // namespace rodeo::dynamics
