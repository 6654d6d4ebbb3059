// SPDX-License-Identifier: MIT
// Names, constants and order of expressions.
#include "kinematics/codegen/symbols.h"

#include <algorithm>

namespace rodeo::codegen {
namespace {

using expr::Op;

bool commutes(Expr e) { return e->op == Op::add || e->op == Op::mul; }

int sign(bool less, bool greater) { return less ? -1 : (greater ? 1 : 0); }

template <typename T>
int compare_values(const T& a, const T& b) {
  return sign(a < b, b < a);
}

std::uint64_t key_of(Expr a, Expr b) { return std::uint64_t{a.id()} << 32 | b.id(); }

}  // namespace

void Symbols::set(Expr symbol, Space space, std::uint32_t index) {
  known_[symbol.id()] = {space, false, index, 0.0};
}

std::optional<Operand> Symbols::find(Expr symbol) const {
  const auto found = known_.find(symbol.id());
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

void Symbols::forget(Space space) {
  std::erase_if(known_, [space](const auto& entry) { return entry.second.space == space; });
}

Operand Symbols::derive(Expr part) {
  const auto [it, is_new] = derived_index_.emplace(part.id(), static_cast<std::uint32_t>(derived_.size()));
  if (is_new) derived_.push_back(part);
  return {Space::derived, false, it->second, 0.0};
}

bool Symbols::is_constant(Expr root) {
  std::vector<Expr> stack{root};
  while (kind_[root] == Kind::unknown) {
    const Expr e = stack.back();
    const std::size_t before = stack.size();
    for (const Expr arg : e->args) {
      if (kind_[arg] == Kind::unknown) stack.push_back(arg);
    }
    if (stack.size() > before) continue;  // operands first
    stack.pop_back();
    const bool leaf = e.is_number() || (e.is_symbol() && e->kind == expr::SymbolKind::parameter);
    const bool inner =
        !e->args.empty() && e->op != Op::call &&
        std::all_of(e->args.begin(), e->args.end(), [&](Expr a) { return kind_[a] == Kind::constant; });
    kind_.set(e, leaf || inner ? Kind::constant : Kind::varying);
  }
  return kind_[root] == Kind::constant;
}

std::vector<Expr> Symbols::operands_of(Expr e) {
  if (!commutes(e)) return e->args;
  if (order_[e] == Order::unknown) order_parts(e);
  return order_[e] == Order::swapped ? std::vector{e->args[1], e->args[0]} : e->args;
}

/// Ascending ids: operands before what is made of them.
void Symbols::order_parts(Expr root) {
  std::vector<Expr> stack{root}, parts;
  while (!stack.empty()) {
    const Expr e = stack.back();
    stack.pop_back();
    if (met_[e] != 0) continue;
    met_.set(e, 1);
    parts.push_back(e);
    stack.insert(stack.end(), e->args.begin(), e->args.end());
  }
  std::sort(parts.begin(), parts.end(), [](Expr a, Expr b) { return a.id() < b.id(); });
  for (const Expr e : parts) order(e);
}

void Symbols::order(Expr e) {
  if (!commutes(e)) return;
  const bool first_subtracted = e->args[0]->op == Op::neg, second_subtracted = e->args[1]->op == Op::neg;
  const bool swap =
      first_subtracted != second_subtracted ? first_subtracted : compare(e->args[0], e->args[1]) > 0;
  order_.set(e, swap ? Order::swapped : Order::as_is);
}

/// Numbers, parameters and what is made of them, states, drives, unknowns of blocks, the rest by operation.
int Symbols::rank(Expr e) {
  if (e.is_number()) return 0;
  if (is_constant(e)) return 1;
  if (!e.is_symbol()) return 8 + static_cast<int>(e->op);
  const std::optional<Operand> known = find(e);
  return known ? 2 + static_cast<int>(known->space) : 7;
}

int Symbols::compare_heads(Expr a, Expr b) {
  if (const int ranks = compare_values(rank(a), rank(b))) return ranks;
  if (a.is_number() && b.is_number()) return compare_values(a->value, b->value);
  if (const int ops = compare_values(a->op, b->op)) return ops;
  const auto known_a = find(a), known_b = find(b);
  if (known_a && known_b) return compare_values(known_a->index, known_b->index);
  if (const int sizes = compare_values(a->args.size(), b->args.size())) return sizes;
  // y:9 before y:10
  if (const int lengths = compare_values(a->name.size(), b->name.size())) return lengths;
  if (const int names = compare_values(a->name, b->name)) return names;
  return compare_values(a->value, b->value);
}

/// Lexicographic: the first operands that differ decide. Different nodes have different structure, so that one path down
/// finds the difference; all pairs on it are remembered, or long chains would be walked again and again.
int Symbols::compare(Expr a, Expr b) {
  if (a == b) return 0;
  std::vector<std::uint64_t> path;
  int result = 0;
  while (result == 0) {
    const auto known = compared_.find(key_of(a, b));
    if (known != compared_.end()) {
      result = known->second;
      break;
    }
    path.push_back(key_of(a, b));
    result = compare_heads(a, b);
    if (result != 0) break;
    const std::vector<Expr> left = operands_of(a), right = operands_of(b);
    const auto differ = std::mismatch(left.begin(), left.end(), right.begin());
    if (differ.first == left.end()) break;
    a = *differ.first;
    b = *differ.second;
  }
  for (const std::uint64_t key : path) {
    compared_[key] = result;
    compared_[key << 32 | key >> 32] = -result;
  }
  return result;
}

}  // namespace rodeo::codegen
