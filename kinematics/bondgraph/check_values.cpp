// SPDX-License-Identifier: MIT
// Constants that are not finite (a division by zero, say), and signals that need each other at the same instant.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kinematics/bondgraph/reader.h"
#include "kinematics/expr/eval.h"

namespace rodeo::bondgraph::reading {
namespace {

using expr::Op;
using Constants = std::unordered_map<std::uint32_t, std::optional<double>>;

/// The constant of one node whose operands are known already.
std::optional<double> calc_constant(const Constants& constants, Expr e) {
  if (e.is_number()) return e->value;
  if (e.is_symbol() || e->op == Op::rand || e->op == Op::call)
    return std::nullopt;  // parameters are filled in before
  std::vector<double> args;
  for (const Expr arg : e->args) {
    const std::optional<double>& value = constants.at(arg.id());
    if (!value) return std::nullopt;
    args.push_back(*value);
  }
  return expr::calc_operation(e->op, args.data());
}

bool is_bad(const std::optional<double>& value) { return value && !std::isfinite(*value); }

/// A branch of if(condition, then, else) that a constant condition never takes does no harm.
bool is_dead_branch(const Constants& constants, Expr e, std::size_t operand) {
  if (e->op != Op::select || operand == 0) return false;
  const std::optional<double>& condition = constants.at(e->args[0].id());
  return condition && (*condition != 0) != (operand == 1);
}

/// The constant that is not finite and reaches the root through what is not constant; nullopt when all is well.
std::optional<Expr> find_bad(const Constants& constants, Expr root) {
  if (is_bad(constants.at(root.id()))) return root;
  for (const Expr e : expr::reachable({root})) {
    if (constants.at(e.id())) continue;
    for (std::size_t i = 0; i < e->args.size(); ++i) {
      if (is_bad(constants.at(e->args[i].id())) && !is_dead_branch(constants, e, i)) return e->args[i];
    }
  }
  return std::nullopt;
}

/// Whether a parameter in it is at fault, which is reported there.
bool uses_faulty(const Reader& reader, Expr value) {
  const std::vector<Expr> symbols = expr::symbols_of({value});
  return std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) {
    const std::optional<double>& constant = reader.constants.at(symbol.id());
    return constant && std::isnan(*constant);
  });
}

/// Signals that another needs at the same instant: those it names, through no integral.
std::vector<std::vector<int>> build_needs(const Reader& reader) {
  std::vector<std::vector<int>> needs;
  for (const Signal& signal : reader.graph.signals) {
    std::vector<int>& list = needs.emplace_back();
    if (signal.integrates) continue;
    for (const Expr used : expr::symbols_of({signal.value})) {
      const auto found = reader.signals.find(used->name);
      if (used->kind == expr::SymbolKind::variable && found != reader.signals.end())
        list.push_back(found->second);
    }
  }
  return needs;
}

/// Takes away what needs nothing that is left, until nothing changes; the rest contains a cycle or leads into one.
std::vector<bool> find_left(const Reader& reader, const std::vector<std::vector<int>>& needs) {
  std::vector<std::vector<std::size_t>> users(needs.size());
  std::vector<std::size_t> missing(needs.size());
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    missing[i] = reader.graph.signals[i].integrates ? 0 : needs[i].size();
    for (const int need : needs[i]) users[static_cast<std::size_t>(need)].push_back(i);
    if (missing[i] == 0) ready.push_back(i);
  }
  std::vector<bool> left(needs.size(), true);
  while (!ready.empty()) {
    const std::size_t done = ready.back();
    ready.pop_back();
    left[done] = false;
    for (const std::size_t user : users[done]) {
      if (--missing[user] == 0) ready.push_back(user);
    }
  }
  return left;
}

/// Follows what is left from one signal until a signal comes back.
std::vector<int> find_one_cycle(const std::vector<std::vector<int>>& needs, const std::vector<bool>& left,
                                int start) {
  std::vector<int> path;
  std::vector<int> place(needs.size(), -1);
  int at = start;
  while (place[static_cast<std::size_t>(at)] < 0) {
    place[static_cast<std::size_t>(at)] = static_cast<int>(path.size());
    path.push_back(at);
    const std::vector<int>& next = needs[static_cast<std::size_t>(at)];
    at = *std::find_if(next.begin(), next.end(),
                       [&](int need) { return left[static_cast<std::size_t>(need)]; });
  }
  path.erase(path.begin(), path.begin() + place[static_cast<std::size_t>(at)]);
  path.push_back(at);
  return path;
}

}  // namespace

std::optional<double> find_constant(Reader& reader, Expr value) {
  const auto known = reader.constants.find(value.id());
  if (known != reader.constants.end()) return known->second;
  for (const Expr e : expr::reachable({value}))
    reader.constants.try_emplace(e.id(), calc_constant(reader.constants, e));
  return reader.constants.at(value.id());
}

void check_finite(Reader& reader, Expr value, const Where& where, const std::string& what) {
  if (value.is_number()) return;
  static_cast<void>(find_constant(reader, value));
  if (uses_faulty(reader, value)) return;
  if (const auto bad = find_bad(reader.constants, value)) {
    reader.faults.add(where, fmt::format("{}: '{}' is not finite: check for a division by zero", what,
                                         expr::to_text(*bad)));
  }
}

double read_constant(Reader& reader, Expr value, const Where& where, const std::string& what) {
  const std::optional<double> constant = find_constant(reader, value);
  if (!constant) {
    reader.faults.add(
        where, fmt::format("{}: '{}' must have a fixed value here: use numbers and parameters only", what,
                           expr::to_text(value)));
    return 0.0;
  }
  if (std::isfinite(*constant)) return *constant;
  if (uses_faulty(reader, value)) return 0.0;
  reader.faults.add(
      where, fmt::format("{}: '{}' is not finite: check for a division by zero", what, expr::to_text(value)));
  return 0.0;
}

void check_signal_cycles(Reader& reader) {
  const std::vector<std::vector<int>> needs = build_needs(reader);
  const std::vector<bool> left = find_left(reader, needs);
  const auto first = std::find(left.begin(), left.end(), true);
  if (first == left.end()) return;
  const std::vector<int> cycle = find_one_cycle(needs, left, static_cast<int>(first - left.begin()));
  std::vector<std::string> names;
  for (const int signal : cycle) names.push_back(reader.graph.signals[static_cast<std::size_t>(signal)].name);
  reader.faults.add(
      reader.graph.signals[static_cast<std::size_t>(cycle[0])].where,
      fmt::format("signals need each other at the same instant: {}; put an integral between them",
                  fmt::join(names, " -> ")));
}

}  // namespace rodeo::bondgraph::reading
