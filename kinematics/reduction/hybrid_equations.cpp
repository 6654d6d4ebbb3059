// SPDX-License-Identifier: MIT
// State equations with Boolean coefficients. A rate is f(S) in the configuration whose true Booleans are S; the polynomial
// Σ_S c_S Π_{b in S} b  with  c_S = f(S) - Σ_{T in S} c_T  agrees with all of them, and c_S is left out where no configuration
// asks for it. THEORY X4.
#include "kinematics/reduction/hybrid_equations.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "kinematics/expr/short_text.h"
#include "kinematics/reduction/named_values.h"

namespace rodeo::reduction {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Unknowns of the blocks written out by Cramer's rule; none where a block is too large or not linear.
class WrittenOut {
 public:
  explicit WrittenOut(const Model& model) {
    for (const int b : find_moving_blocks(model)) {
      const Block& block = model.solution.blocks[at(b)];
      if (!block.linear || block.unknowns.size() > kMaxCramer) {
        fits_ = false;
        return;
      }
      const Expr det = determinant(block.matrix);
      std::vector<std::pair<std::uint32_t, Expr>> found;
      for (std::size_t u = 0; u < block.unknowns.size(); ++u) {
        found.emplace_back(model.system.variables[at(block.unknowns[u])].symbol.id(),
                           write(cramer_numerator(block, u) / det));
      }
      values_.insert(found.begin(), found.end());
    }
  }
  [[nodiscard]] bool fits() const noexcept { return fits_; }
  [[nodiscard]] Expr write(Expr e) const {
    return expr::substitute(e, [&](Expr s) {
      const auto found = values_.find(s.id());
      return found == values_.end() ? s : found->second;
    });
  }

 private:
  std::unordered_map<std::uint32_t, Expr> values_;
  bool fits_ = true;
};

struct Coefficient {
  std::vector<bool> booleans;  // the product of those that are true
  Sum sum;
};

bool is_within(const std::vector<bool>& a, const std::vector<bool>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] && !b[i]) return false;
  }
  return true;
}

