// SPDX-License-Identifier: MIT
// Evaluation. Definitions of the less usual functions are above their line.
#include "kinematics/expr/eval.h"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace rodeo::expr {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// n! for whole n ≥ 0, NaN else (so that a wrong argument is seen).
double factorial(double n) {
  if (n < 0 || n != std::floor(n)) return kNaN;
  return std::round(std::tgamma(n + 1));
}

double calc_function(Op op, const double* a) {
  switch (op) {
    case Op::sin: return std::sin(a[0]);
    case Op::cos: return std::cos(a[0]);
    case Op::tan: return std::tan(a[0]);
    case Op::cot: return 1 / std::tan(a[0]);
    case Op::asin: return std::asin(a[0]);
    case Op::acos: return std::acos(a[0]);
    case Op::atan: return std::atan(a[0]);
    case Op::acot: return std::atan2(1.0, a[0]);  // in (0, π), continuous
    case Op::atan2: return std::atan2(a[0], a[1]);
    case Op::sinh: return std::sinh(a[0]);
    case Op::cosh: return std::cosh(a[0]);
    case Op::tanh: return std::tanh(a[0]);
    case Op::coth: return 1 / std::tanh(a[0]);
    case Op::asinh: return std::asinh(a[0]);
    case Op::acosh: return std::acosh(a[0]);
    case Op::atanh: return std::atanh(a[0]);
    case Op::acoth: return std::atanh(1 / a[0]);
    case Op::sqrt: return std::sqrt(a[0]);
    case Op::exp: return std::exp(a[0]);
    case Op::log: return std::log(a[0]);
    case Op::log10: return std::log10(a[0]);
    case Op::abs: return std::fabs(a[0]);
    case Op::sgn: return a[0] > 0 ? 1 : (a[0] < 0 ? -1 : a[0]);
    case Op::round: return std::round(a[0]);
    case Op::factorial: return factorial(a[0]);
    case Op::min: return std::fmin(a[0], a[1]);
    case Op::max: return std::fmax(a[0], a[1]);
    default: return kNaN;
  }
}

double calc_node(Expr e, const std::vector<double>& args, const Context& context) {
  if (e->op == Op::rand) return calc_random(context.seed, static_cast<std::uint64_t>(e->value), context.tick);
  if (e->op != Op::call) return calc_operation(e->op, args.data());
  if (!context.call)
    throw std::logic_error("a library function was met where none can be called: " + e->name);
  return context.call(*e.operator->(), args);
}

}  // namespace

double calc_operation(Op op, const double* a) {
  switch (op) {
    case Op::add: return a[0] + a[1];
    case Op::mul: return a[0] * a[1];
    case Op::div: return a[0] / a[1];
    case Op::neg: return -a[0];
    case Op::pow: return std::pow(a[0], a[1]);
    case Op::less: return a[0] < a[1] ? 1 : 0;
    case Op::less_equal: return a[0] <= a[1] ? 1 : 0;
    case Op::equal: return a[0] == a[1] ? 1 : 0;
    case Op::logical_and: return a[0] != 0 && a[1] != 0 ? 1 : 0;
    case Op::logical_or: return a[0] != 0 || a[1] != 0 ? 1 : 0;
    case Op::logical_not: return a[0] == 0 ? 1 : 0;
    case Op::select: return a[0] != 0 ? a[1] : a[2];
    default: return calc_function(op, a);
  }
}

double calc_random(std::uint64_t seed, std::uint64_t stream, std::uint64_t tick) {
  // splitmix64's finaliser over the three counters, top 53 bits
  std::uint64_t z = seed;
  for (const std::uint64_t part : {stream, tick, std::uint64_t{0}}) {
    z += 0x9e3779b97f4a7c15ULL + part;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
  }
  return static_cast<double>(z >> 11) * 0x1.0p-53;
}

double calc_value(Expr root, const Values& values, const Context& context) {
  std::unordered_map<std::uint32_t, double> done;
  for (const Expr e : reachable({root})) {
    double value = e->value;
    if (e.is_symbol()) {
      value = values.at(e->name);
    } else if (!e.is_number()) {
      std::vector<double> args;
      for (const Expr arg : e->args) args.push_back(done.at(arg.id()));
      value = calc_node(e, args, context);
    }
    done.emplace(e.id(), value);
  }
  return done.at(root.id());
}

Program::Program(const std::vector<Expr>& roots, const std::vector<Expr>& inputs) {
  std::unordered_map<std::uint32_t, std::uint32_t> slot_of;
  std::unordered_map<std::uint32_t, std::uint32_t> input_of;
  for (std::uint32_t i = 0; i < inputs.size(); ++i) input_of.emplace(inputs[i].id(), i);
  for (const Expr e : reachable(roots)) {
    const auto slot = static_cast<std::uint32_t>(slots_.size());
    slots_.push_back(e->value);
    slot_of.emplace(e.id(), slot);
    const auto input = input_of.find(e.id());
    if (input != input_of.end()) {
      loads_.emplace_back(input->second, slot);
    } else if (e.is_symbol()) {
      throw std::out_of_range("no value for symbol '" + e->name + "'");
    } else if (!e.is_number()) {
      Step step{e, slot, {}};
      for (const Expr arg : e->args) step.args.push_back(slot_of.at(arg.id()));
      steps_.push_back(std::move(step));
    }
  }
  for (const Expr root : roots) results_.push_back(slot_of.at(root.id()));
}

void Program::run(const double* inputs, double* results, const Context& context) {
  for (const auto& [input, slot] : loads_) slots_[slot] = inputs[input];
  std::vector<double> args;
  for (const Step& step : steps_) {
    args.clear();
    for (const std::uint32_t arg : step.args) args.push_back(slots_[arg]);
    slots_[step.slot] = calc_node(step.expr, args, context);
  }
  for (std::size_t i = 0; i < results_.size(); ++i) results[i] = slots_[results_[i]];
}

}  // namespace rodeo::expr
