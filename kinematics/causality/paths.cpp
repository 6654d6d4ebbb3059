// SPDX-License-Identifier: MIT
// Signals follow causality: effort 2b and flow 2b+1 of bond b, an edge from cause to effect.
#include "kinematics/causality/paths.h"

#include <algorithm>
#include <deque>
#include <set>

namespace rodeo::causality {
namespace {

using bondgraph::Element;
using bondgraph::Kind;

std::size_t at(int index) { return static_cast<std::size_t>(index); }
int effort(int bond) { return 2 * bond; }
int flow(int bond) { return 2 * bond + 1; }

struct Port {
  int element;
  int bond;
  int input;   // what the element receives
  int output;  // what it gives
};

class PathFinder {
 public:
  PathFinder(const Graph& graph, const Causality& causality)
      : graph_(graph),
        causality_(causality),
        structure_(2 * graph.bonds.size()),
        from_(2 * graph.bonds.size(), kUnseen) {
    for (int e = 0; e < static_cast<int>(graph_.elements.size()); ++e) add_element(e);
  }

  std::vector<ZeroOrderPath> run() {
    find_cycles();
    find_resistive_paths();
    find_storage_paths();
    return std::move(paths_);
  }

 private:
  static constexpr int kUnseen = -1;
  static constexpr int kRoot = -2;

  [[nodiscard]] bool arrives(int bond, int e) const {
    return receives_effort(graph_, causality_.strokes, bond, e);
  }

  // ---- the signal graph

  void add_element(int e) {
    const Element& element = graph_.elements[at(e)];
    if (element.is_junction()) return add_junction(e);
    if (element.is_two_port()) return add_two_port(e);
    for (const int bond : element.bonds) add_port(e, bond);
  }

  void add_edge(int cause, int effect) { structure_[at(cause)].push_back(effect); }

  void add_junction(int e) {
    const Element& element = graph_.elements[at(e)];
    const bool is_zero = element.kind == Kind::zero;
    for (const int strong : element.bonds) {
      if (arrives(strong, e) != is_zero) continue;
      for (const int weak : element.bonds) {
        if (weak == strong) continue;
        add_edge(is_zero ? effort(strong) : flow(strong), is_zero ? effort(weak) : flow(weak));
        add_edge(is_zero ? flow(weak) : effort(weak), is_zero ? flow(strong) : effort(strong));
      }
    }
  }

  void add_two_port(int e) {
    const Element& element = graph_.elements[at(e)];
    const auto given = [&](int bond) { return arrives(bond, e) ? effort(bond) : flow(bond); };
    const auto taken = [&](int bond) { return arrives(bond, e) ? flow(bond) : effort(bond); };
    for (const int a : element.bonds) {
      for (const int b : element.bonds) {
        if ((graph_.bonds[at(a)].head == e) != (graph_.bonds[at(b)].head == e)) add_edge(given(a), taken(b));
      }
    }
  }

  void add_port(int e, int bond) {
    const Element& element = graph_.elements[at(e)];
    const bool takes_effort = arrives(bond, e);
    const Port port{e, bond, takes_effort ? effort(bond) : flow(bond),
                    takes_effort ? flow(bond) : effort(bond)};
    if (element.kind == Kind::R) resistors_.push_back(port);
    if (!element.is_storage()) return;
    (is_integral(graph_, causality_.strokes, bond, e) ? integral_ : differential_).push_back(port);
  }

  // ---- shortest paths along signals

  void clear() {
    for (const int signal : seen_) from_[at(signal)] = kUnseen;
    seen_.clear();
  }

  void reach(int signal, int from, std::deque<int>& queue) {
    if (from_[at(signal)] != kUnseen) return;
    from_[at(signal)] = from;
    seen_.push_back(signal);
    queue.push_back(signal);
  }

  /// All that follows from `start`; with `through_resistors`, laws of R ports are followed too.
  void search(int start, bool through_resistors, int stop = -1) {
    clear();
    std::deque<int> queue;
    reach(start, kRoot, queue);
    while (!queue.empty()) {
      const int signal = queue.front();
      queue.pop_front();
      if (signal == stop && seen_.size() > 1) return;
      for (const int next : structure_[at(signal)]) reach(next, signal, queue);
      if (!through_resistors) continue;
      for (const Port& r : resistors_) {
        if (r.input == signal) reach(r.output, signal, queue);
      }
    }
  }

