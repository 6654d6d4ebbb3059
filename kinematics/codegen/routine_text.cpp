// SPDX-License-Identifier: MIT
// Expressions -> C assignments, operands first.
#include "kinematics/codegen/routine_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace rodeo::codegen {
namespace {

using expr::Op;

std::string number_text(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return value < 0 ? "(" + text + ")" : text;
}

bool is_trig(Expr e) { return e->op == Op::sin || e->op == Op::cos; }

}  // namespace

const std::string* Names::find(Expr symbol) const {
  const auto found = names_.find(symbol.id());
  return found == names_.end() ? nullptr : &found->second;
}

std::string Names::derive(Expr part) {
  const auto [it, is_new] = derived_index_.emplace(part.id(), derived_.size());
  if (is_new) derived_.push_back(part);
  return fmt::format("k[{}]", it->second);
}

/// Numbers and parameters only. Operands have smaller ids, so what is not known yet is settled in order of id.
bool RoutineText::is_constant(Expr e) {
  if (const auto known = constant_.find(e.id()); known != constant_.end()) return known->second;
  std::vector<Expr> stack{e};
  while (!stack.empty()) {
    const Expr part = stack.back();
    const std::size_t before = stack.size();
    for (const Expr arg : part->args) {
      if (!constant_.contains(arg.id())) stack.push_back(arg);
    }
    if (stack.size() > before) continue;  // operands first
    stack.pop_back();
    const bool leaf = part.is_number() || (part.is_symbol() && part->kind == expr::SymbolKind::parameter);
    const bool inner =
        !part->args.empty() && part->op != Op::call &&
        std::all_of(part->args.begin(), part->args.end(), [&](Expr a) { return constant_.at(a.id()); });
    constant_.emplace(part.id(), leaf || inner);
  }
  return constant_.at(e.id());
}

std::string RoutineText::refer(Expr e) {
  if (e.is_number()) return number_text(e->value);
  if (const std::string* name = names_.find(e)) return *name;
  if (hoist_ && is_constant(e)) return names_.derive(e);
  if (e->op == Op::neg) return "-" + refer(e->args[0]);
  if (e.is_symbol()) throw std::logic_error("kernel text: symbol without a value: " + e->name);
  return fmt::format("t{}", e.id());
}

std::string RoutineText::require(Expr root) {
  std::vector<Expr> stack{root};
  std::vector<Expr> needed;
  std::unordered_set<std::uint32_t> seen;
  while (!stack.empty()) {
    const Expr e = stack.back();
    stack.pop_back();
    if (!seen.insert(e.id()).second || assigned_.contains(e.id()) || names_.find(e) != nullptr) continue;
    if (e.is_number() || (hoist_ && is_constant(e))) continue;
    needed.push_back(e);
    stack.insert(stack.end(), e->args.begin(), e->args.end());
  }
  std::sort(needed.begin(), needed.end(), [](Expr a, Expr b) { return a.id() < b.id(); });
  for (const Expr e : needed) assign(e);
  return refer(root);
}

void RoutineText::require_all(const std::vector<Expr>& list) {
  for (const Expr e : list) static_cast<void>(require(e));
}

void RoutineText::assign(Expr e) {
  if (assigned_.contains(e.id()) || e->op == Op::neg) return;
  if (e.is_symbol()) throw std::logic_error("kernel text: symbol without a value: " + e->name);
  if (is_trig(e)) return assign_trig(e);
  line(fmt::format("{}const double t{} = {};", indent_, e.id(), formula(e)));
  assigned_.insert(e.id());
  count(e);
}

/// Both of a pair at once, whichever is asked for first.
void RoutineText::assign_trig(Expr e) {
  const Expr s = expr::sin(e->args[0]);
  const Expr c = expr::cos(e->args[0]);
  line(fmt::format("{}double t{}, t{};", indent_, s.id(), c.id()));
  line(fmt::format("{}if (!rodeo_sincos({}, &t{}, &t{})) return RODEO_BAD_INPUT;", indent_, refer(e->args[0]),
                   s.id(), c.id()));
  assigned_.insert(s.id());
  assigned_.insert(c.id());
  operations_.trigonometric += 2;
}

std::string RoutineText::formula(Expr e) {
  const auto& a = e->args;
  switch (e->op) {
    case Op::add:
      if (a[1]->op == Op::neg && !is_constant(a[1]))
        return fmt::format("{} - {}", refer(a[0]), refer(a[1]->args[0]));
      if (a[0]->op == Op::neg && !is_constant(a[0]))
        return fmt::format("{} - {}", refer(a[1]), refer(a[0]->args[0]));
      return fmt::format("{} + {}", refer(a[0]), refer(a[1]));
    case Op::mul: return fmt::format("{} * {}", refer(a[0]), refer(a[1]));
    case Op::div: return fmt::format("{} / {}", refer(a[0]), refer(a[1]));
    case Op::sqrt: return fmt::format("sqrt({})", refer(a[0]));
    case Op::abs: return fmt::format("{0} < 0.0 ? -({0}) : {0}", refer(a[0]));
    case Op::atan2: return fmt::format("rodeo_atan2({}, {})", refer(a[0]), refer(a[1]));
    case Op::pow:
      if (a[1].is_number(2)) return fmt::format("{0} * {0}", refer(a[0]));
      if (a[1].is_number(3)) return fmt::format("{0} * {0} * {0}", refer(a[0]));
      break;
    case Op::call:
      if (e->name == "rodeo\nunwrap") return fmt::format("rodeo_unwrap({}, {})", refer(a[0]), refer(a[1]));
      break;
    default: break;
  }
  throw std::logic_error(
      fmt::format("kernel text: no C for operation {} in '{}'", static_cast<int>(e->op), expr::to_text(e)));
}

