// SPDX-License-Identifier: MIT
// A complete causality that fits all nodes and what has been imposed so far, kept up to date: proof that the imposed part
// can be completed. Strokes orient the bonds; a 0-junction has one stroke at it, a 1-junction all but one, a TF one: an
// orientation with given in-degrees, repaired by augmenting paths in time linear in the graph. A GY (none or both) is
// taken as any number of strokes, so with gyrators the proof is necessary, not sufficient. THEORY C4.
#pragma once
#include <span>
#include <vector>

#include "kinematics/bondgraph/graph.h"

namespace rodeo::causality {

class Witness {
 public:
  explicit Witness(const bondgraph::Graph& graph);

  /// Whether some complete causality agrees with the strokes that are set. `fresh` are the bonds set since the last call
  /// that gave true; after one that gave false, undo and release them. The strokes must outlive the witness.
  [[nodiscard]] bool fits(const std::vector<bondgraph::Stroke>& strokes, std::span<const int> fresh);

  /// Repairs the witness after bonds were freed again.
  void release(const std::vector<bondgraph::Stroke>& strokes, std::span<const int> freed);

  /// After fits() gave false: the elements of the part that is over-determined.
  [[nodiscard]] const std::vector<int>& overdetermined() const noexcept { return reached_; }

 private:
  struct Bounds {
    int low = 0;
    int high = 0;
  };
  [[nodiscard]] Bounds bounds_of(const bondgraph::Element& element) const;
  [[nodiscard]] int end_at(int bond) const;
  void flip(int bond);
  [[nodiscard]] bool may_flip(int bond) const;
  [[nodiscard]] bool settle(int element);
  [[nodiscard]] bool shift(int start, bool surplus);

  const bondgraph::Graph& graph_;
  std::vector<bool> at_head_;  // the stroke of each bond
  std::vector<int> count_;     // strokes at each element
  std::vector<Bounds> bounds_;
  const std::vector<bondgraph::Stroke>* set_ = nullptr;
  bool started_ = false;  // the first call repairs every element
  std::vector<int> reached_;
  std::vector<int> from_;  // bond by which the search reached an element, -1: not reached
};

}  // namespace rodeo::causality
