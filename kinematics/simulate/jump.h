// SPDX-License-Identifier: MIT
// States at the instant at which a configuration begins. A state has the value that its variable had before; a storage port that
// depends on others now may have stored something else before: two inertias that become one. Then the rates
// ẋ = f + C ṡ (s: what dependent ports hold) are integrated over the instant: x⁺ − x⁻ = C (s⁺ − s⁻), which conserves momentum
// (charge) as an inelastic impact does. THEORY X6.
#pragma once
#include <Eigen/Dense>
#include <memory>
#include <string>
#include <vector>

#include "kinematics/simulate/forms.h"

namespace rodeo::simulate {

class Jump {
 public:
  Jump(const Model& model, Inputs& inputs);

  /// Variables whose values before the switch are needed: states first, then what dependent ports hold.
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  /// The states just after, from the `values` of names() just before. Throws SolveError where the impulse is not determined.
  [[nodiscard]] std::vector<double> calc(double t, const std::vector<double>& values);

 private:
  void add_ports();
  void build_coefficients();
  /// s(x) - s before.
  [[nodiscard]] Eigen::VectorXd calc_change(double t, const std::vector<double>& states,
                                            const Eigen::VectorXd& before);
  [[nodiscard]] Eigen::MatrixXd calc_coefficients(double t, const std::vector<double>& states);
  [[nodiscard]] Eigen::MatrixXd calc_slopes(double t, std::vector<double> states,
                                            const Eigen::VectorXd& before);
  void apply_impulse(double t, const Eigen::MatrixXd& c, const Eigen::VectorXd& before,
                     std::vector<double>& states);

  const Model& model_;
  Inputs& inputs_;
  std::vector<std::string> names_;
  std::size_t states_ = 0, ports_ = 0, breaks_ = 0;
  reduction::FullEquations full_;
  std::vector<Expr> rate_symbols_;  // ṡ in the full equations, a port each
  std::vector<double> rate_signs_;  // the symbol is sign · ṡ
  std::vector<Expr> held_;          // s in the reduced solution
  std::unique_ptr<Arguments> arguments_;
  std::unique_ptr<Program> held_program_, coefficient_program_;
};

}  // namespace rodeo::simulate
