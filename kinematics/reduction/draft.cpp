// SPDX-License-Identifier: MIT
#include "kinematics/reduction/draft.h"

#include <fmt/format.h>

#include <stdexcept>

#include "kinematics/text/fault.h"

namespace rodeo::reduction {

using bondgraph::Element;
using bondgraph::Kind;

double Draft::sigma(int bond, int e) const {
  const bool counts_out = element(e).is_source() && !element(e).constraint;
  return points_at(bond, e) != counts_out ? 1.0 : -1.0;
}

Expr Draft::port_variable(int e, std::size_t port, const char* quantity) const {
  const bool is_field = element(e).bonds.size() > 1;
  return expr::variable(
      bondgraph::variable_name(element(e).name, quantity, is_field ? static_cast<int>(port) + 1 : 0));
}

Expr Draft::stored_variable(int e, std::size_t port) const {
  return port_variable(e, port, element(e).kind == Kind::I ? "momentum" : "displacement");
}

Expr Draft::calc_stored(int e, int bond) const {
  const Element& el = element(e);
  std::size_t row = 0;
  while (el.bonds[row] != bond) ++row;
  if (el.law == bondgraph::Law::nonlinear || (el.kind == Kind::K && el.bonds.size() > 1)) {
    throw text::ModelError(
        el.where, fmt::format("'{}' gets differential causality, and its law cannot be turned round: "
                              "state it the other way, or give it a neighbour that takes up the difference",
                              el.name));
  }
  const bool is_inertia = el.kind == Kind::I;
  if (el.kind == Kind::K) return symbol_of(effort_index(bond)) / el.value[0];
  Expr sum = 0.0;
  for (std::size_t j = 0; j < el.bonds.size(); ++j) {
    const int given = is_inertia ? flow_index(el.bonds[j]) : effort_index(el.bonds[j]);
    const double sign = is_inertia ? sigma(el.bonds[j], e) : 1.0;
    sum = sum + el.value[row * el.bonds.size() + j] * (sign * symbol_of(given));
  }
  return sum;
}

int Draft::add_variable(Variable::Kind kind, int bond, int of, const std::string& name) {
  const int index = static_cast<int>(system.variables.size());
  system.variables.push_back({kind, bond, of, expr::variable(name)});
  system.variable_of_symbol.emplace(system.variables.back().symbol.id(), index);
  system.equations.emplace_back();
  return index;
}

void Draft::define(int variable, Equation equation, int e) {
  Equation& place = system.equations[static_cast<std::size_t>(variable)];
  if (!place.terms.empty())
    throw std::logic_error(fmt::format("two laws define one variable at '{}'", element(e).name));
  equation.element = e;
  place = std::move(equation);
}

}  // namespace rodeo::reduction
