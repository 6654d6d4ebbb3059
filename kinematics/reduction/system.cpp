// SPDX-License-Identifier: MIT
// Laws of the elements as equations. The flow of a one-port is counted into it (out of it for sources): where its bond is
// drawn the other way, sigma = -1 turns the flow (THEORY B2).
#include "kinematics/reduction/system.h"

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <stdexcept>

#include "kinematics/text/fault.h"

namespace rodeo::reduction {
namespace {

using bondgraph::Element;
using bondgraph::Kind;
using bondgraph::Law;
using causality::is_integral;
using causality::receives_effort;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

constexpr int kMostDerivatives = 4;  // accelerations need two

class SystemBuilder {
 public:
  SystemBuilder(const Graph& graph, const Causality& causality) : graph_(graph), causality_(causality) {}

  System build(const std::vector<int>& differentiated) {
    add_variables();
    for (int e = 0; e < count(); ++e) add_states(e);
    add_signals();
    for (int e = 0; e < count(); ++e) add_laws(e);
    add_inertia_displacements();
    differentiate_dependent_ports();
    for (int e = 0; e < count(); ++e) {
      if (element(e).constraint) add_constraint(e);
    }
    for (const int variable : differentiated) static_cast<void>(derivative_of(variable));
    // Derivatives that were asked for, and those that they ask for in turn.
    for (std::size_t next = 0; next < pending_.size(); ++next) differentiate_equation(pending_[next]);
    read_starts();
    return std::move(system_);
  }

 private:
  [[nodiscard]] int count() const { return static_cast<int>(graph_.elements.size()); }
  [[nodiscard]] const Element& element(int e) const { return graph_.elements[at(e)]; }
  [[nodiscard]] bool arrives(int bond, int e) const {
    return receives_effort(graph_, causality_.strokes, bond, e);
  }
  [[nodiscard]] bool integral(int bond, int e) const {
    return is_integral(graph_, causality_.strokes, bond, e);
  }
  [[nodiscard]] Expr symbol_of(int variable) const { return system_.variables[at(variable)].symbol; }

  /// +1 where the bond is drawn as the law counts its flow.
  [[nodiscard]] double sigma(int bond, int e) const {
    const bool points_at = graph_.bonds[at(bond)].head == e;
    const bool counts_out = element(e).is_source() && !element(e).constraint;
    return points_at != counts_out ? 1.0 : -1.0;
  }

  int add_variable(Variable::Kind kind, int bond, int of, const std::string& name) {
    const int index = static_cast<int>(system_.variables.size());
    system_.variables.push_back({kind, bond, of, expr::variable(name)});
    system_.variable_of_symbol.emplace(system_.variables.back().symbol.id(), index);
    system_.equations.emplace_back();
    return index;
  }

  void add_variables() {
    for (int b = 0; b < static_cast<int>(graph_.bonds.size()); ++b) {
      add_variable(Variable::Kind::effort, b, -1, fmt::format("e#{}", b));
      add_variable(Variable::Kind::flow, b, -1, fmt::format("f#{}", b));
    }
  }

  // ---- states, inputs and what names mean

  /// `spring.flow`; of a field, `field.flow_2`.
  [[nodiscard]] Expr port_variable(int e, std::size_t port, const char* quantity) const {
    const bool is_field = element(e).bonds.size() > 1;
    return expr::variable(
        bondgraph::variable_name(element(e).name, quantity, is_field ? static_cast<int>(port) + 1 : 0));
  }
  [[nodiscard]] Expr stored_variable(int e, std::size_t port) const {
    return port_variable(e, port, element(e).kind == Kind::I ? "momentum" : "displacement");
  }

  void mean(Expr name, Expr value) { system_.meaning.emplace(name.id(), value); }

