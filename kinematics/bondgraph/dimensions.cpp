// SPDX-License-Identifier: MIT
// Components of bonds: stated for some, spread to the rest, and checked against the values of the elements. THEORY V1.
#include <fmt/format.h>

#include <algorithm>

#include "kinematics/bondgraph/reader.h"

namespace rodeo::bondgraph::reading {
namespace {

std::string bond_name(const Reader& reader, const Bond& bond) {
  const auto name = [&](int e) { return reader.graph.elements[static_cast<std::size_t>(e)].name; };
  return name(bond.tail) + " -> " + name(bond.head);
}

Bond& bond_at(Reader& reader, int index) { return reader.graph.bonds[static_cast<std::size_t>(index)]; }

class Spread {
 public:
  explicit Spread(Reader& reader) : reader_(reader) {
    for (int e = 0; e < count(); ++e) open_.push_back(e);
  }

  void run() {
    while (!open_.empty()) {
      const int e = open_.back();
      open_.pop_back();
      const Element& element = reader_.element(e);
      if (element.is_two_port() && element.shape.is_matrix()) {
        pass_matrix(element, e);
      } else if (element.is_two_port() || element.is_junction()) {
        pass_all(element);
      }
    }
  }

 private:
  [[nodiscard]] int count() const { return static_cast<int>(reader_.graph.elements.size()); }

  void set(int index, int dimension) {
    Bond& bond = bond_at(reader_, index);
    if (bond.dimension != 0) return;
    bond.dimension = dimension;
    open_.push_back(bond.tail);
    open_.push_back(bond.head);
  }

  void pass_matrix(const Element& element, int e) {
    for (const int bond : element.bonds)
      set(bond, bond_at(reader_, bond).head == e ? element.shape.columns : element.shape.rows);
  }

  void pass_all(const Element& element) {
    int known = 0;
    for (const int bond : element.bonds) known = known == 0 ? bond_at(reader_, bond).dimension : known;
    if (known == 0) return;
    for (const int bond : element.bonds) set(bond, known);
  }

  Reader& reader_;
  std::vector<int> open_;
};

/// Sentences about one element whose bonds or values do not fit.
class DimensionCheck {
 public:
  explicit DimensionCheck(Reader& reader) : reader_(reader) {}

  void check(int e) {
    const Element& element = reader_.element(e);
    if (element.bonds.empty()) return;
    if (element.is_junction()) return check_equal(element);
    if (element.is_two_port() && element.bonds.size() == 2) return check_two_port(element, e);
    check_one_port(element);
  }

 private:
  void add(const Element& element, const std::string& sentence) { add(element, sentence, element.where); }
  void add(const Element& element, const std::string& sentence, const Where& where) {
    reader_.faults.add(where, fmt::format("{} '{}': {}", element.is_junction() ? "junction" : "element",
                                          element.name, sentence));
  }
  /// At a port of a subset the bond that does not fit is the user's.
  Where where_of(const Element& element, int bond) {
    const Where& where = bond_at(reader_, bond).where;
    return where.file == element.where.file ? element.where : where;
  }
  int dimension(int bond) { return bond_at(reader_, bond).dimension; }

  void check_equal(const Element& element) {
    const int first = element.bonds[0];
    for (const int bond : element.bonds) {
      if (dimension(bond) == dimension(first)) continue;
      return add(element,
                 fmt::format("bond '{}' has dimension {} and bond '{}' has dimension {}: a {} joins bonds of "
                             "one dimension; put a TF with a matrix between",
                             bond_name(reader_, bond_at(reader_, first)), dimension(first),
                             bond_name(reader_, bond_at(reader_, bond)), dimension(bond),
                             element.is_junction() ? "junction" : "two-port with a single modulus"),
                 where_of(element, bond));
    }
  }

  void check_two_port(const Element& element, int e) {
    if (!element.shape.is_matrix()) return check_equal(element);
    for (const int bond : element.bonds) {
      const bool enters = bond_at(reader_, bond).head == e;
      const int wanted = enters ? element.shape.columns : element.shape.rows;
      if (dimension(bond) == wanted) continue;
      return add(element,
                 fmt::format("its matrix has {} {}, and bond '{}', which {}, has dimension {}", wanted,
                             enters ? "columns" : "rows", bond_name(reader_, bond_at(reader_, bond)),
                             enters ? "enters" : "leaves", dimension(bond)));
    }
  }

  void check_one_port(const Element& element) {
    const int size = dimension(element.bonds[0]);
    if (element.bonds.size() > 1) return check_field(element);
    if (size == 1) {
      if (element.shape.is_list())
        add(element,
            fmt::format("it has {} values, and its bond has dimension 1: state the bond's dimension, as in "
                        "{{bond: a -> b, dimension: {}}}",
                        element.shape.rows, element.shape.rows));
      return;
    }
    if (element.constraint)
      return add(element, "a lambda holds one component: take it out with a TF of one row");
    if (element.kind == Kind::GY && !element.shape.is_matrix())
      return add(element, "a gyrator on one bond needs a skew matrix, as in {GY: [[0, -h], [h, 0]]}");
    if (element.is_source() && !element.value.empty() && !element.shape.is_list())
      return add(element, fmt::format("its bond has dimension {}: give a list of {} values", size, size));
    if (element.shape.rows != 0 && element.shape.rows != size)
      add(element, fmt::format("it has {} {}, and its bond has dimension {}", element.shape.rows,
                               element.shape.is_list() ? "values" : "rows", size));
  }

  /// A field joins scalar bonds, one a port.
  void check_field(const Element& element) {
    for (const int bond : element.bonds) {
      if (dimension(bond) != 1)
        return add(
            element,
            fmt::format("a field of {} ports takes scalar bonds, and bond '{}' has dimension {}",
                        element.bonds.size(), bond_name(reader_, bond_at(reader_, bond)), dimension(bond)));
    }
  }

  Reader& reader_;
};

}  // namespace

void spread_dimensions(Reader& reader) {
  Spread(reader).run();
  for (Bond& bond : reader.graph.bonds) bond.dimension = std::max(bond.dimension, 1);
  for (int e = 0; e < static_cast<int>(reader.graph.elements.size()); ++e) {
    const Element& element = reader.element(e);
    if (element.is_two_port() || element.bonds.empty()) continue;
    const int dimension = bond_at(reader, element.bonds[0]).dimension;
    const bool is_vector = element.bonds.size() == 1 && dimension > 1;
    if (element.is_junction() || is_vector) reader.ports[static_cast<std::size_t>(e)] = dimension;
  }
}

void check_dimensions(Reader& reader) {
  DimensionCheck check(reader);
  for (int e = 0; e < static_cast<int>(reader.graph.elements.size()); ++e) check.check(e);
}

}  // namespace rodeo::bondgraph::reading
