// SPDX-License-Identifier: MIT
#include "kinematics/simulate/mode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rodeo::simulate {
namespace {

solve::Method find_method(MethodKind method) {
  switch (method) {
    case MethodKind::euler: return solve::Method::euler;
    case MethodKind::rk4: return solve::Method::rk4;
    case MethodKind::adams: return solve::Method::adams;
    default: return solve::Method::bdf;
  }
}

}  // namespace

Probe::Probe(const Model& model, Inputs& inputs, FullForm* full, const std::vector<Expr>& wanted)
    : inputs_(inputs),
      states_(model.system.states.size()),
      full_(full),
      arguments_(std::make_unique<Arguments>(model, inputs,
                                             full != nullptr ? full->more_symbols() : std::vector<Expr>())) {
  std::vector<Expr> roots;
  for (const Expr e : wanted)
    roots.push_back(
        find_meaning(model, full != nullptr ? full->equations().values : model.solution.values, e));
  program_ = std::make_unique<Program>(model, roots, arguments_->symbols());
}

bool Probe::run(double t, solve::In y, solve::In rates, solve::Out out) {
  const solve::In more = full_ != nullptr ? full_->gather_more(y, rates) : solve::In();
  return inputs_.sides().mix(t, y.first(states_), out, [&](solve::Out results) {
    return program_->run(arguments_->fill(t, y, more), results);
  });
}

Mode::Mode(const Model& model, Inputs& inputs, const ModeOptions& options, const std::vector<Expr>& columns,
           const std::vector<Expr>& atoms, const std::vector<reduction::Threshold>& thresholds)
    : model_(model), inputs_(inputs), options_(options), atom_symbols_(atoms) {
  if (options.form == FormKind::full)
    full_ = std::make_unique<FullForm>(model, inputs);
  else
    reduced_ = std::make_unique<ReducedForm>(model, inputs);
  options_.solve.lands = options_.solve.lands || is_random();  // beyond a tick noise has another value
  log_ = std::make_unique<Probe>(model, inputs, full_.get(), columns);
  atoms_ = std::make_unique<Probe>(model, inputs, full_.get(), atoms);
  const bool looks = options.method != MethodKind::euler && options.method != MethodKind::rk4;
  if ((atoms.empty() && thresholds.empty()) || !looks) return;
  events_ = std::make_unique<Probe>(model, inputs, full_.get(), atoms);
  if (!thresholds.empty()) {
    thresholds_ = std::make_unique<Thresholds>(model, inputs, thresholds, options.solve.step);
    instants_ = std::make_unique<Instants>(model, inputs, *thresholds_);
    take_sides();
  }
  const EventFunction function = [this](double t, solve::In y, solve::In rates, solve::Out out) {
    calc_events(t, y, rates, out);
  };
  const std::size_t count = atoms.size() + thresholds.size();
  if (full_) full_->set_events(count, function);
  if (reduced_) reduced_->set_events(count, function);
}

/// Atoms, then thresholds.
void Mode::calc_events(double t, solve::In y, solve::In rates, solve::Out out) {
  const std::size_t atoms = atom_symbols_.size();
  bool is_fine = events_->run(t, y, rates, out.first(atoms));
  if (thresholds_)
    is_fine =
        thresholds_->calc_events(t, y.first(model_.system.states.size()), out.subspan(atoms)) && is_fine;
  if (!is_fine) std::fill(out.begin(), out.end(), std::nan(""));
}

void Mode::take_sides() {
  if (!thresholds_) return;
  inputs_.sides().set_weigher([this](double t, solve::In states, solve::Out out) {
    return thresholds_->calc_weights(t, states, out);
  });
}

void Mode::restart() {
  const solve::In now = states();
  start(integrator_->time(), {now.begin(), now.end()});
}

bool Mode::is_random() const {
  return reduced_ ? reduced_->program().is_random() : full_->program().is_random();
}

