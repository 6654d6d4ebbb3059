// SPDX-License-Identifier: MIT
#include "kinematics/dynamics/implicit.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinematics/dynamics/minimal.h"

namespace rodeo::dynamics {
namespace {

constexpr double kDrift = 30;        // tolerances: what is projected back. A restart costs steps of low order
constexpr double kFirstStep = 0.01;  // of a sample
constexpr double kLooseMultiplier = 1e-3;  // of the largest weight: see below
constexpr double kNearSingular = 1e-4;     // what a sample comes nearer to on its way through a flat pose
constexpr double kRegularPivot = 1e-9;     // as in minimal.cpp

/// Rows of J as they enter [M Jᵀ; L 0]: nil until a row has been differentiated often enough to hold v̇.
std::vector<RowTerms> build_level(const System& system, const Vector& q, int differentiated) {
  Workspace work;
  system.calc_rows(q, {}, work);
  for (std::size_t i = 0; i < work.rows.terms.size(); ++i) {
    const int needed = system.is_holonomic(static_cast<Eigen::Index>(i)) ? 2 : 1;
    if (differentiated < needed) work.rows.terms[i].d = {};
  }
  return work.rows.terms;
}

}  // namespace

int calc_index(const System& system, const Vector& q, int differentiated) {
  if (system.row_count() == 0) return 0;
  Saddle saddle(system.metric());
  for (int more = 0; more <= 2; ++more) {
    const std::vector<RowTerms> rows = build_level(system, q, differentiated + more);
    const bool is_whole = std::none_of(rows.begin(), rows.end(),
                                       [](const RowTerms& row) { return row.d == decltype(row.d){}; });
    if (is_whole) {
      saddle.factor(rows);
      if (saddle.least_pivot() > kRegularPivot) return 1 + more;
    }
  }
  return 4;  // singular even so: rows that depend on each other in this pose
}

Implicit::Implicit(Problem& problem, const MethodOptions& options)
    : system_(problem.system),
      options_(options),
      saddle_(system_.weights()),
      q_(problem.q),
      v_(problem.v),
      a_(Vector::Zero(v_.size())),
      lambda_(Vector::Zero(system_.row_count())),
      row_scale_(system_.mass()) {
  for (Eigen::Index i = 0; i < row_scale_.size(); ++i) {
    if (row_scale_[i] == 0) row_scale_[i] = system_.metric()[i];  // a point mass
  }
}

std::string Implicit::name(std::size_t component) const {
  const auto i = static_cast<Eigen::Index>(component), n = q_.size(), all = n + v_.size();
  if (component + 1 == size()) return "work";
  if (i < n) return system_.position_name(i);
  if (i < all) return "rate of " + system_.velocity_name(i - n);
  return "multiplier of " + system_.row_name((i - all) % system_.row_count());
}

std::vector<double> Implicit::build_state(double work) const {
  std::vector<double> state(size(), 0.0);
  const auto n = q_.size(), d = v_.size();
  Eigen::Map<Vector>(state.data(), n) = q_;
  Eigen::Map<Vector>(state.data() + n, d) = v_;
  Eigen::Map<Vector>(state.data() + n + d, lambda_.size()) = lambda_;
  state.back() = work;
  return state;
}

void Implicit::calc_accelerations(double t) {
  system_.calc(t, q_, v_, work_);
  saddle_.factor(work_.rows.terms);
  saddle_.solve(system_.mass(), work_.f, -work_.rows.bias, a_, lambda_);
}

std::unique_ptr<solve::Integrator> Implicit::build_integrator() {
  calc_accelerations(0.0);
  std::vector<double> rates(size(), 0.0);
  const auto n = q_.size(), d = v_.size();
  Eigen::Map<Vector>(rates.data(), n) = system_.calc_position_rates(q_, v_);
  Eigen::Map<Vector>(rates.data() + n, d) = a_;
  rates.back() = work_.power.brought - work_.power.dissipated;
  solve::Options settings;
  settings.relative = options_.relative;
  // Newton's test must not wait for multipliers: they are differences of positions over the step squared, and small steps
  // make them noise that no later row feels.
  settings.absolute.assign(size(), options_.absolute);
  const double force = 9.81 * system_.mass().maxCoeff();
  for (Eigen::Index i = n + d; i < static_cast<Eigen::Index>(size()) - 1; ++i)
    settings.absolute[i] = kLooseMultiplier * force;
  settings.first_step = kFirstStep * options_.step;
  settings.smallest_step = kSmallestStep;
  settings.algebraic_tested =
      false;  // multipliers are as good as the accelerations they make; index 2 cannot test them
  return solve::build_integrator(*this, settings, 0.0, build_state(0.0), rates);
}

// Rows of motion are accelerations, so that all rows are of one size.
void Implicit::residual(double t, solve::In y, solve::In rates, solve::Out out) {
  const auto n = q_.size(), d = v_.size(), m = system_.row_count();
  q_ = Eigen::Map<const Vector>(y.data(), n);
  v_ = Eigen::Map<const Vector>(y.data() + n, d);
  lambda_ = Eigen::Map<const Vector>(y.data() + n + d, m);
  const Vector dq = Eigen::Map<const Vector>(rates.data(), n),
               dv = Eigen::Map<const Vector>(rates.data() + n, d);
  system_.calc(t, q_, v_, work_);
  Vector motion = system_.mass().cwiseProduct(dv) - work_.f;
  add_transposed(work_.rows.terms, lambda_, motion);
  Eigen::Map<Vector>(out.data(), n) = dq - system_.calc_position_rates(q_, v_);
  Eigen::Map<Vector>(out.data() + n, d) = motion.cwiseQuotient(row_scale_);
  out[size() - 1] = rates[size() - 1] - work_.power.brought + work_.power.dissipated;
  calc_constraints(y, dv, out);
}

void Implicit::read(double t, solve::In state, FullState& full) {
  const auto n = q_.size(), d = v_.size();
  full.q = Eigen::Map<const Vector>(state.data(), n);
  full.v = Eigen::Map<const Vector>(state.data() + n, d);
  full.lambda = Eigen::Map<const Vector>(state.data() + n + d, system_.row_count());
  full.work = state.back();
  static_cast<void>(t);
}

std::vector<std::string> LagrangeImplicit::notes() const {
  return {fmt::format("index {} as written, {} as solved (velocities and positions both held)",
                      calc_index(system_, q_, 0), system_.row_count() == 0 ? 0 : 2)};
}

void LagrangeImplicit::calc_constraints(solve::In y, const Vector& /*dv*/, solve::Out out) {
  const auto n = q_.size(), d = v_.size(), m = system_.row_count();
  const Vector mu = Eigen::Map<const Vector>(y.data() + n + d + m, m);
  Vector push = Vector::Zero(d);
  add_transposed(work_.rows.terms, mu, push);
  Eigen::Map<Vector>(out.data(), n) += system_.calc_position_rates(q_, push.cwiseQuotient(system_.metric()));
  Eigen::Map<Vector>(out.data() + n + d, m) = calc_product(work_.rows.terms, v_);
  Eigen::Map<Vector>(out.data() + n + d + m, m) = work_.rows.residual;
}

Zcp::Zcp(Problem& problem, const MethodOptions& options)
    : Implicit(problem, options),
      regular_(system_.metric()),
      index_before_(calc_index(system_, problem.q, 0)),
      index_after_(calc_index(system_, problem.q, 2)) {}

std::vector<std::string> Zcp::notes() const {
  std::vector<std::string> notes{fmt::format("{} break variables; index {} before, {} after",
                                             system_.row_count(), index_before_, index_after_)};
  if (projections_ > 0) notes.push_back(fmt::format("projected {} times", projections_));
  return notes;
}

void Zcp::calc_constraints(solve::In /*y*/, const Vector& dv, solve::Out out) {
  const auto n = q_.size() + v_.size(), m = system_.row_count();
  Eigen::Map<Vector>(out.data() + n, m) = calc_product(work_.rows.terms, dv) + work_.rows.bias;
}

// Break variables have no value where the rows depend on each other, and which branch follows is then up to rounding.
void Zcp::check_regular(double t) {
  if (system_.row_count() == 0) return;
  regular_.factor(work_.rows.terms);
  if (regular_.least_pivot() > kNearSingular) return;
  throw solve::SolveError(
      t, fmt::format("zcp: the machine comes to a singular pose at t = {:.4g} s, where break variables "
                     "have no value: use minimal or lagrange",
                     t));
}

bool Zcp::accept(double t, const FullState& full, std::vector<double>& state) {
  system_.calc_rows(full.q, full.v, work_);
  check_regular(t);
  const double open = system_.calc_largest(work_.rows.residual);
  const double rate = system_.calc_largest(calc_product(work_.rows.terms, full.v));
  const double most = kDrift * options_.relative * system_.size();
  if (open <= most && rate <= 10 * most) return false;
  q_ = full.q;
  v_ = full.v;
  lambda_ = full.lambda;
  static_cast<void>(close_position(system_, saddle_, q_, work_));
  close_velocity(saddle_, work_, v_);
  calc_accelerations(t);
  state = build_state(full.work);
  ++projections_;
  return true;
}

}  // namespace rodeo::dynamics
