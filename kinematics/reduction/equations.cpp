// SPDX-License-Identifier: MIT
// Sections of equations. Reduced: states in the order in which they can be computed, blocks with their unknowns solved
// (Cramer up to kMaxCramer and kMaxTerms), larger ones as the linear system that they are.
#include "kinematics/reduction/equations.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "kinematics/reduction/named_values.h"
#include "kinematics/reduction/page_values.h"

namespace rodeo::reduction {
namespace {

constexpr std::size_t kMaxTerms = 48;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

const char* plural(std::size_t count) { return count == 1 ? "" : "s"; }

/// Y = a Y + b solved for Y, where the law is linear in its own break variable.
Fraction solve_for_itself(const BreakVariable& variable) {
  const Sum sum = collect_factors(variable.value);
  Sum own{{Factors{}, GiNaC::numeric(1)}};  // 1 - a
  Sum rest;
  for (const auto& [factors, coefficient] : sum) {
    const auto power = factors.monomial.find(variable.symbol);
    if (power == factors.monomial.end()) {
      rest.emplace(factors, coefficient);
      continue;
    }
    if (power->second != 1) return {sum, {{Factors{}, GiNaC::numeric(1)}}};
    Factors bare = factors;
    bare.monomial.erase(variable.symbol);
    own[bare] -= coefficient;
  }
  std::erase_if(own, [](const auto& term) { return term.second.is_zero(); });
  Fraction fraction = reduce(std::move(rest), std::move(own));
  expand_brackets(fraction.numerator);
  expand_brackets(fraction.denominator);
  return reduce(fraction.numerator, fraction.denominator);
}

/// Rates of displacements by their names, for laws.
Expr with_named_rates(const System& system, const std::vector<Expr>& rates, Expr law) {
  std::unordered_map<std::uint32_t, Expr> parts;
  for (std::size_t s = 0; s < rates.size(); ++s) {
    const State& state = system.states[s];
    if (state.kind == State::Kind::momentum || state.rate_variable < 0 || rates[s].is_number()) continue;
    const Expr rate = state.sign * system.variables[at(state.rate_variable)].symbol;
    parts.try_emplace(rates[s].id(), rate);
    parts.try_emplace((-rates[s]).id(), -rate);
  }
  return expr::replace_parts({law}, parts)[0];
}

/// A Boolean once, though it switches effort and flow: b (law while on).
Expr once_a_boolean(const std::vector<Expr>& booleans, Expr law) {
  for (const Expr b : booleans) {
    const auto with = [&](double value) {
      return expr::substitute(law, [&](Expr s) { return s == b ? Expr(value) : s; });
    };
    const Expr off = with(0.0), on = with(1.0);
    if (!(off == on)) law = off + b * (on - off);
  }
  return law;
}

class ReducedWriter {
 public:
  ReducedWriter(const Model& model, Format format, const std::vector<Expr>& booleans)
      : ReducedWriter(model, format, booleans,
                      model.system.states.empty() ? find_needed_blocks(model, model.solution.values)
                                                  : find_moving_blocks(model)) {
    const std::vector<Expr> rates = state_rates(model);
    for (std::size_t s = 0; s < rates.size(); ++s) add_rate(model.system.states[s], rates[s]);
    for (std::size_t position = 0; position < moving_.size(); ++position)
      inlined_.push_back(can_be_inlined(position));
  }

  ReducedWriter(const Model& model, Format format, const std::vector<Expr>& booleans, std::vector<int> blocks)
      : model_(model),
        booleans_(booleans),
        names_(model.graph, model.system),
        named_(model, names_),
        shower_(names_, format),
        format_(format),
        moving_(std::move(blocks)) {
    for (std::size_t position = 0; position < moving_.size(); ++position) {
      for (const int unknown : block(position).unknowns) position_of_[symbol(unknown).id()] = position + 1;
    }
    name_flows();
  }

