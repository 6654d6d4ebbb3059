// SPDX-License-Identifier: MIT
#include "kinematics/reduction/conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <set>

#include "kinematics/expr/eval.h"
#include "kinematics/reduction/comparison.h"
#include "kinematics/text/fault.h"

namespace rodeo::reduction {
namespace {

using expr::Op;

constexpr std::size_t kMaxSamples = 200'000;

class Normaliser {
 public:
  explicit Normaliser(const Graph& graph) : values_(find_parameter_values(graph)) {}

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
  [[nodiscard]] double value(Expr e) const { return expr::calc_value(e, values_); }

  /// e < c, or e > c which is not e <= c.
  Expr compare(Expr a, Expr b, Atom::Kind kind) {
    const Comparison form = build_comparison(values_, a, b);
    if (form.is_constant) return Atom{kind, {}, 0.0, {}}.holds(-form.c) ? 1.0 : 0.0;
    if (kind == Atom::Kind::equal || form.lead > 0) return find(kind, form.e, form.c);
    const bool strict = kind == Atom::Kind::less;
    return negated(find(strict ? Atom::Kind::less_equal : Atom::Kind::less, form.e, form.c));
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

void list_atoms(Expr e, std::set<std::size_t>& atoms) {
  if (e->op == Op::symbol) atoms.insert(index_of(e->name));
  for (const Expr& argument : e->args) list_atoms(argument, atoms);
}

/// Booleans that share an expression depend on each other; the others do not, and what can be reached is a product over the parts.
class Enumerator {
 public:
  Enumerator(const Graph& graph, const Conditions& conditions) : graph_(graph), conditions_(conditions) {
    std::map<std::uint32_t, std::vector<std::size_t>> groups;
    for (std::size_t k = 0; k < conditions.atoms.size(); ++k) groups[conditions.atoms[k].e.id()].push_back(k);
    for (const auto& [id, own] : groups) {
      groups_.push_back(own);
      cells_.push_back(find_cells(conditions.atoms, own));
    }
    find_parts();
    for (const Part& part : parts_) found_.push_back(enumerate(part));
  }

  [[nodiscard]] double count() const {
    double product = 1.0;
    for (const auto& found : found_) product *= static_cast<double>(found.size());
    return product;
  }

  [[nodiscard]] std::vector<std::vector<bool>> list() const {
    std::set<std::vector<bool>> all{std::vector<bool>(conditions_.booleans.size())};
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      std::set<std::vector<bool>> longer;
      for (std::vector<bool> values : all) {
        for (const std::vector<bool>& own : found_[p]) {
          for (const std::size_t b : parts_[p].booleans) values[b] = own[b];
          longer.insert(values);
        }
      }
      all = std::move(longer);
    }
    return {all.rbegin(), all.rend()};
  }

 private:
  struct Part {
    std::set<std::size_t> booleans, groups;
  };

  [[nodiscard]] std::set<std::size_t> groups_of(std::size_t boolean) const {
    std::set<std::size_t> atoms, groups;
    list_atoms(conditions_.booleans[boolean].atoms, atoms);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      for (const std::size_t k : groups_[g]) {
        if (atoms.contains(k)) groups.insert(g);
      }
    }
    return groups;
  }

  void find_parts() {
    for (std::size_t b = 0; b < conditions_.booleans.size(); ++b) {
      Part joined{{b}, groups_of(b)};
      std::erase_if(parts_, [&](const Part& part) {
        const bool shares = std::any_of(part.groups.begin(), part.groups.end(),
                                        [&](std::size_t g) { return joined.groups.contains(g); });
        if (shares) {
          joined.booleans.insert(part.booleans.begin(), part.booleans.end());
          joined.groups.insert(part.groups.begin(), part.groups.end());
        }
        return shares;
      });
      parts_.push_back(std::move(joined));
    }
  }

  [[nodiscard]] std::set<std::vector<bool>> enumerate(const Part& part) const {
    std::size_t samples = 1;
    for (const std::size_t g : part.groups) samples = std::min(samples * cells_[g].size(), kMaxSamples + 1);
    if (samples > kMaxSamples) refuse(graph_, conditions_, fmt::format("more than {}", kMaxSamples));
    std::set<std::vector<bool>> found;
    std::vector<bool> hold(conditions_.atoms.size());
    visit({part.groups.begin(), part.groups.end()}, part, hold, found);
    return found;
  }

  void visit(std::vector<std::size_t> open, const Part& part, std::vector<bool>& hold,
             std::set<std::vector<bool>>& found) const {
    if (open.empty()) {
      std::vector<bool> values = conditions_.calc(hold);
      for (std::size_t b = 0; b < values.size(); ++b) values[b] = values[b] && part.booleans.contains(b);
      found.insert(std::move(values));
      return;
    }
    const std::size_t group = open.back();
    open.pop_back();
    for (const std::vector<bool>& cell : cells_[group]) {
      for (std::size_t i = 0; i < cell.size(); ++i) hold[groups_[group][i]] = cell[i];
      visit(open, part, hold, found);
    }
  }

  const Graph& graph_;
  const Conditions& conditions_;
  std::vector<std::vector<std::size_t>> groups_;  // atoms of one expression
  std::vector<std::vector<std::vector<bool>>> cells_;
  std::vector<Part> parts_;
  std::vector<std::set<std::vector<bool>>> found_;  // a part each
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

Reachable find_reachable(const Graph& graph, const Conditions& conditions) {
  const Enumerator enumerator(graph, conditions);
  Reachable reachable{enumerator.count(), {}};
  if (reachable.count <= kMaxConfigurations) reachable.values = enumerator.list();
  return reachable;
}

void check_count(const Graph& graph, const Conditions& conditions, const Reachable& reachable) {
  if (reachable.count > kMaxConfigurations) refuse(graph, conditions, fmt::format("{:.0f}", reachable.count));
}

}  // namespace rodeo::reduction
