// SPDX-License-Identifier: MIT
#include "kinematics/dynamics/jump_steps.h"

#include <algorithm>
#include <cmath>

namespace rodeo::dynamics {
namespace {

constexpr int kHalvings = 7;
constexpr int kMostJumps = 2;  // in one step
/// A jump is at least this part of the larger rate, and changes a state by at least this part of it.
constexpr double kJump = 0.2, kEffect = 1e-3;
constexpr double kWholeStep = 1e-9;  // an advance this much longer than n steps is still n steps

class JumpSteps : public solve::Integrator {
 public:
  JumpSteps(solve::Ode& ode, solve::Method method, double step, std::size_t smooth, solve::In state)
      : Integrator(0.0, state),
        step_(step),
        smooth_(smooth),
        inner_(solve::build_integrator(ode, method, {.step = step}, 0.0, state)) {}

  void restart(double time, solve::In state) override {
    inner_->restart(time, state);
    keep();
  }
  solve::In calc_rates() override { return inner_->calc_rates(); }
  [[nodiscard]] solve::Statistics statistics() const override { return inner_->statistics(); }

 private:
  void move(double end) override {
    const double begin = time_, count = std::max(1.0, std::ceil((end - begin) / step_ - kWholeStep));
    for (double i = 1; i <= count; ++i) move_step(i == count ? end : begin + (end - begin) * (i / count));
  }

  void move_step(double end) {
    for (int jumps = 0; time_ < end; ++jumps) {
      const bool is_smooth = try_to(end);
      if (is_smooth || jumps == kMostJumps) return keep();
      cross_jump(end);
    }
  }

  /// Close to the jump before `end`, and across it.
  void cross_jump(double end) {
    double part = end - time_;
    for (int i = 0; i < kHalvings; ++i) {
      part /= 2;
      if (try_to(time_ + part)) keep();
    }
    static_cast<void>(try_to(std::min(end, time_ + part)));
    keep();
  }

  /// One step from the state that was kept; whether no rate jumps in it.
  bool try_to(double end) {
    inner_->restart(time_, state_);
    const solve::In rates = inner_->calc_rates();
    before_.assign(rates.begin(), rates.end());
    inner_->advance(end);
    const solve::In after = inner_->calc_rates(), there = inner_->state();
    for (std::size_t i = 0; i < smooth_; ++i) {
      const double jump = std::abs(after[i] - before_[i]);
      const double size = std::max(std::abs(state_[i]), std::abs(there[i]));
      if (jump > kJump * std::max(std::abs(after[i]), std::abs(before_[i])) &&
          jump * (end - time_) > kEffect * size)
        return false;
    }
    return true;
  }

  void keep() {
    time_ = inner_->time();
    state_.assign(inner_->state().begin(), inner_->state().end());
  }

  double step_;
  std::size_t smooth_;
  std::unique_ptr<solve::Integrator> inner_;
  std::vector<double> before_;
};

}  // namespace

std::unique_ptr<solve::Integrator> build_jump_steps(solve::Ode& ode, solve::Method method, double step,
                                                    std::size_t smooth, const std::vector<double>& state) {
  return std::make_unique<JumpSteps>(ode, method, step, smooth, state);
}

}  // namespace rodeo::dynamics
