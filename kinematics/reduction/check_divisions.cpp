// SPDX-License-Identifier: MIT
// Divisions by zero that only the parameters' values bring about: R: r asked for its flow where r is 0, or a loop of
// r1 + r2 where these cancel. What depends on the motion is no fault: that is `singular when`.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "kinematics/expr/eval.h"
#include "kinematics/reduction/model.h"
#include "kinematics/text/fault.h"

namespace rodeo::reduction {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Values of what depends on parameters alone.
class Constants {
 public:
  explicit Constants(const Graph& graph) {
    for (const expr::Parameter& p : graph.parameters) parameters_.emplace(p.name, p.number);
  }

  [[nodiscard]] std::optional<double> of(Expr root) {
    for (const Expr e : expr::reachable({root})) {
      if (!values_.contains(e.id())) values_.emplace(e.id(), calc(e));
    }
    return values_.at(root.id());
  }

 private:
  [[nodiscard]] std::optional<double> calc(Expr e) const {
    if (e.is_number()) return e->value;
    if (e.is_symbol()) {
      const auto found = parameters_.find(e->name);
      const bool is_known = e->kind == expr::SymbolKind::parameter && found != parameters_.end();
      return is_known ? std::optional(found->second) : std::nullopt;
    }
    if (e->op == expr::Op::call || e->op == expr::Op::rand) return std::nullopt;
    std::vector<double> args;
    for (const Expr arg : e->args) {
      const std::optional<double> value = values_.at(arg.id());
      if (!value) return std::nullopt;
      args.push_back(*value);
    }
    return expr::calc_operation(e->op, args.data());
  }

  expr::Values parameters_;
  std::unordered_map<std::uint32_t, std::optional<double>> values_;
};

bool divides_by_zero(Constants& constants, Expr e) {
  if (e.is_number()) return !std::isfinite(e->value);
  return !e.is_symbol() && e->op == expr::Op::div && constants.of(e->args[1]) == 0.0;
}

bool contains(Expr root, Expr part) {
  const std::vector<Expr> parts = expr::reachable({root});
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

[[noreturn]] void refuse(const Model& model, std::size_t variable) {
  const bondgraph::Element& element = model.graph.elements[at(model.system.equations[variable].element)];
  const text::Where& where = element.where.file ? element.where : model.graph.where;
  if (element.constraint) {
    throw text::ModelError(
        where, fmt::format("element '{}': the constraint cannot act, as its flow does not follow its "
                           "multiplier: is the flow imposed by a source?",
                           element.name));
  }
  throw text::ModelError(
      where, fmt::format("'{}': a division by zero: with these parameters its law gives no value; "
                         "change them, or put an R, I or C beside it",
                         element.name));
}

/// The variable whose law divides: junctions only pass it on.
std::size_t find_owner(const Model& model, Expr division) {
  const std::vector<Expr>& values = model.solution.values;
  std::size_t owner = 0;
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (!contains(values[v], division)) continue;
    owner = v;
    if (!model.graph.elements[at(model.system.equations[v].element)].is_junction()) return v;
  }
  return owner;
}

bool is_singular(Constants& constants, const Block& block) {
  return block.linear && block.unknowns.size() <= kMaxDeterminant &&
         constants.of(determinant(block.matrix)) == 0.0;
}

}  // namespace

void check_divisions(const Model& model) {
  Constants constants(model.graph);
  for (const Block& block : model.solution.blocks) {
    if (is_singular(constants, block)) refuse(model, at(block.unknowns.front()));
  }
  const std::vector<Expr>& values = model.solution.values;
  for (const Expr e : expr::reachable(values)) {
    if (divides_by_zero(constants, e)) refuse(model, find_owner(model, e));
  }
}

}  // namespace rodeo::reduction
