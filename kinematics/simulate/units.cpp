// SPDX-License-Identifier: MIT
#include "kinematics/simulate/units.h"

#include <algorithm>

namespace rodeo::simulate {
namespace {

using bondgraph::Graph;
using expr::Expr;
using expr::Op;

constexpr int kMostSignals = 50;  // of signals of signals

/// N from N, m from m/s.
std::string integrate(const std::string& unit) {
  if (unit.ends_with("/s")) return unit.substr(0, unit.size() - 2);
  if (unit == "A") return "C";
  if (unit == "W/K") return "J/K";
  return unit.empty() ? "" : unit + " s";
}

bondgraph::Domain find_domain(const Graph& graph, const bondgraph::Element& element) {
  if (element.domain != bondgraph::Domain::unset || element.bonds.empty()) return element.domain;
  return graph.bonds[static_cast<std::size_t>(element.bonds[0])].domain;
}

/// `spring.effort`, `field.flow_2`, or an input by its element's name.
std::string find_variable_unit(const Graph& graph, const std::string& name) {
  if (const int own = graph.find_element(name); own >= 0)
    return bondgraph::value_unit(graph.elements[static_cast<std::size_t>(own)]);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return "";
  const int index = graph.find_element(name.substr(0, dot));
  if (index < 0) return "";
  const bondgraph::Units& units =
      bondgraph::units_of(find_domain(graph, graph.elements[static_cast<std::size_t>(index)]));
  const std::string quantity = name.substr(dot + 1);
  if (quantity.starts_with("effort")) return units.effort;
  if (quantity.starts_with("flow")) return units.flow;
  if (quantity.starts_with("displacement")) return units.displacement;
  return quantity.starts_with("momentum") ? units.momentum : "";
}

class Finder {
 public:
  explicit Finder(const Graph& graph) : graph_(graph) {}

  std::string find(Expr e) {
    switch (e->op) {
      case Op::symbol: return find_symbol(e);
      case Op::neg:
      case Op::abs: return find(e->args[0]);
      case Op::add:
      case Op::min:
      case Op::max: return find_common(e->args[0], e->args[1]);
      case Op::select: return find_common(e->args[1], e->args[2]);
      case Op::mul: return e->args[0].is_number() ? find(e->args[1]) : find_multiple(e->args[0], e->args[1]);
      case Op::div: return find_multiple(e->args[0], e->args[1]);
      default: return "";
    }
  }

 private:
  std::string find_symbol(Expr e) {
    if (e->kind == expr::SymbolKind::time) return "s";
    if (e->kind != expr::SymbolKind::variable || ++depth_ > kMostSignals) return "";
    const auto& signals = graph_.signals;
    const auto signal =
        std::find_if(signals.begin(), signals.end(), [&](const auto& s) { return s.name == e->name; });
    std::string unit = signal == signals.end() ? find_variable_unit(graph_, e->name) : find(signal->value);
    --depth_;
    return signal != signals.end() && signal->integrates ? integrate(unit) : unit;
  }

  std::string find_common(Expr a, Expr b) {
    const std::string first = find(a), second = find(b);
    if (a.is_number()) return second;
    return b.is_number() || first == second ? first : "";
  }

  std::string find_multiple(Expr value, Expr factor) { return factor.is_number() ? find(value) : ""; }

  const Graph& graph_;
  int depth_ = 0;
};

}  // namespace

std::string find_unit(const Graph& graph, Expr e) { return Finder(graph).find(e); }

}  // namespace rodeo::simulate
