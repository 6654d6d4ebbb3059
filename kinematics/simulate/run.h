// SPDX-License-Identifier: MIT
// A bond graph moved in time: form, method, ticks, and columns for a log. `rodeo simulate GRAPH.yaml` is this and a file.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kinematics/simulate/forms.h"

namespace rodeo::simulate {

enum class FormKind { reduced, full };
enum class MethodKind { euler, rk4, cvode, adams, ida };

struct RunOptions {
  FormKind form = FormKind::reduced;
  std::optional<MethodKind> method{};  // rk4 for reduced, ida for full
  double rate = 1000.0;                // ticks, and rows, a second; a tick is a fixed step
  double duration = 0.0;               // s
  double tolerance = 1e-8;             // cvode, adams and ida: relative, of each state's largest value
  /// Names of columns; none: outputs and states. See list_columns.
  std::vector<std::string> columns{};
};

struct Column {
  std::string name;
  Expr value;
};

/// Everything that can be logged, outputs first, then states, then variables of elements, junctions and signals.
[[nodiscard]] std::vector<Column> list_columns(const Model& model);

/// Why a method cannot serve a form, as the end of a sentence; empty where it can.
[[nodiscard]] std::string find_objection(FormKind form, MethodKind method);
[[nodiscard]] const char* method_text(MethodKind method);

/// Throws ModelError where the model is wrong (inputs without a table, unknown columns, starts that contradict), SolveError with the
/// file before the sentence where the run fails. The model must outlive it.
class GraphRun {
 public:
  GraphRun(const Model& model, InputTable inputs, RunOptions options);
  ~GraphRun();
  GraphRun(const GraphRun&) = delete;
  GraphRun& operator=(const GraphRun&) = delete;

  [[nodiscard]] const std::vector<std::string>& columns() const noexcept { return names_; }
  [[nodiscard]] std::size_t tick_count() const noexcept { return ticks_; }
  /// `write(row)`: a row for the start and one a tick, time first. `progress(fraction)` now and then; false stops the run. True if it
  /// came to its end.
  bool run(const std::function<void(std::span<const double>)>& write,
           const std::function<bool(double)>& progress = {});
  [[nodiscard]] solve::Statistics statistics() const;
  /// What the user should know of the start: constraints that it does not fulfil.
  [[nodiscard]] const std::vector<std::string>& notes() const noexcept { return notes_; }
  /// Of the equations that are integrated.
  [[nodiscard]] std::size_t equation_count() const noexcept;

 private:
  void check_inputs() const;
  void set_columns(const std::vector<std::string>& wanted);
  void build();
  void build_reduced(const std::vector<double>& start);
  void build_full(const std::vector<double>& start);
  void check_starts(const std::vector<double>& start);
  void note_constraints(const std::vector<double>& start);
  void fill_row(double t);
  void set_tick(std::size_t tick);
  [[nodiscard]] double time_of(std::size_t tick) const noexcept;
  [[nodiscard]] solve::Options solve_options() const;
  [[noreturn]] void explain(const solve::SolveError& error) const;
  [[nodiscard]] std::string describe(const LoopFailure& failure) const;

  const Model& model_;
  RunOptions options_;
  MethodKind method_;
  Inputs inputs_;
  std::size_t ticks_ = 0;
  double period_ns_;
  std::vector<std::string> names_;
  std::vector<Column> columns_;
  std::unique_ptr<ReducedForm> reduced_;
  std::unique_ptr<ReducedDae> reduced_dae_;
  std::unique_ptr<FullForm> full_;
  std::unique_ptr<Arguments> log_arguments_;
  std::unique_ptr<Program> log_;
  std::unique_ptr<solve::Integrator> integrator_;
  std::vector<double> row_;
  std::vector<std::string> notes_;
};

}  // namespace rodeo::simulate
