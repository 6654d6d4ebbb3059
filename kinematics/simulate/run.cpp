// SPDX-License-Identifier: MIT
// The run: problem, integrator and log put together, and what goes wrong said with file and element.
#include "kinematics/simulate/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace rodeo::simulate {
namespace {

constexpr double kNano = 1e9;
constexpr double kNearNothing =
    1e-9;  // of the tolerance: error a step that counts as none, whatever a state's size
constexpr double kSameStart = 1e-9;      // how far a start may be from what follows from the others
constexpr double kSmallestStep = 1e-14;  // s: a first step from rest at a fine tolerance is this small
constexpr long kMostSteps = 200'000;     // a tick
constexpr std::size_t kTicksToProgress = 256;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

MethodKind default_method(FormKind form) {
  return form == FormKind::full ? MethodKind::ida : MethodKind::rk4;
}

solve::Method find_method(MethodKind method) {
  switch (method) {
    case MethodKind::euler: return solve::Method::euler;
    case MethodKind::rk4: return solve::Method::rk4;
    case MethodKind::adams: return solve::Method::adams;
    default: return solve::Method::bdf;
  }
}

std::vector<double> find_start(const Model& model) {
  std::vector<double> start;
  for (const reduction::State& state : model.system.states) start.push_back(state.start);
  return start;
}

std::vector<std::string> names_of(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  return names;
}

}  // namespace

const char* method_text(MethodKind method) {
  switch (method) {
    case MethodKind::euler: return "euler";
    case MethodKind::rk4: return "rk4";
    case MethodKind::cvode: return "cvode";
    case MethodKind::adams: return "adams";
    case MethodKind::ida: return "ida";
  }
  return "";
}

std::string find_objection(FormKind form, MethodKind method) {
  if (form == FormKind::reduced || method == MethodKind::ida) return "";
  return fmt::format(
      "{} cannot serve --form full, whose equations are differential-algebraic: take ida, or --form reduced",
      method_text(method));
}

GraphRun::GraphRun(const Model& model, InputTable inputs, RunOptions options)
    : model_(model),
      options_(std::move(options)),
      method_(options_.method.value_or(default_method(options_.form))),
      inputs_(std::move(inputs)),
      period_ns_(std::round(kNano / options_.rate)) {
  ticks_ = static_cast<std::size_t>(std::floor(options_.duration * kNano / period_ns_ + 1e-6));
  check_inputs();
  set_columns(options_.columns);
  try {
    build();
  } catch (const solve::SolveError& error) {
    explain(error);
  }
}

GraphRun::~GraphRun() = default;

double GraphRun::time_of(std::size_t tick) const noexcept {
  return static_cast<double>(tick) * period_ns_ / kNano;
}

void GraphRun::check_inputs() const {
  const auto& needed = model_.system.inputs;
  if (inputs_.count() == needed.size()) return;
  const bondgraph::Element& element = model_.graph.elements[at(needed.front().element)];
  throw text::ModelError(element.where,
                         fmt::format("'{0}' is a source without a value, an input: give --input a CSV file "
                                     "with a column '{0}', or '{0}' a value",
                                     element.name));
}

void GraphRun::set_columns(const std::vector<std::string>& wanted) {
  const std::vector<Column> all = list_columns(model_);
  const std::size_t usual = model_.graph.outputs.size() + model_.system.states.size();
  if (wanted.empty())
    columns_.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(usual, all.size())));
  for (const std::string& name : wanted) {
    if (name == "all") {
      columns_ = all;
      break;
    }
    const auto found = std::find_if(all.begin(), all.end(), [&](const Column& c) { return c.name == name; });
    if (found == all.end()) {
      throw text::ModelError(model_.graph.where, fmt::format("there is no column '{}'{}: the log can hold {}",
                                                             name, text::did_you_mean(name, names_of(all)),
                                                             text::join_names(names_of(all))));
    }
    columns_.push_back(*found);
  }
  names_ = names_of(columns_);
  names_.insert(names_.begin(), "t");
  row_.resize(names_.size());
}

