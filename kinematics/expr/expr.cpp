// SPDX-License-Identifier: MIT
// The pool of nodes and the local rules that keep expressions small. Rules only fold what is exact or what the
// reader would fold: 0, 1, signs, numbers. Anything deeper (trigonometric collection) is reduction's business.
#include "kinematics/expr/expr.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "kinematics/expr/eval.h"

namespace rodeo::expr {

/// Interns nodes. One for the program; the lock makes a test with threads safe.
class Pool {
 public:
  static Pool& instance() {
    static Pool pool;
    return pool;
  }

  Expr intern(Node node) {
    const std::scoped_lock lock(mutex_);
    const std::size_t key = hash(node);
    auto [first, last] = index_.equal_range(key);
    for (auto it = first; it != last; ++it) {
      if (same(*it->second, node)) return Expr(it->second);
    }
    node.id = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(std::move(node));
    index_.emplace(key, &nodes_.back());
    return Expr(&nodes_.back());
  }

 private:
  static std::size_t hash(const Node& node) {
    std::size_t h = static_cast<std::size_t>(node.op) * 31 + static_cast<std::size_t>(node.kind);
    const auto mix = [&h](std::size_t v) { h ^= v + 0x9e3779b97f4a7c15ULL + (h << 6) + (h >> 2); };
    mix(std::bit_cast<std::uint64_t>(node.value));
    mix(std::hash<std::string>{}(node.name));
    for (const Expr arg : node.args) mix(arg.id());
    return h;
  }
  static bool same(const Node& a, const Node& b) {
    return a.op == b.op && a.kind == b.kind && a.name == b.name && a.args == b.args &&
           std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value);
  }

  std::mutex mutex_;
  std::deque<Node> nodes_;
  std::unordered_multimap<std::size_t, const Node*> index_;
};

namespace {

Expr make(Op op, std::vector<Expr> args) {
  Node node;
  node.op = op;
  node.args = std::move(args);
  return Pool::instance().intern(std::move(node));
}

Expr number(double value) {
  Node node;
  node.value = value == 0.0 ? 0.0 : value;  // one zero
  return Pool::instance().intern(std::move(node));
}

bool is_neg(Expr a) { return a->op == Op::neg; }

/// Sums and products keep numbers first, then order of creation: a+b and b+a are one node.
std::vector<Expr> ordered(Expr a, Expr b) {
  const auto rank = [](Expr e) { return std::pair{!e.is_number(), e.id()}; };
  return rank(a) <= rank(b) ? std::vector{a, b} : std::vector{b, a};
}

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::frexp(std::fabs(value), &exponent) == 0.5;
}

struct Scaled {
  double factor;
  Expr base;
};

/// x, -x and 3·x as factor · base.
Scaled split_factor(Expr e) {
  if (is_neg(e)) {
    const Scaled inner = split_factor(e->args[0]);
    return {-inner.factor, inner.base};
  }
  if (e->op == Op::mul && e->args[0].is_number()) return {e->args[0]->value, e->args[1]};
  return {1.0, e};
}

Expr add(Expr a, Expr b) {
  if (a.is_number(0)) return b;
  if (b.is_number(0)) return a;
  if ((is_neg(a) && a->args[0] == b) || (is_neg(b) && b->args[0] == a)) return 0.0;
  if (is_neg(a) && is_neg(b)) return -(a->args[0] + b->args[0]);
  if (const Scaled x = split_factor(a), y = split_factor(b); x.base == y.base && !x.base.is_number()) {
    return (x.factor + y.factor) * x.base;
  }
  return make(Op::add, ordered(a, b));
}

Expr mul(Expr a, Expr b) {
  if (a.is_number(0) || b.is_number(0)) return 0.0;
  if (a.is_number(1)) return b;
  if (b.is_number(1)) return a;
  if (a.is_number(-1)) return -b;
  if (b.is_number(-1)) return -a;
  if (is_neg(a)) return -(a->args[0] * b);
  if (is_neg(b)) return -(a * b->args[0]);
  if (b.is_number()) std::swap(a, b);
  if (a.is_number() && a->value < 0) return -(Expr(-a->value) * b);
  if (b->op == Op::mul && b->args[0].is_number() && !b->args[1].is_number()) {
    return a.is_number() ? (a * b->args[0]) * b->args[1] : b->args[0] * (a * b->args[1]);
  }
  if (a->op == Op::mul && a->args[0].is_number() && !a->args[1].is_number())
    return a->args[0] * (a->args[1] * b);
  return make(Op::mul, ordered(a, b));
}

