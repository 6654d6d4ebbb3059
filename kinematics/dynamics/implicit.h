// SPDX-License-Identifier: MIT
// The two methods that hand a differential-algebraic system to IDA. THEORY D7, D9.
//
// LagrangeImplicit: boudon-2019's controlled effort source, 'the effort such that the flow is nil', J v = 0: index 2. A second
// multiplier μ keeps the positions on Φ = 0 as well (Gear, Gupta, Leimkuhler), without raising the index:
//     q̇ = v − M⁻¹Jᵀμ,   M v̇ = f − Jᵀλ,   J v = 0,   Φ = 0.
// Zcp: zero-order causal paths opened by break variables, one a row, which are the joints' efforts λ; the rows differentiated
// until F by (v̇, λ) is regular, index 1:
//     q̇ = v,   M v̇ = f − Jᵀλ,   J v̇ + J̇v = 0;
// what drifts off Φ = 0 is projected back between steps.
#pragma once
#include "kinematics/dynamics/method.h"

namespace rodeo::dynamics {

/// What both share: the state [q, v, multipliers, work].
class Implicit : public Method, public solve::Dae {
 public:
  [[nodiscard]] const System& system() const noexcept override { return system_; }
  [[nodiscard]] int equations() const noexcept override { return static_cast<int>(size()) - 1; }
  [[nodiscard]] std::string solver_name() const override { return "ida bdf"; }
  [[nodiscard]] std::unique_ptr<solve::Integrator> build_integrator() override;
  void read(double t, solve::In state, FullState& full) override;

  [[nodiscard]] std::size_t size() const noexcept override {
    return static_cast<std::size_t>(q_.size() + v_.size() + multipliers() + 1);
  }
  [[nodiscard]] bool is_differential(std::size_t component) const noexcept override {
    const auto i = static_cast<Eigen::Index>(component);
    return i < q_.size() + v_.size() || i + 1 == static_cast<Eigen::Index>(size());
  }
  [[nodiscard]] std::string name(std::size_t component) const override;
  [[nodiscard]] std::string row_name(std::size_t row) const override { return "equation of " + name(row); }
  void residual(double t, solve::In y, solve::In rates, solve::Out out) override;

 protected:
  Implicit(Problem& problem, const MethodOptions& options);
  [[nodiscard]] virtual Eigen::Index multipliers() const noexcept = 0;
  /// Rows below those of motion; may add to the rows of q̇.
  virtual void calc_constraints(solve::In y, const Vector& dv, solve::Out out) = 0;
  /// a and λ at q_, v_ and the forces in work_.
  void calc_accelerations(double t);
  [[nodiscard]] std::vector<double> build_state(double work) const;

  System& system_;
  MethodOptions options_;
  Saddle saddle_;
  Workspace work_;
  Vector q_, v_, a_, lambda_;
  Vector row_scale_;  // kg, kg m²
};

class LagrangeImplicit : public Implicit {
 public:
  LagrangeImplicit(Problem& problem, const MethodOptions& options) : Implicit(problem, options) {}
  [[nodiscard]] std::vector<std::string> notes() const override;

 protected:
  [[nodiscard]] Eigen::Index multipliers() const noexcept override { return 2 * system_.row_count(); }
  void calc_constraints(solve::In y, const Vector& dv, solve::Out out) override;
};

class Zcp : public Implicit {
 public:
  Zcp(Problem& problem, const MethodOptions& options);
  [[nodiscard]] std::vector<std::string> notes() const override;
  [[nodiscard]] bool accept(double t, const FullState& full, std::vector<double>& state) override;

  [[nodiscard]] int index_before() const noexcept { return index_before_; }
  [[nodiscard]] int index_after() const noexcept { return index_after_; }
  [[nodiscard]] int projections() const noexcept { return projections_; }

 protected:
  [[nodiscard]] Eigen::Index multipliers() const noexcept override { return system_.row_count(); }
  void calc_constraints(solve::In y, const Vector& dv, solve::Out out) override;

 private:
  void check_regular(double t);

  Saddle regular_;
  int index_before_ = 0, index_after_ = 0;
  int projections_ = 0;
};

/// 1 + how often the rows have to be differentiated, from the given number of times on, until [M Jᵀ; ∂row/∂v̇ 0] is
/// regular. No rows: 0, an ordinary equation.
[[nodiscard]] int calc_index(const System& system, const Vector& q, int differentiated);

}  // namespace rodeo::dynamics