class SwitchedWriter {
 public:
  SwitchedWriter(const Hybrid& hybrid, Format format)
      : hybrid_(hybrid), format_(format), names_(first().graph, first().system), shower_(names_, format) {
    for (const Configuration& configuration : hybrid.configurations) {
      const Names own(configuration.model.graph, configuration.model.system);
      for (const State& state : configuration.model.system.states) {
        names_.set(state.symbol, own.find(state.symbol));
        const auto same = [&](const State* s) { return s->symbol == state.symbol; };
        if (std::none_of(states_.begin(), states_.end(), same)) states_.push_back(&state);
      }
      named_.emplace_back(configuration.model, names_);
    }
    for (std::size_t c = 0; c < hybrid.configurations.size(); ++c) order_.push_back(c);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return count_true(a) < count_true(b); });
  }

  [[nodiscard]] std::optional<std::vector<ShownSection>> build() {
    for (const Configuration& configuration : hybrid_.configurations) {
      written_.emplace_back(configuration.model);
      if (!written_.back().fits()) return std::nullopt;
      rates_.push_back(state_rates(configuration.model));
      for (Expr& rate : rates_.back()) rate = written_.back().write(rate);
    }
    name_laws();
    for (std::vector<Expr>& rates : rates_) rates = expr::replace_parts(rates, law_symbols_);
    ShownSection rates{"", {}};
    for (const State* state : states_) rates.equations.push_back(show_rate(*state));
    std::vector<ShownSection> sections{std::move(rates)};
    add_dependent(sections);
    for (ShownSection& section : show_booleans()) sections.push_back(std::move(section));
    add_laws(sections);
    add_named(sections);
    return sections;
  }

  /// Conditions in the names of the equations; where configurations make different things of them, one after the other.
  [[nodiscard]] std::vector<ShownSection> show_booleans() const {
    std::vector<ShownSection> sections;
    std::vector<std::vector<bool>> sets;  // configurations a section is for
    for (std::size_t c = 0; c < hybrid_.configurations.size(); ++c) {
      std::vector<ShownEquation> own;
      for (std::size_t b = 0; b < hybrid_.conditions.booleans.size(); ++b)
        own.push_back({show_boolean(b), show_condition(c, hybrid_.conditions.booleans[b].condition), {}});
      const auto same = [&](const ShownSection& section) {
        return std::equal(own.begin(), own.end(), section.equations.begin(),
                          [](const auto& x, const auto& y) { return x.right == y.right; });
      };
      auto found = std::find_if(sections.begin(), sections.end(), same);
      if (found == sections.end()) {
        found = sections.insert(sections.end(), {"Booleans", own});
        sets.emplace_back(hybrid_.configurations.size());
      }
      sets[static_cast<std::size_t>(found - sections.begin())][c] = true;
    }
    for (std::size_t i = 0; sections.size() > 1 && i < sections.size(); ++i)
      sections[i].heading = "Booleans while " + describe_set(sets[i]);
    return sections;
  }

 private:
  [[nodiscard]] const Model& first() const { return hybrid_.configurations.front().model; }
  [[nodiscard]] std::ptrdiff_t count_true(std::size_t c) const {
    const auto& values = hybrid_.configurations[c].values;
    return std::count(values.begin(), values.end(), true);
  }

  [[nodiscard]] std::string show_boolean(std::size_t b) const {
    return shower_.show_name({"b", fmt::format("{}", b + 1), 0, false, {}});
  }
  [[nodiscard]] std::string show_condition(std::size_t c, Expr condition) const {
    const Model& model = hybrid_.configurations[c].model;
    const Expr known = with_solution(model, model.system.resolve(condition));
    const Expr value = c < written_.size() ? written_[c].write(known) : known;
    const std::string text = shower_.show(collect_factors(value));
    const bool is_one = text.find('(') == text.rfind('(') && text.front() == '(' && text.back() == ')';
    return "[" + (is_one ? text.substr(1, text.size() - 2) : text) + "]";
  }

  [[nodiscard]] static int find_state(const Model& model, const State& state) {
    for (std::size_t s = 0; s < model.system.states.size(); ++s) {
      if (model.system.states[s].symbol == state.symbol) return static_cast<int>(s);
    }
    return -1;
  }

  /// What a law that is not linear gives, and a source that moves, is told once, by a name: F_slip, V_road.
  void name_laws() {
    const Model& model = first();
    for (const bondgraph::Element& element : model.graph.elements) {
      const bool is_law = element.law == bondgraph::Law::nonlinear && element.kind != bondgraph::Kind::I;
      if (!(is_law || element.is_source()) || element.value.size() != 1) continue;
      const Expr value = written_.front().write(with_solution(model, model.system.resolve(element.value[0])));
      const auto symbols = expr::symbols_of({value});
      const bool moves = std::any_of(symbols.begin(), symbols.end(),
                                     [](Expr s) { return s->kind != expr::SymbolKind::parameter; });
      if (!moves || value.is_symbol() || law_symbols_.contains(value.id())) continue;
      const Expr symbol = expr::variable("law:" + element.name);
      const char* letter = element.kind == bondgraph::Kind::Sf ? "V" : "F";
      names_.set(symbol, {letter, element.name, 0, false, {}});
      law_symbols_.emplace(value.id(), symbol);
      if (value->op == expr::Op::neg) law_symbols_.emplace(value->args[0].id(), -symbol);  // as in -(h x)
      laws_.emplace_back(symbol, value);
    }
  }

  void add_laws(std::vector<ShownSection>& sections) const {
    std::vector<Expr> all;
    for (const std::vector<Expr>& rates : rates_) all.insert(all.end(), rates.begin(), rates.end());
    const std::vector<Expr> used = expr::symbols_of(all);
    ShownSection section{"laws", {}};
    for (const auto& [symbol, value] : laws_) {
      if (std::find(used.begin(), used.end(), symbol) == used.end()) continue;
      section.equations.push_back({shower_.show_symbol(symbol), shower_.show(collect_factors(value)), {}});
    }
    if (!section.equations.empty()) sections.push_back(std::move(section));
  }

  [[nodiscard]] ShownEquation show_rate(const State& state) const {
    std::vector<Coefficient> all;
    for (const std::size_t c : order_) {
      const Configuration& configuration = hybrid_.configurations[c];
      const int s = find_state(configuration.model, state);
      if (s < 0) continue;
      Sum sum = collect(rates_[c][at(s)]);
      for (const Coefficient& known : all) {
        if (!is_within(known.booleans, configuration.values)) continue;
        for (const auto& [factors, coefficient] : known.sum) sum[factors] -= coefficient;
      }
      std::erase_if(sum, [](const auto& term) { return term.second.is_zero(); });
      if (!sum.empty()) all.push_back({configuration.values, std::move(sum)});
    }
    SymbolName name = names_.find(state.symbol);
    ++name.derivatives;
    return {shower_.show_name(name), show_polynomial(all), unit_of(name)};
  }

  [[nodiscard]] std::string show_polynomial(const std::vector<Coefficient>& all) const {
    std::string text;
    for (const Coefficient& coefficient : all) {
      std::string part = shower_.show(coefficient.sum);
      const bool is_one = part == "1" || part == "-1";
      bool negative = part.front() == '-' && (coefficient.sum.size() == 1 || is_one);
      if (negative) part.erase(0, 1);
      const std::string product = show_product(coefficient.booleans);
      if (!product.empty()) {
        const bool is_sum = coefficient.sum.size() > 1;
        part = is_one ? product : product + " " + (is_sum ? "(" + part + ")" : part);
      } else if (part.front() == '-') {  // a sum that leads with a sign
        negative = text.empty() ? false : negative;
      }
      text += text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
      text += part;
    }
    return text.empty() ? "0" : text;
  }

  [[nodiscard]] std::string show_product(const std::vector<bool>& booleans) const {
    std::vector<std::string> factors;
    for (std::size_t b = 0; b < booleans.size(); ++b) {
      if (booleans[b]) factors.push_back(show_boolean(b));
    }
    return fmt::format("{}", fmt::join(factors, " "));
  }

  /// States that are none in some configurations: what they follow from there.
  void add_dependent(std::vector<ShownSection>& sections) const {
    for (const State* state : states_) {
      std::vector<std::pair<std::string, std::vector<bool>>> shown;  // and the configurations that have it
      for (std::size_t c = 0; c < hybrid_.configurations.size(); ++c) {
        const Model& model = hybrid_.configurations[c].model;
        if (find_state(model, *state) >= 0) continue;
        const Expr value = written_[c].write(with_solution(model, model.system.resolve(state->symbol)));
        const std::string text = shower_.show(collect(value));
        auto found = std::find_if(shown.begin(), shown.end(), [&](const auto& s) { return s.first == text; });
        if (found == shown.end())
          found = shown.insert(shown.end(), {text, std::vector<bool>(hybrid_.configurations.size())});
        found->second[c] = true;
      }
      const SymbolName name = names_.find(state->symbol);
      for (const auto& [text, configurations] : shown) {
        sections.push_back({"while " + describe_set(configurations), {}});
        sections.back().equations.push_back({shower_.show_name(name), text, unit_of(name)});
      }
    }
  }

  /// `not b1` where one Boolean tells, else the configurations.
  [[nodiscard]] std::string describe_set(const std::vector<bool>& configurations) const {
    for (std::size_t b = 0; b < hybrid_.conditions.booleans.size(); ++b) {
      for (const bool value : {false, true}) {
        bool fits = true;
        for (std::size_t c = 0; c < configurations.size(); ++c)
          fits = fits && (hybrid_.configurations[c].values[b] == value) == configurations[c];
        if (fits) return fmt::format("{}b{}", value ? "" : "not ", b + 1);
      }
    }
    std::vector<std::string> parts;
    for (std::size_t c = 0; c < configurations.size(); ++c) {
      if (configurations[c]) parts.push_back(reduction::describe(hybrid_.configurations[c]));
    }
    return fmt::format("{}", fmt::join(parts, ", or "));
  }

  void add_named(std::vector<ShownSection>& sections) const {
    ShownSection where{"where", {}};
    for (std::size_t c = 0; c < named_.size(); ++c) {
      for (const ShownEquation& equation : named_[c].describe(rates_[c], format_).equations) {
        const auto same = [&](const ShownEquation& e) { return e.left == equation.left; };
        if (std::none_of(where.equations.begin(), where.equations.end(), same))
          where.equations.push_back(equation);
      }
    }
    if (!where.equations.empty()) sections.push_back(std::move(where));
  }

  const Hybrid& hybrid_;
  Format format_;
  Names names_;
  Shower shower_;
  std::vector<NamedValues> named_;
  std::vector<const State*> states_;  // of all configurations
  std::vector<std::size_t> order_;    // configurations, the fewest true Booleans first
  std::vector<WrittenOut> written_;   // a configuration each
  std::vector<std::vector<Expr>> rates_;
  std::unordered_map<std::uint32_t, Expr> law_symbols_;  // by id of the value
  std::vector<std::pair<Expr, Expr>> laws_;              // symbol, value
};

}  // namespace

