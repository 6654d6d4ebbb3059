// SPDX-License-Identifier: MIT
// Domains spread along bonds and through everything but two-ports, which are transducers: sets of ports that must agree,
// merged bond by bond (union-find). The bond that would merge two sets of different domains is at fault.
#include <fmt/format.h>

#include <numeric>

#include "kinematics/bondgraph/reader.h"

namespace rodeo::bondgraph::reading {
namespace {

/// Two slots an element: the entering and the leaving side of a two-port; everything else uses the first.
class DomainSets {
 public:
  explicit DomainSets(Reader& reader)
      : reader_(reader),
        parent_(2 * reader.graph.elements.size()),
        known_(parent_.size()),
        giver_(parent_.size(), -1) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    for (int i = 0; i < static_cast<int>(reader.graph.elements.size()); ++i) set_given(i);
  }

  void merge(const Bond& bond) {
    const std::size_t tail = find(slot(bond.tail, true));
    const std::size_t head = find(slot(bond.head, false));
    if (tail == head) return;
    if (known_[tail] != Domain::unset && known_[head] != Domain::unset && known_[tail] != known_[head])
      return report(bond, tail, head);
    const std::size_t from = known_[tail] == Domain::unset ? tail : head;
    parent_[from] = from == tail ? head : tail;
  }

  Domain of_bond(const Bond& bond) { return known_[find(slot(bond.tail, true))]; }

  /// Both sides of a two-port, when they agree.
  Domain of_element(int index) {
    const Domain first = known_[find(slot(index, false))];
    if (!reader_.element(index).is_two_port()) return first;
    return first == known_[find(slot(index, true))] ? first : Domain::unset;
  }

 private:
  std::size_t slot(int element, bool leaving) {
    return 2 * static_cast<std::size_t>(element) +
           (leaving && reader_.element(element).is_two_port() ? 1 : 0);
  }

  void set_given(int index) {
    const auto sides = reader_.sides.find(index);
    const Domain own = reader_.element(index).domain;
    for (const bool leaving : {false, true}) {
      const Domain domain = sides == reader_.sides.end() ? own
                            : leaving                    ? sides->second.second
                                                         : sides->second.first;
      if (domain == Domain::unset) continue;
      known_[slot(index, leaving)] = domain;
      giver_[slot(index, leaving)] = index;
    }
  }

  std::size_t find(std::size_t at) {
    while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
    return at;
  }

  /// `electric ('R', by the default of its file)`.
  std::string giver_text(std::size_t set) {
    const int element = giver_[set];
    const bool by_default = reader_.takes_default_domain[static_cast<std::size_t>(element)];
    return fmt::format("{} ('{}'{})", domain_text(known_[set]), reader_.element(element).name,
                       by_default ? ", by its file's default" : "");
  }

  void report(const Bond& bond, std::size_t tail, std::size_t head) {
    reader_.faults.add(bond.where,
                       fmt::format("bond '{} -> {}' joins {} to {} without a transducer: put a TF or GY "
                                   "between them, or correct a 'domain:'",
                                   reader_.element(bond.tail).name, reader_.element(bond.head).name,
                                   giver_text(tail), giver_text(head)));
  }

  Reader& reader_;
  std::vector<std::size_t> parent_;
  std::vector<Domain> known_;
  std::vector<int> giver_;  // the element that named the set's domain
};

}  // namespace

void check_domains(Reader& reader) {
  DomainSets sets(reader);
  for (const Bond& bond : reader.graph.bonds) sets.merge(bond);
  for (Bond& bond : reader.graph.bonds) bond.domain = sets.of_bond(bond);
  for (int i = 0; i < static_cast<int>(reader.graph.elements.size()); ++i)
    reader.element(i).domain = sets.of_element(i);
}

}  // namespace rodeo::bondgraph::reading
