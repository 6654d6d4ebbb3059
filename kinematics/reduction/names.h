// SPDX-License-Identifier: MIT
// How symbols are shown, in the paper's notation: X_crank (a displacement), P_body (a momentum), w_crank (an input),
// d/dt X_coupler (a rate), Y1 (a break variable).
#pragma once
#include <string>
#include <unordered_map>

#include "kinematics/reduction/system.h"

namespace rodeo::reduction {

struct SymbolName {
  std::string letter;        // X
  std::string subscript;     // crank
  int derivatives = 0;       // d/dt, d²/dt²
  bool is_rate = false;      // stands last in a product and groups a sum
  std::string unit;          // of the symbol itself, before derivatives
  bool underscored = false;  // in text an underscore is kept before digits: the parameter J_2 is not J2
};

/// `rad/s²` of an angle differentiated twice.
[[nodiscard]] std::string unit_of(const SymbolName& name);

class Names {
 public:
  Names(const Graph& graph, const System& system);

  [[nodiscard]] SymbolName find(Expr symbol) const;
  /// Whether a part of an expression that is no symbol has a name of its own, as conditional values do.
  [[nodiscard]] bool has(Expr part) const { return names_.contains(part.id()); }
  void forget(Expr part) { names_.erase(part.id()); }
  void set(Expr symbol, SymbolName name) { names_[symbol.id()] = std::move(name); }

 private:
  void name_states(const Graph& graph, const System& system);
  void name_variables(const Graph& graph, const System& system);
  std::unordered_map<std::uint32_t, SymbolName> names_;
};

/// `X_crank` -> X, crank;  `L1` -> L, 1;  `mass` -> mass.
[[nodiscard]] SymbolName split_name(const std::string& name);

/// The flow of an element's port as a symbol of its own, and its rate: for the laws of dependent inertances.
[[nodiscard]] Expr dependent_flow(const std::string& element);
[[nodiscard]] Expr dependent_flow_rate(const std::string& element);

}  // namespace rodeo::reduction