  void add_states(int e) {
    const Element& el = element(e);
    if (el.is_junction()) return name_junction(e);
    if (el.is_two_port()) return;
    for (std::size_t port = 0; port < el.bonds.size(); ++port) {
      const int bond = el.bonds[port];
      mean(port_variable(e, port, "effort"), symbol_of(effort_index(bond)));
      mean(port_variable(e, port, "flow"), sigma(bond, e) * symbol_of(flow_index(bond)));
      if (el.is_storage()) add_storage_state(e, bond, stored_variable(e, port));
    }
    if (el.is_input()) {
      const Expr symbol = expr::variable(el.name);
      system_.inputs.push_back({e, el.name, symbol, expr::variable(el.name + "'")});
    }
  }

  /// `v.flow` of a 1-junction, `patch.effort` of a 0-junction: what all its bonds share.
  void name_junction(int e) {
    const Element& el = element(e);
    if (el.bonds.empty()) return;
    const int bond = el.bonds[0];
    if (!el.symbol.empty()) system_.laws.push_back(effort_index(bond));
    if (el.kind == Kind::one) mean(bondgraph::flow_of(el.name), symbol_of(flow_index(bond)));
    if (el.kind == Kind::zero) mean(bondgraph::effort_of(el.name), symbol_of(effort_index(bond)));
  }

  void add_storage_state(int e, int bond, Expr symbol) {
    const bool is_inertia = element(e).kind == Kind::I;
    if (!integral(bond, e)) {
      system_.differential_ports.push_back({e, bond});
      return mean(symbol, stored(e, bond));
    }
    State state;
    state.kind = is_inertia ? State::Kind::momentum : State::Kind::displacement;
    state.element = e;
    state.name = symbol->name;
    state.symbol = symbol;
    state.rate_variable = is_inertia ? effort_index(bond) : flow_index(bond);
    state.sign = is_inertia ? 1.0 : sigma(bond, e);
    system_.states.push_back(state);
  }

  void add_inertia_displacements() {
    for (const int e : graph_.displacement_of_inertia) {
      for (std::size_t port = 0; port < element(e).bonds.size(); ++port) {
        const int bond = element(e).bonds[port];
        const Expr symbol = port_variable(e, port, "displacement");
        system_.states.push_back({State::Kind::inertia_displacement,
                                  e,
                                  symbol->name,
                                  symbol,
                                  flow_index(bond),
                                  sigma(bond, e),
                                  {},
                                  0.0});
      }
    }
  }

  void add_signals() {
    for (const bondgraph::Signal& signal : graph_.signals) {
      const Expr symbol = expr::variable(signal.name);
      if (!signal.integrates) {
        mean(symbol, signal.value);
        continue;
      }
      State state;
      state.kind = State::Kind::integral;
      state.name = signal.name;
      state.symbol = symbol;
      state.rate = signal.value;
      state.start = signal.start;
      system_.states.push_back(state);
    }
  }

  // ---- laws

  [[nodiscard]] Expr value(int e, std::size_t i = 0) const { return system_.resolve(element(e).value[i]); }

  void define(int variable, Equation equation, int e) {
    equation.element = e;
    if (!system_.equations[at(variable)].terms.empty()) {
      throw std::logic_error(fmt::format("two laws define one variable at '{}'", element(e).name));
    }
    system_.equations[at(variable)] = std::move(equation);
  }

  void add_laws(int e) {
    switch (element(e).kind) {
      case Kind::zero: return add_junction(e, effort_index, flow_index, true);
      case Kind::one: return add_junction(e, flow_index, effort_index, false);
      case Kind::TF: return add_transformer(e);
      case Kind::GY: return add_gyrator(e);
      case Kind::Se:
      case Kind::Sf: return add_source(e);
      case Kind::R: return add_resistor(e);
      case Kind::I: return add_inertia(e);
      case Kind::C:
      case Kind::K: return add_compliance(e);
    }
  }