Expr div(Expr a, Expr b) {
  if (b.is_number(0)) return make(Op::div, {a, b});  // kept: the reader of the model reports it
  if (a.is_number(0)) return 0.0;
  if (b.is_number(1)) return a;
  if (b.is_number(-1)) return -a;
  if (a == b) return 1.0;
  if (is_neg(a)) return -(a->args[0] / b);
  if (is_neg(b)) return -(a / b->args[0]);
  if (b.is_number() && is_power_of_two(b->value)) return Expr(1.0 / b->value) * a;  // exact
  return make(Op::div, {a, b});
}

Expr power(Expr a, Expr b) {
  if (b.is_number(1)) return a;
  if (b.is_number(0)) return 1.0;
  return make(Op::pow, {a, b});
}

Expr negate(Expr a) {
  if (a.is_number()) return number(-a->value);
  if (is_neg(a)) return a->args[0];
  return make(Op::neg, {a});
}

bool is_odd(Op op) {
  return op == Op::sin || op == Op::tan || op == Op::cot || op == Op::asin || op == Op::atan ||
         op == Op::sinh || op == Op::tanh || op == Op::sgn;
}

Expr function(Op op, const std::vector<Expr>& args) {
  if (is_odd(op) && is_neg(args[0])) return -operation(op, {args[0]->args[0]});
  if ((op == Op::cos || op == Op::cosh || op == Op::abs) && is_neg(args[0]))
    return operation(op, {args[0]->args[0]});
  if (op == Op::select && args[0].is_number()) return args[0].is_number(0) ? args[2] : args[1];
  if (op == Op::select && args[1] == args[2]) return args[1];
  return make(op, args);
}

bool all_numbers(const std::vector<Expr>& args) {
  return std::all_of(args.begin(), args.end(), [](Expr e) { return e.is_number(); });
}

}  // namespace

Expr::Expr() : Expr(0.0) {}
Expr::Expr(double value) : node_(number(value).node_) {}
std::uint32_t Expr::id() const noexcept { return node_->id; }
bool Expr::is_number() const noexcept { return node_->op == Op::number; }
bool Expr::is_number(double value) const noexcept { return is_number() && node_->value == value; }
bool Expr::is_symbol() const noexcept { return node_->op == Op::symbol; }

Expr symbol(std::string_view name, SymbolKind kind) {
  Node node;
  node.op = Op::symbol;
  node.kind = kind;
  node.name = name;
  return Pool::instance().intern(std::move(node));
}

Expr variable(std::string_view name) { return symbol(name, SymbolKind::variable); }
Expr time_symbol() { return symbol("t", SymbolKind::time); }

Expr random_stream(int stream) {
  Node node;
  node.op = Op::rand;
  node.value = stream;
  return Pool::instance().intern(std::move(node));
}

Expr library_call(std::string_view library, std::string_view function, const std::vector<Expr>& args) {
  Node node;
  node.op = Op::call;
  node.name = std::string(library) + '\n' + std::string(function);
  node.args = args;
  return Pool::instance().intern(std::move(node));
}

Expr operation(Op op, const std::vector<Expr>& args) {
  if (all_numbers(args)) {
    std::vector<double> values;
    for (const Expr arg : args) values.push_back(arg->value);
    const double folded = calc_operation(op, values.data());
    if (std::isfinite(folded)) return folded;
  }
  switch (op) {
    case Op::add: return add(args[0], args[1]);
    case Op::mul: return mul(args[0], args[1]);
    case Op::div: return div(args[0], args[1]);
    case Op::pow: return power(args[0], args[1]);
    case Op::neg: return negate(args[0]);
    default: return function(op, args);
  }
}

Expr operator+(Expr a, Expr b) { return operation(Op::add, {a, b}); }
Expr operator-(Expr a, Expr b) { return operation(Op::add, {a, -b}); }
Expr operator*(Expr a, Expr b) { return operation(Op::mul, {a, b}); }
Expr operator/(Expr a, Expr b) { return operation(Op::div, {a, b}); }
Expr operator-(Expr a) { return operation(Op::neg, {a}); }
Expr sin(Expr a) { return operation(Op::sin, {a}); }
Expr cos(Expr a) { return operation(Op::cos, {a}); }
Expr sqrt(Expr a) { return operation(Op::sqrt, {a}); }
Expr pow(Expr a, Expr b) { return operation(Op::pow, {a, b}); }

