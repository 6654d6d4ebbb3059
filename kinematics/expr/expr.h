// SPDX-License-Identifier: MIT
// Expressions as a hash-consed graph: equal expressions are one node, and a node's id is larger than its operands' ids,
// so that ascending ids are an order of evaluation. Ids follow the order of creation, which no address influences: the
// same model gives the same graph on every run (GiNaC's order does not, see kinematics/THEORY.md, E1).
//
// Nodes live until the program ends: the builder is an offline program that reads one model.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace rodeo::expr {

enum class Op : std::uint8_t {
  number,
  symbol,
  add,
  mul,
  div,
  pow,
  neg,
  sin,
  cos,
  tan,
  cot,
  asin,
  acos,
  atan,
  acot,
  atan2,
  sinh,
  cosh,
  tanh,
  coth,
  asinh,
  acosh,
  atanh,
  acoth,
  sqrt,
  exp,
  log,
  log10,
  abs,
  sgn,
  round,
  factorial,
  min,
  max,
  less,
  less_equal,
  equal,
  logical_and,
  logical_or,
  logical_not,  // 1 or 0
  select,       // select(condition, then, else)
  rand,         // uniform in [0, 1): value = stream, one stream an occurrence
  call,         // function `name` = "library\nfunction" of a shared library
};

/// What a symbol stands for. The kind is part of its identity: a parameter `x` is not the variable `x`.
enum class SymbolKind : std::uint8_t { parameter, time, variable };

struct Node;

/// A handle of one pointer; copying is free and == is identity, which is equality of structure.
class Expr {
 public:
  Expr();              // the number 0
  Expr(double value);  // NOLINT(google-explicit-constructor): 2 * x reads as written

  [[nodiscard]] const Node& node() const noexcept { return *node_; }
  [[nodiscard]] const Node* operator->() const noexcept { return node_; }
  [[nodiscard]] std::uint32_t id() const noexcept;
  [[nodiscard]] bool is_number() const noexcept;
  [[nodiscard]] bool is_number(double value) const noexcept;
  [[nodiscard]] bool is_symbol() const noexcept;

  friend bool operator==(Expr a, Expr b) noexcept { return a.node_ == b.node_; }

 private:
  friend class Pool;
  explicit Expr(const Node* node) : node_(node) {}
  const Node* node_;
};

struct Node {
  Op op = Op::number;
  SymbolKind kind = SymbolKind::parameter;
  std::uint32_t id = 0;
  double value = 0.0;  // number, rand
  std::string name;    // symbol, call
  std::vector<Expr> args;
};

[[nodiscard]] Expr symbol(std::string_view name, SymbolKind kind = SymbolKind::parameter);
[[nodiscard]] Expr variable(std::string_view name);
[[nodiscard]] Expr time_symbol();

/// Any operation, folded where its operands are numbers and the result is finite.
[[nodiscard]] Expr operation(Op op, const std::vector<Expr>& args);
[[nodiscard]] Expr random_stream(int stream);
[[nodiscard]] Expr library_call(std::string_view library, std::string_view function,
                                const std::vector<Expr>& args);

[[nodiscard]] Expr operator+(Expr a, Expr b);
[[nodiscard]] Expr operator-(Expr a, Expr b);
[[nodiscard]] Expr operator*(Expr a, Expr b);
[[nodiscard]] Expr operator/(Expr a, Expr b);
[[nodiscard]] Expr operator-(Expr a);
[[nodiscard]] Expr sin(Expr a);
[[nodiscard]] Expr cos(Expr a);
[[nodiscard]] Expr sqrt(Expr a);
[[nodiscard]] Expr pow(Expr a, Expr b);

/// Name and number of operands of a function as a user writes it; nullptr name for operators.
struct FunctionInfo {
  const char* name;
  Op op;
  int arity;
};
[[nodiscard]] const std::vector<FunctionInfo>& functions();
[[nodiscard]] const char* function_name(Op op);

/// Every node that the roots need, operands first.
[[nodiscard]] std::vector<Expr> reachable(const std::vector<Expr>& roots);
/// The symbols among them, in order of creation.
[[nodiscard]] std::vector<Expr> symbols_of(const std::vector<Expr>& roots);
/// Replaces symbols; shared parts are rewritten once. The function returns its argument to keep it.
[[nodiscard]] Expr substitute(Expr root, const std::function<Expr(Expr)>& replace);
[[nodiscard]] std::vector<Expr> substitute(const std::vector<Expr>& roots,
                                           const std::function<Expr(Expr)>& replace);

/// Replaces whole parts, given by id: sin(X) by a symbol, say. A part is replaced before its operands are looked at.
[[nodiscard]] std::vector<Expr> replace_parts(const std::vector<Expr>& roots,
                                              const std::unordered_map<std::uint32_t, Expr>& parts);

/// ∂root/∂x; symbols that are not x are constants. Steps (sgn, round, comparisons) have derivative 0 between jumps.
[[nodiscard]] Expr differentiate(Expr root, Expr x);

/// The expression as a user could write it in a model file.
[[nodiscard]] std::string to_text(Expr root);

}  // namespace rodeo::expr
