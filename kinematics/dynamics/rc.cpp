// SPDX-License-Identifier: MIT
#include "kinematics/dynamics/rc.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace rodeo::dynamics {
namespace {

/// 3000 Hz a row: a joint gives way by some g/ω² = 0.03 µm under its own weight, and starts with g/ω = 0.5 mm/s.
constexpr double kFrequency = 2 * std::numbers::pi * 3000;
constexpr double kDampingRatio = 0.7;
constexpr double kStepOfMode = 0.7;  // step times the fastest rate; RK4 is stable to 2.8
constexpr Eigen::Index kMostForModes = 150;
constexpr int kPowerSteps = 60;
constexpr double kNilMode = 1e-9;  // of the highest, squared

void check_inertias(const System& system) {
  const Vector& mass = system.mass();
  for (Eigen::Index i = 0; i < mass.size(); ++i) {
    if (mass[i] > 0) continue;
    const BodyLabel body = system.body_label(i);
    throw text::ModelError(
        body.where, fmt::format("body '{}': method rc needs an inertia above 0 of every body, as its joints "
                                "give way; use minimal, lagrange or zcp, or give it one (kg m²)",
                                body.name));
  }
}

/// out = M^-1/2 Jᵀ K J M^-1/2 x.
Vector calc_stiffness_product(const Rows& rows, const Vector& k, const Vector& root, const Vector& x) {
  Vector out = Vector::Zero(x.size());
  const Vector scaled = root.cwiseProduct(x);
  add_transposed(rows.terms, k.cwiseProduct(calc_product(rows.terms, scaled)), out);
  return root.cwiseProduct(out);
}

}  // namespace

Rc::Rc(Problem& problem, const MethodOptions& options)
    : system_(problem.redundant_system), options_(options), q_(problem.q), v_(problem.v) {
  check_inertias(system_);
  choose(options);
  modes_ = calc_modes();
  if (modes_.fastest > 0) options_.step = std::min(options_.step, kStepOfMode / modes_.fastest);
  if (system_.row_count() > 0) options_.absolute = std::min(options_.absolute, 1e-10);
}

void Rc::choose(const MethodOptions& options) {
  frequency_ = options.frequency > 0 ? options.frequency : kFrequency;
  ratio_ = options.damping_ratio >= 0 ? options.damping_ratio : kDampingRatio;
  system_.calc_rows(q_, v_, work_);
  stiffness_.resize(system_.row_count());
  for (Eigen::Index i = 0; i < stiffness_.size(); ++i) {
    stiffness_[i] = frequency_ * frequency_ / system_.calc_row_mobility(i, work_);
  }
  damping_ = (2 * ratio_ / frequency_) * stiffness_;
}

// C is proportional to K, so that a mode of ω has the rate s² + (2ζ/ω₀)ω² s + ω² = 0: overdamped above ω₀/ζ.
ParasiticModes Rc::calc_modes() const {
  ParasiticModes modes;
  const Vector root = system_.mass().cwiseSqrt().cwiseInverse();
  const Rows& rows = work_.rows;
  double highest = 0;
  if (v_.size() <= kMostForModes) {
    Eigen::MatrixXd k(v_.size(), v_.size());
    for (Eigen::Index i = 0; i < v_.size(); ++i) {
      k.col(i) = calc_stiffness_product(rows, stiffness_, root, Vector::Unit(v_.size(), i));
    }
    const Vector squares =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(k, Eigen::EigenvaluesOnly).eigenvalues();
    highest = std::max(0.0, squares.maxCoeff());
    for (const double square : squares) {
      if (square > kNilMode * highest && modes.lowest == 0) modes.lowest = std::sqrt(square);
    }
  } else {
    Vector x = Vector::LinSpaced(v_.size(), 1.0, 2.0).array().sin() + 0.1;
    for (int i = 0; i < kPowerSteps; ++i) {
      x = calc_stiffness_product(rows, stiffness_, root, x.normalized());
      highest = 1.05 * x.norm();  // from below: a little more
    }
  }
  modes.highest = std::sqrt(highest);
  modes.fastest = std::max(modes.highest, 2 * ratio_ / frequency_ * highest);
  return modes;
}

