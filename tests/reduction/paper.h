// SPDX-License-Identifier: MIT
// The papers' equations typed in nearly as printed, and our model's quantities to compare them with.
// romero-2006 numbers the rods: its XI1_J, XI1_x, XI1_y are angle and centre of rod 1 (the print also has X11_J), V11_J its
// rate, w1 the imposed one. Here rod 1 is the first body of the machine file, and so on.
#pragma once
#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kinematics/expr/parse.h"
#include "kinematics/machine/rods.h"
#include "kinematics/reduction/collect.h"
#include "kinematics/reduction/full.h"
#include "kinematics/reduction/model.h"

namespace rodeo::reduction {

using machine::RodForm;

inline std::string config(const std::string& name) {
  return std::string(RODEO_SOURCE_DIR) + "/configs/" + name;
}

inline std::size_t place(int index) { return static_cast<std::size_t>(index); }

inline int find_bond(const Graph& graph, const std::string& tail, const std::string& head) {
  for (std::size_t b = 0; b < graph.bonds.size(); ++b) {
    const bondgraph::Bond& bond = graph.bonds[b];
    if (graph.elements[place(bond.tail)].name == tail && graph.elements[place(bond.head)].name == head) {
      return static_cast<int>(b);
    }
  }
  ADD_FAILURE() << "no bond " << tail << " -> " << head;
  return 0;
}

/// Unknowns of the blocks by Cramer's rule, in terms of states, inputs and parameters.
class Solved {
 public:
  explicit Solved(const Model& model) {
    for (const Block& block : model.solution.blocks) add(model, block);
  }
  [[nodiscard]] Expr operator()(Expr e) const {
    return expr::substitute(e, [&](Expr symbol) {
      const auto found = values_.find(symbol.id());
      return found == values_.end() ? symbol : found->second;
    });
  }

