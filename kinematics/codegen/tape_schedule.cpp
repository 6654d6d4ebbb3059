// SPDX-License-Identifier: MIT
// The order of a tape: what can refuse first, sines as early as can be, then results as what they need is there, arc
// tangents last.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "kinematics/codegen/tape_builder.h"

namespace rodeo::codegen {
namespace {

using expr::Op;

bool is_sine(Expr e) { return e->op == Op::sin || e->op == Op::cos; }
bool is_arc(Expr e) { return e->op == Op::atan2 || e->op == Op::call; }

std::vector<Expr> all_of(const IteratedBlock& block) {
  std::vector<Expr> roots = block.residuals;
  for (const auto& row : block.jacobian) roots.insert(roots.end(), row.begin(), row.end());
  return roots;
}

std::vector<Expr> all_of(const RunTimeSolve& solve) {
  std::vector<Expr> roots = solve.right;
  for (const auto& row : solve.matrix) roots.insert(roots.end(), row.begin(), row.end());
  return roots;
}

/// Everything that a routine needs, whenever it needs it.
std::vector<Expr> all_of(const Routine& routine, const std::vector<Result>& results) {
  std::vector<Expr> roots;
  const auto append = [&roots](const std::vector<Expr>& list) {
    roots.insert(roots.end(), list.begin(), list.end());
  };
  for (const IteratedBlock& block : routine.iterated) append(all_of(block));
  for (const Margin& margin : routine.margins) roots.push_back(margin.value);
  for (const RunTimeSolve& solve : routine.solves) append(all_of(solve));
  for (const Result& result : results) roots.push_back(result.value);
  return roots;
}

}  // namespace

Tape TapeBuilder::build(const Routine& routine, const std::vector<Result>& results) {
  std::vector<Expr> sines = find_sines(all_of(routine, results));
  emit_sines(sines);
  for (const IteratedBlock& block : routine.iterated) {
    add(block);
    emit_sines(sines);
  }
  for (const Margin& margin : routine.margins) test(margin);
  for (const RunTimeSolve& solve : routine.solves) add(solve);
  for (const Expr argument : sines) static_cast<void>(require(expr::sin(argument)));
  store_results(results);
  store_states_last();
  check_tape(tape_);
  return std::move(tape_);
}

// ---- sines and cosines

/// What the roots need and what is not computed yet, operands first.
std::vector<Expr> TapeBuilder::find_missing(const std::vector<Expr>& roots) const {
  std::vector<Expr> stack = roots, missing;
  std::unordered_set<std::uint32_t> met;
  while (!stack.empty()) {
    const Expr e = stack.back();
    stack.pop_back();
    if (value_[e] != kNone || !met.insert(e.id()).second) continue;
    missing.push_back(e);
    stack.insert(stack.end(), e->args.begin(), e->args.end());
  }
  std::sort(missing.begin(), missing.end(), [](Expr a, Expr b) { return a.id() < b.id(); });
  return missing;
}

/// Arguments of sines and cosines that are not computed yet, each once.
std::vector<Expr> TapeBuilder::find_sines(const std::vector<Expr>& roots) {
  std::vector<Expr> arguments;
  std::unordered_set<std::uint32_t> met;
  for (const Expr e : find_missing(roots)) {
    const bool wanted = is_sine(e) || e->op == Op::tan || e->op == Op::cot;
    if (!wanted || (hoist_ && symbols_.is_constant(e)) || sine_[e->args[0]] != kNone) continue;
    if (met.insert(e->args[0].id()).second) arguments.push_back(e->args[0]);
  }
  std::sort(arguments.begin(), arguments.end(), [&](Expr a, Expr b) { return symbols_.compare(a, b) < 0; });
  return arguments;
}

/// Sums and products of what is known: nothing that takes long or can refuse.
bool TapeBuilder::is_ready(Expr argument) const {
  const std::vector<Expr> missing = find_missing({argument});
  return std::all_of(missing.begin(), missing.end(), [&](Expr e) {
    if (e.is_symbol()) return symbols_.find(e).has_value();
    return !is_sine(e) && !is_arc(e) && e->op != Op::sqrt;
  });
}

/// All of these that can be computed now, two at once; the others are left.
void TapeBuilder::emit_sines(std::vector<Expr>& arguments) {
  std::vector<Expr> ready, others;
  for (const Expr argument : arguments) (is_ready(argument) ? ready : others).push_back(argument);
  arguments = others;
  for (std::size_t i = 0; i + 1 < ready.size(); i += 2) {
    const Operand first = require(ready[i]), second = require(ready[i + 1]);
    const std::uint32_t value = push(Code::sine_cosine_pair, {first, second}, 4);
    set_sine(ready[i], value);
    set_sine(ready[i + 1], value + 2);
  }
  if (ready.size() % 2 == 0) return;
  const Operand last = require(ready.back());
  set_sine(ready.back(), push(Code::sine_cosine, {last}, 2));
}

// ---- results

bool TapeBuilder::has_angle(Expr root) {
  std::vector<Expr> stack{root};
  while (angled_[root] == 0) {
    const Expr e = stack.back();
    const std::size_t before = stack.size();
    for (const Expr arg : e->args) {
      if (angled_[arg] == 0) stack.push_back(arg);
    }
    if (stack.size() > before) continue;
    stack.pop_back();
    const bool has =
        is_arc(e) || std::any_of(e->args.begin(), e->args.end(), [&](Expr a) { return angled_[a] == 2; });
    angled_.set(e, has && !(hoist_ && symbols_.is_constant(e)) ? 2 : 1);
  }
  return angled_[root] == 2;
}

/// By the last value that is there already and that a result needs: what belongs to one part of a machine comes together,
/// and the parts in their order.
void TapeBuilder::sort_by_latest(std::vector<Result>& results) {
  std::unordered_map<std::uint32_t, std::uint32_t> latest;  // 1 + value
  std::vector<std::pair<std::uint32_t, Result>> keyed;
  for (const Result& result : results) {
    std::vector<Expr> stack{result.value};
    while (!latest.contains(result.value.id())) {
      const Expr e = stack.back();
      const auto known = e.is_symbol() || is_sine(e) || value_[e] != kNone ? find(e) : std::nullopt;
      const std::size_t before = stack.size();
      for (const Expr arg : e->args) {
        if (!known && !latest.contains(arg.id())) stack.push_back(arg);
      }
      if (stack.size() > before) continue;
      stack.pop_back();
      std::uint32_t last = known && known->space == Space::value ? known->index + 1 : 0;
      for (const Expr arg : e->args) {
        if (!known) last = std::max(last, latest.at(arg.id()));
      }
      latest[e.id()] = last;
    }
    keyed.emplace_back(latest.at(result.value.id()), result);
  }
  std::stable_sort(keyed.begin(), keyed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < results.size(); ++i) results[i] = keyed[i].second;
}

void TapeBuilder::store(const Target& target, const Operand& value) {
  push(Code::store, {{target.space, false, target.index, 0.0}, value}, 0);
}

void TapeBuilder::store_results(const std::vector<Result>& results) {
  std::vector<Result> plain;
  std::vector<Angled> angled;
  std::unordered_map<std::uint32_t, std::size_t> index;
  for (const Result& result : results) {
    if (!has_angle(result.value)) {
      plain.push_back(result);
      continue;
    }
    const auto [it, is_new] = index.emplace(result.value.id(), angled.size());
    if (is_new) angled.push_back({result.value, {}});
    angled[it->second].targets.push_back(result.target);
  }
  sort_by_latest(plain);
  for (const Result& result : plain) store(result.target, require(result.value));
  store_angled(angled);
}

/// Arc tangents wait until there are two; then what needs them is stored.
void TapeBuilder::store_angled(const std::vector<Angled>& results) {
  std::vector<Expr> angles;
  std::size_t stored = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    for (const Expr e : find_missing({results[i].value})) {
      if (is_angle(e) && std::find(angles.begin(), angles.end(), e) == angles.end()) angles.push_back(e);
    }
    if (angles.size() % 2 != 0 && i + 1 < results.size()) continue;
    emit_angles(angles);
    angles.clear();
    for (; stored <= i; ++stored) {
      const Operand value = require(results[stored].value);
      for (const Target& target : results[stored].targets) store(target, value);
    }
  }
}

