// SPDX-License-Identifier: MIT
// Every row a stiff spring and a damper (boudon-2019, 'R/C parasitic element'): no constraints are left, redundant ones do no
// harm, and the machine gains fast motions of its own. THEORY D8.
//     M a = f − Jᵀ(kΦ + cΦ̇),   kᵢ = mᵢ ω²,   cᵢ = 2 ζ mᵢ ω,   mᵢ: the least mass that row i feels in any direction.
#pragma once
#include "kinematics/dynamics/method.h"

namespace rodeo::dynamics {

/// What the parasites add.
struct ParasiticModes {
  double lowest = 0.0,
         highest = 0.0;  // rad/s, of the springs; lowest 0 where the machine is too large to ask
  double fastest = 0.0;  // 1/s, with the dampers: what a step has to resolve
};

class Rc : public Method, public solve::Ode {
 public:
  Rc(Problem& problem, const MethodOptions& options);

  [[nodiscard]] const System& system() const noexcept override { return system_; }
  [[nodiscard]] int equations() const noexcept override { return static_cast<int>(q_.size() + v_.size()); }
  [[nodiscard]] std::string solver_name() const override {
    return ode_solver_name(options_, Solver::cvode, true);
  }
  [[nodiscard]] std::vector<std::string> notes() const override;
  [[nodiscard]] std::unique_ptr<solve::Integrator> build_integrator() override;
  void read(double t, solve::In state, FullState& full) override;

  [[nodiscard]] std::size_t size() const noexcept override {
    return static_cast<std::size_t>(q_.size() + v_.size() + 2);  // the work, and what the dampers take
  }
  void rate(double t, solve::In state, solve::Out out) override;

  [[nodiscard]] const ParasiticModes& modes() const noexcept { return modes_; }
  [[nodiscard]] double stiffness(Eigen::Index row) const { return stiffness_[row]; }
  [[nodiscard]] double damping(Eigen::Index row) const { return damping_[row]; }
  /// Without the machine's own forces, to settle a start; a drag a mass (1/s) keeps it from moving on meanwhile.
  void leave_out_forces(double drag = 0.0) noexcept {
    with_forces_ = false;
    drag_ = drag;
  }

 private:
  void choose(const MethodOptions& options);
  void calc(double t, solve::In state);
  [[nodiscard]] ParasiticModes calc_modes() const;

  System& system_;
  MethodOptions options_;
  Workspace work_;
  Vector q_, v_, lambda_, stiffness_, damping_;
  double frequency_ = 0.0, ratio_ = 0.0;
  ParasiticModes modes_;
  bool with_forces_ = true;
  double drag_ = 0.0;
};

/// A consistent start from one that is not: the parasites pull the joints together and take the energy out; no other force acts. The
/// way of boudon-2019's reference 23; `close_position` and `close_velocity` are the direct one. `still`: drag stops what the pull
/// sets in motion, so that the machine stays near; else its momentum is kept.
struct Settled {
  Vector q, v;
  double residual = 0.0, rate = 0.0;  // the largest that is left, m and m/s
};
[[nodiscard]] Settled build_settled(Problem& problem, const Vector& q, const Vector& v, bool still = false);

}  // namespace rodeo::dynamics
