// SPDX-License-Identifier: MIT
// Tearing. Greedy: peel off equations with one unknown left and a number before it; when none is left, tear the class of
// equal variables that stands before most symbolic coefficients (a rod's rate stands before all its transformers).
#include "kinematics/reduction/tearing.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "kinematics/reduction/blocks.h"

namespace rodeo::reduction {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// rest + Σ coefficient · unknown, over torn unknowns.
struct LinearForm {
  std::map<int, Expr> coefficients;
  Expr rest;

  void add(const LinearForm& other, Expr factor) {
    rest = rest + factor * other.rest;
    for (const auto& [unknown, coefficient] : other.coefficients) {
      Expr& sum = coefficients[unknown];
      sum = sum + factor * coefficient;
    }
  }
};

struct Pivot {
  int equation;
  int variable;
};

/// Chooses the torn variables and the order in which the others follow.
class Peeling {
 public:
  explicit Peeling(const TearingProblem& problem)
      : problem_(problem),
        open_(problem.equations.size()),
        used_(problem.equations.size(), false),
        known_(problem.symbols.size(), false),
        occurs_(problem.symbols.size()),
        support_(problem.symbols.size()),
        weight_(problem.symbols.size(), 0) {
    for (int q = 0; q < size(); ++q) {
      rest_weight_.push_back(expr::symbols_of({problem.equations[at(q)].rest}).size());
      for (const int v : unknowns_of(q)) occurs_[at(v)].push_back(q);
      open_[at(q)] = static_cast<int>(unknowns_of(q).size());
      if (open_[at(q)] == 1) ready_.push_back(q);
    }
  }

  void run() {
    while (peel() || tear()) {
    }
    follow_again();
    for (int q = 0; q < size(); ++q) {
      if (!used_[at(q)]) left_.push_back(q);
    }
  }

  std::vector<Pivot> order_;
  std::vector<int> torn_;
  std::vector<int> left_;  // equations that close the block

 private:
  /// Once all torn unknowns are chosen, what follows is ordered anew with all of them at hand: before the second was torn,
  /// the first had taken along what follows more shortly from the second.
  void follow_again() {
    Peeling again(problem_);
    for (const int v : torn_) again.take_as_torn(v);
    while (again.peel()) {
    }
    if (again.order_.size() != order_.size()) return;
    order_ = again.order_;
    used_ = again.used_;
  }

  void take_as_torn(int v) {
    torn_.push_back(v);
    support_[at(v)] = {v};
    weight_[at(v)] = 1;
    settle(v);
  }

  [[nodiscard]] int size() const { return static_cast<int>(problem_.equations.size()); }

  [[nodiscard]] std::vector<int> unknowns_of(int q) const {
    const LocalEquation& equation = problem_.equations[at(q)];
    std::vector<int> list = equation.inside;
    for (const Term& term : equation.terms) list.push_back(term.variable);
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  }

  void settle(int variable) {
    known_[at(variable)] = true;
    for (const int q : occurs_[at(variable)]) {
      if (--open_[at(q)] == 1 && !used_[at(q)]) ready_.push_back(q);
    }
  }

  /// The one unknown of an equation, if a number stands before it.
  [[nodiscard]] int pivot_of(int q) const {
    const LocalEquation& equation = problem_.equations[at(q)];
    for (const int v : equation.inside) {
      if (!known_[at(v)]) return -1;
    }
    for (const Term& term : equation.terms) {
      if (!known_[at(term.variable)]) return term.coefficient.is_number() ? term.variable : -1;
    }
    return -1;
  }

  /// Of the equations that are ready, the one whose result is shortest: fewest torn unknowns, then fewest other symbols.
  /// A leg's pin is then found from the ground, not along a chain of neighbours.
  bool peel() {
    std::erase_if(ready_, [&](int q) { return used_[at(q)] || open_[at(q)] != 1 || pivot_of(q) < 0; });
    if (ready_.empty()) return false;
    const auto cost = [&](int q) { return std::pair{support_of(q).size(), weight_of(q)}; };
    const int q =
        *std::min_element(ready_.begin(), ready_.end(), [&](int a, int b) { return cost(a) < cost(b); });
    const int variable = pivot_of(q);
    support_[at(variable)] = support_of(q);
    weight_[at(variable)] = weight_of(q);
    used_[at(q)] = true;
    order_.push_back({q, variable});
    settle(variable);
    return true;
  }

  /// Symbols that the result of an equation is made of, roughly.
  [[nodiscard]] std::size_t weight_of(int q) const {
    std::size_t weight = rest_weight_[at(q)];
    for (const Term& term : problem_.equations[at(q)].terms) weight += weight_[at(term.variable)];
    return weight;
  }

  /// Torn unknowns that the known variables of an equation depend on.
  [[nodiscard]] std::set<int> support_of(int q) const {
    std::set<int> all;
    for (const int v : unknowns_of(q)) all.insert(support_[at(v)].begin(), support_[at(v)].end());
    return all;
  }

