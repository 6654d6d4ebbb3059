// SPDX-License-Identifier: MIT
// Orientation with bounded in-degrees, by augmenting paths.
#include "kinematics/causality/witness.h"

#include <deque>

namespace rodeo::causality {

using bondgraph::Element;
using bondgraph::Kind;
using bondgraph::Stroke;

namespace {
std::size_t at(int index) { return static_cast<std::size_t>(index); }
constexpr int kStart = -2;
}  // namespace

Witness::Witness(const bondgraph::Graph& graph)
    : graph_(graph),
      at_head_(graph.bonds.size(), true),
      count_(graph.elements.size(), 0),
      from_(graph.elements.size(), -1) {
  for (const Element& element : graph.elements) bounds_.push_back(bounds_of(element));
  for (const bondgraph::Bond& bond : graph.bonds) ++count_[at(bond.head)];
}

Witness::Bounds Witness::bounds_of(const Element& element) const {
  const int n = static_cast<int>(element.bonds.size());
  switch (element.kind) {
    case Kind::zero: return {1, 1};
    case Kind::one: return {n - 1, n - 1};
    case Kind::TF: return {1, 1};
    case Kind::Se: return {0, 0};
    case Kind::Sf: return {n, n};
    default: return {0, n};
  }
}

int Witness::end_at(int bond) const {
  const bondgraph::Bond& b = graph_.bonds[at(bond)];
  return at_head_[at(bond)] ? b.head : b.tail;
}

void Witness::flip(int bond) {
  --count_[at(end_at(bond))];
  at_head_[at(bond)] = !at_head_[at(bond)];
  ++count_[at(end_at(bond))];
}

/// A bond that is set may only turn to the side that it is set to.
bool Witness::may_flip(int bond) const {
  const Stroke stroke = (*set_)[at(bond)];
  return stroke == Stroke::none || (stroke == Stroke::head) != at_head_[at(bond)];
}

bool Witness::fits(const std::vector<Stroke>& strokes, std::span<const int> fresh) {
  set_ = &strokes;
  for (const int bond : fresh) {
    if (may_flip(bond)) flip(bond);
  }
  for (const int bond : fresh) {
    const bondgraph::Bond& b = graph_.bonds[at(bond)];
    if (!settle(b.tail) || !settle(b.head)) return false;
  }
  if (started_) return true;
  started_ = true;
  for (int element = 0; element < static_cast<int>(count_.size()); ++element) {
    if (!settle(element)) return false;
  }
  return true;
}

void Witness::release(const std::vector<Stroke>& strokes, std::span<const int> freed) {
  const std::vector<int> kept = reached_;  // what fits() reported
  static_cast<void>(fits(strokes, freed));
  reached_ = kept;
}

bool Witness::settle(int element) {
  while (count_[at(element)] > bounds_[at(element)].high) {
    if (!shift(element, true)) return false;
  }
  while (count_[at(element)] < bounds_[at(element)].low) {
    if (!shift(element, false)) return false;
  }
  return true;
}

/// Moves one stroke along a path from `start` to an element that can take it (surplus) or spare it.
bool Witness::shift(int start, bool surplus) {
  std::deque<int> queue{start};
  reached_ = {start};
  from_[at(start)] = kStart;
  int end = -1;
  while (!queue.empty() && end < 0) {
    const int element = queue.front();
    queue.pop_front();
    for (const int bond : graph_.elements[at(element)].bonds) {
      if ((end_at(bond) == element) != surplus || !may_flip(bond)) continue;
      const bondgraph::Bond& b = graph_.bonds[at(bond)];
      const int next = b.head == element ? b.tail : b.head;
      if (from_[at(next)] != -1) continue;
      from_[at(next)] = bond;
      reached_.push_back(next);
      queue.push_back(next);
      const bool ends =
          surplus ? count_[at(next)] < bounds_[at(next)].high : count_[at(next)] > bounds_[at(next)].low;
      if (ends) {
        end = next;
        break;
      }
    }
  }
  for (int element = end; element >= 0 && from_[at(element)] != kStart;) {
    const int bond = from_[at(element)];
    const bondgraph::Bond& b = graph_.bonds[at(bond)];
    element = b.head == element ? b.tail : b.head;
    flip(bond);
  }
  for (const int element : reached_) from_[at(element)] = -1;
  return end >= 0;
}

}  // namespace rodeo::causality
