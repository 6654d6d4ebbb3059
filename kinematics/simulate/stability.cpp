// SPDX-License-Identifier: MIT
#include "kinematics/simulate/stability.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <optional>

#include "kinematics/text/fault.h"

namespace rodeo::simulate {
namespace {

using Complex = std::complex<double>;

constexpr double kTenfold = 10;
constexpr double kUndamped = 1e-6;             // Re λ of |λ|: rounding of an oscillator's
constexpr double kPart = 1e-6, kLeast = 1e-8;  // of a state, and of one at zero: the difference that is taken
constexpr double kSameSlope = 0.05;  // of the largest: two differences that are farther apart straddle a kink
constexpr double kTakesPart = 0.1;   // of the largest participation: the state is named
constexpr double kFastest = 1e6;     // Hz
constexpr double kBeyondDoubt = 1e4;

/// Central differences, `wide` times the usual.
Eigen::MatrixXd calc_jacobian(solve::Ode& ode, double t, solve::In state, double wide) {
  const auto n = static_cast<Eigen::Index>(state.size());
  Eigen::MatrixXd jacobian(n, n);
  Eigen::VectorXd above(n), below(n);
  std::vector<double> x(state.begin(), state.end());
  for (Eigen::Index i = 0; i < n; ++i) {
    double& moved = x[static_cast<std::size_t>(i)];
    const double here = moved, difference = wide * (kPart * std::abs(here) + kLeast);
    moved = here + difference;
    ode.rate(t, x, {above.data(), state.size()});
    moved = here - difference;
    ode.rate(t, x, {below.data(), state.size()});
    moved = here;
    jacobian.col(i) = (above - below) / (2 * difference);
  }
  ode.rate(t, x, {above.data(), state.size()});  // what it says of itself is of this state
  return jacobian;
}

std::optional<Eigen::MatrixXd> find_jacobian(solve::Ode& ode, double t, solve::In state) {
  const Eigen::MatrixXd narrow = calc_jacobian(ode, t, state, 1), wide = calc_jacobian(ode, t, state, 4);
  if (!narrow.allFinite() || !wide.allFinite()) return std::nullopt;
  const Eigen::ArrayXXd largest = narrow.array().abs().max(wide.array().abs());
  const double all = largest.size() > 0 ? largest.maxCoeff() : 0;
  if (((narrow - wide).array().abs() > kSameSlope * largest + 1e-9 * all).any()) return std::nullopt;
  return narrow;
}

/// Participations |V_ik V⁻¹_ki| do not depend on the states' units.
std::vector<std::string> name_states(const solve::Ode& ode, const Eigen::VectorXd& part) {
  std::vector<std::string> names;
  for (Eigen::Index i = 0; i < part.size(); ++i) {
    if (!(part[i] < kTakesPart * part.maxCoeff())) names.push_back(ode.name(static_cast<std::size_t>(i)));
  }
  return names;
}

double round_up(double rate) {
  const double unit = std::pow(10.0, std::floor(std::log10(rate)) - 1);
  return std::ceil(rate / unit * (1 - 1e-12)) * unit;
}

/// Hz, half of the longest step; 0 where no rate does.
double find_rate(const std::vector<NaturalMode>& modes, solve::Method method, double step, double duration) {
  for (double rate = round_up(2 / step); rate <= kFastest; rate = round_up(1.5 * rate)) {
    if (find_growing(modes, method, 2 / rate, duration) == nullptr) return rate;
  }
  return 0;
}

}  // namespace

std::vector<NaturalMode> calc_natural_modes(solve::Ode& ode, double t, solve::In state) {
  std::vector<NaturalMode> modes;
  const auto jacobian = state.empty() ? std::nullopt : find_jacobian(ode, t, state);
  if (!jacobian) return modes;
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(*jacobian);
  if (solver.info() != Eigen::Success) return modes;
  const Eigen::MatrixXcd vectors = solver.eigenvectors(), inverse = vectors.inverse();
  for (Eigen::Index k = 0; k < solver.eigenvalues().size(); ++k) {
    const Eigen::VectorXcd weights = inverse.row(k).transpose();
    const Eigen::VectorXd part = vectors.col(k).cwiseProduct(weights).cwiseAbs();
    modes.push_back({solver.eigenvalues()[k],
                     name_states(ode, weights.allFinite() ? part : vectors.col(k).cwiseAbs()),
                     {weights.begin(), weights.end()}});
  }
  std::stable_sort(modes.begin(), modes.end(), [](const NaturalMode& a, const NaturalMode& b) {
    return std::abs(a.eigenvalue) > std::abs(b.eigenvalue);
  });
  return modes;
}

double calc_growth(solve::Method method, Complex z) {
  const int order = method == solve::Method::euler ? 1 : 4;
  Complex sum = 1, term = 1;
  for (int k = 1; k <= order; ++k) {
    term *= z / static_cast<double>(k);
    sum += term;
  }
  return std::abs(sum);
}

const NaturalMode* find_growing(const std::vector<NaturalMode>& modes, solve::Method method, double step,
                                double duration) {
  const auto found = std::find_if(modes.begin(), modes.end(), [&](const NaturalMode& mode) {
    const Complex eigenvalue = mode.eigenvalue;
    if (!(std::abs(eigenvalue) > 0) || eigenvalue.real() > kUndamped * std::abs(eigenvalue)) return false;
    return std::log(calc_growth(method, eigenvalue * step)) * (duration / step) > std::log(kTenfold);
  });
  return found == modes.end() ? nullptr : &*found;
}

std::string describe_long_step(const NaturalMode& mode, const std::vector<NaturalMode>& modes,
                               solve::Method method, double step, double duration) {
  const double rate = find_rate(modes, method, step, duration);
  return fmt::format(
      "the step of {:.6g} s is too long for {} (time constant {:.3g} s), which {} makes grow from step to "
      "step: take {}--method cvode",
      step, text::join_names(mode.states), mode.time_constant(), solve::method_text(method),
      rate > 0 ? fmt::format("--rate {:.6g} or ", rate) : "");
}

GrowthWatch::GrowthWatch(const NaturalMode& mode, solve::Method method, double step)
    : weights_(mode.weights), factor_(calc_growth(method, mode.eigenvalue * step)) {}

bool GrowthWatch::has_grown(solve::In state) {
  if (weights_.size() != state.size()) return false;
  Complex moved = 0;
  for (std::size_t i = 0; i < before_.size(); ++i) moved += weights_[i] * (state[i] - before_[i]);
  before_.assign(state.begin(), state.end());
  const double now = std::abs(moved);
  const bool goes_on = last_ > 0 && now >= std::sqrt(factor_) * last_ && now <= factor_ * factor_ * last_;
  if (!goes_on) first_ = now;
  last_ = now;
  return goes_on && now > kBeyondDoubt * first_;
}

}  // namespace rodeo::simulate