  /// `same` is equal on all bonds, `sum` adds to zero with the power direction; the strong bond brings `same`.
  void add_junction(int e, int (*same)(int), int (*sum)(int), bool strong_arrives) {
    int strong = -1;
    for (const int bond : element(e).bonds) {
      if (arrives(bond, e) == strong_arrives) strong = bond;
    }
    Equation balance;
    for (const int bond : element(e).bonds) {
      balance.terms.push_back({sum(bond), graph_.bonds[at(bond)].head == e ? 1.0 : -1.0});
      if (bond != strong) define(same(bond), {{{same(bond), 1.0}, {same(strong), -1.0}}, 0.0, e}, e);
    }
    define(sum(strong), balance, e);
  }

  /// flow_out = n flow_in, effort_in = nᵀ effort_out; turned round, with t = (n⁻¹)ᵀ, flow_in = tᵀ flow_out, effort_out = t effort_in
  /// (a matrix is given as t then; a scalar n is divided by).
  void add_transformer(int e) {
    const TwoPort port = two_port(e);
    const bool flow_leaves = arrives(port.out[0], e);
    if (port.in.size() == 1 && port.out.size() == 1)
      return add_scalar_transformer(e, port.in[0], port.out[0]);
    add_rows(e, flow_leaves ? port.out : port.in, flow_leaves ? port.in : port.out, flow_index, !flow_leaves);
    add_rows(e, flow_leaves ? port.in : port.out, flow_leaves ? port.out : port.in, effort_index,
             flow_leaves);
  }

  void add_scalar_transformer(int e, int in, int out) {
    const Expr n = value(e);
    const bool flow_leaves = arrives(out, e);
    define(flow_leaves ? flow_index(out) : flow_index(in),
           {{{flow_index(out), 1.0}, {flow_index(in), -n}}, 0.0, e}, e);
    define(flow_leaves ? effort_index(in) : effort_index(out),
           {{{effort_index(in), 1.0}, {effort_index(out), -n}}, 0.0, e}, e);
  }

  /// left_i = Σ m_ij right_j of one quantity, m the element's matrix or its transpose.
  void add_rows(int e, const std::vector<int>& left, const std::vector<int>& right, int (*quantity)(int),
                bool transposed) {
    const std::size_t columns = two_port(e).in.size();
    for (std::size_t i = 0; i < left.size(); ++i) {
      Equation row{{{quantity(left[i]), 1.0}}, 0.0, e};
      for (std::size_t j = 0; j < right.size(); ++j) {
        const Expr entry = value(e, transposed ? j * columns + i : i * columns + j);
        if (!entry.is_number(0)) row.terms.push_back({quantity(right[j]), -entry});
      }
      define(quantity(left[i]), row, e);
    }
  }

  /// effort_in = rᵀ flow_out, effort_out = r flow_in: row i is that of the side's component i, whatever it defines.
  void add_gyrator(int e) {
    const TwoPort port = two_port(e);
    const bool gives_efforts = !arrives(port.in[0], e);
    const std::size_t columns = port.in.size();
    for (std::size_t i = 0; i < port.in.size(); ++i) {
      Equation row{{{effort_index(port.in[i]), 1.0}}, 0.0, e};
      for (std::size_t j = 0; j < port.out.size(); ++j)
        row.terms.push_back({flow_index(port.out[j]), -value(e, j * columns + i)});
      define(gives_efforts ? effort_index(port.in[i]) : flow_index(port.out[i]), row, e);
    }
    for (std::size_t j = 0; j < port.out.size(); ++j) {
      Equation row{{{effort_index(port.out[j]), 1.0}}, 0.0, e};
      for (std::size_t i = 0; i < port.in.size(); ++i)
        row.terms.push_back({flow_index(port.in[i]), -value(e, j * columns + i)});
      define(gives_efforts ? effort_index(port.out[j]) : flow_index(port.in[j]), row, e);
    }
  }

  struct TwoPort {
    std::vector<int> in, out;  // bonds, several for the components of a matrix
  };
  [[nodiscard]] TwoPort two_port(int e) const {
    TwoPort port;
    for (const int bond : element(e).bonds)
      (graph_.bonds[at(bond)].head == e ? port.in : port.out).push_back(bond);
    return port;
  }