 private:
  void add(const Model& model, const Block& block) {
    EXPECT_TRUE(block.linear);
    std::vector<Expr> solved;
    const Expr det = (*this)(determinant(block.matrix));
    for (std::size_t u = 0; u < block.unknowns.size(); ++u)
      solved.push_back((*this)(cramer_numerator(block, u)) / det);
    for (std::size_t u = 0; u < solved.size(); ++u) {
      values_.emplace(model.system.variables[place(block.unknowns[u])].symbol.id(), solved[u]);
    }
  }
  std::unordered_map<std::uint32_t, Expr> values_;
};

/// a = b for all values of the symbols.
inline testing::AssertionResult proved(Expr a, Expr b) {
  if (prove_equal(a, b)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << expr::to_text(a) << "\n  is not\n" << expr::to_text(b);
}

/// One of the paper's machines in one of its rod forms.
class Paper {
 public:
  /// Each imposed bond, tail and head: its effort is given to the tail, its flow to the head.
  Paper(const std::string& machine_file, const machine::RodOptions& options,
        const std::vector<std::pair<std::string, std::string>>& imposed = {})
      : machine_(machine::build_machine_from_file(config(machine_file))),
        model_(build(machine::build_rods(machine_, options), imposed)),
        full_(build_full(model_.graph, model_.causality, model_.system, model_.solution)),
        solved_(model_) {
    for (std::size_t rod = 1; rod < machine_.bodies.size(); ++rod) name_rod(rod);
    for (std::size_t w = 0; w < model_.system.inputs.size(); ++w) {
      names_["w" + std::to_string(w + 1)] = model_.system.inputs[w].symbol;
    }
    for (const expr::Parameter& parameter : machine_.parameters)
      names_[parameter.name] = expr::symbol(parameter.name);
  }

  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] const FullEquations& full() const { return full_; }
  /// Lets the print's name stand for an expression of ours (its break variables).
  void name(const std::string& print, Expr ours) { names_[print] = ours; }

  /// An expression as the paper prints it, `*` between factors, without `(t)`.
  [[nodiscard]] Expr operator()(std::string_view print) const {
    return expr::build_expression(print, {[&](const std::string& name) -> std::optional<Expr> {
                                            const auto found = names_.find(name);
                                            return found == names_.end() ? std::nullopt
                                                                         : std::optional(found->second);
                                          },
                                          {},
                                          nullptr});
  }

  /// d/dt of a state before reduction, with break variables, and after it.
  [[nodiscard]] Expr full_rate(const std::string& print) const { return full_.rates.at(find_state(print)); }
  [[nodiscard]] Expr rate(const std::string& print) const {
    return solved_(state_rates(model_).at(find_state(print)));
  }
  [[nodiscard]] Expr solved(Expr e) const { return solved_(e); }

  /// Effort or flow of a bond, solved.
  [[nodiscard]] Expr flow(const std::string& tail, const std::string& head) const {
    return solved_(model_.solution.values[place(flow_index(find_bond(model_.graph, tail, head)))]);
  }
  [[nodiscard]] Expr effort(const std::string& tail, const std::string& head) const {
    return solved_(model_.solution.values[place(effort_index(find_bond(model_.graph, tail, head)))]);
  }
  /// The law of a dependent flow, and of a break variable.
  [[nodiscard]] Expr dependent(const std::string& print) const {
    for (const DependentPort& port : full_.dependent) {
      if (port.symbol == names_.at(print)) return port.value;
    }
    throw std::out_of_range(print + " is no dependent flow");
  }
  [[nodiscard]] const BreakVariable& break_of(int variable) const {
    for (const BreakVariable& b : full_.breaks) {
      if (b.variable == variable) return b;
    }
    throw std::out_of_range("no such break variable");
  }
  [[nodiscard]] const BreakVariable& flow_break(const std::string& tail, const std::string& head) const {
    return break_of(flow_index(find_bond(model_.graph, tail, head)));
  }
  [[nodiscard]] const BreakVariable& effort_break(const std::string& tail, const std::string& head) const {
    return break_of(effort_index(find_bond(model_.graph, tail, head)));
  }
  /// An expression with every d/dt of a dependent flow set to zero: statics.
  [[nodiscard]] Expr at_rest(Expr e) const {
    return expr::substitute(e, [&](Expr symbol) { return is_flow_rate(symbol) ? Expr(0.0) : symbol; });
  }

 private:
  static Model build(Graph graph, const std::vector<std::pair<std::string, std::string>>& imposed) {
    std::vector<causality::Imposed> choices;
    for (const auto& [tail, head] : imposed) {
      choices.push_back({find_bond(graph, tail, head), bondgraph::Stroke::tail});
    }
    return build_model(std::move(graph), choices);
  }

  void name_rod(std::size_t rod) {
    const std::string body = machine_.bodies[rod].name;
    const std::string n = std::to_string(rod);
    for (const auto& [axis, port] : {std::pair{"_J", ".J"}, {"_x", ".Ix"}, {"_y", ".Iy"}}) {
      names_["XI" + n + axis] = names_["X1" + n + axis] = bondgraph::displacement_of(body + port);
      names_["PI" + n + axis] = bondgraph::momentum_of(body + port);
      names_["V1" + n + axis] = dependent_flow(body + port);
      names_["dV1" + n + axis] = dependent_flow_rate(body + port);
    }
  }

  [[nodiscard]] bool is_flow_rate(Expr symbol) const {
    for (const bondgraph::Element& element : model_.graph.elements) {
      if (symbol == dependent_flow_rate(element.name)) return true;
    }
    return false;
  }

  [[nodiscard]] std::size_t find_state(const std::string& print) const {
    for (std::size_t s = 0; s < model_.system.states.size(); ++s) {
      if (model_.system.states[s].symbol == names_.at(print)) return s;
    }
    throw std::out_of_range(print + " is no state");
  }

  machine::Machine machine_;
  Model model_;
  FullEquations full_;
  Solved solved_;
  std::unordered_map<std::string, Expr> names_;
};

/// print = {d/dt of, right-hand side}, ...: before reduction or after.
using Printed = std::vector<std::pair<std::string, std::string>>;

inline void expect_full(const Paper& p, const Printed& printed) {
  for (const auto& [state, right] : printed)
    EXPECT_TRUE(proved(p.full_rate(state), p(right))) << "d/dt " << state;
}
inline void expect_reduced(const Paper& p, const Printed& printed) {
  for (const auto& [state, right] : printed) EXPECT_TRUE(proved(p.rate(state), p(right))) << "d/dt " << state;
}

inline machine::RodOptions traditional(bool driven = true) { return {RodForm::traditional, driven, {}}; }
inline machine::RodOptions equivalent() { return {RodForm::equivalent, true, {}}; }

/// Symbols in all reduced rates, blocks included.
inline std::vector<std::string> symbols_of_rates(const Model& model) {
  const Solved solved(model);
  std::vector<Expr> rates = state_rates(model);
  for (Expr& rate : rates) rate = solved(rate);
  std::vector<std::string> names;
  for (const Expr symbol : expr::symbols_of(rates)) names.push_back(symbol->name);
  return names;
}

}  // namespace rodeo::reduction
