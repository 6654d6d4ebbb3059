// SPDX-License-Identifier: MIT
#include "kinematics/reduction/conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <set>

#include "kinematics/expr/eval.h"
#include "kinematics/text/fault.h"

namespace rodeo::reduction {
namespace {

using expr::Op;

constexpr std::size_t kMaxSamples = 200'000;

/// Σ coefficient · term + constant; terms are what no number or parameter can be split off.
struct Linear {
  std::map<std::uint32_t, std::pair<Expr, double>> terms;
  double constant = 0.0;
};

class Normaliser {
 public:
  explicit Normaliser(const Graph& graph) {
    for (const expr::Parameter& parameter : graph.parameters) values_[parameter.name] = parameter.number;
  }

  /// The condition in atoms.
  Expr normalise(Expr e) {
    switch (e->op) {
      case Op::logical_and:
      case Op::logical_or: return expr::operation(e->op, {normalise(e->args[0]), normalise(e->args[1])});
      case Op::logical_not: return negated(normalise(e->args[0]));
      case Op::less: return compare(e->args[0], e->args[1], Atom::Kind::less);
      case Op::less_equal: return compare(e->args[0], e->args[1], Atom::Kind::less_equal);
      case Op::equal: return compare(e->args[0], e->args[1], Atom::Kind::equal);
      default: return is_constant(e) ? Expr(value(e) != 0 ? 1.0 : 0.0) : find(Atom::Kind::truth, e, 0.0);
    }
  }

  [[nodiscard]] static Expr negated(Expr e) {
    if (e->op == Op::logical_not) return e->args[0];
    return expr::operation(Op::logical_not, {e});
  }

  std::vector<Atom> atoms;

 private:
  [[nodiscard]] static bool is_constant(Expr e) {
    const auto symbols = expr::symbols_of({e});
    return std::all_of(symbols.begin(), symbols.end(),
                       [](Expr s) { return s->kind == expr::SymbolKind::parameter; });
  }
  [[nodiscard]] double value(Expr e) const { return expr::calc_value(e, values_); }

  void split(Expr e, double factor, Linear& sum) const {
    const auto& args = e->args;
    if (is_constant(e)) {
      sum.constant += factor * value(e);
    } else if (e->op == Op::add) {
      split(args[0], factor, sum);
      split(args[1], factor, sum);
    } else if (e->op == Op::neg) {
      split(args[0], -factor, sum);
    } else if (e->op == Op::mul && is_constant(args[0])) {
      split(args[1], factor * value(args[0]), sum);
    } else if (e->op == Op::mul && is_constant(args[1])) {
      split(args[0], factor * value(args[1]), sum);
    } else if (e->op == Op::div && is_constant(args[1])) {
      split(args[0], factor / value(args[1]), sum);
    } else {
      auto& term = sum.terms.try_emplace(e.id(), e, 0.0).first->second;
      term.second += factor;
    }
  }

  /// a - b against nil, divided by the first term's coefficient: e < c, or e > c which is not e <= c.
  Expr compare(Expr a, Expr b, Atom::Kind kind) {
    Linear sum;
    split(a, 1.0, sum);
    split(b, -1.0, sum);
    std::erase_if(sum.terms, [](const auto& term) { return term.second.second == 0; });
    if (sum.terms.empty()) {
      const Atom nothing{kind, {}, 0.0, {}};
      return nothing.holds(sum.constant) ? 1.0 : 0.0;
    }
    const double lead = sum.terms.begin()->second.second;
    Expr e = 0.0;
    for (const auto& [id, term] : sum.terms) e = e + (term.second / lead) * term.first;
    const double c = -sum.constant / lead + 0.0;  // no negative nil
    if (kind == Atom::Kind::equal || lead > 0) return find(kind, e, c);
    const bool strict = kind == Atom::Kind::less;
    return negated(find(strict ? Atom::Kind::less_equal : Atom::Kind::less, e, c));
  }

  Expr find(Atom::Kind kind, Expr e, double c) {
    for (const Atom& atom : atoms) {
      if (atom.kind == kind && atom.e == e && atom.c == c) return expr::variable(atom.name);
    }
    atoms.push_back({kind, e, c, fmt::format("#{}", atoms.size())});
    return expr::variable(atoms.back().name);
  }

