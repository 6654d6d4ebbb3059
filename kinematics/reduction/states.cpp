// SPDX-License-Identifier: MIT
// Variables of a system that are there before its equations: efforts and flows, states, inputs; and what names mean in them.
#include <fmt/format.h>

#include "kinematics/reduction/draft.h"

namespace rodeo::reduction {
namespace {

using bondgraph::Element;
using bondgraph::Kind;

class StateBuilder {
 public:
  explicit StateBuilder(Draft& draft) : draft_(draft), system_(draft.system) {}

  void build() {
    add_variables();
    for (int e = 0; e < draft_.count(); ++e) add_element(e);
    for (const bondgraph::Signal& signal : draft_.graph().signals) add_signal(signal);
    for (const int e : draft_.graph().displacement_of_inertia) add_inertia_displacements(e);
    read_starts();
  }

 private:
  void mean(Expr name, Expr value) { system_.meaning.emplace(name.id(), value); }

  void add_variables() {
    for (int b = 0; b < static_cast<int>(draft_.graph().bonds.size()); ++b) {
      draft_.add_variable(Variable::Kind::effort, b, -1, fmt::format("e#{}", b));
      draft_.add_variable(Variable::Kind::flow, b, -1, fmt::format("f#{}", b));
    }
  }

  void add_element(int e) {
    const Element& el = draft_.element(e);
    if (el.is_junction()) return name_junction(el);
    if (el.is_two_port()) return;
    for (std::size_t port = 0; port < el.bonds.size(); ++port) {
      const int bond = el.bonds[port];
      mean(draft_.port_variable(e, port, "effort"), draft_.symbol_of(effort_index(bond)));
      mean(draft_.port_variable(e, port, "flow"), draft_.sigma(bond, e) * draft_.symbol_of(flow_index(bond)));
      if (el.is_storage()) add_storage_state(e, bond, draft_.stored_variable(e, port));
    }
    if (el.is_input())
      system_.inputs.push_back({e, el.name, expr::variable(el.name), expr::variable(el.name + "'")});
  }

  /// `v.flow` of a 1-junction, `patch.effort` of a 0-junction: what all its bonds share.
  void name_junction(const Element& el) {
    if (el.bonds.empty()) return;
    const int bond = el.bonds[0];
    if (!el.symbol.empty()) system_.laws.push_back(effort_index(bond));
    if (el.kind == Kind::one) mean(bondgraph::flow_of(el.name), draft_.symbol_of(flow_index(bond)));
    if (el.kind == Kind::zero) mean(bondgraph::effort_of(el.name), draft_.symbol_of(effort_index(bond)));
  }

  void add_storage_state(int e, int bond, Expr symbol) {
    if (!draft_.integral(bond, e)) {
      system_.differential_ports.push_back({e, bond});
      return mean(symbol, draft_.calc_stored(e, bond));
    }
    const bool is_inertia = draft_.element(e).kind == Kind::I;
    State state;
    state.kind = is_inertia ? State::Kind::momentum : State::Kind::displacement;
    state.element = e;
    state.name = symbol->name;
    state.symbol = symbol;
    state.rate_variable = is_inertia ? effort_index(bond) : flow_index(bond);
    state.sign = is_inertia ? 1.0 : draft_.sigma(bond, e);
    system_.states.push_back(state);
  }

  void add_inertia_displacements(int e) {
    for (std::size_t port = 0; port < draft_.element(e).bonds.size(); ++port) {
      const int bond = draft_.element(e).bonds[port];
      State state;
      state.kind = State::Kind::inertia_displacement;
      state.element = e;
      state.symbol = draft_.port_variable(e, port, "displacement");
      state.name = state.symbol->name;
      state.rate_variable = flow_index(bond);
      state.sign = draft_.sigma(bond, e);
      system_.states.push_back(state);
    }
  }

  void add_signal(const bondgraph::Signal& signal) {
    const Expr symbol = expr::variable(signal.name);
    if (!signal.integrates) return mean(symbol, signal.value);
    State state;
    state.kind = State::Kind::integral;
    state.name = signal.name;
    state.symbol = symbol;
    state.rate = signal.value;
    state.start = signal.start;
    system_.states.push_back(state);
  }

  void read_starts() {
    for (const bondgraph::Start& start : draft_.graph().starts) {
      for (State& state : system_.states) {
        if (state.name == start.variable) state.start = start.value;
      }
    }
  }

  Draft& draft_;
  System& system_;
};

}  // namespace

void add_states(Draft& draft) { StateBuilder(draft).build(); }

}  // namespace rodeo::reduction
