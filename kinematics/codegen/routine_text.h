// SPDX-License-Identifier: MIT
// The body of one C function from the expressions of a routine.
#pragma once
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "kinematics/codegen/emit.h"

namespace rodeo::codegen {

/// What a routine's symbols are called in C, and what is computed ahead from the parameters.
class Names {
 public:
  /// `q:boom` -> `u[0]`.
  void set(Expr symbol, std::string text) { names_[symbol.id()] = std::move(text); }
  [[nodiscard]] const std::string* find(Expr symbol) const;

  /// A part that depends on parameters alone: `k[3]`, computed by init.
  [[nodiscard]] std::string derive(Expr part);
  [[nodiscard]] const std::vector<Expr>& derived() const noexcept { return derived_; }

 private:
  std::unordered_map<std::uint32_t, std::string> names_;
  std::vector<Expr> derived_;
  std::unordered_map<std::uint32_t, std::size_t> derived_index_;
};

class RoutineText {
 public:
  /// `hoist`: parts of parameters alone become k[]; the function that computes k[] itself does not.
  RoutineText(Names& names, bool hoist) : names_(names), hoist_(hoist) {}

  /// Assignments for everything that the expression needs; returns how to refer to its value.
  std::string require(Expr e);
  void require_all(const std::vector<Expr>& list);
  void line(const std::string& text) { lines_.push_back(text); }

  void add(const IteratedBlock& block, int index);
  void add(const RunTimeSolve& solve, int index);

  [[nodiscard]] std::string text() const;
  [[nodiscard]] const Operations& operations() const noexcept { return operations_; }

 private:
  [[nodiscard]] bool is_constant(Expr e);
  [[nodiscard]] std::string refer(Expr e);
  void assign(Expr e);
  void assign_trig(Expr e);
  [[nodiscard]] std::string formula(Expr e);
  void count(Expr e);

  Names& names_;
  bool hoist_;
  std::vector<std::string> lines_;
  std::unordered_set<std::uint32_t> assigned_;
  std::unordered_map<std::uint32_t, bool> constant_;
  std::string indent_ = "  ";
  Operations operations_;
};

}  // namespace rodeo::codegen