  /// Blocks that `shown` has not, and what is wanted.
  std::vector<ShownSection> build_wanted(const std::string& heading, const std::vector<Wanted>& wanted,
                                         const std::vector<ShownSection>& shown) {
    for (const ShownSection& section : shown) {
      for (const ShownEquation& equation : section.equations) given_.insert(equation.left);
    }
    for (std::size_t position = 0; position < moving_.size(); ++position) {
      const auto& unknowns = block(position).unknowns;
      const bool is_given = std::all_of(unknowns.begin(), unknowns.end(), [&](int unknown) {
        return given_.contains(shower_.show_symbol(symbol(unknown)));
      });
      if (!is_given && !block(position).is_law) add_block(position);
    }
    add_laws();
    ShownSection last{heading, {}};
    for (const auto& [name, value] : wanted) {
      const std::string left = shower_.show_name(name), right = shower_.show(collect(in_flows(value)));
      if (left != right && given_.insert(left).second) last.equations.push_back({left, right, unit_of(name)});
    }
    if (!last.equations.empty()) sections_.push_back(std::move(last));
    return std::move(sections_);
  }

  std::vector<ShownSection> build() {
    add_states(0);
    for (std::size_t position = 0; position < moving_.size(); ++position) {
      if (!inlined_[position] && !block(position).is_law) add_block(position);
      add_states(position + 1);
    }
    if (model_.system.states.empty()) add_ports();
    add_laws();
    const ShownSection where = named_.describe(list_shown(), format_);
    if (!where.equations.empty()) sections_.push_back(where);
    return std::move(sections_);
  }

 private:
  /// A state as it is shown: its rate, and after which block that is known (0: at once).
  struct ShownRate {
    SymbolName name;
    Expr value;
    std::size_t stage;
  };

  [[nodiscard]] const Block& block(std::size_t position) const {
    return model_.solution.blocks[at(moving_[position])];
  }
  [[nodiscard]] Expr symbol(int variable) const { return model_.system.variables[at(variable)].symbol; }

  /// Momenta of a machine's bodies are shown by their velocities, P = I V, as the paper does.
  void name_flows() {
    for (const State& state : model_.system.states) {
      const std::optional<Expr> inertia = find_shown_inertia(model_, state);
      if (!inertia) continue;
      const std::string& element = model_.graph.elements[at(state.element)].name;
      inertia_of_[state.symbol.id()] = {*inertia, dependent_flow(element)};
    }
  }

  void add_laws() {
    ShownSection section{"laws", {}};
    for (std::size_t position = 0; position < moving_.size(); ++position) {
      if (!block(position).is_law) continue;
      const Block& b = block(position);
      const SymbolName name = names_.find(symbol(b.unknowns[0]));
      const Expr law = with_named_rates(model_.system, state_rates(model_), b.right[0] / b.matrix[0][0]);
      section.equations.push_back({shower_.show_name(name),
                                   shower_.show(collect_factors(in_flows(once_a_boolean(booleans_, law)))),
                                   unit_of(name)});
    }
    if (!section.equations.empty()) sections_.push_back(std::move(section));
  }

  /// Where nothing moves: efforts and flows of sources and resistors.
  void add_ports() {
    ShownSection section{"efforts and flows", {}};
    std::set<std::string> seen;
    for (const ShownSection& shown : sections_) {
      for (const ShownEquation& equation : shown.equations) seen.insert(equation.left);
    }
    for (const bondgraph::Element& element : model_.graph.elements) {
      if (element.is_junction() || element.is_two_port()) continue;
      for (const int bond : element.bonds) {
        for (const int variable : {effort_index(bond), flow_index(bond)}) {
          const std::string left = shower_.show_symbol(symbol(variable));
          const std::string right = shower_.show(collect(model_.solution.values[at(variable)]));
          if (left != right && seen.insert(left).second) section.equations.push_back({left, right, {}});
        }
      }
    }
    if (!section.equations.empty()) sections_.push_back(std::move(section));
  }

  [[nodiscard]] Expr in_flows(Expr e) const {
    if (inertia_of_.empty()) return e;
    return expr::substitute(e, [&](Expr s) {
      const auto found = inertia_of_.find(s.id());
      return found == inertia_of_.end() ? s : found->second.first * found->second.second;
    });
  }

  void add_rate(const State& state, Expr rate) {
    const auto flow = inertia_of_.find(state.symbol.id());
    const bool by_flow = flow != inertia_of_.end();
    SymbolName name = names_.find(by_flow ? flow->second.second : state.symbol);
    ++name.derivatives;
    const Expr value = by_flow ? rate / flow->second.first : in_flows(rate);
    std::size_t stage = 0;
    for (const Expr s : expr::symbols_of({rate})) {
      const auto found = position_of_.find(s.id());
      if (found != position_of_.end()) stage = std::max(stage, found->second);
    }
    rates_.push_back({name, value, stage});
  }

