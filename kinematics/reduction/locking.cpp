// SPDX-License-Identifier: MIT
#include "kinematics/reduction/locking.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <set>

#include "kinematics/reduction/comparison.h"
#include "kinematics/reduction/tearing.h"

namespace rodeo::reduction {
namespace {

using expr::Op;

using Key = std::pair<std::uint32_t, double>;  // e and c of a threshold

class Locker {
 public:
  Locker(const Graph& graph, const std::set<Key>& unheld)
      : parameters_(find_parameter_values(graph)), unheld_(unheld) {}

  Graph lock(Graph graph) {
    for (const bondgraph::Element& element : graph.elements) {
      if (!element.is_input()) continue;
      const bool is_effort = element.kind == bondgraph::Kind::Se;
      const Expr own = is_effort ? bondgraph::effort_of(element.name) : bondgraph::flow_of(element.name);
      steps_.insert({element.name, own->name});
    }
    for (const bondgraph::RuleMemory& memory : graph.memories) steps_.insert(memory.name);
    for (const bondgraph::Signal& signal : graph.signals) {
      if (!signal.integrates) signals_.emplace(signal.name, signal.value);
    }
    for (bondgraph::Element& element : graph.elements) {
      owner_ = fmt::format("element '{}'", element.name);
      where_ = element.where;
      for (Expr& value : element.value) value = lock(value);
    }
    for (bondgraph::Signal& signal : graph.signals) {
      owner_ = fmt::format("signal '{}'", signal.name);
      where_ = signal.where;
      signal.value = lock(signal.value);
    }
    for (bondgraph::RuleMemory& memory : graph.memories) memory.now = lock(memory.now);
    return graph;
  }

  std::vector<Threshold> thresholds;

 private:
  Expr lock(Expr root) {
    for (const Expr e : expr::reachable({root})) {
      if (parts_.contains(e.id()) || !is_decision(e->op)) continue;
      const std::vector<Expr> args = expr::replace_parts(e->args, parts_);
      const Expr held = hold(e->op, args);
      if (!(held == e)) parts_.emplace(e.id(), held);
    }
    return expr::replace_parts({root}, parts_)[0];
  }

  [[nodiscard]] static bool is_decision(Op op) {
    switch (op) {
      case Op::less:
      case Op::less_equal:
      case Op::equal:
      case Op::sgn:
      case Op::abs:
      case Op::min:
      case Op::max:
      case Op::round: return true;
      default: return false;
    }
  }

  /// Numbers, parameters and sides change at events of others only.
  [[nodiscard]] static bool is_piecewise_constant(Expr e) {
    const auto symbols = expr::symbols_of({e});
    const auto uses = expr::reachable({e});
    return std::none_of(uses.begin(), uses.end(),
                        [](Expr part) { return part->op == Op::rand || part->op == Op::call; }) &&
           std::all_of(symbols.begin(), symbols.end(), [](Expr s) {
             return s->kind == expr::SymbolKind::parameter || s->name.starts_with("#side");
           });
  }

  Expr hold(Op op, const std::vector<Expr>& args) {
    const Expr as_it_is = expr::operation(op, args);
    const Expr difference = args.size() > 1 ? args[0] - args[1] : args[0];
    if (is_piecewise_constant(difference)) return as_it_is;
    if (op == Op::round) {
      (void)find(expr::cos(std::numbers::pi * args[0]), 0.0, false);
      return as_it_is;
    }
    const Comparison form = build_comparison(parameters_, args[0], args.size() > 1 ? args[1] : Expr(0.0));
    if (form.is_constant) return as_it_is;
    if (op == Op::equal) return hold_equality(as_it_is, form);
    const bool jumps = op == Op::less || op == Op::less_equal || op == Op::sgn;
    const std::size_t k = find(form.e, form.c, jumps);
    if (!jumps || !thresholds[k].is_held) return as_it_is;
    const Expr side = thresholds[k].side;
    if (op == Op::sgn) return form.lead > 0 ? 2.0 * side - 1.0 : 1.0 - 2.0 * side;
    return form.lead > 0 ? expr::operation(Op::logical_not, {side}) : side;
  }

  /// Whether e, moving, may be equal to something for a while (inputs, what decisions make) or at an instant known beforehand (time).
  [[nodiscard]] bool can_stay(Expr e) const {
    if (is_decision(e->op) && e->op != Op::abs && e->op != Op::min && e->op != Op::max) return true;
    if (e.is_symbol() && e->kind == expr::SymbolKind::variable) {
      const auto signal = signals_.find(e->name);
      return signal == signals_.end() ? steps_.contains(e->name) : can_stay(signal->second);
    }
    const std::size_t first = e->op == Op::select ? 1 : 0;
    return e->op != Op::call && std::all_of(e->args.begin() + static_cast<std::ptrdiff_t>(first),
                                            e->args.end(), [&](Expr arg) { return can_stay(arg); });
  }

