// SPDX-License-Identifier: MIT
#include "kinematics/dynamics/minimal.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

namespace rodeo::dynamics {
namespace {

// Of A, about the square of the distance from a singular pose: R is not used below the first, the rows not below the second.
constexpr double kSingularPivot = 1e-4;
constexpr double kBlindPivot = 1e-7;
constexpr double kBlindDamping = 1e-4;  // directions below it keep their prediction
constexpr int kMostBlindSamples = 4;
constexpr double kWorstSpread = 6.0;  // a unit rate that makes another six times as fast: time to switch
constexpr int kMostNewtonSteps = 12;
constexpr double kRounding = 4e-16;
constexpr double kStaleMove = 1e-3;  // of the least pivot, m or rad
constexpr double kClosed = 1e-12;    // m, rad: where Newton gains nothing any more
constexpr double kOpen = 1e-6;       // of the machine's size: not closed at all

}  // namespace

Minimal::Minimal(Problem& problem, const MethodOptions& options, std::vector<int> independent)
    : system_(problem.system),
      options_(options),
      independent_(std::move(independent)),
      rows_saddle_(system_.weights()),
      all_saddle_(system_.metric()),
      q_(problem.q),
      v_(problem.v),
      a_(Vector::Zero(v_.size())),
      base_lambda_(Vector::Zero(system_.row_count())) {
  reference_ = q_;
  system_.calc(0.0, q_, v_, work_);
  if (independent_.empty()) {
    independent_ = find_independent(system_, build_free_velocities(system_, q_), build_coordinate_rows(),
                                    problem.mobility);
  }
  calc_singular(a_, base_lambda_);
  prediction_.begin(0.0, q_, v_, a_);
}

std::vector<std::string> Minimal::notes() const {
  std::vector<std::string> names;
  for (const int i : independent_) names.push_back(coordinate_name(system_, i));
  std::vector<std::string> notes{fmt::format("independent coordinates: {}", fmt::join(names, ", "))};
  if (switches_ > 0) notes.push_back(fmt::format("coordinates switched {} times", switches_));
  if (singular_calls_ > 0) notes.push_back(fmt::format("{} evaluations at singular poses", singular_calls_));
  return notes;
}

std::vector<RowTerms> Minimal::build_coordinate_rows() const {
  std::vector<RowTerms> rows;
  for (int i = 0; i < system_.coordinate_count(); ++i)
    rows.push_back(system_.calc_coordinate(i, q_, reference_, work_).row);
  return rows;
}

void Minimal::calc_coordinates() {
  states_.resize(independent_.size());
  for (std::size_t k = 0; k < independent_.size(); ++k)
    states_[k] = system_.calc_coordinate(independent_[k], q_, reference_, work_);
}

std::vector<double> Minimal::build_state(const FullState& full) {
  system_.calc_rows(full.q, full.v, work_);
  q_ = full.q;
  calc_coordinates();
  std::vector<double> state;
  for (const CoordinateState& s : states_) state.push_back(s.value);
  for (const CoordinateState& s : states_) state.push_back(calc_product(s.row, full.v));
  state.push_back(full.work);
  return state;
}

std::unique_ptr<solve::Integrator> Minimal::build_integrator() {
  return build_ode_integrator(*this, options_, Solver::rk4, false, build_state({q_, v_, {}, 0.0}));
}

std::string Minimal::name(std::size_t component) const {
  const std::size_t d = independent_.size();
  if (component == 2 * d) return "work";
  return (component < d ? "" : "rate of ") + coordinate_name(system_, independent_[component % d]);
}

void Minimal::add_coordinate_rows() {
  calc_coordinates();
  all_rows_ = work_.rows.terms;
  for (const CoordinateState& s : states_) all_rows_.push_back(s.row);
}

Vector Minimal::calc_open(solve::In state) const {
  const auto m = work_.rows.residual.size(), d = static_cast<Eigen::Index>(independent_.size());
  Vector open(m + d);
  open.head(m) = -work_.rows.residual;
  for (Eigen::Index k = 0; k < d; ++k)
    open[m + k] = system_.calc_gap(independent_[k], state[k], states_[k].value);
  return open;
}

// The factor of an earlier look serves while the rows have not moved far from it, measured by how well they are conditioned:
// corrections use the rows as they are now.
void Minimal::close_at(solve::In state) {
  const double exact = kRounding * std::max(system_.size(), q_.cwiseAbs().maxCoeff());
  double before = HUGE_VAL, moved = HUGE_VAL;
  for (int step = 0; step < kMostNewtonSteps; ++step) {
    system_.calc_rows(q_, {}, work_);
    add_coordinate_rows();
    const Vector open = calc_open(state);
    const double left = open.cwiseAbs().maxCoeff();
    if (moved > kStaleMove * all_saddle_.least_pivot()) {
      factor();
      moved = 0;
    } else {
      all_saddle_.set_rows(all_rows_);
    }
    if (left <= exact || (left > 0.1 * before && left < kClosed)) return;
    before = left;
    Vector move = Vector::Zero(v_.size());
    all_saddle_.project(open, move);
    system_.move(q_, move);
    moved += move.cwiseAbs().maxCoeff();
  }
  if (!(before < kOpen * system_.size())) q_.setConstant(std::numeric_limits<double>::quiet_NaN());
}

// A machine that rests in a flat pose has no motion to be predicted: blindness ends after some samples.
void Minimal::factor() {
  all_saddle_.factor(all_rows_);
  is_blind_ =
      all_saddle_.least_pivot() < kBlindPivot && prediction_.is_cubic() && blind_samples_ < kMostBlindSamples;
  if (is_blind_) all_saddle_.factor(all_rows_, kBlindDamping);
}

void Minimal::complete(double t, solve::In state) {
  prediction_.calc(system_, t, q_, v_, predicted_);
  close_at(state);
  is_regular_ = !is_blind_ && all_saddle_.least_pivot() >= kSingularPivot;
  const auto m = system_.row_count(), d = static_cast<Eigen::Index>(independent_.size());
  const Eigen::Map<const Vector> speeds(state.data() + d, d);
  if (is_regular_) {
    calc_dependence();
    v_ = R_ * speeds;
    return;
  }
  Vector wanted = Vector::Zero(m + d);
  wanted.tail(d) = speeds;
  all_saddle_.project(wanted, v_);
}

void Minimal::calc_dependence() {
  const auto m = system_.row_count(), d = static_cast<Eigen::Index>(independent_.size());
  R_.resize(v_.size(), d);
  Vector wanted = Vector::Zero(m + d), column;
  for (Eigen::Index k = 0; k < d; ++k) {
    wanted[m + k] = 1.0;
    column.setZero(v_.size());
    all_saddle_.project(wanted, column);
    R_.col(k) = column;
    wanted[m + k] = 0.0;
  }
}

void Minimal::calc_singular(Vector& a, Vector& lambda) {
  rows_saddle_.factor(work_.rows.terms);
  rows_saddle_.solve(system_.mass(), work_.f, -work_.rows.bias, a, lambda);
}

void Minimal::calc_accelerations() {
  a_ = predicted_;
  if (!is_regular_) {
    ++singular_calls_;
    Vector lambda = base_lambda_;
    if (!is_blind_) calc_singular(a_, lambda);
    return;
  }
  Vector wanted = Vector::Zero(static_cast<Eigen::Index>(all_rows_.size()));
  wanted.head(system_.row_count()) = -work_.rows.bias;
  for (std::size_t k = 0; k < states_.size(); ++k)
    wanted[system_.row_count() + static_cast<Eigen::Index>(k)] = -states_[k].bias;
  gamma_.setZero(v_.size());
  all_saddle_.project(wanted, gamma_);
  const Vector& mass = system_.mass();
  const Eigen::MatrixXd inertia = R_.transpose() * mass.asDiagonal() * R_;
  const Vector effort = R_.transpose() * (work_.f - mass.cwiseProduct(gamma_));
  a_ = gamma_ + R_ * inertia.ldlt().solve(effort);
}

void Minimal::rate(double t, solve::In state, solve::Out out) {
  complete(t, state);
  system_.calc(t, q_, v_, work_);
  calc_coordinates();
  calc_accelerations();
  const std::size_t d = independent_.size();
  for (std::size_t k = 0; k < d; ++k) {
    out[k] = state[d + k];
    out[d + k] = calc_product(states_[k].row, a_) + states_[k].bias;
  }
  out[2 * d] = work_.power.brought - work_.power.dissipated;
}

void Minimal::read(double t, solve::In state, FullState& full) {
  complete(t, state);
  system_.calc(t, q_, v_, work_);
  full.q = q_;
  full.v = v_;
  full.work = state.back();
  a_ = predicted_;
  full.lambda = base_lambda_;
  calc_singular(a_, full.lambda);
  if (is_blind_) a_ = predicted_;
}

bool Minimal::accept(double t, const FullState& full, std::vector<double>& state) {
  prediction_.add(t, full.q, full.v, a_);
  base_lambda_ = full.lambda;
  blind_samples_ = is_blind_ ? blind_samples_ + 1 : 0;
  if (!is_regular_) return false;
  const bool is_far = has_far_coordinate();
  if (is_far) reference_ = full.q;
  std::vector<int> better = independent_;
  if (calc_spread(system_, R_, independent_) >= kWorstSpread)
    better = find_independent(system_, R_, build_coordinate_rows(), static_cast<int>(independent_.size()));
  if (better == independent_ && !is_far) return false;
  if (better != independent_) ++switches_;
  independent_ = better;
  state = build_state(full);
  return true;
}

bool Minimal::has_far_coordinate() const {
  for (std::size_t k = 0; k < states_.size(); ++k) {
    if (system_.is_far(independent_[k], states_[k].value)) return true;
  }
  return false;
}

}  // namespace rodeo::dynamics
