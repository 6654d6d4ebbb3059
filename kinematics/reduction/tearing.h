// SPDX-License-Identifier: MIT
// Inside one component: which unknowns to tear, what follows from them, and the small systems that are left. E7, E8.
#pragma once
#include <stdexcept>
#include <vector>

#include "kinematics/reduction/system.h"

namespace rodeo::reduction {

/// Variables that junctions make equal; the rate of a state is the one to name a class by.
class EqualityClasses {
 public:
  explicit EqualityClasses(const System& system);
  [[nodiscard]] int of(int variable) const;
  [[nodiscard]] bool is_preferred(int variable) const {
    return preferred_[static_cast<std::size_t>(variable)];
  }

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
  std::vector<int> elements;  // whose law an equation is
  std::vector<Expr> symbols;  // a variable each
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

/// The laws of these elements do not determine their unknowns, whatever the values. build_model tells the user.
class SingularLoop : public std::runtime_error {
 public:
  explicit SingularLoop(std::vector<int> elements)
      : std::runtime_error("the equations of a loop do not determine its unknowns"),
        elements_(std::move(elements)) {}
  [[nodiscard]] const std::vector<int>& elements() const noexcept { return elements_; }

 private:
  std::vector<int> elements_;
};

/// Throws SingularLoop when the equations do not determine the unknowns structurally.
[[nodiscard]] TearingResult build_tearing(const TearingProblem& problem);

}  // namespace rodeo::reduction