void TapeBuilder::emit_angles(const std::vector<Expr>& angles) {
  for (std::size_t i = 0; i + 1 < angles.size(); i += 2) {
    std::vector<Operand> operands;
    for (const std::size_t a : {i, i + 1}) {
      for (const Expr part : parts_of(angles[a])) operands.push_back(require(part));
    }
    if (find(angles[i]) || find(angles[i + 1])) continue;  // one needed the other
    const std::uint32_t value = push(Code::angle_pair, operands, 2);
    for (const std::uint32_t a : {0U, 1U}) set(angles[i + a], {Space::value, false, value + a, 0.0});
  }
}

/// A state that is read later is stored at the end.
void TapeBuilder::store_states_last() {
  std::unordered_map<std::uint32_t, std::size_t> last_read;
  for (std::size_t i = 0; i < tape_.instructions.size(); ++i) {
    const Instruction& instruction = tape_.instructions[i];
    for (std::uint32_t o = instruction.code == Code::store ? 1 : 0; o < instruction.operands; ++o) {
      const Operand& operand = tape_.operands_of(instruction)[o];
      if (operand.space == Space::state) last_read[operand.index] = i;
    }
  }
  std::vector<Instruction> first, last;
  for (std::size_t i = 0; i < tape_.instructions.size(); ++i) {
    const Instruction& instruction = tape_.instructions[i];
    const Operand& target = tape_.operands_of(instruction)[0];
    const bool early = instruction.code == Code::store && target.space == Space::state &&
                       last_read.contains(target.index) && last_read[target.index] > i;
    (early ? last : first).push_back(instruction);
  }
  first.insert(first.end(), last.begin(), last.end());
  tape_.instructions = std::move(first);
}

