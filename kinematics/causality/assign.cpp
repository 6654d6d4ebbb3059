// SPDX-License-Identifier: MIT
// The first algorithm, the second where it fails, and how what they find is read.
#include <fmt/format.h>

#include "kinematics/causality/algorithms.h"
#include "kinematics/causality/causality.h"
#include "kinematics/causality/conflicts.h"

namespace rodeo::causality {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

bool receives_effort(const Graph& graph, const std::vector<Stroke>& strokes, int bond, int element) {
  const bool is_head = graph.bonds[at(bond)].head == element;
  return strokes[at(bond)] == (is_head ? Stroke::head : Stroke::tail);
}

bool is_integral(const Graph& graph, const std::vector<Stroke>& strokes, int bond, int element) {
  return receives_effort(graph, strokes, bond, element) == integral_arrives(graph.elements[at(element)]);
}

Causality build_components(const Causality& causality, const std::vector<int>& bond_of) {
  Causality result = causality;
  result.strokes.clear();
  result.origins.clear();
  for (const int bond : bond_of) {
    result.strokes.push_back(causality.strokes[at(bond)]);
    result.origins.push_back(causality.origins[at(bond)]);
  }
  for (std::vector<int> Causality::*list :
       {&Causality::arbitrary_bonds, &Causality::resistive_bonds, &Causality::switched}) {
    (result.*list).clear();
    for (const int bond : causality.*list) {
      for (std::size_t b = 0; b < bond_of.size(); ++b) {
        if (bond_of[b] == bond) (result.*list).push_back(static_cast<int>(b));
      }
    }
  }
  return result;
}

Causality assign_causality(const Graph& graph, const std::vector<Imposed>& imposed,
                           const std::vector<int>& dependent) {
  Assignment assignment(graph, imposed);
  Algorithm algorithm = Algorithm::sequential;
  std::string reason;
  if (!assign_sequentially(graph, assignment, dependent)) {
    algorithm = Algorithm::backtracking;
    reason = fmt::format("the sequential procedure stopped at {}", describe(graph, assignment.stopped_at()));
    const Backtracked found = assign_by_backtracking(graph, assignment);
    if (!found.assigned)
      report_unassignable(graph, assignment.strokes(), found.overdetermined, assignment.stopped_at());
  }
  Causality result = std::move(assignment.result);
  result.strokes = assignment.strokes().strokes();
  result.algorithm = algorithm;
  result.reason = std::move(reason);
  return result;
}

}  // namespace rodeo::causality