  /// What is shown of a block.
  static void append(const Block& b, std::vector<Expr>& all) {
    for (const std::vector<Expr>& row : b.matrix) all.insert(all.end(), row.begin(), row.end());
    all.insert(all.end(), b.right.begin(), b.right.end());
    all.insert(all.end(), b.residuals.begin(), b.residuals.end());
  }
  [[nodiscard]] std::vector<Expr> list_shown() const {
    std::vector<Expr> all;
    for (const ShownRate& rate : rates_) all.push_back(rate.value);
    for (std::size_t position = 0; position < moving_.size(); ++position) append(block(position), all);
    return all;
  }

  ShownSection& section(const std::string& heading) {
    if (sections_.empty() || !heading.empty()) sections_.push_back({heading, {}});
    return sections_.back();
  }

  [[nodiscard]] static bool has(const std::vector<Expr>& expressions, Expr symbol) {
    const std::vector<Expr> symbols = expr::symbols_of(expressions);
    return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
  }

  /// One unknown that is no rate of a state is put into the rates that use it, if nothing but rates that are linear in it and come
  /// at once uses it: anywhere else its symbol would stand without a definition.
  [[nodiscard]] bool can_be_inlined(std::size_t position) const {
    const Block& b = block(position);
    if (!b.linear || b.unknowns.size() != 1 || names_.find(symbol(b.unknowns[0])).letter != "V") return false;
    if (rates_.empty()) return false;
    const Expr unknown = symbol(b.unknowns[0]);
    for (std::size_t other = 0; other < moving_.size(); ++other) {
      std::vector<Expr> shown;
      if (other != position) append(block(other), shown);
      if (has(shown, unknown)) return false;
    }
    return std::all_of(rates_.begin(), rates_.end(), [&](const ShownRate& rate) {
      if (!has({rate.value}, unknown)) return true;
      return rate.stage == position + 1 && !has({expr::differentiate(rate.value, unknown)}, unknown) &&
             !has(named_.find_used({rate.value}), unknown);
    });
  }

  void add_states(std::size_t stage) {
    for (const ShownRate& rate : rates_) {
      if (rate.stage != stage) continue;
      const std::string left = shower_.show_name(rate.name);
      const std::string right = stage > 0 && inlined_[stage - 1]
                                    ? shower_.show(inlined(rate.value, block(stage - 1)))
                                    : shower_.show(collect(rate.value));
      if (left != right) section("").equations.push_back({left, right, unit_of(rate.name)});
    }
  }

  /// a u + b with u = N/D:  (a N + b D)/D
  [[nodiscard]] Fraction inlined(Expr rate, const Block& b) const {
    const Expr unknown = symbol(b.unknowns[0]);
    const Expr slope = expr::differentiate(rate, unknown);
    const Expr rest = expr::substitute(rate, [&](Expr s) { return s == unknown ? Expr(0.0) : s; });
    return collect_fraction(slope * in_flows(b.right[0]) + rest * b.matrix[0][0], b.matrix[0][0]);
  }

  void add_block(std::size_t position) {
    const Block& b = block(position);
    const std::string heading = fmt::format("block of {}", b.unknowns.size());
    const bool solved = b.linear && b.unknowns.size() <= kMaxCramer && add_solved(b, heading);
    if (!solved) add_system(b, heading);
  }

  bool add_solved(const Block& b, const std::string& heading) {
    const Expr det = determinant(b.matrix);
    std::vector<ShownEquation> equations;
    for (std::size_t u = 0; u < b.unknowns.size(); ++u) {
      const Fraction fraction = collect_fraction(in_flows(cramer_numerator(b, u)), det);
      if (fraction.numerator.size() > kMaxTerms) return false;
      const SymbolName name = names_.find(symbol(b.unknowns[u]));
      equations.push_back({shower_.show_name(name), shower_.show(fraction), unit_of(name)});
    }
    section(heading).equations = std::move(equations);
    return true;
  }

  void add_system(const Block& b, const std::string& heading) {
    ShownSection& target = section(heading + (b.linear ? ", a linear system" : ", not linear"));
    for (std::size_t row = 0; row < b.matrix.size(); ++row) {
      Expr left = 0.0;
      for (std::size_t u = 0; u < b.unknowns.size(); ++u)
        left = left + b.matrix[row][u] * symbol(b.unknowns[u]);
      target.equations.push_back(
          {shower_.show(collect(left)), shower_.show(collect(in_flows(b.right[row]))), {}});
    }
    for (const Expr residual : b.residuals)
      target.equations.push_back({"0", shower_.show(collect_factors(in_flows(residual))), {}});
  }