  /// The effort of a multiplier is such that the flow obeys f' + damping f + stiffness Φ = 0.
  void add_constraint(int e) {
    const bondgraph::Constraint& constraint = *element(e).constraint;
    const int bond = element(e).bonds[0];
    const int flow = flow_index(bond);
    const double sign = sigma(bond, e);
    const Expr stiffness = system_.resolve(constraint.stiffness * constraint.position);
    Equation law{{{derivative_of(flow), sign}}, stiffness, e};
    if (!constraint.damping.is_number(0)) law.terms.push_back({flow, sign * constraint.damping});
    define(effort_index(bond), law, e);
  }

  void add_source(int e) {
    if (element(e).constraint) return;  // when all states are known
    const int bond = element(e).bonds[0];
    const Expr given = element(e).is_input() ? expr::variable(element(e).name) : value(e);
    if (element(e).kind == Kind::Se)
      return define(effort_index(bond), {{{effort_index(bond), 1.0}}, -given, e}, e);
    define(flow_index(bond), {{{flow_index(bond), 1.0}}, -(sigma(bond, e) * given), e}, e);
  }

  /// Row of a field: left = Σ value[row, j] · right_j. `left` has coefficient 1.
  [[nodiscard]] Equation field_row(int e, std::size_t row, int left, double left_sign, int (*right)(int),
                                   bool signed_right) const {
    const auto& bonds = element(e).bonds;
    Equation equation;
    equation.terms.push_back({left, left_sign});
    for (std::size_t j = 0; j < bonds.size(); ++j) {
      const Expr coefficient = value(e, row * bonds.size() + j);
      if (coefficient.is_number(0)) continue;
      const double sign = signed_right ? sigma(bonds[j], e) : 1.0;
      equation.terms.push_back({right(bonds[j]), -(sign * coefficient)});
    }
    return equation;
  }

  void add_resistor(int e) {
    const auto& bonds = element(e).bonds;
    for (std::size_t row = 0; row < bonds.size(); ++row) {
      const int bond = bonds[row];
      const int defined = arrives(bond, e) ? flow_index(bond) : effort_index(bond);
      if (element(e).law == Law::nonlinear) {
        define(defined, {{{effort_index(bond), 1.0}}, -value(e, row), e}, e);
      } else {
        define(defined, field_row(e, row, effort_index(bond), 1.0, flow_index, true), e);
      }
    }
  }

  /// momentum = value·flow. Integral: defines the flow. Differential: the momentum is known, its rate is the effort.
  void add_inertia(int e) {
    const auto& bonds = element(e).bonds;
    for (std::size_t row = 0; row < bonds.size(); ++row) {
      const int bond = bonds[row];
      const Expr momentum = stored_variable(e, row);
      if (!integral(bond, e)) continue;
      if (element(e).law == Law::nonlinear) {
        define(flow_index(bond), {{{flow_index(bond), sigma(bond, e)}}, -value(e, row), e}, e);
      } else {
        Equation law = field_row(e, row, -1, 0.0, flow_index, true);
        law.terms.erase(law.terms.begin());
        law.rest = momentum;
        define(flow_index(bond), law, e);
      }
    }
  }

  /// C: displacement = value·effort; K: effort = value·displacement.
  void add_compliance(int e) {
    const auto& bonds = element(e).bonds;
    for (std::size_t row = 0; row < bonds.size(); ++row) {
      const int bond = bonds[row];
      if (integral(bond, e)) define(effort_index(bond), compliance_law(e, row), e);
    }
  }

