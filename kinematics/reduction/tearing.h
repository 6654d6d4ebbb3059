// SPDX-License-Identifier: MIT
// Inside one component: which unknowns to tear, what follows from them, and the small systems that are left. E7, E8.
#pragma once
#include <vector>

#include "kinematics/reduction/system.h"

namespace rodeo::reduction {

/// Variables that junctions make equal; the rate of a state is the one to name a class by.
class EqualityClasses {
 public:
  explicit EqualityClasses(const System& system);
  [[nodiscard]] int of(int variable) const;
  [[nodiscard]] bool is_preferred(int variable) const { return preferred_[static_cast<std::size_t>(variable)]; }

 private:
  std::vector<int> root_;
  std::vector<bool> preferred_;
};

struct LocalEquation {
  std::vector<Term> terms;  // variable: local index
  Expr rest;
  std::vector<int> inside;  // local variables inside coefficients or rest: not linear in these
};

struct TearingProblem {
  std::vector<LocalEquation> equations;
  std::vector<Expr> symbols;     // a variable each
  std::vector<int> classes;
  std::vector<bool> preferred;
  bool linear = true;
};

struct LocalBlock {
  std::vector<int> unknowns;
  std::vector<std::vector<Expr>> matrix;
  std::vector<Expr> right;
  std::vector<Expr> residuals;
};

struct TearingResult {
  std::vector<Expr> values;  // of every local variable, in symbols of unknowns
  std::vector<LocalBlock> blocks;
  bool linear = true;
};

/// Throws text::ModelError when the equations do not determine the unknowns structurally.
[[nodiscard]] TearingResult build_tearing(const TearingProblem& problem);

}  // namespace rodeo::reduction
