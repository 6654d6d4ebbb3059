// SPDX-License-Identifier: MIT
#include "kinematics/codegen/load_balance.h"

#include <fmt/format.h>

#include <functional>
#include <stdexcept>

#include "kinematics/reduction/model.h"

namespace rodeo::codegen {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Which equation determines which unknown: one each, those with a number before the unknown first.
class Matching {
 public:
  Matching(const std::vector<reduction::Equation>& equations, std::size_t unknowns)
      : equation_of_(unknowns, -1), edges_(equations.size()) {
    for (const bool with_numbers : {true, false}) {
      for (std::size_t e = 0; e < equations.size(); ++e) {
        for (const reduction::Term& term : equations[e].terms) {
          if (term.coefficient.is_number() == with_numbers) edges_[e].push_back(term.variable);
        }
      }
    }
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      std::vector<bool> seen(unknowns, false);
      if (!try_match(static_cast<int>(e), seen))
        throw std::logic_error("loads: the forces of the machine do not determine each other");
    }
  }
  [[nodiscard]] int equation_of(std::size_t unknown) const { return equation_of_[unknown]; }

 private:
  bool try_match(int equation, std::vector<bool>& seen) {
    for (const int unknown : edges_[at(equation)]) {
      if (seen[at(unknown)]) continue;
      seen[at(unknown)] = true;
      if (equation_of_[at(unknown)] >= 0 && !try_match(equation_of_[at(unknown)], seen)) continue;
      equation_of_[at(unknown)] = equation;
      return true;
    }
    return false;
  }

  std::vector<int> equation_of_;
  std::vector<std::vector<int>> edges_;
};

void add_term(reduction::Equation& equation, int unknown, Expr coefficient) {
  if (coefficient.is_number(0)) return;
  for (reduction::Term& term : equation.terms) {
    if (term.variable != unknown) continue;
    term.coefficient = term.coefficient + coefficient;
    return;
  }
  equation.terms.push_back({unknown, coefficient});
}

/// Blocks written out by Cramer's rule, or left to the run time.
class BlockWriter {
 public:
  explicit BlockWriter(const std::vector<Expr>& symbols) : symbols_(symbols) {}

  void add(const reduction::Block& block) {
    RunTimeSolve system;
    for (const auto& row : block.matrix) system.matrix.push_back(expr::replace_parts(row, parts_));
    system.right = expr::replace_parts(block.right, parts_);
    const std::size_t n = block.unknowns.size();
    const bool written = n <= kMaxWritten;
    solution_.blocks.push_back({n, n == 1    ? "one division"
                                   : written ? "Cramer's rule"
                                             : "factorisation at run time"});
    if (written) return write(block, system);
    for (const int unknown : block.unknowns) {
      const Expr symbol = expr::variable(fmt::format("f:{}", unknown));
      system.unknowns.push_back(symbol);
      parts_.emplace(symbols_[at(unknown)].id(), symbol);
    }
    solution_.solves.push_back(std::move(system));
  }

  BalanceSolution finish(const std::vector<Expr>& values) {
    solution_.values = expr::replace_parts(values, parts_);
    return std::move(solution_);
  }

 private:
  void write(const reduction::Block& block, const RunTimeSolve& system) {
    const reduction::Block replaced{block.unknowns, system.matrix, system.right, true, {}};
    const Expr inverse = 1.0 / reduction::determinant(system.matrix);
    for (std::size_t u = 0; u < block.unknowns.size(); ++u) {
      parts_.emplace(symbols_[at(block.unknowns[u])].id(),
                     inverse * reduction::cramer_numerator(replaced, u));
    }
  }

  const std::vector<Expr>& symbols_;
  std::unordered_map<std::uint32_t, Expr> parts_;
  BalanceSolution solution_;
};

}  // namespace

LoadBalance::LoadBalance(const machine::Machine& machine, const LoadPoints& points)
    : equations_(3 * (machine.bodies.size() - 1)) {
  for (int b = 0; b < static_cast<int>(machine.bodies.size()); ++b)
    pivots_.push_back(b == 0 ? Vec{} : points.find_pivot(b));
}

int LoadBalance::add_unknown() {
  symbols_.push_back(expr::variable(fmt::format("load:{}", symbols_.size())));
  return static_cast<int>(symbols_.size()) - 1;
}

Expr LoadBalance::moment(int body, const Vec& arm, const Vec& force) const {
  const Vec& pivot = pivots_[at(body)];
  if (arm.x == pivot.x && arm.y == pivot.y) return 0.0;
  return cross(arm - pivot, force);
}

void LoadBalance::push(int body, const Vec& arm, const Vec& force) {
  if (body == 0) return;
  reduction::Equation* rows = &equations_[at(3 * (body - 1))];
  rows[0].rest = rows[0].rest + force.x;
  rows[1].rest = rows[1].rest + force.y;
  rows[2].rest = rows[2].rest + moment(body, arm, force);
}

void LoadBalance::push(int body, const Vec& arm, int unknown, const Vec& direction) {
  if (body == 0) return;
  reduction::Equation* rows = &equations_[at(3 * (body - 1))];
  add_term(rows[0], unknown, direction.x);
  add_term(rows[1], unknown, direction.y);
  add_term(rows[2], unknown, moment(body, arm, direction));
}

void LoadBalance::turn(int body, Expr torque) {
  if (body == 0) return;
  Expr& rest = equations_[at(3 * (body - 1) + 2)].rest;
  rest = rest + torque;
}

void LoadBalance::turn(int body, int unknown, Expr factor) {
  if (body != 0) add_term(equations_[at(3 * (body - 1) + 2)], unknown, factor);
}

reduction::System LoadBalance::build_system() const {
  if (equations_.size() != symbols_.size())
    throw std::logic_error(
        fmt::format("loads: {} equations for {} unknown forces", equations_.size(), symbols_.size()));
  const Matching matching(equations_, symbols_.size());
  reduction::System system;
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    system.variables.push_back({reduction::Variable::Kind::effort, -1, -1, symbols_[i]});
    system.variable_of_symbol.emplace(symbols_[i].id(), static_cast<int>(i));
    system.equations.push_back(equations_[at(matching.equation_of(i))]);
  }
  return system;
}

BalanceSolution LoadBalance::solve() {
  const reduction::System system = build_system();
  const reduction::Solution solution = reduction::build_solution(system);
  BlockWriter writer(symbols_);
  for (const reduction::Block& block : solution.blocks) writer.add(block);
  return writer.finish(solution.values);
}

}  // namespace rodeo::codegen
