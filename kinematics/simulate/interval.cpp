// SPDX-License-Identifier: MIT
#include "kinematics/simulate/interval.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kinematics/expr/eval.h"

namespace rodeo::simulate {
namespace {

using expr::Expr;
using expr::Op;

/// Bounds with NaN (0 · ∞) as anything.
Interval bound(std::initializer_list<double> values) {
  if (std::any_of(values.begin(), values.end(), [](double v) { return std::isnan(v); })) return {};
  return {std::min(values), std::max(values)};
}

Interval multiply(Interval a, Interval b) {
  return bound({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
}

Interval divide(Interval a, Interval b) {
  if (b.has_zero()) return {};
  return multiply(a, {1 / b.high, 1 / b.low});
}

/// sin has its maxima at π/2 + 2πn, its minima half a turn farther.
Interval calc_sine(Interval a) {
  constexpr double kTurn = 2 * std::numbers::pi;
  if (!(a.high - a.low < kTurn)) return {-1, 1};
  const auto holds = [&](double phase) {
    return std::floor((a.high - phase) / kTurn) >= std::ceil((a.low - phase) / kTurn);
  };
  Interval range = bound({std::sin(a.low), std::sin(a.high)});
  if (holds(std::numbers::pi / 2)) range.high = 1;
  if (holds(-std::numbers::pi / 2)) range.low = -1;
  return range;
}

Interval calc_absolute(Interval a) {
  Interval range = bound({std::abs(a.low), std::abs(a.high)});
  if (a.has_zero()) range.low = 0;
  return range;
}

Interval calc_power(Interval a, Interval n) {
  if (n.low != n.high || n.low != std::floor(n.low) || n.low < 0)
    return a.low > 0 && n.low == n.high ? bound({std::pow(a.low, n.low), std::pow(a.high, n.low)})
                                        : Interval{};
  Interval range = bound({std::pow(a.low, n.low), std::pow(a.high, n.low)});
  if (std::fmod(n.low, 2.0) == 0 && a.has_zero() && n.low > 0) range.low = 0;
  return range;
}

Interval calc_less(Interval a, Interval b, bool or_equal) {
  if (a.high < b.low || (or_equal && a.high == b.low)) return {1, 1};
  if (a.low > b.high || (!or_equal && a.low == b.high)) return {0, 0};
  return {0, 1};
}

Interval calc_select(Interval condition, Interval a, Interval b) {
  if (!condition.has_zero()) return a;
  if (condition.low == 0 && condition.high == 0) return b;
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

/// Functions that rise everywhere they are defined.
bool rises(Op op) {
  switch (op) {
    case Op::asin:
    case Op::atan:
    case Op::sinh:
    case Op::tanh:
    case Op::asinh:
    case Op::sqrt:
    case Op::exp:
    case Op::log:
    case Op::log10:
    case Op::sgn:
    case Op::round: return true;
    default: return false;
  }
}

Interval calc_node(Op op, const Interval* a) {
  switch (op) {
    case Op::add: return bound({a[0].low + a[1].low, a[0].high + a[1].high});
    case Op::mul: return multiply(a[0], a[1]);
    case Op::div: return divide(a[0], a[1]);
    case Op::neg: return {-a[0].high, -a[0].low};
    case Op::pow: return calc_power(a[0], a[1]);
    case Op::abs: return calc_absolute(a[0]);
    case Op::sin: return calc_sine(a[0]);
    case Op::cos: return calc_sine({a[0].low + std::numbers::pi / 2, a[0].high + std::numbers::pi / 2});
    case Op::min: return {std::min(a[0].low, a[1].low), std::min(a[0].high, a[1].high)};
    case Op::max: return {std::max(a[0].low, a[1].low), std::max(a[0].high, a[1].high)};
    case Op::less: return calc_less(a[0], a[1], false);
    case Op::less_equal: return calc_less(a[0], a[1], true);
    case Op::select: return calc_select(a[0], a[1], a[2]);
    case Op::equal:
    case Op::logical_and:
    case Op::logical_or:
    case Op::logical_not: return {0, 1};
    default: break;
  }
  if (!rises(op)) return {};
  return bound({expr::calc_operation(op, &a[0].low), expr::calc_operation(op, &a[0].high)});
}

}  // namespace

Interval IntervalProgram::calc(const std::unordered_map<std::uint32_t, Interval>& symbols) {
  done_.clear();
  Interval last;
  for (const Expr e : nodes_) {
    if (e.is_number()) {
      last = {e->value, e->value};
    } else if (e.is_symbol()) {
      const auto found = symbols.find(e.id());
      last = found == symbols.end() ? Interval{} : found->second;
    } else {
      std::vector<Interval> args;
      for (const Expr arg : e->args) args.push_back(done_.at(arg.id()));
      args.resize(std::max<std::size_t>(args.size(), 3));
      last = calc_node(e->op, args.data());
    }
    done_[e.id()] = last;
  }
  return last;
}

}  // namespace rodeo::simulate