  [[nodiscard]] bool reached(int signal) const { return from_[at(signal)] != kUnseen; }

  [[nodiscard]] std::vector<int> trace(int signal) const {
    std::vector<int> signals;
    for (; signal != kRoot; signal = from_[at(signal)]) signals.push_back(signal);
    std::reverse(signals.begin(), signals.end());
    return signals;
  }

  void add_path(int zcp_class, const std::vector<int>& signals) {
    ZeroOrderPath path;
    path.zcp_class = zcp_class;
    for (const int signal : signals) {
      const int bond = signal / 2;
      if (!path.bonds.empty() && path.bonds.back() == bond) continue;
      path.bonds.push_back(bond);
    }
    path.elements = elements_along(path.bonds, zcp_class == 4);
    paths_.push_back(std::move(path));
  }

  [[nodiscard]] bool touches(int bond, int e) const {
    return graph_.bonds[at(bond)].tail == e || graph_.bonds[at(bond)].head == e;
  }

  /// A cycle ends where it began; an open path runs from port to port.
  [[nodiscard]] std::vector<std::string> elements_along(const std::vector<int>& bonds, bool cycle) const {
    std::vector<std::string> names;
    const auto add = [&](int e) { names.push_back(graph_.elements[at(e)].name); };
    const bondgraph::Bond& first = graph_.bonds[at(bonds.front())];
    const int before = cycle ? bonds.back() : bonds.front();
    int here = first.tail;
    if (cycle ? !touches(before, here) : (bonds.size() > 1 && touches(bonds[1], here))) here = first.head;
    add(here);
    for (const int bond : bonds) {
      const bondgraph::Bond& b = graph_.bonds[at(bond)];
      here = b.tail == here ? b.head : b.tail;
      add(here);
    }
    return names;
  }

  // ---- classes

  /// One cycle for each bond whose causality was chosen.
  void find_cycles() {
    for (const int bond : causality_.arbitrary_bonds) {
      if (!add_cycle(flow(bond))) add_cycle(effort(bond));
    }
  }

  bool add_cycle(int signal) {
    for (const int first : structure_[at(signal)]) {
      search(first, false, signal);
      if (!reached(signal)) continue;
      add_path(4, trace(signal));
      return true;
    }
    return false;
  }

  void find_resistive_paths() {
    std::vector<std::vector<bool>> reaches(resistors_.size(), std::vector<bool>(resistors_.size()));
    for (std::size_t i = 0; i < resistors_.size(); ++i) {
      search(resistors_[i].output, false);
      for (std::size_t j = 0; j < resistors_.size(); ++j) reaches[i][j] = reached(resistors_[j].input);
      if (reaches[i][i]) add_path(3, trace(resistors_[i].input));
    }
    for (std::size_t i = 0; i < resistors_.size(); ++i) {
      for (std::size_t j = i + 1; j < resistors_.size(); ++j) {
        if (!reaches[i][j] || !reaches[j][i]) continue;
        search(resistors_[i].output, false);
        add_path(2, trace(resistors_[j].input));
      }
    }
  }

  void find_storage_paths() {
    if (differential_.empty()) return;
    for (const Port& port : integral_) {
      search(port.output, true);
      for (const Port& dependent : differential_) {
        if (reached(dependent.input)) add_path(1, trace(dependent.input));
      }
    }
  }

  const Graph& graph_;
  const Causality& causality_;
  std::vector<std::vector<int>> structure_;
  std::vector<int> from_;
  std::vector<int> seen_;
  std::vector<Port> resistors_, integral_, differential_;
  std::vector<ZeroOrderPath> paths_;
};

}  // namespace

std::vector<ZeroOrderPath> find_zero_order_paths(const Graph& graph, const Causality& causality) {
  return PathFinder(graph, causality).run();
}

}  // namespace rodeo::causality
