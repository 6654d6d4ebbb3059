// SPDX-License-Identifier: MIT
// Strokes under the rules of the nodes, with a trail to undo. Rules (THEORY C1): a 0-junction has one bond that brings
// effort, a 1-junction one that brings flow; effort passes through a TF and turns back at a GY.
#pragma once
#include <string>
#include <vector>

#include "kinematics/bondgraph/graph.h"

namespace rodeo::causality {

class Propagation {
 public:
  explicit Propagation(const bondgraph::Graph& graph);

  /// Sets the stroke and everything that follows; false on a conflict (then undo to a mark).
  [[nodiscard]] bool impose(int bond, bool at_element, int element);

  [[nodiscard]] std::size_t mark() const noexcept { return trail_.size(); }
  void undo_to(std::size_t mark);

  [[nodiscard]] bondgraph::Stroke stroke(int bond) const { return strokes_[static_cast<std::size_t>(bond)]; }
  [[nodiscard]] bool is_set(int bond) const { return stroke(bond) != bondgraph::Stroke::none; }
  [[nodiscard]] const std::vector<bondgraph::Stroke>& strokes() const noexcept { return strokes_; }
  /// Bonds in the order in which they were set.
  [[nodiscard]] const std::vector<int>& trail() const noexcept { return trail_; }
  [[nodiscard]] bool complete() const noexcept { return trail_.size() == strokes_.size(); }
  /// The element whose rule was broken by the last conflict.
  [[nodiscard]] int conflict() const noexcept { return conflict_; }
  /// Whether an element has a bond set and a bond not set.
  [[nodiscard]] bool is_partial(int element) const;

 private:
  struct Count {
    int at = 0;    // bonds whose effort arrives here
    int away = 0;  // bonds whose effort leaves here
  };
  void set(int bond, bondgraph::Stroke stroke);
  [[nodiscard]] bool settle(int element);
  [[nodiscard]] bool settle_junction(int element, bool strong_is_at);
  [[nodiscard]] bool settle_two_port(int element, bool turns);
  [[nodiscard]] bool fail(int element);
  void set_rest(int element, bool at);
  [[nodiscard]] bool arrives(int bond, int element) const;

  const bondgraph::Graph& graph_;
  std::vector<bondgraph::Stroke> strokes_;
  std::vector<Count> counts_;  // an element each
  std::vector<int> trail_;
  std::vector<int> queue_;
  int conflict_ = -1;
};

}  // namespace rodeo::causality
