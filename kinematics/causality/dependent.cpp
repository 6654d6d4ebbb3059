// SPDX-License-Identifier: MIT
// Flows of the junction structure as rows of a matrix, brought to echelon form one by one: THEORY C6.
#include <cmath>
#include <random>

#include "kinematics/causality/causality.h"
#include "kinematics/causality/ports.h"
#include "kinematics/expr/eval.h"

namespace rodeo::causality {
namespace {

using bondgraph::Element;
using bondgraph::Kind;
using expr::Expr;

constexpr double kNothing = 1e-9;  // of rows whose largest entry is 1

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Linear equations between the flows of the bonds.
class FlowRows {
 public:
  explicit FlowRows(std::size_t bonds) : pivot_rows_(bonds) {}

  /// False: it follows from those before it.
  bool try_add(std::vector<double> row) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      if (std::abs(row[column]) <= kNothing) continue;
      const std::vector<double>& pivot = pivot_rows_[column];
      if (pivot.empty()) {
        scale(row, column);
        pivot_rows_[column] = std::move(row);
        return true;
      }
      const double factor = row[column];
      for (std::size_t c = column; c < row.size(); ++c) row[c] -= factor * pivot[c];
      row[column] = 0;
    }
    return false;
  }

 private:
  static void scale(std::vector<double>& row, std::size_t column) {
    const double by = row[column];
    for (double& entry : row) entry /= by;
  }

  std::vector<std::vector<double>> pivot_rows_;  // by their first column
};

class Flows {
 public:
  explicit Flows(const Graph& graph) : graph_(graph), rows_(graph.bonds.size()) {
    for (std::size_t e = 0; e < graph.elements.size(); ++e) add(static_cast<int>(e));
  }

  bool try_choose(int bond) { return rows_.try_add(build_row({{bond, 1.0}})); }

 private:
  using Entries = std::vector<std::pair<int, double>>;

  [[nodiscard]] std::vector<double> build_row(const Entries& entries) const {
    std::vector<double> row(graph_.bonds.size());
    for (const auto& [bond, factor] : entries) row[at(bond)] += factor;
    return row;
  }

  void add(int e) {
    const Element& element = graph_.elements[at(e)];
    const std::vector<int>& bonds = element.bonds;
    if (element.kind == Kind::Sf) (void)try_choose(bonds[0]);
    if (element.kind == Kind::TF)
      (void)rows_.try_add(build_row({{bonds[1], 1.0}, {bonds[0], -calc_modulus(element.value[0])}}));
    if (element.kind == Kind::zero) add_sum(e);
    for (std::size_t i = 1; element.kind == Kind::one && i < bonds.size(); ++i)
      (void)rows_.try_add(build_row({{bonds[0], 1.0}, {bonds[i], -1.0}}));
  }

  void add_sum(int e) {
    Entries entries;
    for (const int bond : graph_.elements[at(e)].bonds)
      entries.emplace_back(bond, graph_.bonds[at(bond)].head == e ? 1.0 : -1.0);
    (void)rows_.try_add(build_row(entries));
  }

  /// In a pose of no special position: what the modulus depends on has any value, the same one everywhere.
  double calc_modulus(Expr modulus) {
    for (const Expr symbol : expr::symbols_of({modulus}))
      values_.try_emplace(symbol->name, uniform_(random_));
    const double value = expr::calc_value(modulus, values_);
    return std::isfinite(value) ? value : 1.0;
  }

  const Graph& graph_;
  FlowRows rows_;
  expr::Values values_;
  std::mt19937_64 random_{1};
  std::uniform_real_distribution<double> uniform_{0.5, 1.5};
};

}  // namespace

std::vector<int> find_dependent_inertias(const Graph& graph) {
  if (graph.is_vector()) return {};
  Flows flows(graph);
  std::vector<int> dependent;
  for (const Port& port : find_storage_ports(graph)) {
    const bool is_inertia = graph.elements[at(port.element)].kind == Kind::I;
    if (is_inertia && !flows.try_choose(port.bond)) dependent.push_back(port.bond);
  }
  return dependent;
}

}  // namespace rodeo::causality
