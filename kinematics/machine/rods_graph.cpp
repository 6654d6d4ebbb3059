// SPDX-License-Identifier: MIT
#include "kinematics/machine/rods_graph.h"

namespace rodeo::machine {

Expr2 rotate(Expr angle, const Expr2& v) {
  return {v.x * expr::cos(angle) - v.y * expr::sin(angle), v.x * expr::sin(angle) + v.y * expr::cos(angle)};
}

RodGraph::RodGraph(const Machine& machine) {
  graph.name = machine.name;
  graph.file = machine.file;
  graph.where = machine.where;
  graph.parameters = machine.parameters;
}

int RodGraph::add(std::string name, Kind kind, std::vector<Expr> value, const Where& where, Domain domain) {
  bondgraph::Element element;
  element.name = std::move(name);
  element.kind = kind;
  element.value = std::move(value);
  element.domain = domain;
  element.where = where;
  return bondgraph::add_element(graph, std::move(element));
}

void RodGraph::feed(int one, int zero, Expr modulus, const std::string& name, const Where& where,
                    Domain domain) {
  if (modulus.is_number(0)) return;
  if (modulus.is_number(1)) return bond(one, zero, where);
  if (modulus.is_number(-1)) return bond(zero, one, where);
  const int transformer = add(name, Kind::TF, {modulus}, where, domain);
  bond(one, transformer, where);
  bond(transformer, zero, where);
}

void RodGraph::hold(int one, const std::string& name, const Where& where, Domain domain, std::string note) {
  if (!held_.insert(one).second) return;
  const int source = add(name, Kind::Sf, {Expr(0.0)}, where, domain);
  element(source).note = std::move(note);
  bond(source, one, where);
}

void RodGraph::keep_displacement(int one, const std::string& name, const std::string& symbol,
                                 const Where& where, Domain domain) {
  const int port = add(name, Kind::K, {Expr(0.0)}, where, domain);
  element(port).symbol = symbol;
  bond(one, port, where);
}

}  // namespace rodeo::machine
