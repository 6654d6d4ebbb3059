// SPDX-License-Identifier: MIT
#include "kinematics/causality/ports.h"

#include <string>
#include <unordered_set>

#include "kinematics/bondgraph/moduli.h"

namespace rodeo::causality {
namespace {

using bondgraph::Element;
using bondgraph::Graph;
using bondgraph::Kind;

/// Names of elements whose variables stand in another element's value: `J` of `J.displacement`.
std::unordered_set<std::string> find_modulating_elements(const Graph& graph) {
  std::vector<expr::Expr> values;
  for (const Element& element : graph.elements) {
    if (element.is_two_port()) values.insert(values.end(), element.value.begin(), element.value.end());
  }
  std::unordered_set<std::string> names;
  for (const expr::Expr symbol : expr::symbols_of(values)) {
    if (symbol->kind != expr::SymbolKind::variable) continue;
    names.insert(symbol->name.substr(0, symbol->name.rfind('.')));
  }
  return names;
}

void add_ports(const Graph& graph, int e, std::vector<Port>& ports) {
  for (const int bond : graph.elements[static_cast<std::size_t>(e)].bonds) ports.push_back({e, bond});
}

}  // namespace

bool is_zero_stiffness(const Element& element) {
  return element.kind == Kind::K && element.value.size() == 1 && element.value[0].is_number(0);
}

bool acts_as_source(const Element& element) { return element.is_source() || is_zero_stiffness(element); }

bool integral_arrives(const Element& element) { return element.kind == Kind::I; }

std::vector<Port> find_storage_ports(const Graph& graph) {
  const auto modulating = find_modulating_elements(graph);
  std::vector<Port> first, second;
  for (std::size_t e = 0; e < graph.elements.size(); ++e) {
    const Element& element = graph.elements[e];
    if (!element.is_storage() || is_zero_stiffness(element)) continue;
    add_ports(graph, static_cast<int>(e), modulating.contains(element.name) ? first : second);
  }
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::vector<Port> find_resistor_ports(const Graph& graph) {
  std::vector<Port> ports;
  for (std::size_t e = 0; e < graph.elements.size(); ++e) {
    if (graph.elements[e].kind == Kind::R) add_ports(graph, static_cast<int>(e), ports);
  }
  return ports;
}

std::vector<int> find_fixed_two_ports(const Graph& graph) {
  std::vector<int> fixed;
  for (std::size_t e = 0; e < graph.elements.size(); ++e) {
    const Element& element = graph.elements[e];
    if (!element.is_two_port() || !element.shape.is_matrix()) continue;
    if (element.bonds.size() == 1 || !bondgraph::is_invertible(graph, element))
      fixed.push_back(static_cast<int>(e));
  }
  return fixed;
}

}  // namespace rodeo::causality
