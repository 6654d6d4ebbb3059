// SPDX-License-Identifier: MIT
// Laws of the elements as equations. THEORY E2.
#include "kinematics/reduction/draft.h"

namespace rodeo::reduction {
namespace {

using bondgraph::Kind;

class LawBuilder {
 public:
  explicit LawBuilder(Draft& draft) : draft_(draft) {}

  void add(int e) {
    switch (draft_.element(e).kind) {
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

 private:
  // ---- junctions

  /// `same` is equal on all bonds, `sum` adds to zero with the power direction; the strong bond brings `same`.
  void add_junction(int e, int (*same)(int), int (*sum)(int), bool strong_arrives) {
    if (draft_.element(e).bonds.empty()) return;  // a subset by itself may have some
    int strong = -1;
    for (const int bond : draft_.element(e).bonds) {
      if (draft_.arrives(bond, e) == strong_arrives) strong = bond;
    }
    Equation balance;
    for (const int bond : draft_.element(e).bonds) {
      balance.terms.push_back({sum(bond), draft_.points_at(bond, e) ? 1.0 : -1.0});
      if (bond != strong) draft_.define(same(bond), {{{same(bond), 1.0}, {same(strong), -1.0}}, 0.0, e}, e);
    }
    draft_.define(sum(strong), balance, e);
  }

  // ---- two-ports

  struct TwoPort {
    std::vector<int> in, out;  // bonds, several for the components of a matrix
  };
  [[nodiscard]] TwoPort two_port(int e) const {
    TwoPort port;
    for (const int bond : draft_.element(e).bonds)
      (draft_.points_at(bond, e) ? port.in : port.out).push_back(bond);
    return port;
  }

  /// flow_out = n flow_in, effort_in = nᵀ effort_out; turned round, with t = (n⁻¹)ᵀ, flow_in = tᵀ flow_out, effort_out = t effort_in
  /// (a matrix is given as t then; a scalar n is divided by).
  void add_transformer(int e) {
    const TwoPort port = two_port(e);
    const bool flow_leaves = draft_.arrives(port.out[0], e);
    if (port.in.size() == 1 && port.out.size() == 1)
      return add_scalar_transformer(e, port.in[0], port.out[0]);
    add_rows(e, flow_leaves ? port.out : port.in, flow_leaves ? port.in : port.out, flow_index, !flow_leaves);
    add_rows(e, flow_leaves ? port.in : port.out, flow_leaves ? port.out : port.in, effort_index,
             flow_leaves);
  }

  void add_scalar_transformer(int e, int in, int out) {
    const Expr n = draft_.value(e);
    const bool flow_leaves = draft_.arrives(out, e);
    draft_.define(flow_leaves ? flow_index(out) : flow_index(in),
                  {{{flow_index(out), 1.0}, {flow_index(in), -n}}, 0.0, e}, e);
    draft_.define(flow_leaves ? effort_index(in) : effort_index(out),
                  {{{effort_index(in), 1.0}, {effort_index(out), -n}}, 0.0, e}, e);
  }

  /// left_i = Σ m_ij right_j of one quantity, m the element's matrix or its transpose.
  void add_rows(int e, const std::vector<int>& left, const std::vector<int>& right, int (*quantity)(int),
                bool transposed) {
    const std::size_t columns = two_port(e).in.size();
    for (std::size_t i = 0; i < left.size(); ++i) {
      Equation row{{{quantity(left[i]), 1.0}}, 0.0, e};
      for (std::size_t j = 0; j < right.size(); ++j) {
        const Expr entry = draft_.value(e, transposed ? j * columns + i : i * columns + j);
        if (!entry.is_number(0)) row.terms.push_back({quantity(right[j]), -entry});
      }
      draft_.define(quantity(left[i]), row, e);
    }
  }

  /// effort_in = rᵀ flow_out, effort_out = r flow_in: row i is that of the side's component i, whatever it defines.
  void add_gyrator(int e) {
    const TwoPort port = two_port(e);
    const bool gives_efforts = !draft_.arrives(port.in[0], e);
    const std::size_t columns = port.in.size();
    for (std::size_t i = 0; i < port.in.size(); ++i) {
      Equation row{{{effort_index(port.in[i]), 1.0}}, 0.0, e};
      for (std::size_t j = 0; j < port.out.size(); ++j)
        row.terms.push_back({flow_index(port.out[j]), -draft_.value(e, j * columns + i)});
      draft_.define(gives_efforts ? effort_index(port.in[i]) : flow_index(port.out[i]), row, e);
    }
    for (std::size_t j = 0; j < port.out.size(); ++j) {
      Equation row{{{effort_index(port.out[j]), 1.0}}, 0.0, e};
      for (std::size_t i = 0; i < port.in.size(); ++i)
        row.terms.push_back({flow_index(port.in[i]), -draft_.value(e, j * columns + i)});
      draft_.define(gives_efforts ? effort_index(port.out[j]) : flow_index(port.in[j]), row, e);
    }
  }

  // ---- one-ports

  void add_source(int e) {
    if (draft_.element(e).constraint) return;  // its law is one of rates
    const int bond = draft_.element(e).bonds[0];
    const Expr given =
        draft_.element(e).is_input() ? expr::variable(draft_.element(e).name) : draft_.value(e);
    if (draft_.element(e).kind == Kind::Se)
      return draft_.define(effort_index(bond), {{{effort_index(bond), 1.0}}, -given, e}, e);
    draft_.define(flow_index(bond), {{{flow_index(bond), 1.0}}, -(draft_.sigma(bond, e) * given), e}, e);
  }

  [[nodiscard]] bool is_nonlinear(int e) const { return draft_.element(e).law == bondgraph::Law::nonlinear; }

  /// -Σ value[row, j] · right_j of a field.
  [[nodiscard]] std::vector<Term> field_terms(int e, std::size_t row, int (*right)(int),
                                              bool signed_right) const {
    const auto& bonds = draft_.element(e).bonds;
    std::vector<Term> terms;
    for (std::size_t j = 0; j < bonds.size(); ++j) {
      const Expr coefficient = draft_.value(e, row * bonds.size() + j);
      if (coefficient.is_number(0)) continue;
      const double sign = signed_right ? draft_.sigma(bonds[j], e) : 1.0;
      terms.push_back({right(bonds[j]), -(sign * coefficient)});
    }
    return terms;
  }

  void add_resistor(int e) {
    const auto& bonds = draft_.element(e).bonds;
    for (std::size_t row = 0; row < bonds.size(); ++row) {
      const int bond = bonds[row];
      const int defined = draft_.arrives(bond, e) ? flow_index(bond) : effort_index(bond);
      draft_.define(defined, resistor_law(e, row), e);
    }
  }

  [[nodiscard]] Equation resistor_law(int e, std::size_t row) const {
    const Term effort{effort_index(draft_.element(e).bonds[row]), 1.0};
    if (is_nonlinear(e)) return {{effort}, -draft_.value(e, row), e};
    Equation law{field_terms(e, row, flow_index, true), 0.0, e};
    law.terms.insert(law.terms.begin(), effort);
    return law;
  }

  /// momentum = value·flow. Integral: defines the flow. Differential: the momentum is known, its rate is the effort.
  void add_inertia(int e) {
    const auto& bonds = draft_.element(e).bonds;
    for (std::size_t row = 0; row < bonds.size(); ++row) {
      if (draft_.integral(bonds[row], e)) draft_.define(flow_index(bonds[row]), inertia_law(e, row), e);
    }
  }

  [[nodiscard]] Equation inertia_law(int e, std::size_t row) const {
    const int bond = draft_.element(e).bonds[row];
    if (is_nonlinear(e)) return {{{flow_index(bond), draft_.sigma(bond, e)}}, -draft_.value(e, row), e};
    return {field_terms(e, row, flow_index, true), draft_.stored_variable(e, row), e};
  }

  /// C: displacement = value·effort; K: effort = value·displacement.
  void add_compliance(int e) {
    const auto& bonds = draft_.element(e).bonds;
    for (std::size_t row = 0; row < bonds.size(); ++row) {
      if (draft_.integral(bonds[row], e)) draft_.define(effort_index(bonds[row]), compliance_law(e, row), e);
    }
  }

  [[nodiscard]] Equation compliance_law(int e, std::size_t row) const {
    const auto& bonds = draft_.element(e).bonds;
    const Term effort{effort_index(bonds[row]), 1.0};
    if (is_nonlinear(e)) return {{effort}, -draft_.value(e, row), e};
    if (draft_.element(e).kind == Kind::C)
      return {field_terms(e, row, effort_index, false), draft_.stored_variable(e, row), e};
    Expr sum = 0.0;
    for (std::size_t j = 0; j < bonds.size(); ++j)
      sum = sum + draft_.value(e, row * bonds.size() + j) * draft_.stored_variable(e, j);
    return {{effort}, -sum, e};
  }

  Draft& draft_;
};

}  // namespace

void add_laws(Draft& draft) {
  LawBuilder laws(draft);
  for (int e = 0; e < draft.count(); ++e) laws.add(e);
}

}  // namespace rodeo::reduction
