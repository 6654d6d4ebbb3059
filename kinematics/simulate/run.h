// SPDX-License-Identifier: MIT
// A bond graph moved in time: form, method, ticks, and columns for a log. `rodeo simulate GRAPH.yaml` is this and a file.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kinematics/reduction/hybrid.h"
#include "kinematics/simulate/mode.h"
#include "kinematics/simulate/switching.h"

namespace rodeo::simulate {

struct RunOptions {
  FormKind form = FormKind::reduced;
  std::optional<MethodKind> method{};  // rk4 for reduced, ida for full
  double rate = 1000.0;                // ticks, and rows, a second; a tick is a fixed step
  double duration = 0.0;               // s
  double tolerance = 1e-8;             // cvode, adams and ida: relative, of each state's largest value
  /// Names of columns; none: outputs and states. See list_columns.
  std::vector<std::string> columns{};
};

/// What can be logged. `usual` of them, the first, are logged unless columns are named: outputs, states, and `<junction>.on` of
/// controlled junctions; then variables of elements, junctions and signals.
struct Columns {
  std::vector<Column> all;
  std::size_t usual = 0;
};
/// What every configuration can say; `hybrid` is null for a graph that does not switch.
[[nodiscard]] Columns list_columns(const std::vector<const Model*>& models, const reduction::Hybrid* hybrid);

/// Why a method cannot serve a form, as the end of a sentence; empty where it can.
[[nodiscard]] std::string find_objection(FormKind form, MethodKind method);
[[nodiscard]] const char* method_text(MethodKind method);

/// Throws ModelError where the model is wrong (inputs without a table, unknown columns, starts that contradict), SolveError with the
/// file before the sentence where the run fails. The model must outlive it. Controlled junctions switch where CVODE and IDA find
/// the instant, and at ticks where steps are fixed (THEORY X5).
class GraphRun {
 public:
  GraphRun(const Model& model, InputTable inputs, RunOptions options);
  GraphRun(const reduction::Hybrid& hybrid, InputTable inputs, RunOptions options);
  ~GraphRun();
  GraphRun(const GraphRun&) = delete;
  GraphRun& operator=(const GraphRun&) = delete;

  [[nodiscard]] const std::vector<std::string>& columns() const noexcept { return names_; }
  /// Of the columns, SI; empty where the domains do not tell.
  [[nodiscard]] std::vector<std::string> units() const;
  [[nodiscard]] std::size_t tick_count() const noexcept { return ticks_; }
  /// `write(row)`: a row for the start and one a tick, time first. `progress(fraction)` now and then; false stops the run. True if it
  /// came to its end.
  bool run(const std::function<void(std::span<const double>)>& write,
           const std::function<bool(double)>& progress = {});
  [[nodiscard]] solve::Statistics statistics() const;
  /// What the user should know of the start: constraints that it does not fulfil.
  [[nodiscard]] const std::vector<std::string>& notes() const noexcept { return notes_; }
  /// Fixed steps that are too long for a configuration, so far. THEORY X10.
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }
  /// Of the equations that are integrated.
  [[nodiscard]] std::size_t equation_count() const noexcept;
  /// Instants at which the configuration changed, so far, and what it changed to.
  struct Switch {
    double time = 0.0;
    std::size_t configuration = 0;
  };
  [[nodiscard]] const std::vector<Switch>& switches() const noexcept { return happened_; }

 private:
  void set_up();
  void check_inputs() const;
  void set_columns(const std::vector<std::string>& wanted);
  void build();
  void note_constraints(const std::vector<double>& start);
  void judge_step();
  void watch_growth(double t);
  void fill_row(double t);
  void set_tick(std::size_t tick);
  [[nodiscard]] double time_of(std::size_t tick) const noexcept;
  [[nodiscard]] solve::Options solve_options() const;
  [[noreturn]] void explain(const solve::SolveError& error);
  [[nodiscard]] std::string describe(const LoopFailure& failure) const;

  // Configurations: switched_run.cpp
  [[nodiscard]] const Model& model() const { return *models_[now_]; }
  [[nodiscard]] Mode& mode(std::size_t configuration);
  [[nodiscard]] Mode& mode() { return mode(now_); }
  [[nodiscard]] bool has_fixed_steps() const noexcept;
  void find_first();
  [[nodiscard]] int find_implied(std::size_t configuration);
  void advance_to(double t);
  void advance_between(double begin, double end);
  void pass(const std::vector<int>& crossed);
  void look_at_tick(double t);
  void settle(double t);
  void check_returns(double t);
  [[noreturn]] void fault_restless(double t, const std::vector<std::size_t>& visited,
                                   const std::string& how) const;
  void enter(std::size_t configuration, double t);
  [[nodiscard]] std::string name_moving(const std::vector<std::size_t>& configurations) const;

  // Thresholds: threshold_run.cpp
  void lock();
  [[nodiscard]] std::vector<double> find_stops(double begin, double end);
  void find_first_sides(const std::vector<double>& start);
  void open_interval(double begin, double length);
  [[nodiscard]] bool set_timed(double t);
  void cross(double t, std::span<const int> crossed);
  void place(std::size_t threshold, double t, solve::In states, int direction);
  [[nodiscard]] bool settle_sides(double t, solve::In states);
  [[nodiscard]] bool correct_sides(double t, solve::In states);
  void remember_rules(double t, solve::In states);
  [[noreturn]] void fault_threshold(std::size_t threshold, double t, const std::string& how);

  const reduction::Hybrid* hybrid_ = nullptr;
  reduction::LockedModels locked_;    // where a solver looks for thresholds
  std::vector<double> largest_;       // sizes that the thresholds' g have had
  std::size_t crossings_ = 0;         // since the last tick
  std::vector<const Model*> models_;  // a configuration each
  std::vector<std::unique_ptr<Mode>> modes_;
  std::optional<Switching> switching_;
  std::size_t now_ = 0;       // the present configuration
  std::size_t switches_ = 0;  // since the last tick
  std::vector<Switch> happened_;
  RunOptions options_;
  MethodKind method_;
  Inputs inputs_;
  std::size_t ticks_ = 0;
  double period_ns_;
  std::vector<std::string> names_;
  std::vector<Column> columns_;
  std::vector<double> row_;
  std::vector<std::string> notes_, warnings_;
  GrowthWatch watch_;
  std::vector<double> judged_;  // sizes of the states for which the step was judged
};

}  // namespace rodeo::simulate
