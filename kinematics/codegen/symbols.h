// SPDX-License-Identifier: MIT
// What the symbols of a kernel's routines stand for, what is computed ahead from the parameters, and an order of expressions
// that follows from their structure alone: never from what the process built before.
#pragma once
#include <optional>
#include <unordered_map>
#include <vector>

#include "kinematics/codegen/geometry.h"
#include "kinematics/codegen/tape.h"

namespace rodeo::codegen {

/// A value for each of the expressions that were met, by id.
template <typename Value>
class ByExpr {
 public:
  explicit ByExpr(Value nothing) : nothing_(nothing) {}
  [[nodiscard]] const Value& operator[](Expr e) const {
    return e.id() < values_.size() ? values_[e.id()] : nothing_;
  }
  void set(Expr e, const Value& value) {
    if (e.id() >= values_.size()) values_.resize(e.id() + e.id() / 4 + 64, nothing_);
    values_[e.id()] = value;
  }

 private:
  Value nothing_;
  std::vector<Value> values_;
};

class Symbols {
 public:
  /// `q:boom` is drive number 0.
  void set(Expr symbol, Space space, std::uint32_t index);
  [[nodiscard]] std::optional<Operand> find(Expr symbol) const;
  /// No symbol stands for an element of this array any more.
  void forget(Space space);

  /// Numbers and parameters only.
  [[nodiscard]] bool is_constant(Expr e);

  /// A part that depends on parameters alone, computed by init.
  [[nodiscard]] Operand derive(Expr part);
  [[nodiscard]] const std::vector<Expr>& derived() const noexcept { return derived_; }

  /// Operands in an order that the same structure gives in every process: of sums and products by compare(), what is
  /// subtracted last.
  [[nodiscard]] std::vector<Expr> operands_of(Expr e);

  /// -1, 0 or 1. 0 for the same expression only.
  [[nodiscard]] int compare(Expr a, Expr b);

 private:
  enum class Kind : std::uint8_t { unknown, constant, varying };
  enum class Order : std::uint8_t { unknown, as_is, swapped };

  void order_parts(Expr root);
  void order(Expr e);
  [[nodiscard]] int compare_heads(Expr a, Expr b);
  [[nodiscard]] int rank(Expr e);

  std::unordered_map<std::uint32_t, Operand> known_;
  std::vector<Expr> derived_;
  std::unordered_map<std::uint32_t, std::uint32_t> derived_index_;
  ByExpr<Kind> kind_{Kind::unknown};
  ByExpr<Order> order_{Order::unknown};
  ByExpr<std::uint8_t> met_{0};
  std::unordered_map<std::uint64_t, int> compared_;
};

}  // namespace rodeo::codegen
