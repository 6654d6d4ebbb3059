// SPDX-License-Identifier: MIT
#include "kinematics/reduction/comparison.h"

#include <algorithm>
#include <map>

namespace rodeo::reduction {
namespace {

using expr::Expr;
using expr::Op;

/// Σ coefficient · term + constant; terms are what no number or parameter can be split off.
struct Linear {
  std::map<std::uint32_t, std::pair<Expr, double>> terms;
  double constant = 0.0;
};

void split(const expr::Values& parameters, Expr e, double factor, Linear& sum) {
  const auto& args = e->args;
  const auto value = [&](Expr number) { return expr::calc_value(number, parameters); };
  if (is_constant(e)) {
    sum.constant += factor * value(e);
  } else if (e->op == Op::add) {
    split(parameters, args[0], factor, sum);
    split(parameters, args[1], factor, sum);
  } else if (e->op == Op::neg) {
    split(parameters, args[0], -factor, sum);
  } else if (e->op == Op::mul && is_constant(args[0])) {
    split(parameters, args[1], factor * value(args[0]), sum);
  } else if (e->op == Op::mul && is_constant(args[1])) {
    split(parameters, args[0], factor * value(args[1]), sum);
  } else if (e->op == Op::div && is_constant(args[1])) {
    split(parameters, args[0], factor / value(args[1]), sum);
  } else {
    auto& term = sum.terms.try_emplace(e.id(), e, 0.0).first->second;
    term.second += factor;
  }
}

}  // namespace

expr::Values find_parameter_values(const bondgraph::Graph& graph) {
  expr::Values values;
  for (const expr::Parameter& parameter : graph.parameters) values[parameter.name] = parameter.number;
  return values;
}

bool is_constant(Expr e) {
  const auto symbols = expr::symbols_of({e});
  return std::all_of(symbols.begin(), symbols.end(),
                     [](Expr s) { return s->kind == expr::SymbolKind::parameter; });
}

Comparison build_comparison(const expr::Values& parameters, Expr a, Expr b) {
  Linear sum;
  split(parameters, a, 1.0, sum);
  split(parameters, b, -1.0, sum);
  std::erase_if(sum.terms, [](const auto& term) { return term.second.second == 0; });
  if (sum.terms.empty()) return {0.0, -sum.constant, 1.0, true};
  const double lead = sum.terms.begin()->second.second;
  Expr e = 0.0;
  for (const auto& [id, term] : sum.terms) e = e + (term.second / lead) * term.first;
  return {e, -sum.constant / lead + 0.0, lead, false};  // no negative zero
}

}  // namespace rodeo::reduction
