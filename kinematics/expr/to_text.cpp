// SPDX-License-Identifier: MIT
// Expressions as text that parse.h reads back to an expression of equal value.
#include <fmt/format.h>

#include "kinematics/expr/expr.h"

namespace rodeo::expr {
namespace {

enum Level { kOr, kAnd, kNot, kCompare, kSum, kProduct, kSign, kPower, kAtom };

std::string print(Expr e, int level);

std::string wrap(const std::string& text, int own, int level) {
  return own < level ? "(" + text + ")" : text;
}

std::string print_sum(Expr a, Expr b) {
  if (a->op == Op::neg && b->op != Op::neg) std::swap(a, b);
  if (b->op == Op::neg) return print(a, kSum) + " - " + print(b->args[0], kProduct);
  return print(a, kSum) + " + " + print(b, kSum);
}

std::string print_function(Expr e, const char* name) {
  std::string text = name;
  for (std::size_t i = 0; i < e->args.size(); ++i) text += (i == 0 ? "(" : ", ") + print(e->args[i], 0);
  return text + ")";
}

std::string print_number(double value, int level) {
  return wrap(fmt::format("{}", value), value < 0 ? kSign : kAtom, level);
}

std::string print(Expr e, int level) {
  const auto& a = e->args;
  const auto two = [&](const char* sign, int own, int right) {
    const int left = own == kCompare ? kSum : own;  // comparisons do not chain
    return wrap(print(a[0], left) + sign + print(a[1], right), own, level);
  };
  switch (e->op) {
    case Op::number: return print_number(e->value, level);
    case Op::symbol: return e->name;
    case Op::add: return wrap(print_sum(a[0], a[1]), kSum, level);
    case Op::mul: return two("*", kProduct, kProduct);
    case Op::div: return two("/", kProduct, kSign);
    case Op::pow: return wrap(print(a[0], kAtom) + "^" + print(a[1], kAtom), kPower, level);
    case Op::neg: return wrap("-" + print(a[0], kProduct), kSum, level);
    case Op::less: return two(" < ", kCompare, kSum);
    case Op::less_equal: return two(" <= ", kCompare, kSum);
    case Op::equal: return two(" == ", kCompare, kSum);
    case Op::logical_and: return two(" and ", kAnd, kNot);
    case Op::logical_or: return two(" or ", kOr, kAnd);
    case Op::logical_not: return wrap("not " + print(a[0], kAtom), kNot, level);
    case Op::select: return print_function(e, "if");
    case Op::rand: return "rand";
    case Op::call: return print_function(e, e->name.substr(e->name.find('\n') + 1).c_str());
    default: return print_function(e, function_name(e->op));
  }
}

}  // namespace

std::string to_text(Expr root) { return print(root, 0); }

}  // namespace rodeo::expr
