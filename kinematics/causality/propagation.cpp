// SPDX-License-Identifier: MIT
// Propagation of strokes.
#include "kinematics/causality/propagation.h"

namespace rodeo::causality {

using bondgraph::Bond;
using bondgraph::Element;
using bondgraph::Kind;
using bondgraph::Stroke;

namespace {
std::size_t at(int index) { return static_cast<std::size_t>(index); }
}  // namespace

Propagation::Propagation(const bondgraph::Graph& graph)
    : graph_(graph), strokes_(graph.bonds.size(), Stroke::none), counts_(graph.elements.size()) {}

bool Propagation::arrives(int bond, int element) const {
  const bool at_head = graph_.bonds[at(bond)].head == element;
  return strokes_[at(bond)] == (at_head ? Stroke::head : Stroke::tail);
}

bool Propagation::is_partial(int element) const {
  const Count& count = counts_[at(element)];
  const int set = count.at + count.away;
  return set > 0 && at(set) < graph_.elements[at(element)].bonds.size();
}

void Propagation::set(int bond, Stroke stroke) {
  const Bond& b = graph_.bonds[at(bond)];
  strokes_[at(bond)] = stroke;
  trail_.push_back(bond);
  ++(stroke == Stroke::head ? counts_[at(b.head)].at : counts_[at(b.head)].away);
  ++(stroke == Stroke::tail ? counts_[at(b.tail)].at : counts_[at(b.tail)].away);
  queue_.push_back(b.head);
  queue_.push_back(b.tail);
}

void Propagation::undo_to(std::size_t mark) {
  while (trail_.size() > mark) {
    const int bond = trail_.back();
    trail_.pop_back();
    const Bond& b = graph_.bonds[at(bond)];
    const Stroke stroke = strokes_[at(bond)];
    --(stroke == Stroke::head ? counts_[at(b.head)].at : counts_[at(b.head)].away);
    --(stroke == Stroke::tail ? counts_[at(b.tail)].at : counts_[at(b.tail)].away);
    strokes_[at(bond)] = Stroke::none;
  }
}

bool Propagation::impose(int bond, bool at_element, int element) {
  const bool is_head = graph_.bonds[at(bond)].head == element;
  const Stroke stroke = is_head == at_element ? Stroke::head : Stroke::tail;
  if (is_set(bond)) return strokes_[at(bond)] == stroke || fail(element);
  queue_.clear();
  set(bond, stroke);
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    if (!settle(queue_[next])) return false;
  }
  return true;
}

bool Propagation::fail(int element) {
  conflict_ = element;
  return false;
}

bool Propagation::settle(int element) {
  switch (graph_.elements[at(element)].kind) {
    case Kind::zero: return settle_junction(element, true);
    case Kind::one: return settle_junction(element, false);
    case Kind::TF: return settle_two_port(element, false);
    case Kind::GY: return settle_two_port(element, true);
    default: return true;
  }
}

/// One strong bond: its effort arrives (0-junction) or leaves (1-junction); all others the other way.
bool Propagation::settle_junction(int element, bool strong_is_at) {
  const Count& count = counts_[at(element)];
  const int strong = strong_is_at ? count.at : count.away;
  const int weak = strong_is_at ? count.away : count.at;
  const int all = static_cast<int>(graph_.elements[at(element)].bonds.size());
  if (strong > 1 || weak == all) return fail(element);
  if (strong + weak == all) return true;
  if (strong == 1) set_rest(element, !strong_is_at);
  if (strong == 0 && weak == all - 1) set_rest(element, strong_is_at);
  return true;
}

/// TF: one arrives, one leaves. GY: both arrive or both leave.
bool Propagation::settle_two_port(int element, bool turns) {
  const Element& two_port = graph_.elements[at(element)];
  if (two_port.bonds.size() == 1) return true;  // a gyrator on one vector bond
  const int a = two_port.bonds[0];
  const int b = two_port.bonds[1];
  if (is_set(a) && is_set(b)) return (arrives(a, element) == arrives(b, element)) == turns || fail(element);
  if (!is_set(a) && !is_set(b)) return true;
  set_rest(element, arrives(is_set(a) ? a : b, element) == turns);
  return true;
}

void Propagation::set_rest(int element, bool arriving) {
  for (const int bond : graph_.elements[at(element)].bonds) {
    if (is_set(bond)) continue;
    const bool is_head = graph_.bonds[at(bond)].head == element;
    set(bond, is_head == arriving ? Stroke::head : Stroke::tail);
  }
}

}  // namespace rodeo::causality
