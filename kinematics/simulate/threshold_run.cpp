// SPDX-License-Identifier: MIT
// The part of a run that keeps to the sides of thresholds: instants known beforehand are where an interval of integration ends, others are
// found by the solver. At a threshold the rates of g on its two sides say whether the motion passes or slides. THEORY X9.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kinematics/simulate/run.h"

namespace rodeo::simulate {
namespace {

constexpr std::size_t kMostCrossings = 1000;  // a tick
constexpr std::size_t kMostKinks = 50;        // a tick: more of them are rounding about zero
constexpr int kMostRounds = 100;
constexpr double kAtZero = 1e-6;        // of the largest g: nearer, its sign may be rounding
constexpr double kAtStart = 1e-12;      // of the number compared with
constexpr double kSameInstant = 1e-13;  // of the time
constexpr double kJustBehind = 1e-6;    // of an interval
constexpr double kOutside = 1e-9;       // how far a weight may be outside 0 to 1

}  // namespace

void GraphRun::lock() {
  locked_ = reduction::build_locked(models_);
  if (locked_.thresholds.empty()) return;
  std::vector<Expr> symbols;
  for (const reduction::Threshold& threshold : locked_.thresholds) symbols.push_back(threshold.side);
  inputs_.sides() = Sides(symbols);
  largest_.assign(symbols.size(), 0.0);
  for (std::size_t m = 0; m < models_.size(); ++m) models_[m] = &locked_.models[m];
}

/// Rows of inputs and instants known beforehand after `begin`, then `end`.
std::vector<double> GraphRun::find_stops(double begin, double end) {
  std::vector<double> stops, rows = inputs_.find_rows(begin, end);
  rows.push_back(end);
  double from = begin;
  for (const double row : rows) {
    inputs_.set_interval(from, row);
    if (Instants* instants = mode().instants(); instants != nullptr && !instants->empty()) {
      const std::vector<double> more = instants->find(from, row);
      stops.insert(stops.end(), more.begin(), more.end());
    }
    if (row < end) stops.push_back(row);
    from = row;
  }
  const double apart = kSameInstant * std::max(1.0, std::abs(end));
  double last = begin;
  std::erase_if(stops, [&](double stop) {
    if (stop - last <= apart || end - stop <= apart) return true;
    last = stop;
    return false;
  });
  stops.push_back(end);
  return stops;
}

void GraphRun::find_first_sides(const std::vector<double>& start) {
  Thresholds* thresholds = mode().thresholds();
  if (thresholds == nullptr) return;
  (void)set_timed(kJustBehind * period_ns_ / 1e9);
  std::vector<double> g(thresholds->size());
  (void)thresholds->calc(0.0, start, g);
  for (std::size_t k = 0; k < g.size(); ++k) {
    if (!thresholds->is_timed(k)) inputs_.sides().set(k, g[k] > 0);
  }
  (void)settle_sides(0.0, start);
  if (!thresholds->calc(0.0, start, g)) return;
  for (std::size_t k = 0; k < g.size(); ++k) {
    const reduction::Threshold& threshold = thresholds->at(k);
    if (threshold.is_held && !thresholds->is_timed(k) && std::abs(g[k]) <= kAtStart * std::abs(threshold.c))
      place(k, 0.0, start, 1);
  }
  (void)settle_sides(0.0, start);
}

/// Steps of inputs at `begin`, and sides that time alone decides until the next stop.
void GraphRun::open_interval(double begin, double length) {
  if (has_fixed_steps()) return;
  inputs_.set_interval(begin, begin + length);
  const bool is_timed = set_timed(begin + kJustBehind * length);
  if (!is_timed && !inputs_.steps_at(begin)) return;
  if (!locked_.thresholds.empty()) (void)settle_sides(begin, mode().states());
  remember_rules(begin, mode().states());
  mode().restart();
}

bool GraphRun::set_timed(double t) {
  Thresholds* thresholds = mode().thresholds();
  if (thresholds == nullptr || mode().instants()->empty()) return false;
  const std::vector<double> any(model().system.states.size());
  std::vector<double> g(thresholds->size());
  (void)thresholds->calc_timed(t, any, g);
  bool is_changed = false;
  for (std::size_t k = 0; k < g.size(); ++k) {
    if (!thresholds->is_timed(k) || inputs_.sides().is_above(k) == (g[k] > 0)) continue;
    inputs_.sides().set(k, g[k] > 0);
    is_changed = true;
  }
  return is_changed;
}

void GraphRun::cross(double t, std::span<const int> crossed) {
  Thresholds& thresholds = *mode().thresholds();
  const solve::In now = mode().states();
  const std::vector<double> states(now.begin(), now.end());
  bool is_event = false;
  for (std::size_t k = 0; k < crossed.size(); ++k) {
    if (crossed[k] == 0) continue;
    is_event = true;
    if (!thresholds.at(k).is_held) {
      if (crossings_ > kMostKinks) thresholds.mute(k);
    } else if (inputs_.sides().slides(k) || inputs_.sides().is_above(k) != (crossed[k] > 0)) {
      place(k, t, states, crossed[k]);
    }
    if (++crossings_ > kMostCrossings) {
      fault_threshold(k, t, fmt::format("is passed more than {} times in a tick", kMostCrossings));
    }
  }
  if (!is_event) return;
  (void)settle_sides(t, states);
  remember_rules(t, states);
  mode().restart();
}

/// At g = 0: the side to which both motions lead, sliding where each leads to the other, else on as it came.
void GraphRun::place(std::size_t k, double t, solve::In states, int direction) {
  Thresholds& thresholds = *mode().thresholds();
  Sides& sides = inputs_.sides();
  sides.set(k, direction > 0);
  remember_rules(t, states);
  const double above = thresholds.calc_slope(k, true, t, states);
  const double below = thresholds.calc_slope(k, false, t, states);
  if (std::isnan(above) || std::isnan(below)) fault_threshold(k, t, "has no finite rate");
  if (above < 0 && below > 0) return sides.slide(k);
  if (above > 0 && below < 0) return;
  if (above != 0 || below != 0) sides.set(k, above + below > 0);
}

/// Sides that agree with the motion; whether any changed.
bool GraphRun::settle_sides(double t, solve::In states) {
  const std::vector<double> now(states.begin(), states.end());
  int rounds = 0;
  while (correct_sides(t, now)) {
    if (++rounds > kMostRounds) fault_threshold(0, t, "switches back and forth without time passing");
  }
  return rounds > 0;
}

bool GraphRun::correct_sides(double t, solve::In states) {
  Thresholds& thresholds = *mode().thresholds();
  Sides& sides = inputs_.sides();
  const std::vector<std::size_t> sliding = sides.sliding();
  std::vector<double> weights(sliding.size()), g(thresholds.size());
  if (!sliding.empty() && !thresholds.calc_weights(t, states, weights))
    fault_threshold(sliding.front(), t, "is slid along, and nothing says how");
  for (std::size_t i = 0; i < sliding.size(); ++i) {
    if (weights[i] >= -kOutside && weights[i] <= 1 + kOutside) continue;
    sides.set(sliding[i], weights[i] > 0.5);  // that side lets go
    return true;
  }
  if (!thresholds.calc(t, states, g)) return false;
  for (std::size_t k = 0; k < g.size(); ++k) {
    largest_[k] = std::max(largest_[k], std::abs(g[k]));
    if (!thresholds.at(k).is_held || thresholds.is_timed(k) || sides.slides(k)) continue;
    if (std::abs(g[k]) <= kAtZero * largest_[k] || sides.is_above(k) == (g[k] > 0)) continue;
    sides.set(k, g[k] > 0);
    return true;
  }
  return false;
}

/// Where no rule of an element holds, its value stays that of the last which did.
void GraphRun::remember_rules(double t, solve::In states) {
  if (inputs_.rules().values.empty()) return;
  const std::vector<double> now = mode().calc_rules(t, states);
  if (!now.empty()) inputs_.rules().values = now;
}

void GraphRun::fault_threshold(std::size_t k, double t, const std::string& how) {
  const reduction::Threshold& threshold = locked_.thresholds[k];
  throw solve::SolveError(
      t, fmt::format("{}: the threshold {} = {:.6g} {} at t = {:.9g} s: let its condition have two "
                     "thresholds, or take rk4, which looks at it once a tick",
                     threshold.owner, expr::to_text(threshold.e), threshold.c, how, t));
}

}  // namespace rodeo::simulate
