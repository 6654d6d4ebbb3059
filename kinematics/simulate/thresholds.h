// SPDX-License-Identifier: MIT
// Thresholds of one configuration at a state: the differences g, their rates along the motion, the weights of those it slides
// along, and the functions whose signs a solver watches. Everything follows from the states by the reduced equations, in either form.
// THEORY X9.
#pragma once
#include <memory>
#include <vector>

#include "kinematics/reduction/locking.h"
#include "kinematics/simulate/program.h"
#include "kinematics/solve/solve.h"

namespace rodeo::simulate {

class Arguments;
class Inputs;

class Thresholds {
 public:
  /// `tick`: the length of one, s.
  Thresholds(const reduction::Model& model, Inputs& inputs, const std::vector<reduction::Threshold>& list,
             double tick);
  ~Thresholds();

  [[nodiscard]] std::size_t size() const noexcept { return list_.size(); }
  [[nodiscard]] const reduction::Threshold& at(std::size_t k) const { return list_[k]; }
  /// Depends on time and inputs alone: its instants are known beforehand.
  [[nodiscard]] bool is_timed(std::size_t k) const { return is_timed_[k]; }
  /// g with time, inputs and parameters in it.
  [[nodiscard]] Expr meaning(std::size_t k) const { return meanings_[k]; }

  /// All g. False where a block did not solve.
  [[nodiscard]] bool calc(double t, solve::In states, solve::Out out);
  /// Those that are timed, at a time whatever the states are.
  [[nodiscard]] bool calc_timed(double t, solve::In any, solve::Out out) { return calc_raw(t, any, out); }
  /// dg/dt of threshold k along the motion, were it on this side.
  [[nodiscard]] double calc_slope(std::size_t k, bool above, double t, solve::In states);
  /// Weights of those that slide: dg/dt = -g/τ, so that what rounding adds dies out.
  [[nodiscard]] bool calc_weights(double t, solve::In states, solve::Out out);
  /// g; of one that slides something that falls through zero where it lets go; of timed and muted ones 1.
  [[nodiscard]] bool calc_events(double t, solve::In states, solve::Out out);
  void mute(std::size_t k) { is_muted_[k] = true; }
  void unmute() { is_muted_.assign(is_muted_.size(), false); }

 private:
  [[nodiscard]] bool calc_raw(double t, solve::In states, solve::Out out);
  [[nodiscard]] bool calc_raw_slopes(double t, solve::In states, solve::Out out);

  const reduction::Model& model_;
  Inputs& inputs_;
  const std::vector<reduction::Threshold>& list_;
  double shift_, relaxation_;  // s
  std::vector<Expr> meanings_;
  std::vector<bool> is_timed_, is_muted_;
  std::unique_ptr<Arguments> arguments_;
  std::unique_ptr<Program> rates_, values_;
};

}  // namespace rodeo::simulate
