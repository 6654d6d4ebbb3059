// SPDX-License-Identifier: MIT
// The equations of a causal bond graph, one a variable, before anything is solved:
//   Σ coefᵢ·yᵢ + rest = 0,   y: effort and flow of every bond, and time derivatives where differential causality
//                            needs them (Bondin's equation 3).
// Equation i is the one that causality lets define variable i: a perfect matching. Coefficients and rest are expressions
// of states, inputs, parameters, time and, where a value is modulated, of other variables. THEORY E2-E5.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "kinematics/causality/causality.h"
#include "kinematics/expr/expr.h"

namespace rodeo::reduction {

using bondgraph::Graph;
using causality::Causality;
using expr::Expr;

struct Term {
  int variable = -1;
  Expr coefficient;
};

struct Equation {
  std::vector<Term> terms;
  Expr rest;
  int element = -1;  // whose law it is
};

struct Variable {
  enum class Kind { effort, flow, derivative };
  Kind kind = Kind::effort;
  int bond = -1;
  int of = -1;  // derivative: of this variable
  Expr symbol;  // stands for it in coefficients and in solved expressions
};

struct State {
  enum class Kind { momentum, displacement, inertia_displacement, integral };
  Kind kind = Kind::displacement;
  int element = -1;  // -1 for the integral of a signal
  std::string name;  // `crank.J.displacement`
  Expr symbol;
  int rate_variable = -1;  // its time derivative is sign · variable ...
  double sign = 1.0;
  Expr rate;  // ... or this expression (integral)
  double start = 0.0;
};

struct Input {
  int element = -1;
  std::string name;
  Expr symbol;
  Expr rate;  // its time derivative, where the reduced equations need it (Bondin's B2)
};

/// A storage port in differential causality: its rate variable is the time derivative of something known.
struct DifferentialPort {
  int element = -1;
  int bond = -1;
};

struct System {
  std::vector<Variable> variables;
  std::vector<Equation> equations;  // equations[i] defines variables[i]
  std::vector<State> states;
  std::vector<Input> inputs;
  std::vector<DifferentialPort> differential_ports;
  std::vector<int> laws;  // efforts of junctions with a symbol: told once, by name
  std::unordered_map<std::uint32_t, int> variable_of_symbol;  // by Expr id
  std::unordered_map<int, int> derivative_of;                 // variable -> its time derivative
  /// Variables of elements and signals (`motor.flow`) in terms of states and variables: for outputs.
  std::unordered_map<std::uint32_t, Expr> meaning;

  [[nodiscard]] Expr resolve(Expr e) const;
};

[[nodiscard]] inline int effort_index(int bond) { return 2 * bond; }
[[nodiscard]] inline int flow_index(int bond) { return 2 * bond + 1; }

/// `differentiated`: variables whose time derivatives are wanted too (accelerations), beside those that differential
/// causality needs.
[[nodiscard]] System build_system(const Graph& graph, const Causality& causality,
                                  const std::vector<int>& differentiated = {});

}  // namespace rodeo::reduction