std::vector<std::string> Rc::notes() const {
  if (system_.row_count() == 0) return {};
  const double tau = 2 * std::numbers::pi;
  std::vector<std::string> notes{
      fmt::format("parasitic stiffness {:.4g} to {:.4g}, damping {:.4g} to {:.4g} (SI)",
                  stiffness_.minCoeff(), stiffness_.maxCoeff(), damping_.minCoeff(), damping_.maxCoeff())};
  const std::string low = modes_.lowest > 0 ? fmt::format("{:.4g} Hz to ", modes_.lowest / tau) : "up to ";
  notes.push_back(fmt::format("adds frequencies of {}{:.4g} Hz: time scale {:.3g} s", low,
                              modes_.highest / tau, 1 / modes_.fastest));
  return notes;
}

std::unique_ptr<solve::Integrator> Rc::build_integrator() {
  std::vector<double> state(q_.data(), q_.data() + q_.size());
  state.insert(state.end(), v_.data(), v_.data() + v_.size());
  state.insert(state.end(), {0.0, 0.0});
  return build_ode_integrator(*this, options_, Solver::cvode, true, state);
}

void Rc::calc(double t, solve::In state) {
  const auto n = q_.size();
  q_ = Eigen::Map<const Vector>(state.data(), n);
  v_ = Eigen::Map<const Vector>(state.data() + n, v_.size());
  system_.calc(t, q_, v_, work_);
  if (!with_forces_) work_.f = -drag_ * system_.mass().cwiseProduct(v_);
  lambda_ = stiffness_.cwiseProduct(work_.rows.residual) +
            damping_.cwiseProduct(calc_product(work_.rows.terms, v_));
}

void Rc::rate(double t, solve::In state, solve::Out out) {
  calc(t, state);
  const auto n = q_.size();
  Vector push = Vector::Zero(v_.size());
  add_transposed(work_.rows.terms, lambda_, push);
  Eigen::Map<Vector>(out.data(), n) = system_.calc_position_rates(q_, v_);
  Eigen::Map<Vector>(out.data() + n, v_.size()) = (work_.f - push).cwiseQuotient(system_.mass());
  out[size() - 2] = work_.power.brought - work_.power.dissipated;
  const Vector opening = calc_product(work_.rows.terms, v_);
  out[size() - 1] = opening.cwiseProduct(damping_).dot(opening);
}

void Rc::read(double t, solve::In state, FullState& full) {
  calc(t, state);
  const Vector& residual = work_.rows.residual;
  full = {q_,
          v_,
          lambda_,
          state[size() - 2],
          0.5 * residual.cwiseProduct(stiffness_).dot(residual),
          state[size() - 1]};
}

Settled build_settled(Problem& problem, const Vector& q, const Vector& v, bool still) {
  Problem& p = problem;
  const Vector kept_q = p.q, kept_v = p.v;
  p.q = q;
  p.v = v;
  // With drag the end is what counts, and close_position makes it exact.
  MethodOptions options{
      .solver = Solver::cvode, .relative = still ? 1e-7 : 1e-10, .absolute = still ? 1e-10 : 1e-13};
  Rc rc(p, options);
  // Forty time constants of the slowest parasite: of its own dampers, or of the drag that is critical for it.
  const double slowest = rc.modes().lowest > 0 ? rc.modes().lowest : kFrequency / 50;
  const double decay = still ? slowest : kDampingRatio * slowest * std::min(1.0, slowest / kFrequency);
  rc.leave_out_forces(still ? 2 * slowest : 0.0);
  p.q = kept_q;
  p.v = kept_v;
  const auto integrator = rc.build_integrator();
  integrator->advance(40 / decay);
  FullState full;
  rc.read(integrator->time(), integrator->state(), full);
  Workspace work;
  rc.system().calc_rows(full.q, full.v, work);
  return {full.q, full.v, rc.system().calc_largest(work.rows.residual),
          rc.system().calc_largest(calc_product(work.rows.terms, full.v))};
}

}  // namespace rodeo::dynamics