namespace {

std::vector<Expr> list_coefficients(const Hybrid& hybrid) {
  std::vector<Expr> booleans;
  for (const std::string& name : hybrid.coefficients) booleans.push_back(expr::symbol(name));
  return booleans;
}

/// What a Boolean coefficient stands for, in the names of the equations.
ShownSection show_coefficients(const Hybrid& hybrid, Format format) {
  const Model& model = hybrid.configurations.front().model;
  const Names names(model.graph, model.system);
  const Shower shower(names, format);
  ShownSection section{"Booleans", {}};
  for (std::size_t b = 0; b < hybrid.coefficients.size(); ++b) {
    const Expr condition = model.system.resolve(hybrid.conditions.booleans[b].condition);
    section.equations.push_back({shower.show_symbol(expr::symbol(hybrid.coefficients[b])),
                                 "[" + shower.show(collect_factors(condition)) + "]",
                                 {}});
  }
  return section;
}

}  // namespace

std::vector<ShownSection> build_switched_sections(const Hybrid& hybrid, Format format) {
  if (hybrid.is_gated()) {
    std::vector<ShownSection> sections =
        build_reduced_sections(hybrid.configurations.front().model, format, list_coefficients(hybrid));
    sections.push_back(show_coefficients(hybrid, format));
    return sections;
  }
  SwitchedWriter writer(hybrid, format);
  if (auto sections = writer.build()) return *sections;
  std::vector<ShownSection> sections = writer.show_booleans();
  for (const Configuration& configuration : hybrid.configurations) {
    std::vector<ShownSection> own = build_reduced_sections(configuration.model, format);
    for (std::size_t i = 0; i < own.size(); ++i) {
      const std::string heading = own[i].heading.empty() ? "" : ": " + own[i].heading;
      if (i == 0 || !heading.empty()) own[i].heading = describe(configuration) + heading;
      sections.push_back(std::move(own[i]));
    }
  }
  return sections;
}

