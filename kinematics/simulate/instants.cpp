// SPDX-License-Identifier: MIT
#include "kinematics/simulate/instants.h"

#include <algorithm>
#include <cmath>

#include "kinematics/reduction/comparison.h"
#include "kinematics/simulate/inputs.h"

namespace rodeo::simulate {
namespace {

constexpr double kSame = 4e-16;           // of the time
constexpr std::size_t kMostLooks = 4000;  // a tick: then bounds tell nothing, and it is sampled
constexpr int kSamples = 1000;

}  // namespace

Instants::Instants(const reduction::Model& model, Inputs& inputs, const Thresholds& thresholds)
    : model_(model), inputs_(inputs), parameters_(reduction::find_parameter_values(model.graph)) {
  for (std::size_t k = 0; k < thresholds.size(); ++k) {
    if (!thresholds.is_timed(k)) continue;
    const Expr g = thresholds.meaning(k);
    const bool is_time = thresholds.at(k).e == expr::time_symbol();
    timed_.push_back({g, IntervalProgram(g), is_time ? thresholds.at(k).c : std::nan("")});
  }
  for (const auto& [name, value] : parameters_) symbols_[expr::symbol(name).id()] = {value, value};
}

std::vector<double> Instants::find(double begin, double end) {
  std::vector<double> found;
  for (Timed& timed : timed_) {
    if (std::isnan(timed.exact)) {
      find_zeros(timed, begin, end, found);
    } else if (timed.exact > begin && timed.exact < end) {
      found.push_back(timed.exact);
    }
  }
  std::sort(found.begin(), found.end());
  const double apart = 4 * kSame * std::max(1.0, std::abs(end));
  found.erase(std::unique(found.begin(), found.end(), [&](double a, double b) { return b - a <= apart; }),
              found.end());
  return found;
}

void Instants::find_zeros(Timed& timed, double begin, double end, std::vector<double>& found) {
  std::vector<double> own;
  looks_ = 0;
  search(timed, begin, end, own);
  if (looks_ > kMostLooks) {
    own.clear();
    sample(timed, begin, end, own);
  }
  found.insert(found.end(), own.begin(), own.end());
}

void Instants::search(Timed& timed, double begin, double end, std::vector<double>& found) {
  if (++looks_ > kMostLooks) return;
  const Interval g = bound(timed, begin, end);
  if (!g.has_zero() || (g.low == 0 && g.high == 0)) return;  // zero all along is no passage
  const double middle = begin + (end - begin) / 2;
  if (end - begin <= kSame * std::max(1.0, std::abs(end)) || middle <= begin || middle >= end) {
    found.push_back(end);
    return;
  }
  search(timed, begin, middle, found);
  search(timed, middle, end, found);
}

void Instants::sample(const Timed& timed, double begin, double end, std::vector<double>& found) {
  const double step = (end - begin) / kSamples;
  bool was = is_above(timed, begin + step / 2);
  for (int i = 1; i < kSamples; ++i) {
    double low = begin + (i - 0.5) * step, high = low + step;
    const bool is = is_above(timed, high);
    if (is == was) continue;
    while (high - low > kSame * std::max(1.0, std::abs(high))) {
      const double middle = low + (high - low) / 2;
      if (middle <= low || middle >= high) break;
      (is_above(timed, middle) == was ? low : high) = middle;
    }
    found.push_back(high);
    was = is;
  }
}

Interval Instants::bound(Timed& timed, double begin, double end) {
  symbols_[expr::time_symbol().id()] = {begin, end};
  const std::size_t count = inputs_.count();
  std::vector<double> first(2 * count), last(2 * count);
  inputs_.sample(begin, first.data());
  inputs_.sample(end, last.data());
  for (std::size_t i = 0; i < count; ++i)
    symbols_[model_.system.inputs[i].symbol.id()] = {std::min(first[i], last[i]),
                                                     std::max(first[i], last[i])};
  return timed.program.calc(symbols_);
}

bool Instants::is_above(const Timed& timed, double t) {
  expr::Values values = parameters_;
  values[expr::time_symbol()->name] = t;
  std::vector<double> now(2 * inputs_.count());
  inputs_.sample(t, now.data());
  for (std::size_t i = 0; i < inputs_.count(); ++i) values[model_.system.inputs[i].symbol->name] = now[i];
  return expr::calc_value(timed.g, values) > 0;
}

}  // namespace rodeo::simulate
