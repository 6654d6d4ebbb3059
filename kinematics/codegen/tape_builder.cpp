// SPDX-License-Identifier: MIT
// Emission of tapes.
#include "kinematics/codegen/tape_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace rodeo::codegen {
namespace {

using expr::Op;

bool is_sine(Expr e) { return e->op == Op::sin || e->op == Op::cos; }

Operand negated(Operand operand) {
  if (operand.space == Space::number) {
    operand.number = -operand.number;
  } else {
    operand.negative = !operand.negative;
  }
  return operand;
}

Operand number(double value) { return {Space::number, false, 0, value}; }

}  // namespace

// ---- values

std::uint32_t TapeBuilder::push(Code code, const std::vector<Operand>& operands, std::uint32_t values) {
  Instruction instruction;
  instruction.code = code;
  instruction.first_operand = static_cast<std::uint32_t>(tape_.operands.size());
  instruction.operands = static_cast<std::uint32_t>(operands.size());
  instruction.first_value = tape_.values;
  instruction.values = values;
  tape_.operands.insert(tape_.operands.end(), operands.begin(), operands.end());
  tape_.instructions.push_back(instruction);
  tape_.values += values;
  return instruction.first_value;
}

Operand TapeBuilder::compute(Code code, const std::vector<Operand>& operands) {
  return {Space::value, false, push(code, operands, 1), 0.0};
}

void TapeBuilder::set(Expr e, const Operand& operand) {
  value_.set(e, operand.index);
  emitted_.push_back(e);
}

/// The sine of an argument is this value, its cosine the next.
void TapeBuilder::set_sine(Expr argument, std::uint32_t value) {
  sine_.set(argument, value);
  emitted_.push_back(argument);
}

void TapeBuilder::forget(Expr e) {
  value_.set(e, kNone);
  sine_.set(e, kNone);
}

bool TapeBuilder::is_angle(Expr e) { return e->op == Op::call && e->args[0]->op == Op::atan2; }

/// How to refer to an expression, if it needs no instruction (any more).
std::optional<Operand> TapeBuilder::find(Expr e) const {
  if (e->op == Op::neg) {
    const auto inner = find(e->args[0]);
    return inner ? std::optional(negated(*inner)) : std::nullopt;
  }
  if (e.is_number()) return number(e->value);
  if (value_[e] != kNone) return Operand{Space::value, false, value_[e], 0.0};
  if (is_sine(e) && sine_[e->args[0]] != kNone)
    return Operand{Space::value, false, sine_[e->args[0]] + (e->op == Op::cos ? 1U : 0U), 0.0};
  if (const auto known = symbols_.find(e)) return known;
  if (hoist_ && symbols_.is_constant(e)) return symbols_.derive(e);
  return std::nullopt;
}

/// What must be there before an instruction of this expression.
std::vector<Expr> TapeBuilder::parts_of(Expr e) {
  if (e->op == Op::tan || e->op == Op::cot) return {expr::sin(e->args[0])};
  if (!is_angle(e)) return symbols_.operands_of(e);
  return {e->args[0]->args[0], e->args[0]->args[1], e->args[1]};
}

Operand TapeBuilder::require(Expr root) {
  std::vector<std::pair<Expr, bool>> stack{{root, false}};
  while (!stack.empty()) {
    const auto [e, parts_done] = stack.back();
    stack.pop_back();
    if (!parts_done && find(e)) continue;
    if (parts_done) {
      if (e->op != Op::neg && !find(e)) emit(e);
      continue;
    }
    stack.emplace_back(e, true);
    std::vector<Expr> parts = parts_of(e);
    std::reverse(parts.begin(), parts.end());
    for (const Expr part : parts) stack.emplace_back(part, false);
  }
  return *find(root);
}

void TapeBuilder::emit(Expr e) {
  std::vector<Operand> a;
  for (const Expr part : parts_of(e)) a.push_back(*find(part));
  switch (e->op) {
    case Op::add:
      if (a[1].negative) return set(e, compute(Code::subtract, {a[0], negated(a[1])}));
      return set(e, compute(Code::add, a));
    case Op::mul: return set(e, compute(Code::multiply, a));
    case Op::div: return set(e, compute(Code::divide, a));
    case Op::sqrt: return set(e, compute(Code::root, a));
    case Op::abs: return set(e, compute(Code::absolute, a));
    case Op::atan2: return set(e, compute(Code::arc_tangent, a));
    case Op::less: return set(e, compute(Code::choose, {a[0], a[1], number(1), number(0)}));
    case Op::select: return set(e, compute(Code::choose, {number(0), a[0], a[1], a[2]}));  // of 1 or 0
    case Op::sin:
    case Op::cos: return set_sine(e->args[0], push(Code::sine_cosine, a, 2));
    case Op::call:
      if (e->name == "rodeo\nunwrap") return set(e, compute(is_angle(e) ? Code::angle : Code::unwrap, a));
      break;
    default: return emit_function(e);
  }
  throw std::logic_error("kernel tape: no instruction for '" + expr::to_text(e) + "'");
}

/// The functions of a machine file that parameters may be given by.
void TapeBuilder::emit_function(Expr e) {
  const Operand a = *find(e->args[0]);
  const auto sine = [&] { return *find(expr::sin(e->args[0])); };
  const auto cosine = [&] { return *find(expr::cos(e->args[0])); };
  const auto leg = [&] {  // √(1 - a²), also near 1
    return compute(Code::root, {compute(Code::multiply, {compute(Code::subtract, {number(1), a}),
                                                         compute(Code::add, {number(1), a})})});
  };
  switch (e->op) {
    case Op::tan: return set(e, compute(Code::divide, {sine(), cosine()}));
    case Op::cot: return set(e, compute(Code::divide, {cosine(), sine()}));
    case Op::asin: return set(e, compute(Code::arc_tangent, {a, leg()}));
    case Op::acos: return set(e, compute(Code::arc_tangent, {leg(), a}));
    case Op::atan: return set(e, compute(Code::arc_tangent, {a, number(1)}));
    case Op::acot: return set(e, compute(Code::arc_tangent, {number(1), a}));
    case Op::exp: return set(e, compute(Code::exponential, {a}));
    case Op::log: return set(e, compute(Code::logarithm, {a}));
    case Op::min: return set(e, compute(Code::smaller, {a, *find(e->args[1])}));
    case Op::max: return set(e, compute(Code::larger, {a, *find(e->args[1])}));
    case Op::pow:
      if (e->args[1].is_number()) return emit_power(e->args[0], e->args[1]->value, e);
      return set(e, compute(Code::power, {a, *find(e->args[1])}));
    default: break;
  }
  throw std::logic_error(fmt::format("kernel tape: no instruction for '{}'", expr::to_text(e)));
}

/// Small whole exponents by products, halves with a root.
void TapeBuilder::emit_power(Expr base, double exponent, Expr e) {
  const Operand a = *find(base);
  if (exponent == 0.5) return set(e, compute(Code::root, {a}));
  constexpr double kProducts = 16;
  if (exponent != std::floor(exponent) || std::fabs(exponent) > kProducts)
    return set(e, compute(Code::power, {a, number(exponent)}));
  Operand product = a;
  for (int i = 1; i < static_cast<int>(std::fabs(exponent)); ++i)
    product = compute(Code::multiply, {product, a});
  if (exponent < 0) product = compute(Code::divide, {number(1), product});
  set(e, product);
}

}  // namespace rodeo::codegen