const std::vector<FunctionInfo>& functions() {
  // Bondin's names (its section 4) and the contract's; a name later in the list is another spelling.
  static const std::vector<FunctionInfo> table = {
      {"sin", Op::sin, 1},       {"cos", Op::cos, 1},      {"tan", Op::tan, 1},      {"cot", Op::cot, 1},
      {"asin", Op::asin, 1},     {"acos", Op::acos, 1},    {"atan", Op::atan, 1},    {"acot", Op::acot, 1},
      {"atan2", Op::atan2, 2},   {"sinh", Op::sinh, 1},    {"cosh", Op::cosh, 1},    {"tanh", Op::tanh, 1},
      {"coth", Op::coth, 1},     {"arsinh", Op::asinh, 1}, {"arcosh", Op::acosh, 1}, {"artanh", Op::atanh, 1},
      {"arcoth", Op::acoth, 1},  {"sqrt", Op::sqrt, 1},    {"exp", Op::exp, 1},      {"log", Op::log, 1},
      {"lg", Op::log10, 1},      {"abs", Op::abs, 1},      {"sgn", Op::sgn, 1},      {"round", Op::round, 1},
      {"fac", Op::factorial, 1}, {"min", Op::min, 2},      {"max", Op::max, 2},      {"ln", Op::log, 1},
      {"ascot", Op::acot, 1},
  };
  return table;
}

const char* function_name(Op op) {
  for (const FunctionInfo& info : functions()) {
    if (info.op == op) return info.name;
  }
  return nullptr;
}

std::vector<Expr> reachable(const std::vector<Expr>& roots) {
  std::unordered_map<std::uint32_t, Expr> seen;
  std::vector<Expr> stack = roots;
  while (!stack.empty()) {
    const Expr e = stack.back();
    stack.pop_back();
    if (!seen.emplace(e.id(), e).second) continue;
    stack.insert(stack.end(), e->args.begin(), e->args.end());
  }
  std::vector<Expr> all;
  all.reserve(seen.size());
  for (const auto& entry : seen) all.push_back(entry.second);
  std::sort(all.begin(), all.end(), [](Expr a, Expr b) { return a.id() < b.id(); });
  return all;
}

std::vector<Expr> symbols_of(const std::vector<Expr>& roots) {
  std::vector<Expr> found = reachable(roots);
  std::erase_if(found, [](Expr e) { return !e.is_symbol(); });
  return found;
}

namespace {

/// The same operation on other operands.
Expr with_operands(Expr e, const std::vector<Expr>& args) {
  if (args == e->args) return e;
  if (e->op != Op::call) return operation(e->op, args);
  const std::size_t cut = e->name.find('\n');
  return library_call(e->name.substr(0, cut), e->name.substr(cut + 1), args);
}

/// Rebuilds every part that the roots need from what `choose` gives for it, or from its rebuilt operands.
std::vector<Expr> rebuild(const std::vector<Expr>& roots,
                          const std::function<std::optional<Expr>(Expr)>& choose) {
  std::unordered_map<std::uint32_t, Expr> done;
  for (const Expr e : reachable(roots)) {
    std::optional<Expr> chosen = choose(e);
    if (!chosen) {
      std::vector<Expr> args;
      for (const Expr arg : e->args) args.push_back(done.at(arg.id()));
      chosen = with_operands(e, args);
    }
    done.emplace(e.id(), *chosen);
  }
  std::vector<Expr> results;
  for (const Expr root : roots) results.push_back(done.at(root.id()));
  return results;
}

}  // namespace

std::vector<Expr> substitute(const std::vector<Expr>& roots, const std::function<Expr(Expr)>& replace) {
  return rebuild(roots, [&](Expr e) { return e.is_symbol() ? std::optional(replace(e)) : std::nullopt; });
}

std::vector<Expr> replace_parts(const std::vector<Expr>& roots,
                                const std::unordered_map<std::uint32_t, Expr>& parts) {
  return rebuild(roots, [&](Expr e) {
    const auto found = parts.find(e.id());
    return found == parts.end() ? std::nullopt : std::optional(found->second);
  });
}

Expr substitute(Expr root, const std::function<Expr(Expr)>& replace) {
  return substitute(std::vector{root}, replace)[0];
}

}  // namespace rodeo::expr
