// SPDX-License-Identifier: MIT
// Expressions -> a tape, operands first, in an order that follows from their structure alone. Sines and cosines come as
// early as their arguments are there, in pairs; arc tangents last, in pairs; nothing is stored before the last instruction
// that can refuse.
#pragma once
#include <string>
#include <unordered_set>
#include <vector>

#include "kinematics/codegen/kernel_model.h"
#include "kinematics/codegen/symbols.h"

namespace rodeo::codegen {

/// Where a result of a routine goes.
struct Target {
  Space space = Space::output;
  std::uint32_t index = 0;
};

struct Result {
  Expr value;
  Target target;
};

class TapeBuilder {
 public:
  /// `hoist`: parts of parameters alone are taken from the derived ones; the routine that computes those does not.
  TapeBuilder(Symbols& symbols, bool hoist) : symbols_(symbols), hoist_(hoist) {}

  /// All of a routine: iterated blocks, margins and systems in their order, then the results.
  [[nodiscard]] Tape build(const Routine& routine, const std::vector<Result>& results);

 private:
  /// A result that has an arc tangent in it, and wherever it goes.
  struct Angled {
    Expr value;
    std::vector<Target> targets;
  };

  // ---- values
  Operand require(Expr e);
  [[nodiscard]] std::optional<Operand> find(Expr e) const;
  [[nodiscard]] std::vector<Expr> parts_of(Expr e);
  void emit(Expr e);
  void emit_function(Expr e);
  void emit_power(Expr base, double exponent, Expr e);
  std::uint32_t push(Code code, const std::vector<Operand>& operands, std::uint32_t values);
  Operand compute(Code code, const std::vector<Operand>& operands);
  void set(Expr e, const Operand& operand);
  void set_sine(Expr argument, std::uint32_t value);
  void forget(Expr e);
  [[nodiscard]] static bool is_angle(Expr e);

  // ---- order
  [[nodiscard]] std::vector<Expr> find_missing(const std::vector<Expr>& roots) const;
  [[nodiscard]] std::vector<Expr> find_sines(const std::vector<Expr>& roots);
  [[nodiscard]] bool is_ready(Expr argument) const;
  void emit_sines(std::vector<Expr>& arguments);
  [[nodiscard]] bool has_angle(Expr e);
  void sort_by_latest(std::vector<Result>& results);
  void store_results(const std::vector<Result>& results);
  void store_angled(const std::vector<Angled>& results);
  void emit_angles(const std::vector<Expr>& angles);
  void store(const Target& target, const Operand& value);
  void store_states_last();

  // ---- parts of a routine
  void add(const IteratedBlock& block);
  void require_outside(Expr root, const std::unordered_set<std::uint32_t>& inside);
  void add(const RunTimeSolve& solve);
  void test(const Margin& margin);

  Symbols& symbols_;
  bool hoist_;
  Tape tape_;
  ByExpr<std::uint32_t> value_{kNone};  // value of an expression
  ByExpr<std::uint32_t> sine_{kNone};   // by argument: its sine, the cosine follows
  ByExpr<std::uint8_t> angled_{0};      // 1 no arc tangent in it, 2 has one
  std::vector<Expr> emitted_;           // since a block began
  static constexpr std::uint32_t kNone = 0xffffffff;
};

/// Derived constants from the parameters.
[[nodiscard]] Tape build_derived_tape(Symbols& symbols);

}  // namespace rodeo::codegen