  const Model& model_;
  const std::vector<Expr>& booleans_;
  Names names_;
  NamedValues named_;
  Shower shower_;
  Format format_;
  std::vector<ShownRate> rates_;
  std::vector<int> moving_;
  std::vector<bool> inlined_;                                            // a moving block each
  std::unordered_map<std::uint32_t, std::size_t> position_of_;           // of a block, from 1
  std::unordered_map<std::uint32_t, std::pair<Expr, Expr>> inertia_of_;  // momentum -> inertia, flow
  std::vector<ShownSection> sections_;
  std::set<std::string> given_;  // left sides of other sections
};

}  // namespace

std::vector<ShownSection> build_reduced_sections(const Model& model, Format format,
                                                 const std::vector<Expr>& booleans) {
  return ReducedWriter(model, format, booleans).build();
}

std::vector<ShownSection> build_wanted_sections(const Model& model, const std::string& heading,
                                                const std::vector<Wanted>& wanted,
                                                const std::vector<ShownSection>& shown, Format format) {
  std::vector<Expr> values;
  for (const Wanted& one : wanted) values.push_back(one.value);
  const std::vector<Expr> booleans;
  return ReducedWriter(model, format, booleans, find_needed_blocks(model, values))
      .build_wanted(heading, wanted, shown);
}

Model build_differentiated(Model model) {
  std::vector<int> rates;
  for (const State& state : model.system.states) {
    if (state.rate_variable >= 0) rates.push_back(state.rate_variable);
  }
  model.system = build_system(model.graph, model.causality, rates);
  model.solution = build_solution(model.system);
  return model;
}

std::vector<Wanted> list_accelerations(const Model& model, const std::vector<std::string>& states) {
  const Names names(model.graph, model.system);
  std::vector<Wanted> wanted;
  for (const State& state : model.system.states) {
    const auto found = model.system.derivative_of.find(state.rate_variable);
    if (found == model.system.derivative_of.end()) continue;
    if (std::find(states.begin(), states.end(), state.name) == states.end()) continue;
    SymbolName name = names.find(state.symbol);
    name.derivatives += 2;
    wanted.push_back({name, state.sign * model.solution.values[at(found->second)]});
  }
  return wanted;
}

std::vector<Wanted> list_efforts(const Model& model,
                                 const std::vector<std::pair<std::string, std::string>>& sources) {
  std::vector<Wanted> wanted;
  for (const auto& [source, subscript] : sources) {
    for (const bondgraph::Element& element : model.graph.elements) {
      if (element.name != source) continue;
      const bool is_rotation = element.domain == bondgraph::Domain::rotation;
      wanted.push_back(
          {{is_rotation ? "M" : "F", subscript, 0, false, bondgraph::units_of(element.domain).effort},
           model.solution.values[at(effort_index(element.bonds[0]))]});
    }
  }
  return wanted;
}

namespace {

/// P_J2 of the second port of J.
SymbolName stored_name(const Model& model, const StoredPort& port) {
  const bondgraph::Element& element = model.graph.elements[at(port.element)];
  const bool is_inertia = element.kind == bondgraph::Kind::I;
  const int bond = model.system.variables[at(port.variable)].bond;
  std::string subscript = element.name;
  if (element.bonds.size() > 1)
    subscript +=
        fmt::format("{}", 1 + std::distance(element.bonds.begin(),
                                            std::find(element.bonds.begin(), element.bonds.end(), bond)));
  const bondgraph::Units& units = bondgraph::units_of(element.domain);
  return {is_inertia ? "P" : "X", subscript, 0, false, is_inertia ? units.momentum : units.displacement};
}

/// A multiplier F is such that the flow V of its constraint obeys d/dt V = −(damping V + stiffness Φ).
ShownSection build_constraints(const Model& model, const FullEquations& full, const Shower& shower) {
  ShownSection section{fmt::format("{} constraint{}, V its flow and F its multiplier",
                                   full.multipliers.size(), plural(full.multipliers.size())),
                       {}};
  for (const Multiplier& multiplier : full.multipliers) {
    SymbolName name{"V", model.graph.elements[at(multiplier.element)].name, 0, true, {}};
    section.equations.push_back({shower.show_name(name), shower.show(collect_factors(multiplier.flow)), {}});
    ++name.derivatives;
    section.equations.push_back({shower.show_name(name), shower.show(collect_factors(-multiplier.rest)), {}});
  }
  return section;
}

/// Bondin's system (3): what a storage port in differential causality has of its own follows from the rest, and its rate from that.
ShownSection build_dependent(const Model& model, const FullEquations& full, const Names& names,
                             const Shower& shower) {
  const std::size_t count = full.dependent.size() + full.stored.size();
  ShownSection section{
      fmt::format("{} algebraic equation{}, ports in differential causality", count, plural(count)), {}};
  for (const DependentPort& port : full.dependent) {
    const SymbolName name = names.find(port.symbol);
    section.equations.push_back(
        {shower.show_name(name), shower.show(collect_factors(port.value)), unit_of(name)});
  }
  for (const StoredPort& port : full.stored) {
    SymbolName name = stored_name(model, port);
    section.equations.push_back(
        {shower.show_name(name), shower.show(collect_factors(port.stored)), unit_of(name)});
    ++name.derivatives;
    section.equations.push_back({shower.show_symbol(model.system.variables[at(port.variable)].symbol),
                                 (port.sign < 0 ? "-" : "") + shower.show_name(name), unit_of(name)});
  }
  return section;
}

/// Rates of states; one that is the flow of a port in differential causality is given there.
ShownSection build_rates(const Model& model, const FullEquations& full, const Names& names,
                         const Shower& shower) {
  std::set<std::string> given;
  for (const DependentPort& port : full.dependent) given.insert(shower.show_symbol(port.symbol));
  ShownSection section;
  for (std::size_t s = 0; s < full.rates.size(); ++s) {
    SymbolName name = names.find(model.system.states[s].symbol);
    ++name.derivatives;
    const std::string left = shower.show_name(name);
    if (!given.contains(left))
      section.equations.push_back({left, shower.show(collect_factors(full.rates[s])), unit_of(name)});
  }
  const std::size_t count = section.equations.size();
  section.heading = fmt::format("{} differential equation{}", count, plural(count));
  return section;
}

ShownSection build_laws(const Model& model, const FullEquations& full, const std::vector<Expr>& booleans,
                        const Names& names, const Shower& shower) {
  ShownSection section{"laws", {}};
  for (const FullLaw& law : full.laws) {
    const SymbolName name = names.find(model.system.variables[at(law.variable)].symbol);
    const Expr value = once_a_boolean(booleans, with_named_rates(model.system, full.rates, law.value));
    section.equations.push_back({shower.show_name(name), shower.show(collect_factors(value)), unit_of(name)});
  }
  return section;
}

}  // namespace

std::vector<ShownSection> build_full_sections(const Model& model, Format format,
                                              const std::vector<Expr>& booleans) {
  const FullEquations full = build_full(model.graph, model.causality, model.system, model.solution);
  Names names(model.graph, model.system);
  for (const BreakVariable& variable : full.breaks) {
    SymbolName name = split_name(variable.symbol->name);
    name.is_rate = true;
    names.set(variable.symbol, name);
  }
  const Shower shower(names, format);
  const ShownSection states = build_rates(model, full, names, shower);
  ShownSection breaks{
      fmt::format("{} algebraic equation{}, break variables", full.breaks.size(), plural(full.breaks.size())),
      {}};
  for (const BreakVariable& variable : full.breaks) {
    if (variable.is_implicit) {
      breaks.equations.push_back({"0", shower.show(collect_factors(variable.law)), {}});
      continue;
    }
    breaks.equations.push_back(
        {shower.show_symbol(variable.symbol), shower.show(solve_for_itself(variable)), {}});
  }
  std::vector<ShownSection> sections{states};
  if (!full.dependent.empty() || !full.stored.empty())
    sections.push_back(build_dependent(model, full, names, shower));
  if (!full.multipliers.empty()) sections.push_back(build_constraints(model, full, shower));
  if (!breaks.equations.empty()) sections.insert(sections.begin(), breaks);
  if (!full.laws.empty()) sections.push_back(build_laws(model, full, booleans, names, shower));
  return sections;
}

}  // namespace rodeo::reduction