solve::Options GraphRun::solve_options() const {
  solve::Options options;
  options.step = period_ns_ / kNano;
  options.relative = options_.tolerance;
  options.absolute = {options_.tolerance * kNearNothing};
  options.against_largest = true;
  options.smallest_step = kSmallestStep;
  options.most_steps = kMostSteps;
  // Beyond a tick the input has another slope, and noise another value.
  const bool is_random = reduced_ ? reduced_->program().is_random() : full_->program().is_random();
  options.lands = inputs_.count() > 0 || is_random;
  return options;
}

void GraphRun::build() {
  const std::vector<double> start = find_start(model_);
  check_starts(start);
  note_constraints(start);
  options_.form == FormKind::full ? build_full(start) : build_reduced(start);
}

void GraphRun::build_reduced(const std::vector<double>& start) {
  reduced_ = std::make_unique<ReducedForm>(model_, inputs_);
  log_arguments_ = std::make_unique<Arguments>(model_, inputs_);
  std::vector<Expr> roots;
  for (const Column& column : columns_) {
    roots.push_back(find_meaning(model_, model_.solution.values, column.value));
  }
  log_ = std::make_unique<Program>(model_, roots, log_arguments_->symbols());
  if (method_ != MethodKind::ida) {
    integrator_ = solve::build_integrator(*reduced_, find_method(method_), solve_options(), 0.0, start);
    return;
  }
  reduced_dae_ = std::make_unique<ReducedDae>(*reduced_);
  std::vector<double> rates(start.size());
  reduced_->rate(0.0, start, rates);
  solve::Options options = solve_options();
  options.starts_consistent =
      std::all_of(rates.begin(), rates.end(), [](double r) { return std::isfinite(r); });
  integrator_ = solve::build_integrator(*reduced_dae_, options, 0.0, start, rates);
}

void GraphRun::build_full(const std::vector<double>& start) {
  full_ = std::make_unique<FullForm>(model_, inputs_);
  log_arguments_ = std::make_unique<Arguments>(model_, inputs_, full_->more_symbols());
  std::vector<Expr> roots;
  for (const Column& column : columns_) {
    roots.push_back(find_meaning(model_, full_->equations().values, column.value));
  }
  log_ = std::make_unique<Program>(model_, roots, log_arguments_->symbols());
  const FullForm::Start consistent = full_->build_start(0.0, start);
  solve::Options options = solve_options();
  options.starts_consistent = true;
  // Break variables may follow rates of dependent ports, which are known one order worse; their start has no rate.
  options.algebraic_tested = false;
  integrator_ = solve::build_integrator(*full_, options, 0.0, consistent.state, consistent.rates);
}

/// A start of a port in differential causality is no state: it follows, and must agree.
void GraphRun::check_starts(const std::vector<double>& start) {
  for (const bondgraph::Start& given : model_.graph.starts) {
    const auto& states = model_.system.states;
    if (std::any_of(states.begin(), states.end(), [&](const auto& s) { return s.name == given.variable; }))
      continue;
    Arguments arguments(model_, inputs_);
    Program program(model_, {find_meaning(model_, model_.solution.values, expr::variable(given.variable))},
                    arguments.symbols());
    double follows = 0.0;
    if (!program.run(arguments.fill(0.0, start), {&follows, 1})) continue;
    if (std::abs(follows - given.value) <= kSameStart * std::max(1.0, std::abs(given.value))) continue;
    throw text::ModelError(
        given.where,
        fmt::format("start of '{}': {:.6g} contradicts the other starts, from which {:.6g} follows "
                    "(its causality is differential): leave it out, or start the others",
                    given.variable, given.value, follows));
  }
}

