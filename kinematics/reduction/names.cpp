// SPDX-License-Identifier: MIT
// Names of symbols for readers.
#include "kinematics/reduction/names.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "kinematics/reduction/tearing.h"

namespace rodeo::reduction {
namespace {

using bondgraph::Element;
using bondgraph::Kind;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

SymbolName derived(SymbolName name, int times) {
  name.derivatives += times;
  name.is_rate = true;
  return name;
}

/// F and V of mechanics, and what the other domains write for effort and flow.
std::string letter_of(const Element& owner, bool is_effort) {
  using bondgraph::Domain;
  switch (owner.domain) {
    case Domain::electric: return is_effort ? "u" : "i";
    case Domain::hydraulic:
    case Domain::acoustic: return is_effort ? "p" : "q";
    case Domain::thermal: return is_effort ? "T" : "S";
    case Domain::rotation: return is_effort ? "M" : "w";
    default: return is_effort ? "F" : "V";
  }
}

SymbolName state_name(const Graph& graph, const State& state) {
  if (state.element < 0) return split_name(state.name);
  const Element& element = graph.elements[at(state.element)];
  const bool is_momentum = state.kind == State::Kind::momentum;
  const std::size_t dot = state.name.rfind('.');
  const std::size_t port = state.name.find('_', dot);  // `J.momentum_2` is P_J2
  SymbolName name{is_momentum ? "P" : "X",
                  state.name.substr(0, dot) + (port == std::string::npos ? "" : state.name.substr(port + 1)),
                  0,
                  false,
                  {}};
  if (!element.symbol.empty()) {
    const SymbolName given = split_name(element.symbol);
    if (!is_momentum) name.letter = given.letter;
    name.subscript = given.subscript;
  }
  const bondgraph::Units& units = bondgraph::units_of(element.domain);
  name.unit = is_momentum ? units.momentum : units.displacement;
  return name;
}

/// The ports of a field or a transformer, and the bonds of a junction, that are not equal: F_b, F_b.2.
SymbolName number_apart(SymbolName name, int own_class, std::vector<int>& classes) {
  auto found = std::find(classes.begin(), classes.end(), own_class);
  if (found == classes.end()) found = classes.insert(classes.end(), own_class);
  if (found != classes.begin()) name.subscript += "." + std::to_string(found - classes.begin() + 1);
  return name;
}

}  // namespace

std::string unit_of(const SymbolName& name) {
  if (name.unit.empty() || name.derivatives == 0) return name.unit;
  const bool momentum = name.unit.ends_with(" s");  // N s per s is N
  const int orders = momentum ? name.derivatives - 1 : name.derivatives;
  const std::string base = momentum ? name.unit.substr(0, name.unit.size() - 2) : name.unit;
  if (orders == 1 && base == "C") return "A";
  if (orders == 1 && base == "J/K") return "W/K";
  return orders == 0 ? base : orders == 1 ? base + "/s" : base + "/s²";
}

SymbolName split_name(const std::string& name) {
  const std::size_t underscore = name.find('_', 1);
  if (underscore != std::string::npos && underscore + 1 < name.size()) {
    return {name.substr(0, underscore), name.substr(underscore + 1), 0, false, {}, true};
  }
  std::size_t digits = name.size();
  while (digits > 1 && std::isdigit(static_cast<unsigned char>(name[digits - 1]))) --digits;
  return {name.substr(0, digits), name.substr(digits), 0, false, {}};
}

Expr dependent_flow(const std::string& element) { return expr::variable("V:" + element); }
Expr dependent_flow_rate(const std::string& element) { return expr::variable("dV:" + element); }

Names::Names(const Graph& graph, const System& system) {
  name_variables(graph, system);
  name_states(graph, system);
}

void Names::name_states(const Graph& graph, const System& system) {
  const EqualityClasses classes(system);
  std::unordered_map<int, SymbolName> rate_of_class;
  for (const State& state : system.states) {
    const SymbolName name = state_name(graph, state);
    set(state.symbol, name);
    if (state.rate_variable >= 0 && state.sign > 0)
      rate_of_class[classes.of(state.rate_variable)] = derived(name, 1);
  }
  for (std::size_t v = 0; v < system.variables.size(); ++v) {
    const auto found = rate_of_class.find(classes.of(static_cast<int>(v)));
    if (found != rate_of_class.end()) set(system.variables[v].symbol, found->second);
  }
  for (const Input& input : system.inputs) {
    const Element& element = graph.elements[at(input.element)];
    SymbolName name = split_name(element.symbol.empty() ? element.name : element.symbol);
    name.is_rate = true;
    set(input.symbol, name);
    set(input.rate, derived(name, 1));
  }
  for (const Variable& variable : system.variables) {
    if (variable.kind != Variable::Kind::derivative) continue;
    set(variable.symbol, derived(find(system.variables[at(variable.of)].symbol), 1));
  }
}

void Names::name_variables(const Graph& graph, const System& system) {
  const EqualityClasses classes(system);
  std::unordered_map<std::string, std::vector<int>> owners;  // classes of the variables that have one name
  for (const Variable& variable : system.variables) {
    if (variable.kind == Variable::Kind::derivative) continue;
    const bool is_effort = variable.kind == Variable::Kind::effort;
    const bondgraph::Bond& bond = graph.bonds[at(variable.bond)];
    const Element& head = graph.elements[at(bond.head)];
    const Element& tail = graph.elements[at(bond.tail)];
    const bool named_by_tail = head.is_junction() && !tail.is_junction();
    const Element& owner = named_by_tail ? tail : head;
    const SymbolName name{letter_of(owner, is_effort), owner.name, 0, true, {}};
    set(variable.symbol, number_apart(name, classes.of(static_cast<int>(&variable - system.variables.data())),
                                      owners[name.letter + "_" + owner.name]));
  }
  for (const int law : system.laws) {
    const bondgraph::Bond& bond = graph.bonds[at(system.variables[at(law)].bond)];
    const Element& head = graph.elements[at(bond.head)];
    const bool is_head = head.is_junction() && !head.symbol.empty();
    const Element& owner = is_head ? head : graph.elements[at(bond.tail)];
    SymbolName name = split_name(owner.symbol);
    name.is_rate = true;
    name.unit = bondgraph::units_of(owner.domain).effort;
    set(system.variables[at(law)].symbol, name);
  }
  for (const Element& element : graph.elements) {
    if (element.kind != Kind::I) continue;
    const bool has_symbol = !element.symbol.empty();
    SymbolName place = split_name(element.symbol);
    place.unit = bondgraph::units_of(element.domain).displacement;
    const SymbolName flow = has_symbol ? derived(place, 1)
                                       : SymbolName{letter_of(element, false), element.name, 0, true,
                                                    bondgraph::units_of(element.domain).flow};
    set(dependent_flow(element.name), flow);
    set(dependent_flow_rate(element.name), derived(flow, 1));
  }
}

SymbolName Names::find(Expr symbol) const {
  const auto found = names_.find(symbol.id());
  return found == names_.end() ? split_name(symbol->name) : found->second;
}

}  // namespace rodeo::reduction