  expr::Values values_;
};

std::size_t index_of(const std::string& name) {
  std::size_t index = 0;
  std::from_chars(name.data() + 1, name.data() + name.size(), index);
  return index;
}

bool calc_truth(Expr e, const std::vector<bool>& atoms) {
  switch (e->op) {
    case Op::number: return e->value != 0;
    case Op::symbol: return atoms[index_of(e->name)];
    case Op::logical_and: return calc_truth(e->args[0], atoms) && calc_truth(e->args[1], atoms);
    case Op::logical_or: return calc_truth(e->args[0], atoms) || calc_truth(e->args[1], atoms);
    default: return !calc_truth(e->args[0], atoms);
  }
}

void add_control(Conditions& all, Normaliser& normaliser, const bondgraph::Element& element, int index) {
  const Expr atoms = normaliser.normalise(*element.condition);
  const Expr opposite = Normaliser::negated(atoms);
  for (std::size_t b = 0; b < all.booleans.size(); ++b) {
    const bool is_same = all.booleans[b].atoms == atoms;
    if (!is_same && !(all.booleans[b].atoms == opposite)) continue;
    all.controls.push_back({index, element.name, static_cast<int>(b), !is_same});
    return;
  }
  all.controls.push_back({index, element.name, static_cast<int>(all.booleans.size()), false});
  all.booleans.push_back({*element.condition, atoms, element.where});
}

/// Every way in which atoms of one expression can hold: between and at its numbers.
std::vector<std::vector<bool>> find_cells(const std::vector<Atom>& atoms,
                                          const std::vector<std::size_t>& own) {
  if (atoms[own.front()].kind == Atom::Kind::truth) return {{false}, {true}};
  std::set<double> numbers;
  for (const std::size_t k : own) numbers.insert(atoms[k].c);
  std::vector<double> samples{*numbers.begin() - 1};
  for (auto it = numbers.begin(); it != numbers.end(); ++it) {
    const auto next = std::next(it);
    samples.push_back(*it);
    samples.push_back(next == numbers.end() ? *it + 1 : *it + (*next - *it) / 2);
  }
  std::set<std::vector<bool>> cells;
  for (const double sample : samples) {
    std::vector<bool> cell;
    for (const std::size_t k : own) cell.push_back(atoms[k].holds(sample - atoms[k].c));
    cells.insert(cell);
  }
  return {cells.begin(), cells.end()};
}

[[noreturn]] void refuse(const Graph& graph, const Conditions& conditions, const std::string& count) {
  std::vector<std::string> names;
  for (const Control& control : conditions.controls) names.push_back(control.junction);
  const text::Where& where = conditions.booleans.front().where;
  throw text::ModelError(
      where.file ? where : graph.where,
      fmt::format("the controlled junctions {} can be on and off in {} ways, and {} are built at most: give "
                  "junctions that switch together one condition, or let conditions that exclude each other "
                  "compare one and the same expression",
                  text::join_names(names), count, kMaxConfigurations));
}

class Enumerator {
 public:
  Enumerator(const Graph& graph, const Conditions& conditions) : graph_(graph), conditions_(conditions) {
    std::map<std::uint32_t, std::vector<std::size_t>> groups;
    for (std::size_t k = 0; k < conditions.atoms.size(); ++k) groups[conditions.atoms[k].e.id()].push_back(k);
    for (const auto& [id, own] : groups) {
      groups_.push_back(own);
      cells_.push_back(find_cells(conditions.atoms, own));
    }
  }

  std::vector<std::vector<bool>> run() {
    std::size_t samples = 1;
    for (const auto& cells : cells_) samples = std::min(samples * cells.size(), kMaxSamples + 1);
    if (samples > kMaxSamples) refuse(graph_, conditions_, fmt::format("more than {}", kMaxSamples));
    hold_.resize(conditions_.atoms.size());
    visit(0);
    if (found_.size() > kMaxConfigurations) refuse(graph_, conditions_, fmt::format("{}", found_.size()));
    return {found_.rbegin(), found_.rend()};
  }

 private:
  void visit(std::size_t group) {
    if (group == groups_.size()) {
      found_.insert(conditions_.calc(hold_));
      return;
    }
    for (const std::vector<bool>& cell : cells_[group]) {
      for (std::size_t i = 0; i < cell.size(); ++i) hold_[groups_[group][i]] = cell[i];
      visit(group + 1);
    }
  }

  const Graph& graph_;
  const Conditions& conditions_;
  std::vector<std::vector<std::size_t>> groups_;  // atoms of one expression
  std::vector<std::vector<std::vector<bool>>> cells_;
  std::vector<bool> hold_;
  std::set<std::vector<bool>> found_;
};

}  // namespace

bool Atom::holds(double g) const noexcept {
  switch (kind) {
    case Kind::less: return g < 0;
    case Kind::less_equal: return g <= 0;
    case Kind::equal: return g == 0;
    case Kind::truth: return g > 0;
  }
  return false;
}

std::vector<bool> Conditions::calc(const std::vector<bool>& atoms_hold) const {
  std::vector<bool> values;
  for (const Boolean& boolean : booleans) values.push_back(calc_truth(boolean.atoms, atoms_hold));
  return values;
}

Conditions build_conditions(const Graph& graph) {
  Conditions all;
  Normaliser normaliser(graph);
  for (std::size_t e = 0; e < graph.elements.size(); ++e) {
    if (graph.elements[e].condition) add_control(all, normaliser, graph.elements[e], static_cast<int>(e));
  }
  all.atoms = std::move(normaliser.atoms);
  return all;
}

std::vector<std::vector<bool>> find_reachable(const Graph& graph, const Conditions& conditions) {
  return Enumerator(graph, conditions).run();
}

}  // namespace rodeo::reduction