void Mode::start(double t, const std::vector<double>& states) {
  take_sides();
  const bool by_ida = options_.method == MethodKind::ida;
  if (integrator_ && !by_ida) return integrator_->restart(t, states);
  if (integrator_) past_ += integrator_->statistics();
  full_ ? build_full(t, states) : build_reduced(t, states);
}

void Mode::build_reduced(double t, const std::vector<double>& states) {
  if (options_.method != MethodKind::ida) {
    integrator_ = solve::build_integrator(*reduced_, find_method(options_.method), options_.solve, t, states);
    return;
  }
  reduced_dae_ = std::make_unique<ReducedDae>(*reduced_);
  std::vector<double> rates(states.size());
  reduced_->rate(t, states, rates);
  solve::Options options = options_.solve;
  options.starts_consistent =
      std::all_of(rates.begin(), rates.end(), [](double r) { return std::isfinite(r); });
  integrator_ = solve::build_integrator(*reduced_dae_, options, t, states, rates);
}

void Mode::build_full(double t, const std::vector<double>& states) {
  const FullForm::Start consistent = full_->build_start(t, states);
  solve::Options options = options_.solve;
  options.starts_consistent = true;
  // Break variables may follow rates of dependent ports, which are known one order worse; their start has no rate.
  options.algebraic_tested = false;
  options.lands =
      true;  // so that they are solved for at every row, not interpolated over a step that nobody tested them for
  integrator_ = solve::build_integrator(*full_, options, t, consistent.state, consistent.rates);
}

void Mode::set_tick(std::uint64_t tick) {
  if (reduced_) reduced_->program().set_tick(tick);
  if (full_) full_->program().set_tick(tick);
  log_->program().set_tick(tick);
  atoms_->program().set_tick(tick);
  if (events_) events_->program().set_tick(tick);
}

bool Mode::run(Probe& probe, double t, solve::Out out) {
  const solve::In rates = full_ ? integrator_->calc_rates() : solve::In();
  return probe.run(t, integrator_->state(), rates, out);
}

bool Mode::calc_atoms_at(double t, const std::vector<double>& states, solve::Out out) {
  Probe probe(model_, inputs_, nullptr, atom_symbols_);
  return probe.run(t, states, {}, out);
}

std::vector<double> Mode::calc_rules(double t, solve::In states) {
  std::vector<Expr> now;
  for (const bondgraph::RuleMemory& memory : model_.graph.memories) now.push_back(memory.now);
  if (!rules_) rules_ = std::make_unique<Probe>(model_, inputs_, nullptr, now);
  std::vector<double> values(now.size());
  return rules_->run(t, states, {}, values) ? values : std::vector<double>();
}

std::vector<double> Mode::calc_variables(double t, const std::vector<std::string>& names) {
  std::string key;
  std::vector<Expr> wanted;
  for (const std::string& name : names) {
    key += name + '\n';
    wanted.push_back(expr::variable(name));
  }
  std::unique_ptr<Probe>& probe = hand_over_[key];
  if (!probe) probe = std::make_unique<Probe>(model_, inputs_, full_.get(), wanted);
  std::vector<double> values(names.size());
  if (!run(*probe, t, values)) std::fill(values.begin(), values.end(), std::nan(""));
  return values;
}

const std::optional<LoopFailure>* Mode::form_failure() {
  return reduced_ ? &reduced_->program().failure() : nullptr;
}

solve::Statistics Mode::statistics() const {
  solve::Statistics sum = past_;
  if (integrator_) sum += integrator_->statistics();
  return sum;
}

std::vector<NaturalMode> Mode::calc_natural_modes() {
  if (!reduced_) return {};
  return simulate::calc_natural_modes(*reduced_, integrator_->time(), states());
}

Jump& Mode::jump() {
  if (!jump_) jump_ = std::make_unique<Jump>(model_, inputs_);
  return *jump_;
}

}  // namespace rodeo::simulate
