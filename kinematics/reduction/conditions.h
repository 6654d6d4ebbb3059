// SPDX-License-Identifier: MIT
// Conditions of controlled junctions, and which of them can hold together. A condition is a Boolean expression of atoms;
// an atom compares an expression e of the model's variables with a number, e < c or e <= c, and is one however it was
// written (0 > x, x - 1 < -1, not x >= 0). Conditions that are equal, or one the negation of the other, are one Boolean.
// THEORY X2.
#pragma once
#include <string>
#include <vector>

#include "kinematics/bondgraph/graph.h"

namespace rodeo::reduction {

using bondgraph::Graph;
using expr::Expr;

/// Its value g = e - c is a signal of the graph, `name`; of what is no comparison it is 1 or -1.
struct Atom {
  enum class Kind { less, less_equal, equal, truth };
  Kind kind = Kind::less;
  Expr e;
  double c = 0.0;
  std::string name;

  [[nodiscard]] bool holds(double g) const noexcept;
};

/// b1, b2, ...
struct Boolean {
  Expr condition;  // as the first junction has it
  Expr atoms;      // the same, of atoms by their names
  text::Where where;
};

/// A controlled junction: joined while its Boolean is true, or false where it is negated.
struct Control {
  int element = -1;
  std::string junction;
  int boolean = -1;
  bool negated = false;
};

struct Conditions {
  std::vector<Atom> atoms;
  std::vector<Boolean> booleans;
  std::vector<Control> controls;

  /// Booleans from what atoms hold.
  [[nodiscard]] std::vector<bool> calc(const std::vector<bool>& atoms_hold) const;
};

[[nodiscard]] Conditions build_conditions(const Graph& graph);

inline constexpr std::size_t kMaxConfigurations = 64;

/// Values that the Booleans can have together, the more true the earlier: atoms of one expression exclude and imply each other, atoms of
/// different ones do not.
struct Reachable {
  double count = 1.0;
  std::vector<std::vector<bool>> values;  // none where there are more than kMaxConfigurations
};
[[nodiscard]] Reachable find_reachable(const Graph& graph, const Conditions& conditions);
/// Throws ModelError above kMaxConfigurations.
void check_count(const Graph& graph, const Conditions& conditions, const Reachable& reachable);

}  // namespace rodeo::reduction
