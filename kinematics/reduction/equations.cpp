// SPDX-License-Identifier: MIT
// Sections of equations. Reduced: states in the order in which they can be computed, blocks with their unknowns solved
// (Cramer up to kMaxCramer and kMaxTerms), larger ones as the linear system that they are.
#include "kinematics/reduction/equations.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

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

class ReducedWriter {
 public:
  ReducedWriter(const Model& model, Format format)
      : model_(model), names_(model.graph, model.system), shower_(names_, format), format_(format), rates_(state_rates(model)),
        moving_(find_moving_blocks(model)) {
    for (std::size_t position = 0; position < moving_.size(); ++position) {
      for (const int unknown : block(position).unknowns) position_of_[symbol(unknown).id()] = position + 1;
    }
  }

  std::vector<ShownSection> build() {
    const std::vector<std::size_t> stages = state_stages();
    add_states("", stages, 0);
    for (std::size_t position = 0; position < moving_.size(); ++position) {
      add_block(position);
      add_states("", stages, position + 1);
    }
    return std::move(sections_);
  }

 private:
  [[nodiscard]] const Block& block(std::size_t position) const { return model_.solution.blocks[at(moving_[position])]; }
  [[nodiscard]] Expr symbol(int variable) const { return model_.system.variables[at(variable)].symbol; }

  /// After which block a state's rate is known; 0: at once.
  [[nodiscard]] std::vector<std::size_t> state_stages() const {
    std::vector<std::size_t> stages;
    for (const Expr rate : rates_) {
      std::size_t stage = 0;
      for (const Expr s : expr::symbols_of({rate})) {
        const auto found = position_of_.find(s.id());
        if (found != position_of_.end()) stage = std::max(stage, found->second);
      }
      stages.push_back(stage);
    }
    return stages;
  }

  ShownSection& section(const std::string& heading) {
    if (sections_.empty() || !heading.empty()) sections_.push_back({heading, {}});
    return sections_.back();
  }

  [[nodiscard]] std::string rate_of(const State& state) const {
    SymbolName name = names_.find(state.symbol);
    ++name.derivatives;
    Names with_rate = names_;
    const Expr rate = expr::variable(state.name + "'");
    with_rate.set(rate, name);
    return Shower(with_rate, format_).show_symbol(rate);
  }

  void add_states(const std::string& heading, const std::vector<std::size_t>& stages, std::size_t stage) {
    for (std::size_t s = 0; s < stages.size(); ++s) {
      const State& state = model_.system.states[s];
      const bool is_unknown = position_of_.contains(rates_[s].id());
      if (stages[s] != stage || is_unknown) continue;
      section(heading).equations.push_back({rate_of(state), shower_.show(collect(rates_[s]))});
    }
  }

  void add_block(std::size_t position) {
    const Block& b = block(position);
    std::string heading = fmt::format("block of {}", b.unknowns.size());
    const bool solved = b.linear && b.unknowns.size() <= kMaxCramer && add_solved(b, heading);
    if (!solved) add_system(b, heading);
  }

  bool add_solved(const Block& b, std::string heading) {
    const Expr det = determinant(b.matrix);
    std::vector<ShownEquation> equations;
    for (std::size_t u = 0; u < b.unknowns.size(); ++u) {
      const Fraction fraction = collect_fraction(cramer_numerator(b, u), det);
      if (fraction.numerator.size() > kMaxTerms) return false;
      equations.push_back({shower_.show_symbol(symbol(b.unknowns[u])), shower_.show(fraction)});
    }
    section(heading).equations = std::move(equations);
    return true;
  }

  void add_system(const Block& b, const std::string& heading) {
    ShownSection& target = section(heading + (b.linear ? ", a linear system" : ", not linear"));
    for (std::size_t row = 0; row < b.matrix.size(); ++row) {
      Expr left = 0.0;
      for (std::size_t u = 0; u < b.unknowns.size(); ++u) left = left + b.matrix[row][u] * symbol(b.unknowns[u]);
      target.equations.push_back({shower_.show(collect(left)), shower_.show(collect(b.right[row]))});
    }
    for (const Expr residual : b.residuals) target.equations.push_back({"0", shower_.show(collect_factors(residual))});
  }

  const Model& model_;
  Names names_;
  Shower shower_;
  Format format_;
  std::vector<Expr> rates_;
  std::vector<int> moving_;
  std::unordered_map<std::uint32_t, std::size_t> position_of_;  // of a block, from 1
  std::vector<ShownSection> sections_;
};

}  // namespace

std::vector<ShownSection> build_reduced_sections(const Model& model, Format format) {
  return ReducedWriter(model, format).build();
}

std::vector<ShownSection> build_full_sections(const Model& model, Format format) {
  const FullEquations full = build_full(model.graph, model.causality, model.system, model.solution);
  Names names(model.graph, model.system);
  for (const BreakVariable& variable : full.breaks) {
    SymbolName name = split_name(variable.symbol->name);
    name.is_rate = true;
    names.set(variable.symbol, name);
  }
  const Shower shower(names, format);
  ShownSection states{fmt::format("{} differential equation{}", full.rates.size(), plural(full.rates.size())), {}};
  for (std::size_t s = 0; s < full.rates.size(); ++s) {
    SymbolName name = names.find(model.system.states[s].symbol);
    ++name.derivatives;
    const Expr rate = expr::variable(model.system.states[s].name + "'");
    names.set(rate, name);
    states.equations.push_back({shower.show_symbol(rate), shower.show(collect_factors(full.rates[s]))});
  }
  ShownSection breaks{fmt::format("{} algebraic equation{}, break variables", full.breaks.size(), plural(full.breaks.size())), {}};
  for (const BreakVariable& variable : full.breaks) {
    breaks.equations.push_back({shower.show_symbol(variable.symbol), shower.show(solve_for_itself(variable))});
  }
  std::vector<ShownSection> sections{states};
  if (!breaks.equations.empty()) sections.insert(sections.begin(), breaks);
  return sections;
}

}  // namespace rodeo::reduction
