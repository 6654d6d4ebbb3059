// SPDX-License-Identifier: MIT
// The part of a run that changes configurations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kinematics/simulate/run.h"
#include "kinematics/simulate/starts.h"

namespace rodeo::simulate {
namespace {

constexpr std::size_t kMostSwitches = 1000;  // a tick
constexpr double kSameInstant = 1e-13;       // of the time: nearer than a solver can step

}  // namespace

bool GraphRun::has_fixed_steps() const noexcept {
  return method_ == MethodKind::euler || method_ == MethodKind::rk4;
}

Mode& GraphRun::mode(std::size_t configuration) {
  std::unique_ptr<Mode>& made = modes_[configuration];
  if (made) return *made;
  std::vector<Expr> roots;
  for (const Column& column : columns_) {
    const bool is_on =
        column.control >= 0 && hybrid_->is_on(hybrid_->drawn[static_cast<std::size_t>(column.control)],
                                              hybrid_->configurations[configuration]);
    roots.push_back(column.control < 0 ? column.value : Expr(is_on ? 1.0 : 0.0));
  }
  made = std::make_unique<Mode>(*models_[configuration], inputs_,
                                ModeOptions{options_.form, method_, solve_options()}, roots,
                                switching_ ? switching_->symbols() : std::vector<Expr>(), locked_.thresholds);
  return *made;
}

/// What the conditions say in a configuration at the start; -1 where they cannot be computed.
int GraphRun::find_implied(std::size_t configuration) {
  std::vector<double> values(switching_->size());
  now_ = configuration;
  find_first_sides(list_starts(model()));
  if (!mode(configuration).calc_atoms_at(0.0, list_starts(*models_[configuration]), values)) return -1;
  switching_->set(values);
  return hybrid_->find(switching_->calc_booleans());
}

/// The configuration whose conditions, computed in it, ask for it: looked for from the first by what they ask for, then in order.
void GraphRun::find_first() {
  std::size_t configuration = 0;
  for (std::size_t i = 0; i < models_.size(); ++i) {
    const int implied = find_implied(configuration);
    if (implied < 0) break;
    if (static_cast<std::size_t>(implied) == configuration) {
      now_ = configuration;
      return;
    }
    configuration = static_cast<std::size_t>(implied);
  }
  for (now_ = 0; now_ < models_.size(); ++now_) {
    if (find_implied(now_) == static_cast<int>(now_)) return;
  }
  now_ = 0;
  std::vector<std::size_t> all(models_.size());
  for (std::size_t c = 0; c < all.size(); ++c) all[c] = c;
  throw text::ModelError(
      hybrid_->conditions.booleans.front().where,
      fmt::format(
          "no configuration agrees with its own conditions at the start: {} would switch back at once "
          "whether on or off; let the conditions compare states rather than what the junctions make, "
          "or change the start",
          name_moving(all)));
}

/// Junctions that are not the same in all of these.
std::string GraphRun::name_moving(const std::vector<std::size_t>& configurations) const {
  std::vector<std::string> names;
  for (const reduction::Control& control : hybrid_->drawn) {
    const auto is_on = [&](std::size_t c) { return hybrid_->is_on(control, hybrid_->configurations[c]); };
    const auto same = [&](std::size_t c) { return is_on(c) == is_on(configurations.front()); };
    if (!std::all_of(configurations.begin(), configurations.end(), same))
      names.push_back(fmt::format("'{}'", control.junction));
  }
  return text::join_names(names);
}

void GraphRun::advance_to(double t) {
  switches_ = crossings_ = 0;
  if (mode().thresholds() != nullptr) mode().thresholds()->unmute();
  double begin = mode().integrator().time();
  const double first = begin;
  for (const double end : find_stops(begin, t)) {
    if (begin > first) open_interval(begin, end - begin);
    advance_between(begin, end);
    begin = end;
  }
}

void GraphRun::advance_between(double begin, double end) {
  inputs_.set_interval(begin, end);
  while (mode().integrator().time() < end) {
    solve::Integrator& integrator = mode().integrator();
    const double left = end - integrator.time();
    if (left <= kSameInstant * std::max(1.0, end)) {
      if (switching_) return enter(now_, end);
      const solve::In now = mode().states();
      return mode().start(end, {now.begin(), now.end()});
    }
    integrator.advance(end);
    if (switching_) check_returns(integrator.time());
    const std::vector<int> crossed(integrator.crossed().begin(), integrator.crossed().end());
    if (!crossed.empty()) pass(crossed);
  }
  if (locked_.thresholds.empty() || !settle_sides(end, mode().states())) return;
  mode().restart();
}

/// Atoms of conditions first, then thresholds.
void GraphRun::pass(const std::vector<int>& crossed) {
  const double t = mode().integrator().time();
  const auto split = static_cast<std::ptrdiff_t>(switching_ ? switching_->size() : 0);
  const std::vector<int> atoms(crossed.begin(), crossed.begin() + split);
  if (std::any_of(atoms.begin(), atoms.end(), [](int c) { return c != 0; })) {
    switching_->forget_passages();
    switching_->pass(atoms);
    settle(t);
  }
  const std::span<const int> rest = std::span(crossed).subspan(static_cast<std::size_t>(split));
  if (!rest.empty()) cross(t, rest);
}

/// On both sides of its threshold the motion leads back to it: it would slide along it, switching all the time.
void GraphRun::check_returns(double t) {
  std::vector<double> values(switching_->size());
  if (!mode().calc_atoms(t, values) || !switching_->has_returned(values)) return;
  const std::size_t here = now_;
  switching_->set(values);
  const int next = hybrid_->find(switching_->calc_booleans());
  if (next < 0 || static_cast<std::size_t>(next) == here) return;
  fault_restless(happened_.empty() ? t : happened_.back().time, {here, static_cast<std::size_t>(next)},
                 "switches back and forth without time passing");
}

void GraphRun::fault_restless(double t, const std::vector<std::size_t>& visited,
                              const std::string& how) const {
  throw solve::SolveError(t,
                          fmt::format("{} {} at t = {:.9g} s: let its condition have two thresholds, or put "
                                      "a C or R there that takes up the impact",
                                      name_moving(visited), how, t));
}

/// Fixed steps switch here and nowhere else; a solver has found what passed zero, but not what jumped at the tick.
void GraphRun::look_at_tick(double t) {
  std::vector<double> values(switching_->size());
  if (!mode().calc_atoms(t, values)) return;  // the row will say so
  if (has_fixed_steps()) {
    switching_->set(values);
  } else {
    switching_->refresh(values);
  }
  settle(t);
  switching_->forget_passages();
}

/// Changes configurations until the conditions agree with the present one.
void GraphRun::settle(double t) {
  std::vector<std::size_t> visited{now_};
  while (true) {
    const int next = hybrid_->find(switching_->calc_booleans());
    if (next < 0 || static_cast<std::size_t>(next) == now_) return;
    const auto configuration = static_cast<std::size_t>(next);
    const bool repeats = std::find(visited.begin(), visited.end(), configuration) != visited.end();
    visited.push_back(configuration);
    if (repeats || ++switches_ > kMostSwitches) {
      const std::string how = repeats ? "switches back and forth without time passing"
                                      : fmt::format("switches more than {} times in a tick", kMostSwitches);
      fault_restless(t, visited, how);
    }
    enter(configuration, t);
    happened_.push_back({t, configuration});
    std::vector<double> values(switching_->size());
    if (!mode().calc_atoms(t, values)) return;
    has_fixed_steps() ? switching_->set(values) : switching_->refresh(values);
  }
}

void GraphRun::enter(std::size_t configuration, double t) {
  Jump& jump = mode(configuration).jump();
  const std::vector<double> before = mode().calc_variables(t, jump.names());
  const auto bad = std::find_if(before.begin(), before.end(), [](double v) { return !std::isfinite(v); });
  if (bad != before.end()) {
    throw solve::SolveError(
        t, fmt::format("'{}' has no finite value at t = {:.6g} s, where the junctions switch",
                       jump.names()[static_cast<std::size_t>(bad - before.begin())], t));
  }
  const std::vector<double> states = jump.calc(t, before);
  now_ = configuration;
  const bool is_new = !mode().has_started();
  mode().start(t, states);
  if (is_new) judge_step();
}

}  // namespace rodeo::simulate
