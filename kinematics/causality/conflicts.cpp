// SPDX-License-Identifier: MIT
#include "kinematics/causality/conflicts.h"

#include <fmt/format.h>

#include <unordered_set>

#include "kinematics/causality/ports.h"
#include "kinematics/text/fault.h"

namespace rodeo::causality {
namespace {

using bondgraph::Element;
using bondgraph::Graph;
using bondgraph::Kind;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Sources whose consequences reach the over-determined part, inputs first: they are the ones a user can spare.
std::vector<std::string> find_sources(const Graph& graph, const Propagation& strokes, std::vector<int> open) {
  std::unordered_set<int> seen(open.begin(), open.end());
  std::vector<std::string> inputs, others;
  for (std::size_t next = 0; next < open.size(); ++next) {
    const int here = open[next];
    const Element& element = graph.elements[at(here)];
    if (acts_as_source(element)) (element.is_input() ? inputs : others).push_back(element.name);
    for (const int bond : element.bonds) {
      const int other = other_end(graph, bond, here);
      if (strokes.is_set(bond) && seen.insert(other).second) open.push_back(other);
    }
  }
  inputs.insert(inputs.end(), others.begin(), others.end());
  return inputs;
}

}  // namespace

std::string bond_name(const Graph& graph, int bond) {
  const bondgraph::Bond& b = graph.bonds[at(bond)];
  return fmt::format("{} -> {}", graph.elements[at(b.tail)].name, graph.elements[at(b.head)].name);
}

std::string describe(const Graph& graph, int element) {
  if (element < 0) return "its start";
  const Element& e = graph.elements[at(element)];
  std::vector<std::string> names;
  for (const int bond : e.bonds) names.push_back(bond_name(graph, bond));
  return fmt::format("{} '{}' (bonds {})",
                     e.is_junction() ? std::string(bondgraph::kind_text(e.kind)) + "-junction"
                                     : bondgraph::kind_text(e.kind),
                     e.name, text::join_names(names, 6));
}

int other_end(const Graph& graph, int bond, int element) {
  const bondgraph::Bond& b = graph.bonds[at(bond)];
  return b.head == element ? b.tail : b.head;
}

void report_source_conflict(const Graph& graph, int source, int bond, int shown) {
  const Element& element = graph.elements[at(source)];
  const bool gives_flow = element.kind == Kind::Sf;
  throw text::ModelError(
      element.where,
      fmt::format(
          "'{}' ({}) imposes {} on bond {}, but others impose it already: the conflict shows at {}; remove "
          "one of these sources, or put {} between them",
          element.name, bondgraph::kind_text(element.kind), gives_flow ? "a flow" : "an effort",
          bond_name(graph, bond), describe(graph, shown),
          gives_flow ? "a C or R on a 0-junction" : "an I or R on a 1-junction"));
}

void report_fixed_conflict(const Graph& graph, int two_port, int bond) {
  const Element& element = graph.elements[at(two_port)];
  throw text::ModelError(
      element.where,
      fmt::format("element '{}': its matrix has no inverse, so it takes {} (rule C2), but others impose "
                  "the opposite on bond {}: let an R and C, or a lambda, hold what a flow source holds",
                  element.name,
                  element.kind == Kind::GY ? "flows and gives efforts"
                                           : "the flow that enters and the effort of the bond that leaves",
                  bond_name(graph, bond)));
}

void report_imposed_conflict(const Graph& graph, int bond, int shown) {
  throw text::ModelError(graph.bonds[at(bond)].where,
                         fmt::format("the causality imposed on bond {} contradicts {}",
                                     bond_name(graph, bond), describe(graph, shown)));
}

void report_unassignable(const Graph& graph, const Propagation& strokes, std::vector<int> region, int shown) {
  if (shown >= 0) region.push_back(shown);
  const std::vector<std::string> sources = find_sources(graph, strokes, std::move(region));
  throw text::ModelError(
      graph.where,
      fmt::format("no causality fits this graph: {} is over-determined{}; {}, or let a C, I or R take up the "
                  "difference",
                  describe(graph, shown), sources.empty() ? "" : " by " + text::join_names(sources, 6),
                  sources.empty() ? "remove one of its bonds" : "remove one of these sources"));
}

}  // namespace rodeo::causality
