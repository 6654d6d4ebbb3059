// SPDX-License-Identifier: MIT
// Explicit fixed steps: Euler, and the classical Runge-Kutta of order 4.
#include "kinematics/solve/fixed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rodeo::solve {
namespace {

constexpr double kWholeStep = 1e-9;  // an advance this much longer than n steps is still n steps

class FixedIntegrator : public Integrator {
 public:
  FixedIntegrator(Ode& ode, Method method, const Options& options, double time, In state)
      : Integrator(time, state), ode_(ode), method_(method), step_(options.step) {
    for (auto* k : {&k1_, &k2_, &k3_, &k4_, &x_}) k->resize(ode.size());
    if (!(step_ > 0))
      throw SolveError(time, fmt::format("a step of {:.6g} s is none: give a positive one", step_));
  }

  void restart(double time, In state) override {
    time_ = time;
    state_.assign(state.begin(), state.end());
  }

  In calc_rates() override {
    rate(time_, state_, k1_);
    return k1_;
  }

  [[nodiscard]] Statistics statistics() const override {
    return {.steps = steps_, .calls = calls_, .seconds = seconds_};
  }

 private:
  void move(double end) override {
    const double begin = time_;
    const double count = std::max(1.0, std::ceil((end - begin) / step_ - kWholeStep));
    const auto n = static_cast<long>(count);
    for (long i = 0; i < n; ++i) {
      const double next = i + 1 == n ? end : begin + (end - begin) * (static_cast<double>(i + 1) / count);
      step(next - time_);
      std::swap(state_, x_);
      time_ = next;
      ++steps_;
    }
  }

  /// x_ = the state a step h later.
  void step(double h) {
    if (method_ == Method::euler) {
      rate(time_, state_, k1_);
      shift(h, k1_);
      return;
    }
    // k₁ = f(t, x), k₂ = f(t + h/2, x + h/2 k₁), k₃ = f(t + h/2, x + h/2 k₂), k₄ = f(t + h, x + h k₃),
    // x(t + h) = x + h (k₁ + 2k₂ + 2k₃ + k₄)/6.
    rate(time_, state_, k1_);
    shift(h / 2, k1_);
    rate(time_ + h / 2, x_, k2_);
    shift(h / 2, k2_);
    rate(time_ + h / 2, x_, k3_);
    shift(h, k3_);
    rate(time_ + h, x_, k4_);
    for (std::size_t i = 0; i < x_.size(); ++i) {
      x_[i] = state_[i] + h / 6 * (k1_[i] + 2 * k2_[i] + 2 * k3_[i] + k4_[i]);
    }
  }

  void shift(double h, const std::vector<double>& k) {
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = state_[i] + h * k[i];
  }

  void rate(double t, In x, std::vector<double>& out) {
    ode_.rate(t, x, out);
    ++calls_;
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (std::isfinite(out[i])) continue;
      throw SolveError(
          t, fmt::format(
                 "{}: the rate of {} is not finite at t = {:.6g} s: take a smaller step than {:.3g} s or a "
                 "method for stiff systems (cvode), or look for a division by zero there",
                 method_text(method_), ode_.name(i), t, step_));
    }
  }

  Ode& ode_;
  Method method_;
  double step_;
  std::vector<double> k1_, k2_, k3_, k4_, x_;
  long steps_ = 0, calls_ = 0;
};

}  // namespace

std::unique_ptr<Integrator> build_fixed(Ode& ode, Method method, const Options& options, double time,
                                        In state) {
  return std::make_unique<FixedIntegrator>(ode, method, options, time, state);
}

}  // namespace rodeo::solve