void GraphRun::note_constraints(const std::vector<double>& start) {
  for (const bondgraph::Element& element : model_.graph.elements) {
    if (!element.constraint) continue;
    const bondgraph::Constraint& constraint = *element.constraint;
    Arguments arguments(model_, inputs_);
    const std::vector<Expr> wanted{constraint.position, bondgraph::flow_of(element.name), constraint.damping,
                                   constraint.stiffness};
    std::vector<Expr> roots;
    for (const Expr e : wanted) roots.push_back(find_meaning(model_, model_.solution.values, e));
    Program program(model_, roots, arguments.symbols());
    std::array<double, 4> values{};
    if (!program.run(arguments.fill(0.0, start), values)) continue;
    const bool is_off = std::abs(values[0]) > kSameStart, is_moving = std::abs(values[1]) > kSameStart;
    if (!is_off && !is_moving) continue;
    const bool is_drawn_in = is_off ? values[3] > 0 : values[2] > 0;
    notes_.push_back(fmt::format("{}: constraint '{}': the start does not fulfil it, its {} is {:.3g}; {}",
                                 model_.graph.file, element.name, is_off ? "position" : "flow",
                                 values[is_off ? 0 : 1],
                                 is_drawn_in ? "the corrector draws it in"
                                             : "nothing draws it in: change the start, or give "
                                               "it a corrector"));
  }
}

void GraphRun::set_tick(std::size_t tick) {
  if (reduced_) reduced_->program().set_tick(tick);
  if (full_) full_->program().set_tick(tick);
  log_->set_tick(tick);
}

void GraphRun::fill_row(double t) {
  row_[0] = t;
  const solve::In y = integrator_->state();
  const solve::In more = full_ ? full_->gather_more(y, integrator_->calc_rates()) : solve::In();
  const bool solved = log_->run(log_arguments_->fill(t, y, more), std::span(row_).subspan(1));
  if (!solved) throw solve::SolveError(t, fmt::format("{} at t = {:.6g} s", describe(*log_->failure()), t));
  for (std::size_t c = 1; c < row_.size(); ++c) {
    if (std::isfinite(row_[c])) continue;
    throw solve::SolveError(
        t, fmt::format("'{}' is not finite at t = {:.6g} s: look for a division by zero in its expression",
                       names_[c], t));
  }
}

bool GraphRun::run(const std::function<void(std::span<const double>)>& write,
                   const std::function<bool(double)>& progress) {
  try {
    for (std::size_t tick = 0; tick <= ticks_; ++tick) {
      const double t = time_of(tick);
      if (tick > 0) {
        inputs_.set_interval_end(t);
        integrator_->advance(t);
      }
      inputs_.set_interval_end(std::numeric_limits<double>::infinity());
      set_tick(tick);
      fill_row(t);
      write(row_);
      if (tick % kTicksToProgress != 0 || !progress) continue;
      if (!progress(static_cast<double>(tick) / static_cast<double>(std::max<std::size_t>(ticks_, 1))))
        return false;
    }
  } catch (const solve::SolveError& error) {
    explain(error);
  }
  return true;
}

solve::Statistics GraphRun::statistics() const { return integrator_->statistics(); }

std::size_t GraphRun::equation_count() const noexcept { return integrator_->state().size(); }

std::string GraphRun::describe(const LoopFailure& failure) const {
  std::set<int> elements;
  for (const int unknown : model_.solution.blocks[failure.block].unknowns) {
    const bondgraph::Bond& bond = model_.graph.bonds[at(model_.system.variables[at(unknown)].bond)];
    elements.insert({bond.tail, bond.head});
  }
  std::vector<std::string> names;
  for (const int e : elements) names.push_back(model_.graph.elements[at(e)].name);
  const std::string loop = fmt::format("the algebraic loop at {}", text::join_names(names));
  if (failure.linear) return loop + " is singular";
  return fmt::format("{} has no solution near (its laws stay {:.3g} apart)", loop, failure.residual);
}

/// File and, where a loop is the reason, its elements.
void GraphRun::explain(const solve::SolveError& error) const {
  std::string sentence = error.what();
  const Program* program = reduced_ ? &reduced_->program() : nullptr;
  if (program != nullptr && program->failure()) {
    sentence = fmt::format(
        "{} at t = {:.6g} s: change the start or the laws of these elements, or put a C or an I between them",
        describe(*program->failure()), error.time());
  }
  throw solve::SolveError(error.time(), fmt::format("{}: {}", model_.graph.file, sentence));
}

}  // namespace rodeo::simulate