  [[nodiscard]] Equation compliance_law(int e, std::size_t row) const {
    const auto& bonds = element(e).bonds;
    const int bond = bonds[row];
    if (element(e).law == Law::nonlinear) return {{{effort_index(bond), 1.0}}, -value(e, row), e};
    if (element(e).kind == Kind::C) {
      Equation law = field_row(e, row, -1, 0.0, effort_index, false);
      law.terms.erase(law.terms.begin());
      law.rest = stored_variable(e, row);
      return law;
    }
    Expr sum = 0.0;
    for (std::size_t j = 0; j < bonds.size(); ++j) {
      sum = sum + value(e, row * bonds.size() + j) * stored_variable(e, j);
    }
    return {{{effort_index(bond), 1.0}}, -sum, e};
  }

  // ---- differential causality: stored quantities, and their rates as variables (E5)

  /// What a port in differential causality stores, from the variable that its junction gives it.
  [[nodiscard]] Expr stored(int e, int bond) const {
    const Element& el = element(e);
    std::size_t row = 0;
    while (el.bonds[row] != bond) ++row;
    if (el.law == Law::nonlinear || (el.kind == Kind::K && el.bonds.size() > 1)) {
      throw text::ModelError(
          el.where, fmt::format("'{}' gets differential causality, and its law cannot be turned round: "
                                "state it the other way, or give it a neighbour that takes up the difference",
                                el.name));
    }
    const bool is_inertia = el.kind == Kind::I;
    if (el.kind == Kind::K) return symbol_of(effort_index(bond)) / el.value[0];
    Expr sum = 0.0;
    for (std::size_t j = 0; j < el.bonds.size(); ++j) {
      const int given = is_inertia ? flow_index(el.bonds[j]) : effort_index(el.bonds[j]);
      const double sign = is_inertia ? sigma(el.bonds[j], e) : 1.0;
      sum = sum + el.value[row * el.bonds.size() + j] * (sign * symbol_of(given));
    }
    return sum;
  }

  void differentiate_dependent_ports() {
    for (const State& state : system_.states) state_of_symbol_.emplace(state.symbol.id(), &state);
    for (const Input& input : system_.inputs) input_of_symbol_.emplace(input.symbol.id(), &input);
    for (const DifferentialPort& port : system_.differential_ports) {
      const bool is_inertia = element(port.element).kind == Kind::I;
      // I: e = d/dt p;  C: sigma f = d/dt q
      const int defined = is_inertia ? effort_index(port.bond) : flow_index(port.bond);
      Equation law;
      law.element = port.element;
      law.terms.push_back({defined, is_inertia ? 1.0 : sigma(port.bond, port.element)});
      add_rate(law, system_.resolve(stored(port.element, port.bond)), -1.0);
      define(defined, law, port.element);
    }
  }

  /// A port in differential causality whose rate needs a higher one, and that one a higher, without end.
  void refuse_higher_order(int variable) const {
    int order = 0;
    for (int v = variable; system_.variables[at(v)].kind == Variable::Kind::derivative;
         v = system_.variables[at(v)].of)
      ++order;
    if (order < kMostDerivatives) return;
    const bondgraph::Bond& bond = graph_.bonds[at(system_.variables[at(variable)].bond)];
    const Element& tail = element(bond.tail);
    const Element& head = element(bond.head);
    throw text::ModelError(
        tail.where,
        fmt::format(
            "bond {} -> {}: its causality asks for derivatives of ever higher order: put an R, I or C "
            "beside '{}' that takes up the difference",
            tail.name, head.name, tail.is_junction() ? tail.name : head.name));
  }

  /// The variable d/dt y; its equation is made later.
  int derivative_of(int variable) {
    const auto found = system_.derivative_of.find(variable);
    if (found != system_.derivative_of.end()) return found->second;
    refuse_higher_order(variable);
    const int index = add_variable(Variable::Kind::derivative, system_.variables[at(variable)].bond, variable,
                                   symbol_of(variable)->name + "'");
    system_.derivative_of.emplace(variable, index);
    pending_.push_back(variable);
    return index;
  }

  /// Adds factor · d/dt e to an equation: terms for rates that are variables, the rest for known ones.
  void add_rate(Equation& equation, Expr e, Expr factor) {
    for (const Expr symbol : expr::symbols_of({e})) {
      if (symbol->kind == expr::SymbolKind::parameter) continue;
      const Expr partial = factor * derivative_by(e, symbol, equation.element);
      if (partial.is_number(0)) continue;
      add_rate_of_symbol(equation, symbol, partial);
    }
  }

