// SPDX-License-Identifier: MIT
#include "kinematics/simulate/thresholds.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "kinematics/simulate/forms.h"

namespace rodeo::simulate {
namespace {

constexpr double kShift = 1e-3;      // of a tick: the step of differences
constexpr double kRelaxation = 0.1;  // of a tick

bool is_known_beforehand(const reduction::Model& model, Expr g) {
  const auto& inputs = model.system.inputs;
  const auto parts = expr::reachable({g});
  const auto symbols = expr::symbols_of({g});
  return std::none_of(parts.begin(), parts.end(),
                      [](Expr e) { return e->op == expr::Op::call || e->op == expr::Op::rand; }) &&
         std::all_of(symbols.begin(), symbols.end(), [&](Expr s) {
           return s->kind != expr::SymbolKind::variable ||
                  std::any_of(inputs.begin(), inputs.end(), [&](const auto& i) { return i.symbol == s; });
         });
}

}  // namespace

Thresholds::Thresholds(const reduction::Model& model, Inputs& inputs,
                       const std::vector<reduction::Threshold>& list, double tick)
    : model_(model),
      inputs_(inputs),
      list_(list),
      shift_(kShift * tick),
      relaxation_(kRelaxation * tick),
      is_muted_(list.size()),
      arguments_(std::make_unique<Arguments>(model, inputs)) {
  for (const reduction::Threshold& threshold : list) {
    meanings_.push_back(find_meaning(model, model.solution.values, expr::variable(threshold.name)));
    is_timed_.push_back(is_known_beforehand(model, meanings_.back()));
  }
  rates_ = std::make_unique<Program>(model, reduction::state_rates(model), arguments_->symbols());
  values_ = std::make_unique<Program>(model, meanings_, arguments_->symbols());
}

Thresholds::~Thresholds() = default;

bool Thresholds::calc_raw(double t, solve::In states, solve::Out out) {
  return values_->run(arguments_->fill(t, states), out);
}

bool Thresholds::calc(double t, solve::In states, solve::Out out) {
  return inputs_.sides().mix(t, states, out, [&](solve::Out o) { return calc_raw(t, states, o); });
}

/// (g(t + h, x + h f) - g(t - h, x - h f)) / 2h, one-sided at the ends of an interval of inputs.
bool Thresholds::calc_raw_slopes(double t, solve::In states, solve::Out out) {
  std::vector<double> rates(states.size()), moved(states.size()), before(out.size());
  if (!rates_->run(arguments_->fill(t, states), rates)) return false;
  const double ahead = t + shift_ < inputs_.interval_end() ? shift_ : 0.0;
  const double back = t - shift_ > inputs_.interval_begin() || ahead == 0 ? shift_ : 0.0;
  const auto move = [&](double h) {
    for (std::size_t i = 0; i < states.size(); ++i) moved[i] = states[i] + h * rates[i];
  };
  move(-back);
  bool is_fine = calc_raw(t - back, moved, before);
  move(ahead);
  is_fine = calc_raw(t + ahead, moved, out) && is_fine;
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = (out[k] - before[k]) / (ahead + back);
  return is_fine;
}

double Thresholds::calc_slope(std::size_t k, bool above, double t, solve::In states) {
  Sides& sides = inputs_.sides();
  const Sides kept = sides;
  sides.set(k, above);
  std::vector<double> slopes(size());
  const bool is_fine =
      sides.mix(t, states, slopes, [&](solve::Out out) { return calc_raw_slopes(t, states, out); });
  sides = kept;
  return is_fine ? slopes[k] : std::nan("");
}

bool Thresholds::calc_weights(double t, solve::In states, solve::Out out) {
  Sides& sides = inputs_.sides();
  const std::vector<std::size_t> sliding = sides.sliding();
  const auto count = static_cast<Eigen::Index>(sliding.size());
  Eigen::VectorXd right(count);
  Eigen::MatrixXd matrix(count, count);
  std::vector<double> slopes(size()), values(size());
  const bool is_fine = sides.try_each(
      slopes, [&](solve::Out o) { return calc_raw_slopes(t, states, o); },
      [&](std::size_t i, solve::In s) {
        for (Eigen::Index j = 0; j < count; ++j) {
          const double slope = s[sliding[static_cast<std::size_t>(j)]];
          if (i == 0) right[j] = slope;
          if (i > 0) matrix(j, static_cast<Eigen::Index>(i) - 1) = slope - right[j];
        }
      });
  if (!is_fine || !calc_raw(t, states, values)) return false;
  for (Eigen::Index j = 0; j < count; ++j)
    right[j] = -values[sliding[static_cast<std::size_t>(j)]] / relaxation_ - right[j];
  const Eigen::VectorXd weights = matrix.fullPivLu().solve(right);
  std::copy_n(weights.data(), count, out.begin());
  return weights.allFinite();
}

bool Thresholds::calc_events(double t, solve::In states, solve::Out out) {
  if (!calc(t, states, out)) return false;
  for (std::size_t k = 0; k < size(); ++k) {
    if (is_timed_[k] || is_muted_[k]) out[k] = 1.0;
  }
  const Sides& sides = inputs_.sides();
  std::vector<double> weights(sides.sliding().size());
  if (!weights.empty() && !calc_weights(t, states, weights)) return false;
  for (std::size_t i = 0; i < weights.size(); ++i)
    out[sides.sliding()[i]] = std::min(weights[i], 1.0 - weights[i]);
  return true;
}

}  // namespace rodeo::simulate
