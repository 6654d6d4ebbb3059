// SPDX-License-Identifier: MIT
#include "kinematics/reduction/rates.h"

#include <fmt/format.h>

#include <stdexcept>

#include "kinematics/text/fault.h"

namespace rodeo::reduction {
namespace {

using bondgraph::Element;
using bondgraph::Kind;

constexpr int kMostDerivatives = 4;  // accelerations need two

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

Rates::Rates(Draft& draft) : draft_(draft), system_(draft.system) {
  for (const State& state : system_.states) state_of_symbol_.emplace(state.symbol.id(), &state);
  for (const Input& input : system_.inputs) input_of_symbol_.emplace(input.symbol.id(), &input);
}

// ---- laws

void Rates::add_dependent_ports() {
  for (const DifferentialPort& port : system_.differential_ports) {
    const bool is_inertia = draft_.element(port.element).kind == Kind::I;
    const int defined = is_inertia ? effort_index(port.bond) : flow_index(port.bond);
    const double sign = is_inertia ? 1.0 : draft_.sigma(port.bond, port.element);
    Equation law{{{defined, sign}}, 0.0, port.element};
    add_rate(law, system_.resolve(draft_.calc_stored(port.element, port.bond)), -1.0);
    draft_.define(defined, law, port.element);
  }
}

void Rates::add_constraints() {
  for (int e = 0; e < draft_.count(); ++e) {
    if (draft_.element(e).constraint) add_constraint(e);
  }
}

void Rates::add_constraint(int e) {
  const bondgraph::Constraint& constraint = *draft_.element(e).constraint;
  const int bond = draft_.element(e).bonds[0];
  const int flow = flow_index(bond);
  const double sign = draft_.sigma(bond, e);
  const Expr stiffness = system_.resolve(constraint.stiffness * constraint.position);
  Equation law{{{derivative_of(flow), sign}}, stiffness, e};
  if (!constraint.damping.is_number(0)) law.terms.push_back({flow, sign * constraint.damping});
  draft_.define(effort_index(bond), law, e);
}

// ---- derivatives as variables

int Rates::derivative_of(int variable) {
  const auto found = system_.derivative_of.find(variable);
  if (found != system_.derivative_of.end()) return found->second;
  refuse_higher_order(variable);
  const int index = draft_.add_variable(Variable::Kind::derivative, system_.variables[at(variable)].bond,
                                        variable, draft_.symbol_of(variable)->name + "'");
  system_.derivative_of.emplace(variable, index);
  pending_.push_back(variable);
  return index;
}

void Rates::differentiate_equations() {
  std::size_t next = 0;
  while (next < pending_.size()) differentiate_equation(pending_[next++]);  // which adds to the list
}

/// Σ c y + r = 0  =>  Σ c y' + Σ (dc/dt) y + dr/dt = 0.
void Rates::differentiate_equation(int variable) {
  refuse_rate_of_multiplier(variable);
  const Equation original = system_.equations[at(variable)];  // copied: add_variable moves the vector
  Equation result;
  result.element = original.element;
  for (const Term& term : original.terms) {
    result.terms.push_back({derivative_of(term.variable), term.coefficient});
    add_rate(result, term.coefficient, draft_.symbol_of(term.variable));
  }
  add_rate(result, original.rest, 1.0);
  system_.equations[at(system_.derivative_of.at(variable))] = std::move(result);
}

/// Adds factor · d/dt e to an equation: terms for rates that are variables, the rest for known ones.
void Rates::add_rate(Equation& equation, Expr e, Expr factor) {
  for (const Expr symbol : expr::symbols_of({e})) {
    if (symbol->kind == expr::SymbolKind::parameter) continue;
    const Expr partial = factor * derivative_by(e, symbol, equation.element);
    if (partial.is_number(0)) continue;
    add_rate_of_symbol(equation, symbol, partial);
  }
}

void Rates::add_rate_of_symbol(Equation& equation, Expr symbol, Expr partial) {
  if (symbol->kind == expr::SymbolKind::time) {
    equation.rest = equation.rest + partial;
    return;
  }
  const auto variable = system_.variable_of_symbol.find(symbol.id());
  if (variable != system_.variable_of_symbol.end()) {
    equation.terms.push_back({derivative_of(variable->second), partial});
    return;
  }
  if (const auto state = state_of_symbol_.find(symbol.id()); state != state_of_symbol_.end()) {
    return add_rate_of_state(equation, *state->second, partial);
  }
  if (const auto input = input_of_symbol_.find(symbol.id()); input != input_of_symbol_.end()) {
    equation.rest = equation.rest + partial * input->second->rate;
  }
}

void Rates::add_rate_of_state(Equation& equation, const State& state, Expr partial) {
  if (state.rate_variable < 0) {
    equation.rest = equation.rest + partial * system_.resolve(state.rate);
  } else {
    equation.terms.push_back({state.rate_variable, state.sign * partial});
  }
}

Expr Rates::derivative_by(Expr e, Expr symbol, int owner) const {
  try {
    return expr::differentiate(e, symbol);
  } catch (const std::domain_error& error) {
    throw text::ModelError(owner < 0 ? draft_.graph().where : draft_.element(owner).where, error.what());
  }
}

// ---- what has no end

/// A port in differential causality whose rate needs a higher one, and that one a higher, without end.
void Rates::refuse_higher_order(int variable) const {
  int order = 0;
  for (int v = variable; system_.variables[at(v)].kind == Variable::Kind::derivative;
       v = system_.variables[at(v)].of)
    ++order;
  if (order < kMostDerivatives) return;
  const bondgraph::Bond& bond = draft_.graph().bonds[at(system_.variables[at(variable)].bond)];
  const Element& tail = draft_.element(bond.tail);
  const Element& head = draft_.element(bond.head);
  throw text::ModelError(
      tail.where,
      fmt::format("bond {} -> {}: its causality asks for derivatives of ever higher order: put an R, I or C "
                  "beside '{}' that takes up the difference",
                  tail.name, head.name, tail.is_junction() ? tail.name : head.name));
}

/// Where a multiplier changes its flow at once, the flow's rate needs the multiplier's, and that one's, without end.
void Rates::refuse_rate_of_multiplier(int variable) const {
  const int e = system_.equations[at(variable)].element;
  if (e < 0 || !draft_.element(e).constraint) return;
  if (variable != effort_index(draft_.element(e).bonds[0])) return;
  throw text::ModelError(
      draft_.element(e).where,
      fmt::format(
          "element '{}': the multiplier of a constraint acts on inertias, and here it changes its flow "
          "at once: put an I at the 1-junctions that the constraint holds",
          draft_.element(e).name));
}

}  // namespace rodeo::reduction
