// SPDX-License-Identifier: MIT
// One configuration of a graph made ready to run: its form, its integrator, and programs for the log, for the atoms of the
// conditions and for what it hands over to the next configuration. A graph without controlled junctions has one. THEORY X5.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "kinematics/simulate/forms.h"
#include "kinematics/simulate/instants.h"
#include "kinematics/simulate/jump.h"
#include "kinematics/simulate/stability.h"
#include "kinematics/simulate/thresholds.h"

namespace rodeo::simulate {

enum class FormKind { reduced, full };
enum class MethodKind { euler, rk4, cvode, adams, ida };

struct Column {
  std::string name;
  Expr value;
  int control = -1;    // `contact.on`: which of Hybrid::drawn; it has no expression
  std::string unit{};  // SI; empty where the domains do not tell
};

/// Expressions of a graph's variables in the terms of a form, to be computed at any state of it.
class Probe {
 public:
  /// `full` is null for the reduced form.
  Probe(const Model& model, Inputs& inputs, FullForm* full, const std::vector<Expr>& wanted);

  /// False where a block did not solve.
  [[nodiscard]] bool run(double t, solve::In y, solve::In rates, solve::Out out);
  [[nodiscard]] Program& program() noexcept { return *program_; }

 private:
  Inputs& inputs_;
  std::size_t states_;
  FullForm* full_;
  std::unique_ptr<Arguments> arguments_;
  std::unique_ptr<Program> program_;
};

struct ModeOptions {
  FormKind form = FormKind::reduced;
  MethodKind method = MethodKind::rk4;
  solve::Options solve{};
};

class Mode {
 public:
  /// `atoms`: signals of the conditions, events where a solver looks for them, before the thresholds.
  Mode(const Model& model, Inputs& inputs, const ModeOptions& options, const std::vector<Expr>& columns,
       const std::vector<Expr>& atoms, const std::vector<reduction::Threshold>& thresholds);

  /// From here, nothing of the past used.
  void start(double t, const std::vector<double>& states);

  /// From where it is, on other sides of thresholds.
  void restart();
  /// The sides are seen from this configuration now.
  void take_sides();

  [[nodiscard]] const Model& model() const noexcept { return model_; }
  /// Null where there are none.
  [[nodiscard]] Thresholds* thresholds() noexcept { return thresholds_.get(); }
  [[nodiscard]] Instants* instants() noexcept { return instants_.get(); }
  [[nodiscard]] solve::In states() const { return integrator_->state().first(model_.system.states.size()); }
  [[nodiscard]] solve::Integrator& integrator() { return *integrator_; }
  [[nodiscard]] const solve::Integrator& integrator() const { return *integrator_; }
  [[nodiscard]] bool is_random() const;
  [[nodiscard]] bool has_started() const noexcept { return integrator_ != nullptr; }
  void set_tick(std::uint64_t tick);

  [[nodiscard]] bool calc_columns(double t, solve::Out out) { return run(*log_, t, out); }
  [[nodiscard]] bool calc_atoms(double t, solve::Out out) { return run(*atoms_, t, out); }
  /// The rule of each memory that holds at a state (of the reduced form); empty where a block did not solve.
  [[nodiscard]] std::vector<double> calc_rules(double t, solve::In states);
  /// Before the start: from states alone.
  [[nodiscard]] bool calc_atoms_at(double t, const std::vector<double>& states, solve::Out out);
  /// Values of the variables `names` at the present state.
  [[nodiscard]] std::vector<double> calc_variables(double t, const std::vector<std::string>& names);

  /// Why the log or the form failed last.
  [[nodiscard]] const std::optional<LoopFailure>& log_failure() { return log_->program().failure(); }
  [[nodiscard]] const std::optional<LoopFailure>* form_failure();
  [[nodiscard]] solve::Statistics statistics() const;
  [[nodiscard]] Jump& jump();
  /// Of the reduced form, where it is; none of the full one.
  [[nodiscard]] std::vector<NaturalMode> calc_natural_modes();

 private:
  [[nodiscard]] bool run(Probe& probe, double t, solve::Out out);
  void calc_events(double t, solve::In y, solve::In rates, solve::Out out);
  void build_reduced(double t, const std::vector<double>& states);
  void build_full(double t, const std::vector<double>& states);

  const Model& model_;
  Inputs& inputs_;
  ModeOptions options_;
  std::vector<Expr> atom_symbols_;
  std::unique_ptr<ReducedForm> reduced_;
  std::unique_ptr<ReducedDae> reduced_dae_;
  std::unique_ptr<FullForm> full_;
  std::unique_ptr<Probe> log_, atoms_, events_, rules_;
  std::unordered_map<std::string, std::unique_ptr<Probe>> hand_over_;  // by the names asked for
  std::unique_ptr<Jump> jump_;
  std::unique_ptr<Thresholds> thresholds_;
  std::unique_ptr<Instants> instants_;
  std::unique_ptr<solve::Integrator> integrator_;
  solve::Statistics past_;
};

}  // namespace rodeo::simulate
