// SPDX-License-Identifier: MIT
// A model as a problem for kinematics/solve, in two forms.
//   reduced: ẋ = f(t, x, u, u̇), the states alone; blocks are solved inside.
//   full:    Bondin's three systems (THEORY E3-E5), as causality gives them. Unknown are the states x, the break variables Y,
//            the flows V of dependent inertances, and for any other dependent port what it stores, s:
//              ẋ = f(t, x, u, Y, V̇, ṡ),  0 = g(t, x, u, Y, V̇, ṡ),  V = h(t, x, u, Y),  s = k(t, x, u, Y).
//            A constraint's multiplier λ is unknown too; its law holds Φ̈, written with ẋ where the flow depends on states alone, else
//            as the rate of an unknown W = Φ̇, at the price of index 2 (THEORY E11).
//            V̇ and ṡ stand where causality needs them and are no unknowns of their own, which would raise the index.
// Both know every variable of the graph, for the log.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinematics/reduction/full.h"
#include "kinematics/reduction/model.h"
#include "kinematics/simulate/inputs.h"
#include "kinematics/simulate/program.h"
#include "kinematics/solve/solve.h"

namespace rodeo::simulate {

using reduction::Model;

/// Time, states, inputs and their slopes as arguments of a program, then what a form adds, sides of thresholds, rules, and the time inside.
class Arguments {
 public:
  Arguments(const Model& model, Inputs& inputs, std::vector<Expr> more = {});

  [[nodiscard]] const std::vector<Expr>& symbols() const noexcept { return symbols_; }
  /// `more` has as many values as symbols were added.
  [[nodiscard]] std::span<const double> fill(double t, solve::In states, solve::In more = {});

 private:
  Inputs& inputs_;
  std::size_t states_;
  std::vector<Expr> symbols_;
  std::vector<double> values_;
};

/// Functions whose signs a solver watches; `rates` is empty in the reduced form.
using EventFunction = std::function<void(double t, solve::In y, solve::In rates, solve::Out out)>;

class ReducedForm : public solve::Ode {
 public:
  ReducedForm(const Model& model, Inputs& inputs);

  [[nodiscard]] std::size_t size() const noexcept override { return model_.system.states.size(); }
  void rate(double t, solve::In x, solve::Out out) override;
  [[nodiscard]] std::string name(std::size_t state) const override;
  [[nodiscard]] const Program& program() const noexcept { return program_; }
  [[nodiscard]] Program& program() noexcept { return program_; }
  void set_events(std::size_t count, EventFunction function);
  [[nodiscard]] std::size_t event_count() const noexcept override { return event_count_; }
  void events(double t, solve::In x, solve::Out out) override { event_function_(t, x, {}, out); }

 private:
  const Model& model_;
  Inputs& inputs_;
  Arguments arguments_;
  Program program_;
  std::size_t event_count_ = 0;
  EventFunction event_function_;
};

/// The reduced form, for IDA.
class ReducedDae : public solve::Dae {
 public:
  explicit ReducedDae(ReducedForm& form) : form_(form) {}
  [[nodiscard]] std::size_t size() const noexcept override { return form_.size(); }
  void residual(double t, solve::In y, solve::In rates, solve::Out out) override;
  [[nodiscard]] bool is_differential(std::size_t) const noexcept override { return true; }
  [[nodiscard]] std::string name(std::size_t i) const override { return form_.name(i); }
  [[nodiscard]] std::string row_name(std::size_t i) const override { return "the rate of " + form_.name(i); }
  [[nodiscard]] std::size_t event_count() const noexcept override { return form_.event_count(); }
  void events(double t, solve::In y, solve::In, solve::Out out) override { form_.events(t, y, out); }

 private:
  ReducedForm& form_;
};

class FullForm : public solve::Dae {
 public:
  FullForm(const Model& model, Inputs& inputs);

  [[nodiscard]] std::size_t size() const noexcept override { return names_.size(); }
  void residual(double t, solve::In y, solve::In rates, solve::Out out) override;
  [[nodiscard]] bool is_differential(std::size_t i) const noexcept override { return differential_[i]; }
  [[nodiscard]] std::string name(std::size_t i) const override { return names_[i]; }
  [[nodiscard]] std::string row_name(std::size_t i) const override { return rows_[i]; }
  void set_events(std::size_t count, EventFunction function);
  [[nodiscard]] std::size_t event_count() const noexcept override { return event_count_; }
  void events(double t, solve::In y, solve::In rates, solve::Out out) override {
    event_function_(t, y, rates, out);
  }

  struct Known {
    Expr value, rate;
  };
  struct Start {
    std::vector<double> state, rates;
  };
  /// What the reduced equations say of the start, so that it is consistent; algebraic variables have rate 0 in it.
  [[nodiscard]] Start build_start(double t, solve::In states);

  [[nodiscard]] const reduction::FullEquations& equations() const noexcept { return equations_; }
  [[nodiscard]] Program& program() noexcept { return *program_; }
  /// Arguments of a program for the log.
  [[nodiscard]] std::vector<Expr> more_symbols() const { return more_; }
  [[nodiscard]] std::span<const double> gather_more(solve::In y, solve::In rates);

 private:
  /// What a row is, with r the root that belongs to it: ẏ − r, r, y − r, or d/dt of the next component + r.
  enum class Row { rate, law, value, multiplier };
  struct Part {
    std::size_t at = 0;  // in y
    double rate = 0.0;   // not 0: its rate times this is meant
  };
  void calc_rows(solve::In y, solve::In rates, solve::In results, solve::Out out) const;
  void add(const std::string& name, const std::string& says, Row row, Expr root);
  void add_multiplier(const reduction::Multiplier& multiplier);
  [[nodiscard]] std::optional<Expr> find_flow_rate(Expr flow);
  void add_rows();
  [[nodiscard]] std::vector<Known> list_start() const;
  void add_more(Expr symbol, std::size_t at, double rate);
  [[nodiscard]] std::string name_variable(int variable) const;

  const Model& model_;
  Inputs& inputs_;
  reduction::FullEquations equations_;
  std::vector<std::string> names_, rows_;
  std::vector<bool> differential_;
  std::vector<Row> kinds_;
  std::vector<bool> multiplier_has_flow_;  // the unknown W
  std::vector<Expr> more_;
  std::vector<Part> parts_;  // where `more` comes from
  std::vector<Expr> roots_;
  std::unique_ptr<Arguments> arguments_;
  std::unique_ptr<Program> program_;
  std::vector<double> more_values_, results_;
  std::size_t event_count_ = 0;
  EventFunction event_function_;
};

/// A variable of the graph (`spring.effort`, a signal, an output) with the values of a form in it.
[[nodiscard]] Expr find_meaning(const Model& model, const std::vector<Expr>& values, Expr e);

}  // namespace rodeo::simulate