/// The full form has break variables of its own in every configuration: one after the other.
std::vector<ShownSection> build_full_switched_sections(const Hybrid& hybrid, Format format) {
  std::vector<ShownSection> sections;
  for (const Configuration& configuration : hybrid.configurations) {
    for (ShownSection section : build_full_sections(configuration.model, format, list_coefficients(hybrid))) {
      if (hybrid.is_switched() && !hybrid.is_gated())
        section.heading = describe(configuration) + ": " + section.heading;
      sections.push_back(std::move(section));
    }
  }
  if (hybrid.is_gated()) {
    sections.push_back(show_coefficients(hybrid, format));
  } else if (hybrid.is_switched()) {
    for (ShownSection& section : SwitchedWriter(hybrid, format).show_booleans())
      sections.push_back(std::move(section));
  }
  return sections;
}

std::vector<ShownSection> build_vector_switched_sections(const Hybrid& hybrid) {
  std::vector<ShownSection> sections = build_vector_sections(hybrid.configurations.front().model);
  if (!hybrid.is_gated()) return sections;
  ShownSection booleans{"Booleans", {}};  // vector equations name variables as files do
  for (std::size_t b = 0; b < hybrid.coefficients.size(); ++b)
    booleans.equations.push_back({hybrid.coefficients[b],
                                  "[" + expr::to_short_text(hybrid.conditions.booleans[b].condition) + "]",
                                  {}});
  sections.push_back(std::move(booleans));
  return sections;
}

}  // namespace rodeo::reduction
