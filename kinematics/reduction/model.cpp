// SPDX-License-Identifier: MIT
// From a graph to its solved blocks, and what the blocks say.
#include "kinematics/reduction/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "kinematics/bondgraph/components.h"
#include "kinematics/reduction/show.h"
#include "kinematics/reduction/tearing.h"
#include "kinematics/text/fault.h"

namespace rodeo::reduction {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

bool depends_on_motion(Expr e) {
  const auto symbols = expr::symbols_of({e});
  return std::any_of(symbols.begin(), symbols.end(),
                     [](Expr s) { return s->kind != expr::SymbolKind::parameter; });
}

bool moves(const Factors& factors) {
  const auto depends = [](const auto& part) { return depends_on_motion(part.first); };
  return std::any_of(factors.monomial.begin(), factors.monomial.end(), depends) ||
         std::any_of(factors.trig.angle.begin(), factors.trig.angle.end(), depends);
}

/// Kinematic blocks: a loop of flows. Inertias and resistances do not become singular with the pose alone.
bool solves_flows(const Model& model, const Block& block) {
  return std::all_of(block.unknowns.begin(), block.unknowns.end(),
                     [&](int v) { return model.system.variables[at(v)].kind == Variable::Kind::flow; });
}

/// The loop by its elements, at the place of the first.
text::ModelError describe(const SingularLoop& loop, const Graph& graph) {
  const std::set<int> elements(loop.elements().begin(), loop.elements().end());
  std::vector<std::string> names;
  for (const int e : elements) names.push_back(graph.elements[at(e)].name);
  const text::Where& where = graph.elements[at(*elements.begin())].where;
  return {where.file ? where : graph.where,
          fmt::format("the equations of the loop {} do not determine its efforts and flows: "
                      "put an R, I or C into the loop, or take a bond out of it",
                      text::join_names(names))};
}

/// Strokes that no rule forbids may still take more flows for states than the graph is free to move with.
bool try_other_states(Model& model, const std::vector<causality::Imposed>& imposed) {
  const std::vector<int> dependent = causality::find_dependent_inertias(model.graph);
  if (dependent.empty()) return false;
  model.causality = causality::assign_causality(model.graph, imposed, dependent);
  model.system = build_system(model.graph, model.causality);
  try {
    model.solution = build_solution(model.system);
  } catch (const SingularLoop&) {
    return false;
  }
  return true;
}

}  // namespace

Model build_model(Graph graph, const std::vector<causality::Imposed>& imposed,
                  const std::function<void(Stage)>& begin) {
  const auto announce = [&](Stage stage) {
    if (begin) begin(stage);
  };
  Model model;
  announce(Stage::causality);
  model.causality = causality::assign_causality(graph, imposed);
  if (graph.is_vector()) {
    const std::vector<bondgraph::Stroke> strokes = model.causality.strokes;
    model.vector.emplace(VectorForm{std::move(graph), std::move(model.causality)});
    bondgraph::Components components = bondgraph::build_components(model.vector->graph, strokes);
    model.causality = causality::build_components(model.vector->causality, components.bond_of);
    model.graph = std::move(components.graph);
  } else {
    model.graph = std::move(graph);
  }
  announce(Stage::equations);
  model.system = build_system(model.graph, model.causality);
  announce(Stage::blocks);
  try {
    model.solution = build_solution(model.system);
  } catch (const SingularLoop& loop) {
    if (model.vector || !try_other_states(model, imposed)) throw describe(loop, model.graph);
  }
  check_divisions(model);
  check_constraints(model);
  return model;
}

std::vector<Expr> expressions_of(const Block& block) {
  std::vector<Expr> all = block.right;
  for (const auto& row : block.matrix) all.insert(all.end(), row.begin(), row.end());
  all.insert(all.end(), block.residuals.begin(), block.residuals.end());
  return all;
}

std::vector<Expr> state_rates(const Model& model) {
  std::vector<Expr> rates;
  for (const State& state : model.system.states) {
    if (state.rate_variable >= 0) {
      rates.push_back(state.sign * model.solution.values[at(state.rate_variable)]);
      continue;
    }
    rates.push_back(with_solution(model, model.system.resolve(state.rate)));
  }
  return rates;
}

Expr with_solution(const Model& model, Expr e) {
  return expr::substitute(e, [&](Expr symbol) {
    const auto found = model.system.variable_of_symbol.find(symbol.id());
    return found == model.system.variable_of_symbol.end() ? symbol : model.solution.values[at(found->second)];
  });
}

std::vector<int> find_needed_blocks(const Model& model, std::vector<Expr> open) {
  std::unordered_map<std::uint32_t, int> block_of;
  for (std::size_t b = 0; b < model.solution.blocks.size(); ++b) {
    for (const int unknown : model.solution.blocks[b].unknowns) {
      block_of.emplace(model.system.variables[at(unknown)].symbol.id(), static_cast<int>(b));
    }
  }
  std::set<int> needed;
  while (!open.empty()) {
    std::vector<Expr> next;
    for (const Expr symbol : expr::symbols_of(open)) {
      const auto found = block_of.find(symbol.id());
      if (found == block_of.end() || !needed.insert(found->second).second) continue;
      const std::vector<Expr> inside = expressions_of(model.solution.blocks[at(found->second)]);
      next.insert(next.end(), inside.begin(), inside.end());
    }
    open = std::move(next);
  }
  return {needed.begin(), needed.end()};
}

std::vector<int> find_moving_blocks(const Model& model) {
  return find_needed_blocks(model, state_rates(model));
}

std::vector<int> find_coupled_blocks(const Model& model) {
  std::vector<int> blocks = find_moving_blocks(model);
  std::erase_if(blocks, [&](int b) { return model.solution.blocks[at(b)].is_law; });
  return blocks;
}

Expr cramer_numerator(const Block& block, std::size_t unknown) {
  std::vector<std::vector<Expr>> matrix = block.matrix;
  for (std::size_t row = 0; row < matrix.size(); ++row) matrix[row][unknown] = block.right[row];
  return determinant(matrix);
}

std::vector<std::string> find_singular_conditions(const Model& model) {
  const Names names(model.graph, model.system);
  const Shower shower(names, Format::plain);
  std::vector<std::string> conditions;
  for (const int b : find_coupled_blocks(model)) {
    const Block& block = model.solution.blocks[at(b)];
    if (!block.linear || !solves_flows(model, block)) continue;
    if (block.unknowns.size() > kMaxDeterminant) {
      conditions.push_back(fmt::format("det(block {})", b + 1));
      continue;
    }
    const Expr det = determinant(block.matrix);
    if (!depends_on_motion(det)) continue;
    Sum sum = collect(det);
    CommonFactor common = take_common_factor(sum);
    std::erase_if(common.factors.monomial, [](const auto& power) { return !depends_on_motion(power.first); });
    Sum shown;
    for (const auto& [factors, coefficient] : sum) {
      Factors whole = factors;
      for (const auto& [atom, exponent] : common.factors.monomial) whole.monomial[atom] += exponent;
      if (common.factors.trig.kind != Trig::Kind::none) whole.trig = common.factors.trig;
      shown.emplace(std::move(whole), sum.size() == 1 ? GiNaC::numeric(1) : coefficient);
    }
    // cos² + sin² of a moving angle is no condition
    if (std::none_of(shown.begin(), shown.end(), [](const auto& term) { return moves(term.first); }))
      continue;
    conditions.push_back(shower.show(shown));
  }
  return conditions;
}

}  // namespace rodeo::reduction
