// SPDX-License-Identifier: MIT
// Derivatives on the shared graph: each node once, chain rule from the outside table of partial derivatives.
#include <fmt/format.h>

#include <stdexcept>
#include <unordered_map>

#include "kinematics/expr/expr.h"

namespace rodeo::expr {
namespace {

Expr square(Expr a) { return a * a; }

/// ∂f/∂a of a function of one operand.
Expr derivative_of_function(Expr f, Expr a) {
  switch (f->op) {
    case Op::sin: return cos(a);
    case Op::cos: return -sin(a);
    case Op::tan: return 1.0 + square(f);
    case Op::cot: return -(1.0 + square(f));
    case Op::asin: return 1.0 / sqrt(1.0 - square(a));
    case Op::acos: return -(1.0 / sqrt(1.0 - square(a)));
    case Op::atan: return 1.0 / (1.0 + square(a));
    case Op::acot: return -(1.0 / (1.0 + square(a)));
    case Op::sinh: return operation(Op::cosh, {a});
    case Op::cosh: return operation(Op::sinh, {a});
    case Op::tanh: return 1.0 - square(f);
    case Op::coth: return 1.0 - square(f);
    case Op::asinh: return 1.0 / sqrt(square(a) + 1.0);
    case Op::acosh: return 1.0 / sqrt(square(a) - 1.0);
    case Op::atanh:
    case Op::acoth: return 1.0 / (1.0 - square(a));
    case Op::sqrt: return 0.5 / f;
    case Op::exp: return f;
    case Op::log: return 1.0 / a;
    case Op::log10: return 1.0 / (a * operation(Op::log, {Expr(10.0)}));
    case Op::abs: return operation(Op::sgn, {a});
    case Op::sgn:
    case Op::round:
    case Op::factorial: return 0.0;
    default: throw std::logic_error(fmt::format("no derivative for operation {}", static_cast<int>(f->op)));
  }
}

Expr derivative_of_power(Expr f, Expr base, Expr exponent, Expr dbase, Expr dexponent) {
  const Expr by_base = dbase.is_number(0) ? 0.0 : exponent * pow(base, exponent - 1.0) * dbase;
  const Expr by_exponent = dexponent.is_number(0) ? 0.0 : f * operation(Op::log, {base}) * dexponent;
  return by_base + by_exponent;
}

/// df from the operands' derivatives d.
Expr derivative_of_node(Expr f, const std::vector<Expr>& d) {
  const auto& a = f->args;
  switch (f->op) {
    case Op::add: return d[0] + d[1];
    case Op::neg: return -d[0];
    case Op::mul: return d[0] * a[1] + a[0] * d[1];
    case Op::div: return d[0] / a[1] - f * d[1] / a[1];
    case Op::pow: return derivative_of_power(f, a[0], a[1], d[0], d[1]);
    case Op::atan2: return (d[0] * a[1] - a[0] * d[1]) / (square(a[0]) + square(a[1]));
    case Op::min: return operation(Op::select, {operation(Op::less_equal, {a[0], a[1]}), d[0], d[1]});
    case Op::max: return operation(Op::select, {operation(Op::less_equal, {a[1], a[0]}), d[0], d[1]});
    case Op::select: return operation(Op::select, {a[0], d[1], d[2]});
    case Op::less:
    case Op::less_equal:
    case Op::equal:
    case Op::logical_and:
    case Op::logical_or:
    case Op::logical_not: return 0.0;
    case Op::call:
      throw std::domain_error(fmt::format("a library function cannot be differentiated: {}",
                                          f->name.substr(f->name.find('\n') + 1)));
    default: return derivative_of_function(f, a[0]) * d[0];
  }
}

}  // namespace

Expr differentiate(Expr root, Expr x) {
  std::unordered_map<std::uint32_t, Expr> done;
  for (const Expr e : reachable({root})) {
    Expr derivative = e == x ? 1.0 : 0.0;
    std::vector<Expr> d;
    bool depends = false;
    for (const Expr arg : e->args) {
      d.push_back(done.at(arg.id()));
      depends = depends || !d.back().is_number(0);
    }
    if (depends) derivative = derivative_of_node(e, d);
    done.emplace(e.id(), derivative);
  }
  return done.at(root.id());
}

}  // namespace rodeo::expr
