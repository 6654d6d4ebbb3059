// SPDX-License-Identifier: MIT
// Expressions of a model as a flat list of operations over a table of numbers: every shared part once, in order, what is
// constant computed when the list is made. Where an expression needs the unknowns of a block, the block's own expressions
// and an instruction that solves it come first. THEORY E6-E8.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "kinematics/bondgraph/library.h"
#include "kinematics/expr/expr.h"
#include "kinematics/reduction/model.h"

namespace rodeo::simulate {

using expr::Expr;
using Slot = std::uint32_t;

/// A block that did not solve, and how far it came.
struct LoopFailure {
  std::size_t block = 0;  // of Solution::blocks
  bool linear = true;     // linear: singular; else Newton's iteration failed
  double residual = 0.0;
};

/// The time that comparisons take, of a run that supplies it: within a step that of the step's own side.
[[nodiscard]] Expr time_inside_symbol();

class Program {
 public:
  /// `arguments`: symbols that a run supplies. Parameters are those of the model's graph; a symbol that is none of these, and no
  /// unknown of a block, throws std::out_of_range.
  Program(const reduction::Model& model, const std::vector<Expr>& roots, const std::vector<Expr>& arguments);

  /// Results in the order of the roots. False where a block did not solve: they mean nothing then. An iteration begins where the last one ended.
  [[nodiscard]] bool run(std::span<const double> arguments, std::span<double> results);
  [[nodiscard]] const std::optional<LoopFailure>& failure() const noexcept { return failure_; }

  /// Which number of a `rand` stream holds; between ticks it is the same.
  void set_tick(std::uint64_t tick) noexcept { tick_ = tick; }
  [[nodiscard]] bool is_random() const noexcept { return is_random_; }
  [[nodiscard]] std::size_t size() const noexcept { return steps_.size(); }

 private:
  enum class Kind : std::uint8_t { operation, random, call, solve, iterate };
  struct Step {
    Kind kind = Kind::operation;
    expr::Op op = expr::Op::number;
    Slot out = 0;              // solve, iterate: which of systems_
    std::array<Slot, 3> in{};  // call: which of calls_
    std::uint64_t stream = 0;  // random
  };
  struct Call {
    bondgraph::LibraryFunction function = nullptr;
    std::vector<Slot> in;  // time first
  };
  /// matrix · unknowns = right, or residuals = 0 with their derivatives in `matrix` (none: by differences).
  struct System {
    std::size_t block = 0;
    std::vector<Slot> unknowns, matrix, right;
    std::size_t first = 0, last = 0;  // iterate: the steps that compute the residuals and derivatives
  };

  void set_known(const reduction::Model& model, const std::vector<Expr>& arguments);
  Slot add_slot(double value, bool constant);
  Slot emit(Expr root);
  void emit_node(Expr e);
  [[nodiscard]] Slot emit_operand(Expr e, Expr operand);
  void emit_call(Expr e);
  void emit_block(std::size_t block);
  void emit_linear(std::size_t block);
  void emit_iterated(std::size_t block);
  [[nodiscard]] bool is_constant(const std::vector<Expr>& args) const;
  [[nodiscard]] Slot slot_of(Expr e) const { return slots_.at(e.id()); }

  void run_steps(std::size_t first, std::size_t last);
  void run_call(const Step& step);
  void run_linear(const System& system);
  void run_iterated(const System& system);
  void fail(const System& system, bool linear, double residual);

  friend class Newton;

  const reduction::Model& model_;
  bondgraph::LibraryFunctions libraries_;
  std::unordered_map<std::uint32_t, Slot> slots_;            // of expressions, by id; while building
  std::unordered_map<std::uint32_t, std::size_t> block_of_;  // of unknowns' symbols
  std::vector<bool> emitted_;
  std::vector<double> values_;
  std::vector<bool> constant_;
  std::vector<Step> steps_;
  std::vector<Call> calls_;
  std::vector<System> systems_;
  std::vector<Slot> arguments_, results_;
  std::vector<double> operands_;
  std::uint64_t tick_ = 0;
  bool is_random_ = false;
  std::optional<LoopFailure> failure_;
};

}  // namespace rodeo::simulate
