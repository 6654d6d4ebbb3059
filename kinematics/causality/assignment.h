// SPDX-License-Identifier: MIT
// Inside kinematics/causality: a causality that is being assigned, with what both algorithms do to it. THEORY C2, C3.
#pragma once
#include <optional>
#include <vector>

#include "kinematics/causality/causality.h"
#include "kinematics/causality/ports.h"
#include "kinematics/causality/propagation.h"

namespace rodeo::causality {

/// A bond between nodes, and how it had best be set.
struct Choice {
  int bond = -1;
  bool at_head = false;
  std::size_t gain = 0;  // bonds that it settles; 0: this one fits neither way
};

class Assignment {
 public:
  Assignment(const Graph& graph, const std::vector<Imposed>& imposed)
      : graph_(graph), imposed_(imposed), fixed_(find_fixed_two_ports(graph)) {}

  /// Forgets all, then imposes what leaves no choice: sources, two-ports that work one way, the modeller's bonds.
  void restart();
  /// With everything that follows. On a conflict nothing is changed, and stopped_at() tells where it showed.
  [[nodiscard]] bool impose(const Port& port, bool arrives, Origin origin);
  void undo_to(std::size_t mark);
  /// The bond between nodes that settles most others.
  [[nodiscard]] Choice choose_arbitrary();

  [[nodiscard]] const Propagation& strokes() const { return *strokes_; }
  [[nodiscard]] bool is_set(int bond) const { return strokes_->is_set(bond); }
  [[nodiscard]] bool complete() const { return strokes_->complete(); }
  /// The element at which the last conflict showed.
  [[nodiscard]] int stopped_at() const { return stopped_at_; }
  /// Whether the modeller chose this bond's causality.
  [[nodiscard]] bool is_imposed(int bond) const;

  /// What is known of the result beside the strokes; the algorithms add to its lists.
  Causality result;

 private:
  void impose_sources();
  void impose_fixed();
  void impose_choices();
  [[nodiscard]] int first_open_element();
  [[nodiscard]] std::vector<int> walk_open_bonds(int start) const;
  [[nodiscard]] std::vector<int> intermediate_first(const std::vector<int>& walk) const;
  [[nodiscard]] std::size_t probe(int bond, bool at_head);

  const Graph& graph_;
  const std::vector<Imposed>& imposed_;
  std::vector<int> fixed_;
  std::optional<Propagation> strokes_;
  std::size_t first_open_ = 0;  // what the trail reached before is complete
  int stopped_at_ = -1;
};

}  // namespace rodeo::causality
