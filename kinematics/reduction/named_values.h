// SPDX-License-Identifier: MIT
// Inside kinematics/reduction: values that equations show by a name of their own.
#pragma once
#include <algorithm>
#include <utility>

#include "kinematics/reduction/equations.h"

namespace rodeo::reduction {

/// Conditional values and library values by the name of their element: `R_damper`, told in a section of its own.
class NamedValues {
 public:
  NamedValues(const Model& model, Names& names) : names_(names) {
    for (const bondgraph::Element& element : model.graph.elements) {
      for (const Expr value : element.value) add(model, element, value);
    }
  }

  /// Those that the expressions use.
  [[nodiscard]] std::vector<Expr> find_used(const std::vector<Expr>& shown) const {
    const std::vector<Expr> parts = expr::reachable(shown);
    std::vector<Expr> used;
    for (const auto& [value, name] : values_) {
      const auto is_it = [&v = value](Expr e) { return e == v; };
      if (std::any_of(parts.begin(), parts.end(), is_it)) used.push_back(value);
    }
    return used;
  }

  /// The same with what they are.
  [[nodiscard]] ShownSection describe(const std::vector<Expr>& shown, Format format) const {
    ShownSection section{"where", {}};
    for (const Expr value : find_used(shown)) {
      Names without = names_;
      without.forget(value);
      section.equations.push_back({Shower(names_, format).show_symbol(value),
                                   Shower(without, format).show(collect_factors(value)),
                                   {}});
    }
    return section;
  }

 private:
  void add(const Model& model, const bondgraph::Element& element, Expr raw) {
    const Expr value = with_solution(model, model.system.resolve(raw));
    if (value->op != expr::Op::select && value->op != expr::Op::call) return;
    names_.set(value, {bondgraph::kind_text(element.kind), element.name, 0, false, {}});
    values_.emplace_back(value, element.name);
  }

  Names& names_;
  std::vector<std::pair<Expr, std::string>> values_;
};

}  // namespace rodeo::reduction
