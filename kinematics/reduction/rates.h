// SPDX-License-Identifier: MIT
// Inside kinematics/reduction: laws that take a time derivative, and the equations of the derivatives that they ask for: ports in
// differential causality, multipliers, and variables whose rates are wanted. THEORY E5.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "kinematics/reduction/draft.h"

namespace rodeo::reduction {

/// Of a draft that has all its states; they must not move any more.
class Rates {
 public:
  explicit Rates(Draft& draft);

  /// I: effort = d/dt momentum; C and K: flow = d/dt displacement.
  void add_dependent_ports();
  /// The effort of a multiplier is such that the flow obeys f' + damping f + stiffness Φ = 0.
  void add_constraints();
  /// The variable d/dt y; its equation is made later.
  int derivative_of(int variable);
  /// The equations of all derivatives that were asked for, and of those that they ask for in turn.
  void differentiate_equations();

 private:
  void add_constraint(int e);
  void add_rate(Equation& equation, Expr e, Expr factor);
  void add_rate_of_symbol(Equation& equation, Expr symbol, Expr partial);
  void add_rate_of_state(Equation& equation, const State& state, Expr partial);
  void differentiate_equation(int variable);
  [[nodiscard]] Expr derivative_by(Expr e, Expr symbol, int owner) const;
  void refuse_higher_order(int variable) const;
  void refuse_rate_of_multiplier(int variable) const;

  Draft& draft_;
  System& system_;
  std::vector<int> pending_;
  std::unordered_map<std::uint32_t, const State*> state_of_symbol_;
  std::unordered_map<std::uint32_t, const Input*> input_of_symbol_;
};

}  // namespace rodeo::reduction
