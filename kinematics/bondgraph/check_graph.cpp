// SPDX-License-Identifier: MIT
// Structure: how many bonds everything has. A fault that stands in a subset's file is reported once, for its first use.
#include <fmt/format.h>

#include <algorithm>

#include "kinematics/bondgraph/reader.h"

namespace rodeo::bondgraph::reading {
namespace {

class StructureCheck {
 public:
  explicit StructureCheck(Reader& reader) : reader_(reader) {}

  void check(int index) {
    const Element& element = reader_.element(index);
    const auto port = reader_.least_bonds.find(index);
    if (port != reader_.least_bonds.end() && port->second == 0)
      return;  // open: this file is meant to be a subset
    if (element.is_junction()) {
      check_junction(element, index);
    } else if (element.is_two_port()) {
      check_two_port(element);
    } else {
      check_ports(element, reader_.ports_of(index));
    }
  }

 private:
  void add(const Element& element, const std::string& sentence) {
    if (!seen_.insert(text::to_string(element.where) + local_name(element) + sentence).second) return;
    const char* what = element.is_junction() ? "junction" : "element";
    reader_.faults.add(element.where, fmt::format("{} '{}': {}", what, element.name, sentence));
  }

  /// A port of a subset may be a free end: a 1-junction of one bond has effort 0, a 0-junction flow 0.
  void check_junction(const Element& element, int index) {
    const std::size_t need = reader_.least_bonds.contains(index) ? 1 : 2;
    if (element.bonds.size() >= need) return;
    add(element, fmt::format("it has {} and joins nothing: add a bond or remove it",
                             count_text(element.bonds.size())));
  }

  void check_two_port(const Element& element) {
    const int self = static_cast<int>(&element - reader_.graph.elements.data());
    const auto enters = [&](int bond) {
      return reader_.graph.bonds[static_cast<std::size_t>(bond)].head == self;
    };
    const auto entering =
        static_cast<std::size_t>(std::count_if(element.bonds.begin(), element.bonds.end(), enters));
    if (entering == 1 && element.bonds.size() == 2) return;
    if (element.kind == Kind::GY && element.bonds.size() == 1 && has_vector_bond(element)) return;
    add(element, fmt::format("a {} needs one bond that enters and one that leaves; {} enter and {} leave",
                             kind_text(element.kind), entering, element.bonds.size() - entering));
  }

  /// Its values are looked at by check_dimensions.
  [[nodiscard]] bool has_vector_bond(const Element& element) const {
    return element.bonds.size() == 1 &&
           reader_.graph.bonds[static_cast<std::size_t>(element.bonds[0])].dimension > 1;
  }

  void check_ports(const Element& element, int ports) {
    const std::size_t bonds = element.bonds.size();
    if (bonds == static_cast<std::size_t>(ports) || has_vector_bond(element)) return;
    if (bonds == 1 && element.shape.is_list()) return;  // check_dimensions tells
    if (bonds == 0)
      return add(element, fmt::format("it has no bond: add one, such as {}", example_bond(element)));
    if (ports > 1)
      return add(element, fmt::format("its matrix has {} rows for {} ports, and it has {}", ports, ports,
                                      count_text(bonds)));
    const std::string remedy = element.is_source()
                                   ? "put a junction between them"
                                   : "put a junction between them, or make it a field with a matrix";
    add(element, fmt::format("a {} has one port, and it has {}: {}", kind_text(element.kind),
                             count_text(bonds), remedy));
  }

  static std::string local_name(const Element& element) {
    return element.name.substr(element.name.rfind('.') + 1);
  }

  static std::string example_bond(const Element& element) {
    const std::string local = local_name(element);
    return element.is_source() && !element.constraint ? local + " -> junction" : "junction -> " + local;
  }

  static std::string count_text(std::size_t count) {
    if (count == 0) return "no bond";
    return fmt::format("{} bond{}", count, count == 1 ? "" : "s");
  }

  Reader& reader_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

void check_structure(Reader& reader) {
  if (reader.graph.elements.empty())
    reader.faults.add(reader.graph.where,
                      "the bond graph is empty: give it 'elements', 'junctions' and 'bonds'");
  StructureCheck check(reader);
  for (int i = 0; i < static_cast<int>(reader.graph.elements.size()); ++i) check.check(i);
}

}  // namespace rodeo::bondgraph::reading
