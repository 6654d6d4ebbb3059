// SPDX-License-Identifier: MIT
// Bondin's two algorithms. Freedom is used by stated rules, so that the same graph always gets the same causality:
//   storage ports   those whose displacement or flow modulates something first, then in file order   (C2)
//   R ports         in file order, giving effort if that meets no conflict
//   other bonds     from the node that was reached first and is not complete, walk the bonds without causality
//                   breadth-first, kWalk of them; take the bond and direction that settles most bonds   (C3)
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_set>

#include "kinematics/bondgraph/moduli.h"
#include "kinematics/causality/causality.h"
#include "kinematics/causality/propagation.h"
#include "kinematics/causality/witness.h"

namespace rodeo::causality {
namespace {

using bondgraph::Element;
using bondgraph::Kind;

constexpr std::size_t kWalk = 64;
constexpr int kMaxBacktracks = 20'000;
constexpr int kMaxAttempts = 200;  // of the first algorithm

std::size_t at(int index) { return static_cast<std::size_t>(index); }

struct Port {
  int element;
  int bond;
};

bool is_zero_stiffness(const Element& element) {
  return element.kind == Kind::K && element.value.size() == 1 && element.value[0].is_number(0);
}

/// In integral causality an I receives effort, a C or K gives it.
bool integral_arrives(const Element& element) { return element.kind == Kind::I; }

/// Names of elements whose variables stand in another element's value: `J` of `J.displacement`.
std::unordered_set<std::string> modulating_elements(const Graph& graph) {
  std::vector<expr::Expr> values;
  for (const Element& element : graph.elements) {
    if (element.is_two_port()) values.insert(values.end(), element.value.begin(), element.value.end());
  }
  std::unordered_set<std::string> names;
  for (const expr::Expr symbol : expr::symbols_of(values)) {
    if (symbol->kind != expr::SymbolKind::variable) continue;
    names.insert(symbol->name.substr(0, symbol->name.rfind('.')));
  }
  return names;
}

std::vector<Port> storage_ports(const Graph& graph) {
  const auto modulating = modulating_elements(graph);
  std::vector<Port> first, second;
  for (int e = 0; e < static_cast<int>(graph.elements.size()); ++e) {
    const Element& element = graph.elements[at(e)];
    if (!element.is_storage() || is_zero_stiffness(element)) continue;
    for (const int bond : element.bonds)
      (modulating.contains(element.name) ? first : second).push_back({e, bond});
  }
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::vector<int> fixed_two_ports(const Graph& graph) {
  std::vector<int> fixed;
  for (int e = 0; e < static_cast<int>(graph.elements.size()); ++e) {
    const Element& element = graph.elements[at(e)];
    if (!element.is_two_port() || !element.shape.is_matrix()) continue;
    if (element.bonds.size() == 1 || !bondgraph::is_invertible(graph, element)) fixed.push_back(e);
  }
  return fixed;
}

std::string bond_name(const Graph& graph, int bond) {
  const bondgraph::Bond& b = graph.bonds[at(bond)];
  return fmt::format("{} -> {}", graph.elements[at(b.tail)].name, graph.elements[at(b.head)].name);
}

class Assigner {
 public:
  Assigner(const Graph& graph, const std::vector<Imposed>& imposed)
      : graph_(graph), imposed_(imposed), storages_(storage_ports(graph)), fixed_(fixed_two_ports(graph)) {}

  Causality run() {
    Causality result;
    if (!run_sequential()) {
      result.reason = fmt::format("the sequential procedure stopped at {}", describe(stopped_at_));
      if (!run_backtracking()) throw text::ModelError(graph_.where, unassignable());
      result.algorithm = Algorithm::backtracking;
    }
    result.strokes = strokes_->strokes();
    result.origins = origins_;
    result.arbitrary_bonds = arbitrary_;
    result.resistive_bonds = resistive_;
    result.switched = switched_;
    result.fixed = fixed_;
    return result;
  }

 private:
  // ---- steps shared by both algorithms

  void restart() {
    strokes_.emplace(graph_);
    origins_.assign(graph_.bonds.size(), Origin::derived);
    arbitrary_.clear();
    resistive_.clear();
    switched_.clear();
    imposed_integral_.clear();
    first_open_ = 0;
    impose_sources();
    impose_fixed();
    impose_choices();
  }

  /// Flow in: a TF gives the flow that leaves, a GY both efforts.
  void impose_fixed() {
    for (const int e : fixed_) {
      const Element& two_port = graph_.elements[at(e)];
      const bool is_gyrator = two_port.kind == Kind::GY;
      for (const int bond : two_port.bonds) {
        const bool enters = graph_.bonds[at(bond)].head == e;
        if (!impose({e, bond}, !is_gyrator && !enters, Origin::derived)) report_fixed_conflict(e, bond);
      }
    }
  }

  [[noreturn]] void report_fixed_conflict(int element, int bond) const {
    const Element& two_port = graph_.elements[at(element)];
    throw text::ModelError(
        two_port.where,
        fmt::format("element '{}': its matrix has no inverse, so it takes {} (rule C2), but others impose "
                    "the opposite on "
                    "bond {}: let an R and C, or a lambda, hold what a flow source holds",
                    two_port.name,
                    two_port.kind == Kind::GY ? "flows and gives efforts"
                                              : "the flow that enters and the effort of the bond that leaves",
                    bond_name(graph_, bond)));
  }

  void impose_choices() {
    for (const Imposed& choice : imposed_) {
      const int head = graph_.bonds[at(choice.bond)].head;
      if (!impose({head, choice.bond}, choice.stroke == Stroke::head, Origin::arbitrary)) {
        throw text::ModelError(graph_.bonds[at(choice.bond)].where,
                               fmt::format("the causality imposed on bond {} contradicts {}",
                                           bond_name(graph_, choice.bond), describe(stopped_at_)));
      }
      arbitrary_.push_back(choice.bond);
    }
  }

  bool impose(const Port& port, bool arrives, Origin origin) {
    const std::size_t mark = strokes_->mark();
    if (!strokes_->impose(port.bond, arrives, port.element)) {
      stopped_at_ = strokes_->conflict();
      strokes_->undo_to(mark);
      return false;
    }
    origins_[at(port.bond)] = origin;
    return true;
  }

  void impose_sources() {
    for (int e = 0; e < static_cast<int>(graph_.elements.size()); ++e) {
      const Element& element = graph_.elements[at(e)];
      if (!element.is_source() && !is_zero_stiffness(element)) continue;
      for (const int bond : element.bonds) {
        const bool was_set = strokes_->is_set(bond);
        if (!impose({e, bond}, element.kind == Kind::Sf, Origin::source))
          report_source_conflict(e, bond, was_set);
      }
    }
  }

  [[noreturn]] void report_source_conflict(int element, int bond, bool was_set) const {
    const Element& source = graph_.elements[at(element)];
    const bool gives_flow = source.kind == Kind::Sf;
    const Element& node = graph_.elements[at(was_set ? other_end(bond, element) : strokes_->conflict())];
    throw text::ModelError(
        source.where,
        fmt::format(
            "'{}' ({}) imposes {} on bond {}, but others impose it already: the conflict shows at {}; remove "
            "one of these sources, or put {} between them",
            source.name, bondgraph::kind_text(source.kind), gives_flow ? "a flow" : "an effort",
            bond_name(graph_, bond), describe(graph_.find_element(node.name)),
            gives_flow ? "a C or R on a 0-junction" : "an I or R on a 1-junction"));
  }

  int other_end(int bond, int element) const {
    const bondgraph::Bond& b = graph_.bonds[at(bond)];
    return b.head == element ? b.tail : b.head;
  }

  std::string describe(int element) const {
    if (element < 0) return "its start";
    const Element& e = graph_.elements[at(element)];
    std::vector<std::string> names;
    for (const int bond : e.bonds) names.push_back(bond_name(graph_, bond));
    return fmt::format("{} '{}' (bonds {})",
                       e.is_junction() ? std::string(bondgraph::kind_text(e.kind)) + "-junction"
                                       : bondgraph::kind_text(e.kind),
                       e.name, text::join_names(names, 6));
  }

  std::string unassignable() const {
    const std::vector<std::string> sources = sources_of_conflict();
    return fmt::format(
        "no causality fits this graph: {} is over-determined{}; {}, or let a C, I or R take up the "
        "difference",
        describe(stopped_at_), sources.empty() ? "" : " by " + text::join_names(sources, 6),
        sources.empty() ? "remove one of its bonds" : "remove one of these sources");
  }

  /// Sources whose consequences reach the over-determined part, inputs first: they are the ones a user can spare.
  std::vector<std::string> sources_of_conflict() const {
    std::vector<int> open = region_;
    if (stopped_at_ >= 0) open.push_back(stopped_at_);
    std::unordered_set<int> seen(open.begin(), open.end());
    std::vector<std::string> inputs, others;
    for (std::size_t next = 0; next < open.size(); ++next) {
      const Element& element = graph_.elements[at(open[next])];
      if (element.is_source() || is_zero_stiffness(element))
        (element.is_input() ? inputs : others).push_back(element.name);
      for (const int bond : element.bonds) {
        const int other = other_end(bond, open[next]);
        if (strokes_->is_set(bond) && seen.insert(other).second) open.push_back(other);
      }
    }
    inputs.insert(inputs.end(), others.begin(), others.end());
    return inputs;
  }

  // ---- first algorithm: SCAP with switching (THEORY C2)

  bool run_sequential() {
    std::set<int> differential;  // bonds of ports that must not be integral
    if (attempt(differential)) return true;
    while (!imposed_integral_.empty() && attempts_ < kMaxAttempts) {
      const std::vector<int> candidates(imposed_integral_.rbegin(), imposed_integral_.rend());
      for (const int bond : candidates) {
        std::set<int> one_more = differential;
        one_more.insert(bond);
        if (attempt(one_more)) return true;
      }
      differential.insert(candidates.front());
      if (attempt(differential)) return true;
    }
    return false;
  }

  bool attempt(const std::set<int>& differential) {
    if (++attempts_ > kMaxAttempts) return false;
    restart();
    for (const Port& port : storages_) {
      if (strokes_->is_set(port.bond)) continue;
      if (!assign_storage(port, differential.contains(port.bond))) return false;
    }
    for (int e = 0; e < static_cast<int>(graph_.elements.size()); ++e) {
      if (graph_.elements[at(e)].kind == Kind::R && !assign_resistor(e)) return false;
    }
    while (!strokes_->complete()) {
      if (!assign_arbitrary()) return false;
    }
    return true;
  }

  bool assign_storage(const Port& port, bool differential) {
    const bool arrives = integral_arrives(graph_.elements[at(port.element)]);
    if (!differential && impose(port, arrives, Origin::integral)) {
      imposed_integral_.push_back(port.bond);
      return true;
    }
    switched_.push_back(port.bond);
    return impose(port, !arrives, Origin::differential);
  }

  bool assign_resistor(int element) {
    for (const int bond : graph_.elements[at(element)].bonds) {
      if (strokes_->is_set(bond)) continue;
      if (!impose({element, bond}, false, Origin::resistive) &&
          !impose({element, bond}, true, Origin::resistive))
        return false;
      resistive_.push_back(bond);
    }
    return true;
  }

  // ---- bonds between nodes (THEORY C3)

  struct Choice {
    int bond = -1;
    bool at_head = false;
    std::size_t gain = 0;
  };

  bool assign_arbitrary() {
    const Choice best = choose_arbitrary();
    if (best.gain == 0) return false;
    arbitrary_.push_back(best.bond);
    return impose({graph_.bonds[at(best.bond)].head, best.bond}, best.at_head, Origin::arbitrary);
  }

  /// gain 0: some bond fits neither way.
  Choice choose_arbitrary() {
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

  /// Bonds between junctions, where there are any: the paper's intermediate bonds.
  [[nodiscard]] std::vector<int> intermediate_first(const std::vector<int>& walk) const {
    std::vector<int> between;
    for (const int bond : walk) {
      const bondgraph::Bond& b = graph_.bonds[at(bond)];
      if (graph_.elements[at(b.tail)].is_junction() && graph_.elements[at(b.head)].is_junction())
        between.push_back(bond);
    }
    return between.empty() ? walk : between;
  }

  /// How many bonds a choice settles; 0 for a conflict.
  std::size_t probe(int bond, bool at_head) {
    const std::size_t mark = strokes_->mark();
    const bool fits = strokes_->impose(bond, at_head, graph_.bonds[at(bond)].head);
    const std::size_t gain = fits ? strokes_->mark() - mark : 0;
    if (!fits) stopped_at_ = strokes_->conflict();
    strokes_->undo_to(mark);
    return gain;
  }

  /// The node reached first that is not complete; where nothing was reached, the first in the file.
  int first_open_element() {
    const std::vector<int>& trail = strokes_->trail();
    for (; first_open_ < trail.size(); ++first_open_) {
      const bondgraph::Bond& bond = graph_.bonds[at(trail[first_open_])];
      for (const int end : {bond.tail, bond.head}) {
        if (strokes_->is_partial(end)) return end;
      }
    }
    for (std::size_t b = 0; b < graph_.bonds.size(); ++b) {
      if (!strokes_->is_set(static_cast<int>(b))) return graph_.bonds[b].tail;
    }
    return 0;
  }

  std::vector<int> walk_open_bonds(int start) const {
    std::vector<int> walk;
    std::unordered_set<int> seen_bonds;
    std::unordered_set<int> seen{start};
    std::deque<int> queue{start};
    while (!queue.empty() && walk.size() < kWalk) {
      const int element = queue.front();
      queue.pop_front();
      for (const int bond : graph_.elements[at(element)].bonds) {
        if (strokes_->is_set(bond) || !seen_bonds.insert(bond).second) continue;
        walk.push_back(bond);
        const int next = other_end(bond, element);
        if (seen.insert(next).second) queue.push_back(next);
      }
    }
    return walk;
  }

  // ---- second algorithm: backtracking (THEORY C4)

  struct Decision {
    Port port;
    bool arrives;
    Origin origin;
    bool tried_both;
    std::size_t mark;
  };

  /// Every imposition is checked at once: by its consequences, and by a witness that the rest can be completed.
  bool run_backtracking() {
    restart();
    list_ports();
    Witness witness(graph_);
    if (!witness.fits(strokes_->strokes(), strokes_->trail())) return over_determined(witness);
    std::vector<Decision> decisions;
    for (int step = 0; step < kMaxBacktracks; ++step) {
      if (strokes_->complete()) return record(decisions);
      Decision next = next_decision();
      while (!impose_checked(next, witness)) {
        if (!take_back(next, decisions)) return over_determined(witness);
      }
      decisions.push_back(next);
    }
    return false;
  }

  void list_ports() {
    ports_ = storages_;
    for (int e = 0; e < static_cast<int>(graph_.elements.size()); ++e) {
      if (graph_.elements[at(e)].kind != Kind::R) continue;
      for (const int bond : graph_.elements[at(e)].bonds) ports_.push_back({e, bond});
    }
  }

  bool impose_checked(const Decision& decision, Witness& witness) {
    if (!impose(decision.port, decision.arrives, decision.origin)) return false;
    if (witness.fits(strokes_->strokes(), std::span(strokes_->trail()).subspan(decision.mark))) return true;
    const std::vector<int> freed(strokes_->trail().begin() + static_cast<std::ptrdiff_t>(decision.mark),
                                 strokes_->trail().end());
    strokes_->undo_to(decision.mark);
    witness.release(strokes_->strokes(), freed);
    return false;
  }

  bool over_determined(const Witness& witness) {
    region_ = witness.overdetermined();
    return false;
  }

  /// Ports in their order, then other bonds. What is passed over stays set until something is taken back.
  Decision next_decision() {
    for (; next_port_ < ports_.size(); ++next_port_) {
      const Port& port = ports_[next_port_];
      if (strokes_->is_set(port.bond)) continue;
      const Element& element = graph_.elements[at(port.element)];
      if (element.kind == Kind::R) return {port, false, Origin::resistive, false, strokes_->mark()};
      return {port, integral_arrives(element), Origin::integral, false, strokes_->mark()};
    }
    const Choice choice = choose_arbitrary();
    return {{graph_.bonds[at(choice.bond)].head, choice.bond},
            choice.at_head,
            Origin::arbitrary,
            false,
            strokes_->mark()};
  }

  /// The other direction of this decision, or of the latest earlier one that has one left.
  bool take_back(Decision& decision, std::vector<Decision>& decisions) {
    while (decision.tried_both) {
      if (decisions.empty()) return false;
      decision = decisions.back();
      decisions.pop_back();
      strokes_->undo_to(decision.mark);
      next_port_ = 0;
      first_open_ = 0;
    }
    decision.tried_both = true;
    decision.arrives = !decision.arrives;
    if (decision.origin == Origin::integral) decision.origin = Origin::differential;
    return true;
  }

  [[nodiscard]] bool is_imposed(int bond) const {
    return std::any_of(imposed_.begin(), imposed_.end(),
                       [bond](const Imposed& choice) { return choice.bond == bond; });
  }

  bool record(const std::vector<Decision>& decisions) {
    for (std::size_t b = 0; b < graph_.bonds.size(); ++b) {
      if (origins_[b] == Origin::arbitrary && is_imposed(static_cast<int>(b))) continue;
      origins_[b] = Origin::derived;
      for (const int end : {graph_.bonds[b].tail, graph_.bonds[b].head}) {
        const Element& element = graph_.elements[at(end)];
        if (element.is_source() || is_zero_stiffness(element)) origins_[b] = Origin::source;
      }
    }
    for (const Decision& decision : decisions) {
      // an intermediate bond that fits one way only was not chosen: it follows from the others
      const bool forced = decision.origin == Origin::arbitrary && decision.tried_both;
      if (forced) continue;
      origins_[at(decision.port.bond)] = decision.origin;
      if (decision.origin == Origin::arbitrary) arbitrary_.push_back(decision.port.bond);
      if (decision.origin == Origin::resistive) resistive_.push_back(decision.port.bond);
      if (decision.origin == Origin::differential) switched_.push_back(decision.port.bond);
    }
    return true;
  }

  const Graph& graph_;
  const std::vector<Imposed>& imposed_;
  std::vector<Port> storages_;
  std::vector<int> fixed_;  // two-ports that work one way only
  std::optional<Propagation> strokes_;
  std::vector<Origin> origins_;
  std::vector<int> arbitrary_, resistive_, switched_, imposed_integral_;
  std::vector<int> region_;  // the over-determined part
  std::vector<Port> ports_;  // of the second algorithm: storage, then R
  std::size_t next_port_ = 0;
  std::size_t first_open_ = 0;
  int stopped_at_ = -1;
  int attempts_ = 0;
};

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

Causality assign_causality(const Graph& graph, const std::vector<Imposed>& imposed) {
  return Assigner(graph, imposed).run();
}

}  // namespace rodeo::causality