  [[nodiscard]] Expr derivative_by(Expr e, Expr symbol, int owner) const {
    try {
      return expr::differentiate(e, symbol);
    } catch (const std::domain_error& error) {
      throw text::ModelError(owner < 0 ? graph_.where : element(owner).where, error.what());
    }
  }

  void add_rate_of_symbol(Equation& equation, Expr symbol, Expr partial) {
    if (symbol->kind == expr::SymbolKind::time) {
      equation.rest = equation.rest + partial;
      return;
    }
    const auto variable = system_.variable_of_symbol.find(symbol.id());
    if (variable != system_.variable_of_symbol.end()) {
      equation.terms.push_back({derivative_of(variable->second), partial});
      return;
    }
    if (const auto state = state_of_symbol_.find(symbol.id()); state != state_of_symbol_.end()) {
      return add_rate_of_state(equation, *state->second, partial);
    }
    if (const auto input = input_of_symbol_.find(symbol.id()); input != input_of_symbol_.end()) {
      equation.rest = equation.rest + partial * input->second->rate;
    }
  }

  void add_rate_of_state(Equation& equation, const State& state, Expr partial) {
    if (state.rate_variable < 0) {
      equation.rest = equation.rest + partial * system_.resolve(state.rate);
    } else {
      equation.terms.push_back({state.rate_variable, state.sign * partial});
    }
  }

  /// Where a multiplier changes its flow at once, the flow's rate needs the multiplier's, and that one's, without end.
  void refuse_rate_of_multiplier(int variable) const {
    const Equation& law = system_.equations[at(variable)];
    const bool is_multiplier = law.element >= 0 && element(law.element).constraint &&
                               variable == effort_index(element(law.element).bonds[0]);
    if (!is_multiplier) return;
    throw text::ModelError(
        element(law.element).where,
        fmt::format(
            "element '{}': the multiplier of a constraint acts on inertias, and here it changes its flow "
            "at once: put an I at the 1-junctions that the constraint holds",
            element(law.element).name));
  }

  /// Σ c y + r = 0  =>  Σ c y' + Σ (dc/dt) y + dr/dt = 0.
  void differentiate_equation(int variable) {
    refuse_rate_of_multiplier(variable);
    const Equation original = system_.equations[at(variable)];  // copied: add_variable moves the vector
    Equation result;
    result.element = original.element;
    for (const Term& term : original.terms) {
      result.terms.push_back({derivative_of(term.variable), term.coefficient});
      add_rate(result, term.coefficient, symbol_of(term.variable));
    }
    add_rate(result, original.rest, 1.0);
    system_.equations[at(system_.derivative_of.at(variable))] = std::move(result);
  }

  void read_starts() {
    for (const bondgraph::Start& start : graph_.starts) {
      for (State& state : system_.states) {
        if (state.name == start.variable) state.start = start.value;
      }
    }
  }

  const Graph& graph_;
  const Causality& causality_;
  System system_;
  std::vector<int> pending_;
  std::unordered_map<std::uint32_t, const State*> state_of_symbol_;
  std::unordered_map<std::uint32_t, const Input*> input_of_symbol_;
};

}  // namespace

Expr System::resolve(Expr e) const {
  const std::function<Expr(Expr)> replace = [&](Expr symbol) {
    if (symbol->kind != expr::SymbolKind::variable) return symbol;
    const auto found = meaning.find(symbol.id());
    return found == meaning.end() ? symbol : expr::substitute(found->second, replace);
  };
  return expr::substitute(e, replace);
}

System build_system(const Graph& graph, const Causality& causality, const std::vector<int>& differentiated) {
  return SystemBuilder(graph, causality).build(differentiated);
}

}  // namespace rodeo::reduction
