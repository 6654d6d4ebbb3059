// SPDX-License-Identifier: MIT
// SCAP with switching. THEORY C2.
#include <set>

#include "kinematics/causality/algorithms.h"

namespace rodeo::causality {
namespace {

constexpr int kMaxAttempts = 200;

class Sequential {
 public:
  Sequential(const Graph& graph, Assignment& assignment)
      : graph_(graph),
        assignment_(assignment),
        storages_(find_storage_ports(graph)),
        resistors_(find_resistor_ports(graph)) {}

  /// `differential`: bonds of ports that must not be integral.
  bool run(std::set<int> differential) {
    if (attempt(differential)) return true;
    while (!integral_.empty() && attempts_ < kMaxAttempts) {
      const std::vector<int> candidates(integral_.rbegin(), integral_.rend());
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

 private:
  bool attempt(const std::set<int>& differential) {
    if (++attempts_ > kMaxAttempts) return false;
    assignment_.restart();
    integral_.clear();
    for (const Port& port : storages_) {
      if (!assignment_.is_set(port.bond) && !assign_storage(port, differential.contains(port.bond)))
        return false;
    }
    for (const Port& port : resistors_) {
      if (!assignment_.is_set(port.bond) && !assign_resistor(port)) return false;
    }
    while (!assignment_.complete()) {
      if (!assign_arbitrary()) return false;
    }
    return true;
  }

  bool assign_storage(const Port& port, bool differential) {
    const bool arrives = integral_arrives(graph_.elements[static_cast<std::size_t>(port.element)]);
    if (!differential && assignment_.impose(port, arrives, Origin::integral)) {
      integral_.push_back(port.bond);
      return true;
    }
    assignment_.result.switched.push_back(port.bond);
    return assignment_.impose(port, !arrives, Origin::differential);
  }

  bool assign_resistor(const Port& port) {
    if (!assignment_.impose(port, false, Origin::resistive) &&
        !assignment_.impose(port, true, Origin::resistive))
      return false;
    assignment_.result.resistive_bonds.push_back(port.bond);
    return true;
  }

  bool assign_arbitrary() {
    const Choice best = assignment_.choose_arbitrary();
    if (best.gain == 0) return false;
    assignment_.result.arbitrary_bonds.push_back(best.bond);
    const int head = graph_.bonds[static_cast<std::size_t>(best.bond)].head;
    return assignment_.impose({head, best.bond}, best.at_head, Origin::arbitrary);
  }

  const Graph& graph_;
  Assignment& assignment_;
  std::vector<Port> storages_, resistors_;
  std::vector<int> integral_;  // bonds of storage ports that the last attempt made integral
  int attempts_ = 0;
};

}  // namespace

bool assign_sequentially(const Graph& graph, Assignment& assignment, const std::vector<int>& dependent) {
  return Sequential(graph, assignment).run({dependent.begin(), dependent.end()});
}

}  // namespace rodeo::causality
