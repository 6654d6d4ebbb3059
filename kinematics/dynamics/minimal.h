// SPDX-License-Identifier: MIT
// Motion in as many coordinates as there are degrees of freedom (boudon-2019, 'Minimal coordinate method'). THEORY D6.
//
// With independent coordinates qᵢ, rows A = [J; E] where E picks them:
//     A v = [0; q̇ᵢ]      R = A⁻¹ [0; I]      Γ = A⁻¹ [−J̇v; 0]  (= Ṙ q̇ᵢ)
//     RᵀMR q̈ᵢ = Rᵀ(f − MΓ):  virtual inertia, and what the gyristor adds.
// The other coordinates follow from Φ(q) = 0 by Newton, so positions do not drift. Every solve starts from a prediction
// (saddle.h), so that through a pose where J loses rank the motion stays on its branch. Near it R has no meaning, and
// the accelerations come from [M Jᵀ; J 0] instead, which is the same equation where both have one; next to it the rows say
// nothing about some directions, and there the prediction itself counts.
#pragma once
#include "kinematics/dynamics/method.h"
#include "kinematics/dynamics/partition.h"
#include "kinematics/dynamics/prediction.h"

namespace rodeo::dynamics {

class Minimal : public Method, public solve::Ode {
 public:
  /// `independent` empty: chosen by pivoted QR.
  Minimal(Problem& problem, const MethodOptions& options, std::vector<int> independent = {});

  [[nodiscard]] const System& system() const noexcept override { return system_; }
  [[nodiscard]] int equations() const noexcept override { return 2 * static_cast<int>(independent_.size()); }
  [[nodiscard]] std::string solver_name() const override {
    return ode_solver_name(options_, Solver::rk4, false);
  }
  [[nodiscard]] std::vector<std::string> notes() const override;
  [[nodiscard]] std::unique_ptr<solve::Integrator> build_integrator() override;
  void read(double t, solve::In state, FullState& full) override;
  [[nodiscard]] bool accept(double t, const FullState& full, std::vector<double>& state) override;

  /// [qᵢ, q̇ᵢ, work].
  [[nodiscard]] std::size_t size() const noexcept override { return 2 * independent_.size() + 1; }
  void rate(double t, solve::In state, solve::Out out) override;
  [[nodiscard]] std::string name(std::size_t component) const override;

  [[nodiscard]] const std::vector<int>& independent() const noexcept { return independent_; }
  [[nodiscard]] int switches() const noexcept { return switches_; }
  [[nodiscard]] long singular_calls() const noexcept { return singular_calls_; }

 private:
  /// q and v of a state, into q_, v_ and work_.
  void complete(double t, solve::In state);
  void close_at(solve::In state);
  [[nodiscard]] Vector calc_open(solve::In state) const;
  /// Factors A where the rows are now; finds out whether they can be trusted.
  void factor();
  void add_coordinate_rows();
  /// The rows of all coordinates at q_, as work_ has it.
  [[nodiscard]] std::vector<RowTerms> build_coordinate_rows() const;
  void calc_dependence();
  /// a_ of all coordinates.
  void calc_accelerations();
  void calc_singular(Vector& a, Vector& lambda);
  void calc_coordinates();
  [[nodiscard]] bool has_far_coordinate() const;
  [[nodiscard]] std::vector<double> build_state(const FullState& full);

  System& system_;
  MethodOptions options_;
  std::vector<int> independent_;
  Saddle rows_saddle_, all_saddle_;  // of J, and of A
  std::vector<RowTerms> all_rows_;
  std::vector<CoordinateState> states_;  // of the independent coordinates
  Vector reference_;                     // what small turns are counted from
  Workspace work_;
  Vector q_, v_, a_;
  Eigen::MatrixXd R_;
  Vector gamma_;
  Vector predicted_;  // acceleration
  Prediction prediction_;
  Vector base_lambda_;       // at the last sample
  bool is_regular_ = false;  // A can be solved for R
  bool is_blind_ = false;
  int blind_samples_ = 0;  // one after the other
  int switches_ = 0;
  long singular_calls_ = 0;
};

/// `rod.angle`, `rod.x` (of its centre of mass).
[[nodiscard]] inline std::string coordinate_name(const System& system, int coordinate) {
  return system.coordinate_name(coordinate);
}

}  // namespace rodeo::dynamics
