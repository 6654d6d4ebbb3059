// SPDX-License-Identifier: MIT
#include "kinematics/reduction/gates.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "kinematics/text/fault.h"

namespace rodeo::reduction {
namespace {

using bondgraph::Element;
using bondgraph::Kind;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

int other_end(const Graph& graph, int bond, int element) {
  const bondgraph::Bond& b = graph.bonds[at(bond)];
  return b.tail == element ? b.head : b.tail;
}

/// Whether a bond of a junction leads to resistors and effort sources alone, and not back.
bool leads_to_laws(const Graph& graph, int bond, int junction) {
  std::vector<int> open{other_end(graph, bond, junction)};
  std::unordered_set<int> seen{open.front(), junction};
  for (std::size_t next = 0; next < open.size(); ++next) {
    const Element& element = graph.elements[at(open[next])];
    const bool is_law = element.kind == Kind::R || (element.kind == Kind::Se && !element.constraint);
    if (element.condition || !(is_law || element.is_junction())) return false;
    for (const int b : element.bonds) {
      const int end = other_end(graph, b, open[next]);
      if (end == junction && b != bond) return false;
      if (seen.insert(end).second) open.push_back(end);
    }
  }
  return true;
}

/// The one bond of an X0 that leaves it for laws; -1 where there is none, or more than one.
int find_gated_bond(const Graph& graph, int junction) {
  const Element& element = graph.elements[at(junction)];
  if (element.kind != Kind::zero) return -1;
  int found = -1;
  for (const int bond : element.bonds) {
    const bondgraph::Bond& b = graph.bonds[at(bond)];
    if (b.tail != junction || b.dimension != 1 || !leads_to_laws(graph, bond, junction)) continue;
    if (found >= 0) return -1;
    found = bond;
  }
  return found;
}

/// The bond is cut in two by a transformer.
void insert_gate(Graph& graph, int junction, int bond, Expr modulus) {
  Element& controlled = graph.elements[at(junction)];
  controlled.condition.reset();
  Element gate;
  gate.name = controlled.name + ".gate";
  while (graph.find_element(gate.name) >= 0) gate.name += '_';
  gate.kind = Kind::TF;
  gate.domain = graph.bonds[at(bond)].domain;
  gate.where = controlled.where;
  gate.value = {modulus};
  const int made = static_cast<int>(graph.elements.size());
  const int entering = static_cast<int>(graph.bonds.size());
  graph.bonds.push_back(graph.bonds[at(bond)]);
  graph.bonds.back().head = made;
  graph.bonds[at(bond)].tail = made;
  gate.bonds = {entering, bond};
  std::replace(controlled.bonds.begin(), controlled.bonds.end(), bond, entering);
  graph.elements.push_back(std::move(gate));
}

/// b1, b2, ..., none of them a parameter.
std::string find_name(const Graph& graph, std::size_t boolean) {
  std::string name = fmt::format("b{}", boolean + 1);
  const auto is_parameter = [&](const expr::Parameter& parameter) { return parameter.name == name; };
  while (std::any_of(graph.parameters.begin(), graph.parameters.end(), is_parameter)) name.insert(0, "on_");
  return name;
}

}  // namespace

std::optional<Hybrid> build_gated(const Graph& graph, const std::function<void(Stage)>& begin) {
  Hybrid hybrid;
  hybrid.conditions = build_conditions(graph);
  if (!hybrid.is_switched()) return std::nullopt;
  for (std::size_t b = 0; b < hybrid.conditions.booleans.size(); ++b)
    hybrid.coefficients.push_back(find_name(graph, b));
  Graph gated = graph;
  for (const Control& control : hybrid.conditions.controls) {
    const int bond = find_gated_bond(graph, control.element);
    if (bond < 0) return std::nullopt;
    const Expr b = expr::symbol(hybrid.coefficients[at(control.boolean)]);
    insert_gate(gated, control.element, bond, control.negated ? Expr(1.0) - b : b);
  }
  hybrid.drawn = hybrid.conditions.controls;
  hybrid.reachable = find_reachable(graph, hybrid.conditions);
  const std::vector<bool> none(hybrid.conditions.booleans.size());
  hybrid.configurations.push_back({none, build_model(std::move(gated), {}, begin)});
  return hybrid;
}

}  // namespace rodeo::reduction
