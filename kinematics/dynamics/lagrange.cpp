// SPDX-License-Identifier: MIT
#include "kinematics/dynamics/lagrange.h"

#include <fmt/format.h>

namespace rodeo::dynamics {
namespace {

/// Gains in units of 1/step. The corrector's double pole at −α must lie well inside of the step's stability (α h < 1 for Euler,
/// 2.8 for RK4); a tenth leaves the machine's own motion undisturbed and still forgets an error in ten steps.
constexpr double kGainOfStep = 0.1;

}  // namespace

std::vector<double> build_full_state(const Vector& q, const Vector& v, double work) {
  std::vector<double> state(q.data(), q.data() + q.size());
  state.insert(state.end(), v.data(), v.data() + v.size());
  state.push_back(work);
  return state;
}

Lagrange::Lagrange(Problem& problem, const MethodOptions& options)
    : system_(problem.system),
      options_(options),
      saddle_(system_.weights()),
      q_(problem.q),
      v_(problem.v),
      a_(Vector::Zero(v_.size())),
      lambda_(Vector::Zero(system_.row_count())) {
  if (options_.alpha < 0) options_.alpha = kGainOfStep / options_.step;
  if (options_.beta < 0) options_.beta = options_.alpha;
}

std::vector<std::string> Lagrange::notes() const {
  return {fmt::format("Baumgarte's gains: alpha {:.4g}, beta {:.4g} 1/s", options_.alpha, options_.beta)};
}

std::unique_ptr<solve::Integrator> Lagrange::build_integrator() {
  return build_ode_integrator(*this, options_, Solver::rk4, false, build_full_state(q_, v_, 0.0));
}

void Lagrange::calc(double t, solve::In state) {
  const auto n = q_.size();
  q_ = Eigen::Map<const Vector>(state.data(), n);
  v_ = Eigen::Map<const Vector>(state.data() + n, v_.size());
  system_.calc(t, q_, v_, work_);
  Vector wanted = -work_.rows.bias;
  for (Eigen::Index i = 0; i < wanted.size(); ++i) {
    const double rate = calc_product(work_.rows.terms[i], v_);
    const double alpha = options_.alpha, beta = options_.beta;
    wanted[i] -=
        system_.is_holonomic(i) ? 2 * alpha * rate + beta * beta * work_.rows.residual[i] : alpha * rate;
  }
  saddle_.factor(work_.rows.terms);
  saddle_.solve(system_.mass(), work_.f, wanted, a_, lambda_);
}

void Lagrange::rate(double t, solve::In state, solve::Out out) {
  calc(t, state);
  const auto n = q_.size();
  Eigen::Map<Vector>(out.data(), n) = system_.calc_position_rates(q_, v_);
  Eigen::Map<Vector>(out.data() + n, v_.size()) = a_;
  out[size() - 1] = work_.power.brought - work_.power.dissipated;
}

void Lagrange::read(double t, solve::In state, FullState& full) {
  calc(t, state);
  full = {q_, v_, lambda_, state.back()};
}

}  // namespace rodeo::dynamics
