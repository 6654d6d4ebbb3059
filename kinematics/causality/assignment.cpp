// SPDX-License-Identifier: MIT
#include "kinematics/causality/assignment.h"

#include <algorithm>
#include <deque>
#include <unordered_set>

#include "kinematics/causality/conflicts.h"

namespace rodeo::causality {
namespace {

using bondgraph::Element;
using bondgraph::Kind;

constexpr std::size_t kWalk = 64;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

// ---- what leaves no choice

void Assignment::restart() {
  strokes_.emplace(graph_);
  result = {};
  result.origins.assign(graph_.bonds.size(), Origin::derived);
  result.fixed = fixed_;
  first_open_ = 0;
  impose_sources();
  impose_fixed();
  impose_choices();
}

void Assignment::impose_sources() {
  for (int e = 0; e < static_cast<int>(graph_.elements.size()); ++e) {
    const Element& element = graph_.elements[at(e)];
    if (!acts_as_source(element)) continue;
    for (const int bond : element.bonds) {
      const bool was_set = is_set(bond);
      if (impose({e, bond}, element.kind == Kind::Sf, Origin::source)) continue;
      report_source_conflict(graph_, e, bond, was_set ? other_end(graph_, bond, e) : stopped_at_);
    }
  }
}

/// Flow in: a TF gives the flow that leaves, a GY both efforts.
void Assignment::impose_fixed() {
  for (const int e : fixed_) {
    const Element& two_port = graph_.elements[at(e)];
    const bool is_gyrator = two_port.kind == Kind::GY;
    for (const int bond : two_port.bonds) {
      const bool enters = graph_.bonds[at(bond)].head == e;
      if (!impose({e, bond}, !is_gyrator && !enters, Origin::derived)) report_fixed_conflict(graph_, e, bond);
    }
  }
}

void Assignment::impose_choices() {
  for (const Imposed& choice : imposed_) {
    const int head = graph_.bonds[at(choice.bond)].head;
    if (!impose({head, choice.bond}, choice.stroke == Stroke::head, Origin::arbitrary))
      report_imposed_conflict(graph_, choice.bond, stopped_at_);
    result.arbitrary_bonds.push_back(choice.bond);
  }
}

bool Assignment::is_imposed(int bond) const {
  return std::any_of(imposed_.begin(), imposed_.end(),
                     [bond](const Imposed& choice) { return choice.bond == bond; });
}

// ---- one imposition

bool Assignment::impose(const Port& port, bool arrives, Origin origin) {
  const std::size_t mark = strokes_->mark();
  if (!strokes_->impose(port.bond, arrives, port.element)) {
    stopped_at_ = strokes_->conflict();
    strokes_->undo_to(mark);
    return false;
  }
  result.origins[at(port.bond)] = origin;
  return true;
}

void Assignment::undo_to(std::size_t mark) {
  strokes_->undo_to(mark);
  first_open_ = 0;
}

// ---- bonds between nodes (C3)

Choice Assignment::choose_arbitrary() {
  Choice best;
  for (const int bond : intermediate_first(walk_open_bonds(first_open_element()))) {
    const std::size_t to_head = probe(bond, true);
    const std::size_t to_tail = probe(bond, false);
    if (to_head == 0 && to_tail == 0) return {bond, true, 0};
    if (to_head > best.gain) best = {bond, true, to_head};
    if (to_tail > best.gain) best = {bond, false, to_tail};
  }
  return best;
}

/// The node reached first that is not complete; where nothing was reached, the first in the file.
int Assignment::first_open_element() {
  const std::vector<int>& trail = strokes_->trail();
  for (; first_open_ < trail.size(); ++first_open_) {
    const bondgraph::Bond& bond = graph_.bonds[at(trail[first_open_])];
    for (const int end : {bond.tail, bond.head}) {
      if (strokes_->is_partial(end)) return end;
    }
  }
  for (std::size_t b = 0; b < graph_.bonds.size(); ++b) {
    if (!is_set(static_cast<int>(b))) return graph_.bonds[b].tail;
  }
  return 0;
}

std::vector<int> Assignment::walk_open_bonds(int start) const {
  std::vector<int> walk;
  std::unordered_set<int> seen_bonds;
  std::unordered_set<int> seen{start};
  std::deque<int> queue{start};
  while (!queue.empty() && walk.size() < kWalk) {
    const int element = queue.front();
    queue.pop_front();
    for (const int bond : graph_.elements[at(element)].bonds) {
      if (is_set(bond) || !seen_bonds.insert(bond).second) continue;
      walk.push_back(bond);
      const int next = other_end(graph_, bond, element);
      if (seen.insert(next).second) queue.push_back(next);
    }
  }
  return walk;
}

/// Bonds between junctions, where there are any: the paper's intermediate bonds.
std::vector<int> Assignment::intermediate_first(const std::vector<int>& walk) const {
  std::vector<int> between;
  for (const int bond : walk) {
    const bondgraph::Bond& b = graph_.bonds[at(bond)];
    if (graph_.elements[at(b.tail)].is_junction() && graph_.elements[at(b.head)].is_junction())
      between.push_back(bond);
  }
  return between.empty() ? walk : between;
}

/// How many bonds a choice settles; 0 for a conflict.
std::size_t Assignment::probe(int bond, bool at_head) {
  const std::size_t mark = strokes_->mark();
  const bool fits = strokes_->impose(bond, at_head, graph_.bonds[at(bond)].head);
  const std::size_t gain = fits ? strokes_->mark() - mark : 0;
  if (!fits) stopped_at_ = strokes_->conflict();
  strokes_->undo_to(mark);
  return gain;
}

}  // namespace rodeo::causality