  bool tear() {
    std::map<int, int> weight;  // by class
    for (int q = 0; q < size(); ++q) {
      if (used_[at(q)]) continue;
      for (const Term& term : problem_.equations[at(q)].terms) {
        if (known_[at(term.variable)]) continue;
        weight[problem_.classes[at(term.variable)]] += term.coefficient.is_number() ? 0 : 1;
      }
    }
    int best = -1;
    for (int v = 0; v < static_cast<int>(known_.size()); ++v) {
      if (known_[at(v)] || (best >= 0 && !is_better(v, best, weight))) continue;
      best = v;
    }
    if (best < 0) return false;
    take_as_torn(best);
    return true;
  }

  [[nodiscard]] bool is_better(int a, int b, std::map<int, int>& weight) const {
    const int weight_a = weight[problem_.classes[at(a)]];
    const int weight_b = weight[problem_.classes[at(b)]];
    if (weight_a != weight_b) return weight_a > weight_b;
    if (problem_.classes[at(a)] != problem_.classes[at(b)]) return false;
    return problem_.preferred[at(a)] && !problem_.preferred[at(b)];
  }

  const TearingProblem& problem_;
  std::vector<int> open_;  // unknowns left, an equation each
  std::vector<bool> used_;
  std::vector<bool> known_;
  std::vector<std::vector<int>> occurs_;
  std::vector<std::set<int>> support_;
  std::vector<std::size_t> weight_;       // a variable each
  std::vector<std::size_t> rest_weight_;  // an equation each
  std::vector<int> ready_;
};

/// A row for each column, by augmenting paths; empty when there is none.
std::vector<int> match_columns(const std::vector<LinearForm>& rows, const std::vector<int>& columns) {
  std::map<int, int> row_of_column;
  const auto augment = [&](auto&& self, int row, std::vector<bool>& seen) -> bool {
    if (seen[at(row)]) return false;
    seen[at(row)] = true;
    for (const auto& [column, coefficient] : rows[at(row)].coefficients) {
      if (coefficient.is_number(0)) continue;
      const auto owner = row_of_column.find(column);
      if (owner == row_of_column.end() || self(self, owner->second, seen)) {
        row_of_column[column] = row;
        return true;
      }
    }
    return false;
  };
  for (int row = 0; row < static_cast<int>(rows.size()); ++row) {
    std::vector<bool> seen(rows.size(), false);
    if (!augment(augment, row, seen)) return {};
  }
  std::vector<int> result;
  for (const int column : columns) result.push_back(row_of_column.at(column));
  return result;
}

class LinearTearing {
 public:
  LinearTearing(const TearingProblem& problem, const Peeling& peeling)
      : problem_(problem), peeling_(peeling), forms_(problem.symbols.size()) {}

  TearingResult run() {
    for (const int v : peeling_.torn_) forms_[at(v)].coefficients[v] = 1.0;
    for (const Pivot& pivot : peeling_.order_) follow(pivot);
    for (const int q : peeling_.left_) rows_.push_back(sum(problem_.equations[at(q)], -1));
    order_into_blocks();
    for (std::size_t v = 0; v < forms_.size(); ++v) result_.values.push_back(to_value(static_cast<int>(v)));
    return std::move(result_);
  }

 private:
  [[nodiscard]] LinearForm sum(const LocalEquation& equation, int except) const {
    LinearForm total;
    total.rest = equation.rest;
    for (const Term& term : equation.terms) {
      if (term.variable != except) total.add(forms_[at(term.variable)], term.coefficient);
    }
    return total;
  }

  void follow(const Pivot& pivot) {
    const LocalEquation& equation = problem_.equations[at(pivot.equation)];
    double number = 0;
    for (const Term& term : equation.terms) {
      if (term.variable == pivot.variable) number = term.coefficient->value;
    }
    forms_[at(pivot.variable)].add(sum(equation, pivot.variable), -1.0 / number);
  }

  void order_into_blocks() {
    const std::vector<int>& columns = peeling_.torn_;
    const std::vector<int> row_of = match_columns(rows_, columns);
    if (row_of.empty() && !columns.empty()) throw SingularLoop(problem_.elements);
    std::map<int, int> position;
    for (std::size_t c = 0; c < columns.size(); ++c) position[columns[c]] = static_cast<int>(c);
    std::vector<std::vector<int>> edges(columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c) {
      for (const auto& [column, coefficient] : rows_[at(row_of[c])].coefficients) {
        if (!coefficient.is_number(0)) edges[c].push_back(position.at(column));
      }
    }
    for (const std::vector<int>& component : find_components(edges)) add_block(component, row_of);
  }

