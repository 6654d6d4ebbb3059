// SPDX-License-Identifier: MIT
// Inside kinematics/machine: the bond graph of a machine in the making. Every velocity is a 1-junction (`one`), every sum of
// velocities a 0-junction (`zero`).
#pragma once
#include <set>
#include <string>
#include <vector>

#include "kinematics/bondgraph/graph.h"
#include "kinematics/machine/machine.h"

namespace rodeo::machine {

struct Expr2 {
  Expr x, y;
};

/// R(angle)·v
[[nodiscard]] Expr2 rotate(Expr angle, const Expr2& v);

class RodGraph {
 public:
  using Domain = bondgraph::Domain;
  using Kind = bondgraph::Kind;

  explicit RodGraph(const Machine& machine);

  int add(std::string name, Kind kind, std::vector<Expr> value, const Where& where, Domain domain);
  [[nodiscard]] bondgraph::Element& element(int index) {
    return graph.elements[static_cast<std::size_t>(index)];
  }
  void bond(int tail, int head, const Where& where) { bondgraph::add_bond(graph, tail, head, where); }

  /// Adds modulus · (flow of the 1-junction) to the balance of a 0-junction: directly where the modulus is ±1.
  void feed(int one, int zero, Expr modulus, const std::string& name, const Where& where, Domain domain);
  /// Holds a flow at zero.
  void hold(int one, const std::string& name, const Where& where, Domain domain, std::string note);
  /// Keeps the displacement of a flow as a state, by a `K: 0`.
  void keep_displacement(int one, const std::string& name, const std::string& symbol, const Where& where,
                         Domain domain);

  bondgraph::Graph graph;

 private:
  std::set<int> held_;
};

}  // namespace rodeo::machine
