// SPDX-License-Identifier: MIT
#include "kinematics/bondgraph/stops.h"

namespace rodeo::bondgraph {

Expr build_push_condition(bool below, Expr x, Expr rate, Expr end, Expr stiffness, Expr damping) {
  using expr::Op, expr::operation;
  const auto beyond = [&](Expr a, Expr b) {
    return below ? operation(Op::less, {a, b}) : operation(Op::less, {b, a});
  };
  if (damping.is_number(0)) return beyond(x, end);
  return operation(Op::logical_and, {beyond(x, end), beyond(stiffness * (x - end) + damping * rate, 0.0)});
}

void add_stop(Graph& graph, int one, const Stop& stop, const Where& where) {
  const auto add = [&](const std::string& name, Kind kind, std::vector<Expr> value) {
    Element element;
    element.name = name;
    element.kind = kind;
    element.value = std::move(value);
    element.domain = Domain::translation;
    element.where = where;
    return add_element(graph, std::move(element));
  };
  const auto bond = [&](int tail, int head) {
    graph.bonds[static_cast<std::size_t>(add_bond(graph, tail, head, where, 1))].domain = Domain::translation;
  };
  const int junction = add(stop.name, Kind::zero, {});
  graph.elements[static_cast<std::size_t>(junction)].condition = stop.condition;
  graph.elements[static_cast<std::size_t>(junction)].symbol = stop.symbol;
  const int behind = add(stop.name + ".v", Kind::one, {});
  bond(one, junction);
  bond(junction, behind);
  if (!stop.spring.is_number(0)) bond(add(stop.name + ".spring", Kind::Se, {-stop.spring}), behind);
  if (!stop.damping.is_number(0)) bond(behind, add(stop.name + ".damper", Kind::R, {stop.damping}));
}

}  // namespace rodeo::bondgraph