  void add_block(const std::vector<int>& component, const std::vector<int>& row_of) {
    LocalBlock block;
    for (const int c : component) block.unknowns.push_back(peeling_.torn_[at(c)]);
    for (const int c : component) {
      LinearForm row = rows_[at(row_of[at(c)])];
      std::vector<Expr> matrix_row;
      for (const int unknown : block.unknowns) {
        const auto found = row.coefficients.find(unknown);
        matrix_row.push_back(found == row.coefficients.end() ? Expr(0.0) : found->second);
        if (found != row.coefficients.end()) row.coefficients.erase(found);
      }
      block.matrix.push_back(std::move(matrix_row));
      block.right.push_back(-to_expression(row));
    }
    if (!is_trivial(block)) result_.blocks.push_back(std::move(block));
  }

  /// One unknown with a number before it is explicit, no block.
  bool is_trivial(const LocalBlock& block) {
    const bool zero =
        std::all_of(block.right.begin(), block.right.end(), [](Expr e) { return e.is_number(0); });
    if (!zero && (block.unknowns.size() > 1 || !block.matrix[0][0].is_number())) return false;
    for (const int unknown : block.unknowns)
      explicit_[unknown] = zero ? Expr(0.0) : block.right[0] / block.matrix[0][0];
    return true;
  }

  [[nodiscard]] Expr to_expression(const LinearForm& form) const {
    Expr total = form.rest;
    for (const auto& [unknown, coefficient] : form.coefficients)
      total = total + coefficient * value_of(unknown);
    return total;
  }

  [[nodiscard]] Expr value_of(int unknown) const {
    const auto found = explicit_.find(unknown);
    return found == explicit_.end() ? problem_.symbols[at(unknown)] : found->second;
  }

  [[nodiscard]] Expr to_value(int variable) const { return to_expression(forms_[at(variable)]); }

  const TearingProblem& problem_;
  const Peeling& peeling_;
  std::vector<LinearForm> forms_;
  std::vector<LinearForm> rows_;
  std::map<int, Expr> explicit_;
  TearingResult result_;
};

/// A component that is not linear stays implicit: one block, with its residuals in the torn unknowns.
class ImplicitTearing {
 public:
  ImplicitTearing(const TearingProblem& problem, const Peeling& peeling)
      : problem_(problem), peeling_(peeling) {
    result_.linear = false;
    result_.values = problem.symbols;
  }

  TearingResult run() {
    for (const Pivot& pivot : peeling_.order_) follow(pivot);
    LocalBlock block;
    block.unknowns = peeling_.torn_;
    for (const int q : peeling_.left_) block.residuals.push_back(residual(problem_.equations[at(q)], -1));
    if (!block.unknowns.empty()) result_.blocks.push_back(std::move(block));
    return std::move(result_);
  }

 private:
  [[nodiscard]] Expr with_values(Expr e) const {
    return expr::substitute(e, [&](Expr symbol) {
      for (std::size_t v = 0; v < problem_.symbols.size(); ++v) {
        if (problem_.symbols[v] == symbol) return result_.values[v];
      }
      return symbol;
    });
  }

  [[nodiscard]] Expr residual(const LocalEquation& equation, int except) const {
    Expr total = with_values(equation.rest);
    for (const Term& term : equation.terms) {
      if (term.variable != except)
        total = total + with_values(term.coefficient) * result_.values[at(term.variable)];
    }
    return total;
  }

  void follow(const Pivot& pivot) {
    const LocalEquation& equation = problem_.equations[at(pivot.equation)];
    for (const Term& term : equation.terms) {
      if (term.variable != pivot.variable) continue;
      result_.values[at(pivot.variable)] = -residual(equation, pivot.variable) / term.coefficient;
    }
  }

  const TearingProblem& problem_;
  const Peeling& peeling_;
  TearingResult result_;
};

}  // namespace

EqualityClasses::EqualityClasses(const System& system)
    : root_(system.variables.size()), preferred_(system.variables.size(), false) {
  std::iota(root_.begin(), root_.end(), 0);
  for (const Equation& equation : system.equations) {
    const bool equal = equation.terms.size() == 2 && equation.rest.is_number(0) &&
                       equation.terms[0].coefficient.is_number(1) &&
                       equation.terms[1].coefficient.is_number(-1);
    if (!equal) continue;
    const auto [low, high] = std::minmax({of(equation.terms[0].variable), of(equation.terms[1].variable)});
    root_[at(high)] = low;
  }
  for (const State& state : system.states) {
    if (state.rate_variable >= 0) preferred_[at(state.rate_variable)] = true;
  }
  for (std::size_t v = 0; v < system.variables.size(); ++v) {
    const Variable& variable = system.variables[v];
    if (variable.kind == Variable::Kind::derivative && preferred_[at(variable.of)]) preferred_[v] = true;
  }
}

int EqualityClasses::of(int variable) const {
  while (root_[at(variable)] != variable) variable = root_[at(variable)];
  return variable;
}

TearingResult build_tearing(const TearingProblem& problem) {
  Peeling peeling(problem);
  peeling.run();
  return problem.linear ? LinearTearing(problem, peeling).run() : ImplicitTearing(problem, peeling).run();
}

}  // namespace rodeo::reduction