void RoutineText::count(Expr e) {
  switch (e->op) {
    case Op::add: ++operations_.adds; break;
    case Op::mul:
    case Op::pow: ++operations_.multiplies; break;
    case Op::div: ++operations_.divides; break;
    case Op::sqrt: ++operations_.roots; break;
    case Op::atan2: ++operations_.trigonometric; break;
    default: break;
  }
}

/// A fixed number of Newton corrections; the last must be small. Parts that do not depend on the unknowns go before.
void RoutineText::add(const IteratedBlock& block, int index) {
  const std::size_t n = block.unknowns.size();
  std::vector<Expr> roots = block.residuals;
  for (const auto& row : block.jacobian) roots.insert(roots.end(), row.begin(), row.end());
  std::set<std::uint32_t> inside;
  for (const Expr e : expr::reachable(roots)) {
    const bool unknown = std::find(block.unknowns.begin(), block.unknowns.end(), e) != block.unknowns.end();
    const bool depends = unknown || std::any_of(e->args.begin(), e->args.end(),
                                                [&](Expr a) { return inside.contains(a.id()); });
    if (depends) inside.insert(e.id());
  }
  for (const Expr e : expr::reachable(roots)) {
    if (!inside.contains(e.id())) static_cast<void>(require(e));
  }
  line(fmt::format("{}double z{}[{}], d{}[{}], j{}[{}];", indent_, index, n, index, n, index, n * n));
  for (std::size_t u = 0; u < n; ++u) {
    names_.set(block.unknowns[u], fmt::format("z{}[{}]", index, u));
    line(fmt::format("{}z{}[{}] = x[{}];", indent_, index, u, block.state_index[u]));
  }
  line(fmt::format("{}double pivots{} = 0.0;", indent_, index));
  line(fmt::format("{}for (int i = 0; i < {}; ++i) {{", indent_, kCorrections));
  const auto before = assigned_;
  indent_ += "  ";
  require_all(roots);
  for (std::size_t r = 0; r < n; ++r) {
    line(fmt::format("{}d{}[{}] = {};", indent_, index, r, require(block.residuals[r])));
    for (std::size_t u = 0; u < n; ++u)
      line(fmt::format("{}j{}[{}] = {};", indent_, index, r * n + u, require(block.jacobian[r][u])));
  }
  line(fmt::format("{}pivots{} = rodeo_solve({}, j{}, d{});", indent_, index, n, index, index));
  line(fmt::format("{}for (int r = 0; r < {}; ++r) z{}[r] -= d{}[r];", indent_, n, index, index));
  indent_.resize(indent_.size() - 2);
  line(indent_ + "}");
  assigned_ = before;
  line(fmt::format("{}if (!(pivots{} >= I->stop_margin)) return RODEO_SINGULAR;", indent_, index));
  line(fmt::format("{}if (!(rodeo_largest({}, d{}) <= 1e-8)) return RODEO_OPEN;", indent_, n, index));
  line(fmt::format("{}if (pivots{} < margin) margin = pivots{};", indent_, index, index));
}

void RoutineText::add(const RunTimeSolve& solve, int index) {
  const std::size_t n = solve.unknowns.size();
  for (const auto& row : solve.matrix) require_all(row);
  require_all(solve.right);
  line(fmt::format("{}double a{}[{}], y{}[{}];", indent_, index, n * n, index, n));
  for (std::size_t r = 0; r < n; ++r) {
    line(fmt::format("{}y{}[{}] = {};", indent_, index, r, require(solve.right[r])));
    for (std::size_t u = 0; u < n; ++u)
      line(fmt::format("{}a{}[{}] = {};", indent_, index, r * n + u, require(solve.matrix[r][u])));
  }
  line(fmt::format("{}if (!(rodeo_solve({}, a{}, y{}) > 0.0)) return RODEO_SINGULAR;", indent_, n, index,
                   index));
  for (std::size_t u = 0; u < n; ++u) names_.set(solve.unknowns[u], fmt::format("y{}[{}]", index, u));
}

std::string RoutineText::text() const {
  std::string all;
  for (const std::string& l : lines_) all += l + "\n";
  return all;
}

}  // namespace rodeo::codegen