// ---- parts of a routine

void TapeBuilder::test(const Margin& margin) {
  push(Code::test, {require(margin.value)}, 0);
  tape_.instructions.back().note = static_cast<std::uint32_t>(tape_.notes.size());
  tape_.notes.push_back(margin.where);
}

/// Parts that do not depend on the unknowns go before; what is computed inside is forgotten after.
void TapeBuilder::add(const IteratedBlock& block) {
  const std::vector<Expr> roots = all_of(block);
  std::unordered_set<std::uint32_t> inside;
  for (const Expr unknown : block.unknowns) inside.insert(unknown.id());
  for (const Expr e : find_missing(roots)) {
    if (std::any_of(e->args.begin(), e->args.end(), [&](Expr a) { return inside.contains(a.id()); }))
      inside.insert(e.id());
  }
  for (const Expr root : roots) require_outside(root, inside);

  std::vector<Operand> starts;
  for (const Expr start : block.starts) starts.push_back(require(start));
  const auto n = static_cast<std::uint32_t>(block.unknowns.size());
  emitted_.clear();
  const auto name_unknowns = [&](std::uint32_t first) {
    for (std::uint32_t u = 0; u < n; ++u) set(block.unknowns[u], {Space::value, false, first + u, 0.0});
  };
  const std::uint32_t begin = push(Code::iterate, starts, n);
  name_unknowns(begin);
  std::vector<Expr> sines = find_sines(roots);
  emit_sines(sines);
  std::vector<Operand> system;
  for (const Expr root : roots) system.push_back(require(root));
  for (const Expr e : emitted_) forget(e);
  name_unknowns(push(Code::correct, system, n));
  tape_.instructions.back().note = begin;
}

/// The largest parts of an expression that are not inside, in the order of the expression.
void TapeBuilder::require_outside(Expr root, const std::unordered_set<std::uint32_t>& inside) {
  std::vector<Expr> stack{root};
  std::unordered_set<std::uint32_t> met;
  while (!stack.empty()) {
    const Expr e = stack.back();
    stack.pop_back();
    if (!met.insert(e.id()).second) continue;
    if (!inside.contains(e.id())) {
      static_cast<void>(require(e));
      continue;
    }
    const std::vector<Expr> parts = parts_of(e);
    stack.insert(stack.end(), parts.rbegin(), parts.rend());
  }
}

void TapeBuilder::add(const RunTimeSolve& solve) {
  std::vector<Operand> operands;
  for (const Expr e : all_of(solve)) operands.push_back(require(e));
  const std::uint32_t first = push(Code::solve, operands, static_cast<std::uint32_t>(solve.unknowns.size()));
  for (std::uint32_t u = 0; u < solve.unknowns.size(); ++u)
    set(solve.unknowns[u], {Space::value, false, first + u, 0.0});
}

Tape build_derived_tape(Symbols& symbols) {
  std::vector<Result> results;
  for (std::size_t i = 0; i < symbols.derived().size(); ++i)
    results.push_back({symbols.derived()[i], {Space::derived, static_cast<std::uint32_t>(i)}});
  return TapeBuilder(symbols, false).build({}, results);
}

}  // namespace rodeo::codegen
