// SPDX-License-Identifier: MIT
// The run: problem, integrator and log put together, and what goes wrong said with file and element.
#include "kinematics/simulate/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "kinematics/simulate/starts.h"

namespace rodeo::simulate {
namespace {

constexpr double kNano = 1e9;
constexpr double kNearNothing =
    1e-9;  // of the tolerance: error a step that counts as none, whatever a state's size
constexpr double kSameStart = 1e-9;      // how far a constraint may be from being fulfilled
constexpr double kSmallestStep = 1e-14;  // s: a first step from rest at a fine tolerance is this small
constexpr long kMostSteps = 200'000;     // a tick
constexpr std::size_t kTicksToProgress = 256;
constexpr double kMuchLarger = 10;  // than where the step was judged: laws may be steeper there

solve::Method find_step(MethodKind method) {
  return method == MethodKind::euler ? solve::Method::euler : solve::Method::rk4;
}

std::size_t at(int index) { return static_cast<std::size_t>(index); }

MethodKind default_method(FormKind form) {
  return form == FormKind::full ? MethodKind::ida : MethodKind::rk4;
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
    : models_{&model},
      options_(std::move(options)),
      method_(options_.method.value_or(default_method(options_.form))),
      inputs_(std::move(inputs)),
      period_ns_(std::round(kNano / options_.rate)) {
  set_up();
}

GraphRun::GraphRun(const reduction::Hybrid& hybrid, InputTable inputs, RunOptions options)
    : options_(std::move(options)),
      method_(options_.method.value_or(default_method(options_.form))),
      inputs_(std::move(inputs)),
      period_ns_(std::round(kNano / options_.rate)) {
  for (const reduction::Configuration& configuration : hybrid.configurations)
    models_.push_back(&configuration.model);
  if (hybrid.is_switched()) {
    hybrid_ = &hybrid;
    switching_.emplace(hybrid.conditions);
  }
  set_up();
}

void GraphRun::set_up() {
  modes_.resize(models_.size());
  ticks_ = static_cast<std::size_t>(std::floor(options_.duration * kNano / period_ns_ + 1e-6));
  check_inputs();
  for (const bondgraph::RuleMemory& memory : model().graph.memories) {
    inputs_.rules().symbols.push_back(expr::variable(memory.name));
    inputs_.rules().values.push_back(1.0);
  }
  if (!has_fixed_steps()) lock();
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
  const auto& needed = model().system.inputs;
  if (inputs_.count() == needed.size()) return;
  const bondgraph::Element& element = model().graph.elements[at(needed.front().element)];
  throw text::ModelError(element.where,
                         fmt::format("'{0}' is a source without a value, an input: give --input a CSV file "
                                     "with a column '{0}', or '{0}' a value",
                                     element.name));
}

void GraphRun::set_columns(const std::vector<std::string>& wanted) {
  const auto [all, usual] = list_columns(models_, hybrid_);
  if (wanted.empty()) columns_.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(usual));
  for (const std::string& name : wanted) {
    if (name == "all") {
      columns_ = all;
      break;
    }
    const auto found = std::find_if(all.begin(), all.end(), [&](const Column& c) { return c.name == name; });
    if (found == all.end()) {
      throw text::ModelError(
          model().graph.where,
          fmt::format("there is no column '{}'{}: the log can hold {}", name,
                      text::did_you_mean(name, names_of(all)), text::join_names(names_of(all))));
    }
    columns_.push_back(*found);
  }
  names_ = names_of(columns_);
  names_.insert(names_.begin(), "t");
  row_.resize(names_.size());
}

std::vector<std::string> GraphRun::units() const {
  std::vector<std::string> units{"s"};
  for (const Column& column : columns_) units.push_back(column.unit);
  return units;
}

solve::Options GraphRun::solve_options() const {
  solve::Options options;
  options.step = period_ns_ / kNano;
  options.relative = options_.tolerance;
  options.absolute = {options_.tolerance * kNearNothing};
  options.against_largest = true;
  options.smallest_step = kSmallestStep;
  options.most_steps = kMostSteps;
  const bool has_thresholds = !locked_.thresholds.empty();
  options.lands = inputs_.count() > 0 || has_thresholds;  // beyond a tick the input has another slope
  // What is joined, or beyond a threshold, for a tick or more is seen.
  if (switching_ || has_thresholds) options.largest_step = options.step;
  return options;
}

void GraphRun::build() {
  if (switching_) find_first();
  const std::vector<double> start = build_start(model(), inputs_);
  find_first_sides(start);
  remember_rules(0.0, start);
  note_constraints(start);
  mode().start(0.0, start);
  judge_step();
}

/// Where the motion is: once for a step that is too long.
void GraphRun::judge_step() {
  if (!has_fixed_steps() || !warnings_.empty()) return;
  judged_.assign(mode().states().begin(), mode().states().end());
  const double step = period_ns_ / kNano;
  const std::vector<NaturalMode> modes = mode().calc_natural_modes();
  const NaturalMode* growing = find_growing(modes, find_step(method_), step, options_.duration);
  if (growing == nullptr) return;
  watch_ = GrowthWatch(*growing, find_step(method_), step);
  warnings_.push_back(
      fmt::format("{}: {}", model().graph.file,
                  describe_long_step(*growing, modes, find_step(method_), step, options_.duration)));
}

void GraphRun::watch_growth(double t) {
  const solve::In states = mode().states();
  bool is_larger = judged_.size() != states.size();
  for (std::size_t i = 0; i < states.size() && !is_larger; ++i)
    is_larger = std::abs(states[i]) > kMuchLarger * std::abs(judged_[i]);
  if (is_larger) judge_step();
  if (!watch_.has_grown(states)) return;
  throw solve::SolveError(t, fmt::format("it has grown beyond all bounds at t = {:.6g} s", t));
}

void GraphRun::note_constraints(const std::vector<double>& start) {
  for (const bondgraph::Element& element : model().graph.elements) {
    if (!element.constraint) continue;
    const bondgraph::Constraint& constraint = *element.constraint;
    Arguments arguments(model(), inputs_);
    const std::vector<Expr> wanted{constraint.position, bondgraph::flow_of(element.name), constraint.damping,
                                   constraint.stiffness};
    std::vector<Expr> roots;
    for (const Expr e : wanted) roots.push_back(find_meaning(model(), model().solution.values, e));
    Program program(model(), roots, arguments.symbols());
    std::array<double, 4> values{};
    if (!program.run(arguments.fill(0.0, start), values)) continue;
    const bool is_off = std::abs(values[0]) > kSameStart, is_moving = std::abs(values[1]) > kSameStart;
    if (!is_off && !is_moving) continue;
    const bool is_drawn_in = is_off ? values[3] > 0 : values[2] > 0;
    notes_.push_back(fmt::format("{}: constraint '{}': the start does not fulfil it, its {} is {:.3g}; {}",
                                 model().graph.file, element.name, is_off ? "position" : "flow",
                                 values[is_off ? 0 : 1],
                                 is_drawn_in ? "the corrector draws it in"
                                             : "nothing draws it in: change the start, or give "
                                               "it a corrector"));
  }
}

void GraphRun::set_tick(std::size_t tick) {
  for (const std::unique_ptr<Mode>& made : modes_) {
    if (made) made->set_tick(tick);
  }
}

void GraphRun::fill_row(double t) {
  row_[0] = t;
  if (!mode().calc_columns(t, std::span(row_).subspan(1)))
    throw solve::SolveError(t, fmt::format("{} at t = {:.6g} s", describe(*mode().log_failure()), t));
  for (std::size_t c = 1; c < row_.size(); ++c) {
    if (std::isfinite(row_[c])) continue;
    const std::string shorter =
        t > 0 && has_fixed_steps()
            ? fmt::format("take a smaller step than {:.3g} s or a method for stiff systems (cvode), or ",
                          1 / options_.rate)
            : "";
    throw solve::SolveError(
        t, fmt::format("'{}' is not finite at t = {:.6g} s: {}look for a division by zero in its expression",
                       names_[c], t, shorter));
  }
}

bool GraphRun::run(const std::function<void(std::span<const double>)>& write,
                   const std::function<bool(double)>& progress) {
  try {
    for (std::size_t tick = 0; tick <= ticks_; ++tick) {
      const double t = time_of(tick);
      if (tick > 0) advance_to(t);
      inputs_.set_instant();
      set_tick(tick);
      if (tick > 0 && has_fixed_steps()) watch_growth(t);
      if (tick > 0) open_interval(t, period_ns_ / kNano);
      if (tick > 0 && has_fixed_steps()) remember_rules(t, mode().states());
      if (switching_) look_at_tick(t);
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

solve::Statistics GraphRun::statistics() const {
  solve::Statistics sum;
  for (const std::unique_ptr<Mode>& made : modes_) {
    if (made) sum += made->statistics();
  }
  return sum;
}

std::size_t GraphRun::equation_count() const noexcept { return modes_[now_]->integrator().state().size(); }

std::string GraphRun::describe(const LoopFailure& failure) const {
  std::set<int> elements;
  for (const int unknown : model().solution.blocks[failure.block].unknowns) {
    const bondgraph::Bond& bond = model().graph.bonds[at(model().system.variables[at(unknown)].bond)];
    elements.insert({bond.tail, bond.head});
  }
  std::vector<std::string> names;
  for (const int e : elements) names.push_back(model().graph.elements[at(e)].name);
  const std::string loop = fmt::format("the algebraic loop at {}", text::join_names(names));
  if (failure.linear) return loop + " is singular";
  return fmt::format("{} has no solution near (its laws stay {:.3g} apart)", loop, failure.residual);
}

/// File and, where a loop is the reason, its elements.
void GraphRun::explain(const solve::SolveError& error) {
  std::string sentence = error.what();
  const std::optional<LoopFailure>* failure = modes_[now_] ? modes_[now_]->form_failure() : nullptr;
  if (failure != nullptr && *failure) {
    sentence = fmt::format(
        "{} at t = {:.6g} s: change the start or the laws of these elements, or put a C or an I between them",
        describe(**failure), error.time());
  }
  if (!warnings_.empty() && error.time() > 0)
    throw solve::SolveError(error.time(), fmt::format("{} ({})", warnings_.front(), error.what()));
  throw solve::SolveError(error.time(), fmt::format("{}: {}", model().graph.file, sentence));
}

}  // namespace rodeo::simulate
