// SPDX-License-Identifier: MIT
// Names, units and the two functions that grow a graph.
#include "kinematics/bondgraph/graph.h"

#include <algorithm>
#include <array>

namespace rodeo::bondgraph {
namespace {

constexpr std::size_t index_of(Domain domain) { return static_cast<std::size_t>(domain); }

/// Units of the value of I, C, K, R, Se, Sf in one domain.
struct ValueUnits {
  const char* I;
  const char* C;
  const char* K;
  const char* R;
};

const ValueUnits& value_units_of(Domain domain) {
  static const std::array<ValueUnits, 7> table = {{
      {"", "", "", ""},
      {"kg", "m/N", "N/m", "N s/m"},
      {"kg m^2", "rad/(N m)", "N m/rad", "N m s/rad"},
      {"kg/m^4", "m^3/Pa", "Pa/m^3", "Pa s/m^3"},
      {"H", "F", "1/F", "ohm"},
      {"kg/m^4", "m^3/Pa", "Pa/m^3", "Pa s/m^3"},
      {"K^2 s/W", "J/K^2", "K^2/J", "K^2/W"},
  }};
  return table[index_of(domain)];
}

}  // namespace

int Graph::find_element(const std::string& wanted) const {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].name == wanted) return static_cast<int>(i);
  }
  return -1;
}

bool Graph::is_vector() const noexcept {
  return std::any_of(bonds.begin(), bonds.end(), [](const Bond& bond) { return bond.dimension > 1; });
}

std::size_t find_entering_count(const Graph& graph, int element) {
  const std::vector<int>& own = graph.elements[static_cast<std::size_t>(element)].bonds;
  return static_cast<std::size_t>(std::count_if(own.begin(), own.end(), [&](int bond) {
    return graph.bonds[static_cast<std::size_t>(bond)].head == element;
  }));
}

std::string variable_name(const std::string& element, const std::string& quantity, int port) {
  const std::string name = element + "." + quantity;
  return port == 0 ? name : name + "_" + std::to_string(port);
}

Expr effort_of(const std::string& element) { return expr::variable(variable_name(element, "effort")); }
Expr flow_of(const std::string& element) { return expr::variable(variable_name(element, "flow")); }
Expr displacement_of(const std::string& element) {
  return expr::variable(variable_name(element, "displacement"));
}
Expr momentum_of(const std::string& element) { return expr::variable(variable_name(element, "momentum")); }

int find_port_count(const Element& element) {
  if (element.is_two_port()) return 2;
  return std::max(1, static_cast<int>(element.bonds.size()));
}

const char* kind_text(Kind kind) {
  static const std::array<const char*, 10> names = {"Se", "Sf", "I", "C", "K", "R", "TF", "GY", "0", "1"};
  return names[static_cast<std::size_t>(kind)];
}

const char* domain_text(Domain domain) {
  static const std::array<const char*, 7> names = {"unset",    "translation", "rotation", "hydraulic",
                                                   "electric", "acoustic",    "thermal"};
  return names[index_of(domain)];
}

const Units& units_of(Domain domain) {
  // thermal: temperature and entropy flow, so that effort · flow is power in every domain
  static const std::array<Units, 7> table = {{
      {"", "", "", ""},
      {"N", "m/s", "m", "N s"},
      {"N m", "rad/s", "rad", "N m s"},
      {"Pa", "m^3/s", "m^3", "Pa s"},
      {"V", "A", "C", "V s"},
      {"Pa", "m^3/s", "m^3", "Pa s"},
      {"K", "W/K", "J/K", "K s"},
  }};
  return table[index_of(domain)];
}

const char* value_unit(const Element& element) {
  const ValueUnits& units = value_units_of(element.domain);
  switch (element.kind) {
    case Kind::I: return units.I;
    case Kind::C: return units.C;
    case Kind::K: return units.K;
    case Kind::R: return units.R;
    case Kind::Se: return units_of(element.domain).effort;
    case Kind::Sf: return units_of(element.domain).flow;
    default: return "";
  }
}

int add_element(Graph& graph, Element element) {
  graph.elements.push_back(std::move(element));
  return static_cast<int>(graph.elements.size()) - 1;
}

int add_bond(Graph& graph, int tail, int head, const Where& where, int dimension) {
  const int index = static_cast<int>(graph.bonds.size());
  Bond bond;
  bond.tail = tail;
  bond.head = head;
  bond.where = where;
  bond.dimension = dimension;
  graph.bonds.push_back(bond);
  graph.elements[static_cast<std::size_t>(tail)].bonds.push_back(index);
  std::vector<int>& at_head = graph.elements[static_cast<std::size_t>(head)].bonds;
  const bool enters_two_port = graph.elements[static_cast<std::size_t>(head)].is_two_port();
  at_head.insert(enters_two_port ? at_head.begin() : at_head.end(), index);
  return index;
}

}  // namespace rodeo::bondgraph
