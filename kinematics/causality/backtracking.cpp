// SPDX-License-Identifier: MIT
// Decisions with both directions tried. Every imposition is checked at once: by its consequences, and by a witness that the
// rest can be completed. THEORY C4.
#include <span>

#include "kinematics/causality/algorithms.h"
#include "kinematics/causality/witness.h"

namespace rodeo::causality {
namespace {

using bondgraph::Element;

constexpr int kMaxBacktracks = 20'000;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

struct Decision {
  Port port;
  bool arrives;
  Origin origin;
  bool tried_both;
  std::size_t mark;
};

class Backtracking {
 public:
  Backtracking(const Graph& graph, Assignment& assignment)
      : graph_(graph), assignment_(assignment), witness_(graph), ports_(find_storage_ports(graph)) {
    const std::vector<Port> resistors = find_resistor_ports(graph);
    ports_.insert(ports_.end(), resistors.begin(), resistors.end());
  }

  Backtracked run() {
    assignment_.restart();
    if (!witness_.fits(strokes(), trail())) return {false, witness_.overdetermined()};
    for (int step = 0; step < kMaxBacktracks; ++step) {
      if (assignment_.complete()) {
        record();
        return {true, {}};
      }
      Decision next = next_decision();
      while (!impose_checked(next)) {
        if (!take_back(next)) return {false, witness_.overdetermined()};
      }
      decisions_.push_back(next);
    }
    return {};
  }

 private:
  [[nodiscard]] const std::vector<Stroke>& strokes() const { return assignment_.strokes().strokes(); }
  [[nodiscard]] const std::vector<int>& trail() const { return assignment_.strokes().trail(); }

  /// Ports in their order, then other bonds. What is passed over stays set until something is taken back.
  Decision next_decision() {
    const std::size_t mark = assignment_.strokes().mark();
    for (; next_port_ < ports_.size(); ++next_port_) {
      const Port& port = ports_[next_port_];
      if (assignment_.is_set(port.bond)) continue;
      const Element& element = graph_.elements[at(port.element)];
      if (element.kind == bondgraph::Kind::R) return {port, false, Origin::resistive, false, mark};
      return {port, integral_arrives(element), Origin::integral, false, mark};
    }
    const Choice choice = assignment_.choose_arbitrary();
    const Port port{graph_.bonds[at(choice.bond)].head, choice.bond};
    return {port, choice.at_head, Origin::arbitrary, false, mark};
  }

  bool impose_checked(const Decision& decision) {
    if (!assignment_.impose(decision.port, decision.arrives, decision.origin)) return false;
    const auto fresh = std::span(trail()).subspan(decision.mark);
    if (witness_.fits(strokes(), fresh)) return true;
    const std::vector<int> freed(fresh.begin(), fresh.end());
    assignment_.undo_to(decision.mark);
    witness_.release(strokes(), freed);
    return false;
  }

  /// The other direction of this decision, or of the latest earlier one that has one left.
  bool take_back(Decision& decision) {
    while (decision.tried_both) {
      if (decisions_.empty()) return false;
      decision = decisions_.back();
      decisions_.pop_back();
      assignment_.undo_to(decision.mark);
      next_port_ = 0;
    }
    decision.tried_both = true;
    decision.arrives = !decision.arrives;
    if (decision.origin == Origin::integral) decision.origin = Origin::differential;
    return true;
  }

  // ---- what was decided

  void record() {
    forget_origins();
    for (const Decision& decision : decisions_) {
      // an intermediate bond that fits one way only was not chosen: it follows from the others
      const bool forced = decision.origin == Origin::arbitrary && decision.tried_both;
      if (!forced) record(decision);
    }
  }

  /// What was tried and taken back has left its origins.
  void forget_origins() {
    std::vector<Origin>& origins = assignment_.result.origins;
    for (std::size_t b = 0; b < graph_.bonds.size(); ++b) {
      if (origins[b] == Origin::arbitrary && assignment_.is_imposed(static_cast<int>(b))) continue;
      const bondgraph::Bond& bond = graph_.bonds[b];
      const bool has_source =
          acts_as_source(graph_.elements[at(bond.tail)]) || acts_as_source(graph_.elements[at(bond.head)]);
      origins[b] = has_source ? Origin::source : Origin::derived;
    }
  }

  void record(const Decision& decision) {
    Causality& result = assignment_.result;
    const int bond = decision.port.bond;
    result.origins[at(bond)] = decision.origin;
    if (decision.origin == Origin::arbitrary) result.arbitrary_bonds.push_back(bond);
    if (decision.origin == Origin::resistive) result.resistive_bonds.push_back(bond);
    if (decision.origin == Origin::differential) result.switched.push_back(bond);
  }

  const Graph& graph_;
  Assignment& assignment_;
  Witness witness_;
  std::vector<Port> ports_;  // storage, then R
  std::size_t next_port_ = 0;
  std::vector<Decision> decisions_;
};

}  // namespace

Backtracked assign_by_backtracking(const Graph& graph, Assignment& assignment) {
  return Backtracking(graph, assignment).run();
}

}  // namespace rodeo::causality