  Expr hold_equality(Expr equality, const Comparison& form) {
    if (!can_stay(equality->args[0]) || !can_stay(equality->args[1])) {
      throw text::ModelError(
          where_,
          fmt::format("{}: '{}' holds for no length of time, as what it compares moves: write <= or >=, or "
                      "abs(...) < a width, or take rk4, which looks at it once a tick",
                      owner_, expr::to_text(equality)));
    }
    const auto symbols = expr::symbols_of({form.e});
    const bool is_timed = std::all_of(symbols.begin(), symbols.end(), [&](Expr s) {
      return s->kind != expr::SymbolKind::variable || steps_.contains(s->name);
    });
    if (is_timed) (void)find(form.e, form.c, false);
    return equality;
  }

  std::size_t find(Expr e, double c, bool jumps) {
    const bool is_held = jumps && !unheld_.contains({e.id(), c});
    for (std::size_t k = 0; k < thresholds.size(); ++k) {
      if (!(thresholds[k].e == e) || thresholds[k].c != c) continue;
      thresholds[k].is_held = thresholds[k].is_held || is_held;
      return k;
    }
    const std::size_t k = thresholds.size();
    thresholds.push_back(
        {e, c, fmt::format("#g{}", k), expr::variable(fmt::format("#side{}", k)), is_held, owner_, where_});
    return k;
  }

  expr::Values parameters_;
  const std::set<Key>& unheld_;
  std::unordered_map<std::uint32_t, Expr> parts_;
  std::set<std::string> steps_;          // inputs, and rules that are remembered
  std::map<std::string, Expr> signals_;  // that integrate nothing
  std::string owner_;
  text::Where where_;
};

Model build_from(const Model& model, Graph graph) {
  Model locked;
  locked.vector = model.vector;
  locked.graph = std::move(graph);
  locked.causality = model.causality;
  locked.system = build_system(locked.graph, locked.causality);
  locked.solution = build_solution(locked.system);
  return locked;
}

/// Whether g depends on its own side.
bool sees_itself(const Model& model, const Threshold& threshold) {
  const Expr g = with_solution(model, model.system.resolve(expr::variable(threshold.name)));
  return depends_on(model, g, threshold.side);
}

/// Held, a law such as F·sgn(f) may leave a loop undetermined: its thresholds stay unheld, or all where they are not found.
void release_loop(const SingularLoop& loop, const Graph& graph, const std::vector<Threshold>& thresholds,
                  std::set<Key>& unheld) {
  std::set<std::string> owners;
  for (const int e : loop.elements())
    owners.insert(fmt::format("element '{}'", graph.elements[static_cast<std::size_t>(e)].name));
  const std::size_t before = unheld.size();
  for (const Threshold& threshold : thresholds) {
    if (threshold.is_held && owners.contains(threshold.owner)) unheld.insert({threshold.e.id(), threshold.c});
  }
  if (unheld.size() > before) return;
  for (const Threshold& threshold : thresholds) unheld.insert({threshold.e.id(), threshold.c});
}

/// False where a threshold that was held must not be; it is in `unheld` then.
bool try_build(const std::vector<const Model*>& models, LockedModels& locked, std::set<Key>& unheld) {
  Locker locker(models.front()->graph, unheld);
  std::vector<Graph> graphs;
  for (const Model* model : models) graphs.push_back(locker.lock(model->graph));
  locked = {locker.thresholds, {}};
  if (locked.thresholds.empty()) return true;
  const std::size_t before = unheld.size();
  for (std::size_t m = 0; m < models.size(); ++m) {
    for (const Threshold& threshold : locked.thresholds)
      graphs[m].signals.push_back({threshold.name, threshold.e - threshold.c, false, 0.0, threshold.where});
    try {
      locked.models.push_back(build_from(*models[m], graphs[m]));
    } catch (const SingularLoop& loop) {
      release_loop(loop, graphs[m], locked.thresholds, unheld);
      return false;
    }
    for (const Threshold& threshold : locked.thresholds) {
      if (threshold.is_held && sees_itself(locked.models.back(), threshold))
        unheld.insert({threshold.e.id(), threshold.c});
    }
  }
  return unheld.size() == before;
}

}  // namespace

bool depends_on(const Model& model, Expr e, Expr symbol) {
  std::vector<Expr> all{e};
  for (const int block : find_needed_blocks(model, {e})) {
    const std::vector<Expr> inside = expressions_of(model.solution.blocks[static_cast<std::size_t>(block)]);
    all.insert(all.end(), inside.begin(), inside.end());
  }
  const auto symbols = expr::symbols_of(all);
  return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
}

LockedModels build_locked(const std::vector<const Model*>& models) {
  LockedModels locked;
  std::set<Key> unheld;
  while (!try_build(models, locked, unheld)) {
  }
  return locked;
}

}  // namespace rodeo::reduction
