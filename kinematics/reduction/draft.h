// SPDX-License-Identifier: MIT
// Inside kinematics/reduction: a system of equations in the making, and what all its parts ask of the causal graph. The flow of
// a one-port is counted into it (out of it for sources): where its bond is drawn the other way, sigma = -1 turns the flow
// (THEORY B2).
#pragma once
#include <string>

#include "kinematics/reduction/system.h"

namespace rodeo::reduction {

class Draft {
 public:
  Draft(const Graph& graph, const Causality& causality) : graph_(graph), causality_(causality) {}

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] int count() const { return static_cast<int>(graph_.elements.size()); }
  [[nodiscard]] const bondgraph::Element& element(int e) const {
    return graph_.elements[static_cast<std::size_t>(e)];
  }
  [[nodiscard]] bool points_at(int bond, int e) const {
    return graph_.bonds[static_cast<std::size_t>(bond)].head == e;
  }
  [[nodiscard]] bool arrives(int bond, int e) const {
    return causality::receives_effort(graph_, causality_.strokes, bond, e);
  }
  [[nodiscard]] bool integral(int bond, int e) const {
    return causality::is_integral(graph_, causality_.strokes, bond, e);
  }
  /// +1 where the bond is drawn as the law counts its flow.
  [[nodiscard]] double sigma(int bond, int e) const;

  /// `spring.flow`; of a field, `field.flow_2`.
  [[nodiscard]] Expr port_variable(int e, std::size_t port, const char* quantity) const;
  /// Momentum of an I, displacement of a C or K.
  [[nodiscard]] Expr stored_variable(int e, std::size_t port) const;
  /// What a port in differential causality stores, from the variable that its junction gives it.
  [[nodiscard]] Expr calc_stored(int e, int bond) const;
  /// Number i of an element's values, in terms of states and variables.
  [[nodiscard]] Expr value(int e, std::size_t i = 0) const { return system.resolve(element(e).value[i]); }

  [[nodiscard]] Expr symbol_of(int variable) const {
    return system.variables[static_cast<std::size_t>(variable)].symbol;
  }
  int add_variable(Variable::Kind kind, int bond, int of, const std::string& name);
  /// The law of element e that causality lets define this variable.
  void define(int variable, Equation equation, int e);

  System system;

 private:
  const Graph& graph_;
  const Causality& causality_;
};

/// Efforts and flows of all bonds, states, inputs, and what names mean.
void add_states(Draft& draft);
/// Laws of all elements, but those that take a time derivative (rates.h).
void add_laws(Draft& draft);

}  // namespace rodeo::reduction
