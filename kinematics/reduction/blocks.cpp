// SPDX-License-Identifier: MIT
// Block triangular form and tearing, THEORY E6-E8.
#include "kinematics/reduction/blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <unordered_set>

#include "kinematics/reduction/tearing.h"
#include "kinematics/text/fault.h"

namespace rodeo::reduction {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Variables whose symbols stand in an expression, found once an expression.
class SymbolUses {
 public:
  explicit SymbolUses(const System& system) : system_(system) {}

  const std::vector<int>& of(Expr e) {
    const auto found = cache_.find(e.id());
    if (found != cache_.end()) return found->second;
    std::vector<int> uses;
    for (const Expr symbol : expr::symbols_of({e})) {
      const auto variable = system_.variable_of_symbol.find(symbol.id());
      if (variable != system_.variable_of_symbol.end()) uses.push_back(variable->second);
    }
    return cache_.emplace(e.id(), std::move(uses)).first->second;
  }

 private:
  const System& system_;
  std::unordered_map<std::uint32_t, std::vector<int>> cache_;
};

class Solver {
 public:
  explicit Solver(const System& system) : system_(system), uses_(system), classes_(system) {
    solution_.values.resize(system.variables.size());
  }

  Solution run() {
    const auto count = static_cast<int>(system_.equations.size());
    std::vector<std::vector<int>> edges(at(count));
    for (int i = 0; i < count; ++i) edges[at(i)] = dependencies(i);
    for (const std::vector<int>& component : find_components(edges)) {
      const int first = component.front();
      const bool depends_on_itself =
          std::find(edges[at(first)].begin(), edges[at(first)].end(), first) != edges[at(first)].end();
      if (component.size() == 1 && !depends_on_itself) {
        solve_explicitly(first);
      } else {
        solve_block(component);
      }
    }
    return std::move(solution_);
  }

 private:
  std::vector<int> dependencies(int i) {
    const Equation& equation = system_.equations[at(i)];
    std::vector<int> list;
    for (const Term& term : equation.terms) {
      if (term.variable != i) list.push_back(term.variable);
      const auto& inside = uses_.of(term.coefficient);
      list.insert(list.end(), inside.begin(), inside.end());
    }
    const auto& inside = uses_.of(equation.rest);
    list.insert(list.end(), inside.begin(), inside.end());
    return list;
  }

  /// Variables inside an expression replaced by their values, where those are known.
  Expr with_values(Expr e) {
    if (uses_.of(e).empty()) return e;
    return expr::substitute(e, [&](Expr symbol) {
      const auto variable = system_.variable_of_symbol.find(symbol.id());
      if (variable == system_.variable_of_symbol.end() || !known_.contains(variable->second)) return symbol;
      return solution_.values[at(variable->second)];
    });
  }

  void set(int variable, Expr value) {
    solution_.values[at(variable)] = value;
    known_.insert(variable);
  }

  /// A flow that is divided by something that may vanish is a block of one: its pivot is a singular condition.
  [[nodiscard]] bool needs_block(int i, Expr pivot, Expr sum) const {
    if (system_.variables[at(i)].kind == Variable::Kind::effort || sum.is_number(0)) return false;
    const auto symbols = expr::symbols_of({pivot});
    return std::any_of(symbols.begin(), symbols.end(),
                       [](Expr s) { return s->kind != expr::SymbolKind::parameter; });
  }

  [[nodiscard]] bool is_named_law(int i, Expr sum) const {
    return !sum.is_number() && std::find(system_.laws.begin(), system_.laws.end(), i) != system_.laws.end();
  }

  void solve_explicitly(int i) {
    const Equation& equation = system_.equations[at(i)];
    Expr sum = with_values(equation.rest);
    Expr pivot = 0.0;
    for (const Term& term : equation.terms) {
      const Expr coefficient = with_values(term.coefficient);
      if (term.variable == i) {
        pivot = pivot + coefficient;
      } else {
        sum = sum + coefficient * solution_.values[at(term.variable)];
      }
    }
    const bool is_law = is_named_law(i, sum);
    if (is_law || needs_block(i, pivot, sum)) {
      solution_.blocks.push_back({{i}, {{pivot}}, {-sum}, true, {}, is_law});
      return set(i, system_.variables[at(i)].symbol);
    }
    set(i, -sum / pivot);
  }

  // ---- one component

  /// An equation as the block sees it: terms of its own variables, everything else in `rest`.
  LocalEquation localise(int i, const std::unordered_map<int, int>& local) {
    const Equation& equation = system_.equations[at(i)];
    LocalEquation result;
    std::map<int, Expr> coefficients;
    result.rest = with_values(equation.rest);
    for (const Term& term : equation.terms) {
      const Expr coefficient = with_values(term.coefficient);
      const auto found = local.find(term.variable);
      if (found == local.end()) {
        result.rest = result.rest + coefficient * solution_.values[at(term.variable)];
        continue;
      }
      const auto [it, is_new] = coefficients.emplace(found->second, coefficient);
      if (!is_new) it->second = it->second + coefficient;
    }
    for (const auto& [variable, coefficient] : coefficients) {
      if (!coefficient.is_number(0)) result.terms.push_back({variable, coefficient});
      note_inside(coefficient, local, result);
    }
    note_inside(result.rest, local, result);
    return result;
  }

  void note_inside(Expr e, const std::unordered_map<int, int>& local, LocalEquation& equation) {
    for (const int variable : uses_.of(e)) {
      const auto found = local.find(variable);
      if (found != local.end()) equation.inside.push_back(found->second);
    }
  }

  void solve_block(const std::vector<int>& component) {
    std::unordered_map<int, int> local;
    for (std::size_t k = 0; k < component.size(); ++k) local.emplace(component[k], static_cast<int>(k));
    TearingProblem problem;
    bool homogeneous = true;
    for (const int i : component) {
      problem.equations.push_back(localise(i, local));
      problem.elements.push_back(system_.equations[at(i)].element);
      homogeneous = homogeneous && problem.equations.back().rest.is_number(0);
      problem.symbols.push_back(system_.variables[at(i)].symbol);
      problem.classes.push_back(classes_.of(i));
      problem.preferred.push_back(classes_.is_preferred(i));
      problem.linear = problem.linear && problem.equations.back().inside.empty();
    }
    if (homogeneous && problem.linear) {
      for (const int i : component) set(i, 0.0);
      return;
    }
    take(build_tearing(problem), component);
  }

  void take(const TearingResult& result, const std::vector<int>& component) {
    for (const LocalBlock& local : result.blocks) {
      Block block;
      for (const int unknown : local.unknowns) block.unknowns.push_back(component[at(unknown)]);
      block.matrix = local.matrix;
      block.right = local.right;
      block.linear = result.linear;
      block.residuals = local.residuals;
      solution_.blocks.push_back(std::move(block));
    }
    for (std::size_t k = 0; k < component.size(); ++k) set(component[k], result.values[k]);
  }

  const System& system_;
  SymbolUses uses_;
  EqualityClasses classes_;
  std::unordered_set<int> known_;
  Solution solution_;
};

}  // namespace

Solution build_solution(const System& system) { return Solver(system).run(); }

}  // namespace rodeo::reduction
