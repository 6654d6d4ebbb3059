// SPDX-License-Identifier: MIT
#include "kinematics/simulate/jump.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace rodeo::simulate {
namespace {

constexpr double kSame = 1e-9;
constexpr int kMostIterations = 20;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

}  // namespace

Jump::Jump(const Model& model, Inputs& inputs)
    : model_(model), inputs_(inputs), states_(model.system.states.size()) {
  for (const reduction::State& state : model.system.states) names_.push_back(state.name);
  if (model.system.differential_ports.empty()) return;
  full_ = reduction::build_full(model.graph, model.causality, model.system, model.solution);
  add_ports();
  arguments_ = std::make_unique<Arguments>(model, inputs);
  held_program_ = std::make_unique<Program>(model, held_, arguments_->symbols());
  build_coefficients();
}

void Jump::add_ports() {
  const auto add = [&](const std::string& name, Expr symbol, double sign) {
    names_.push_back(name);
    rate_symbols_.push_back(symbol);
    rate_signs_.push_back(sign);
    held_.push_back(find_meaning(model_, model_.solution.values, expr::variable(name)));
  };
  for (const reduction::DependentPort& port : full_.dependent) {
    const std::string& name = model_.graph.elements[at(port.element)].name;
    add(bondgraph::variable_name(name, "flow"), reduction::dependent_flow_rate(name), 1.0);
  }
  for (const reduction::StoredPort& port : full_.stored) {
    const bondgraph::Element& element = model_.graph.elements[at(port.element)];
    const int bond = model_.system.variables[at(port.variable)].bond;
    const auto place = std::find(element.bonds.begin(), element.bonds.end(), bond) - element.bonds.begin();
    const int number = element.bonds.size() > 1 ? static_cast<int>(place) + 1 : 0;
    const char* quantity = element.kind == bondgraph::Kind::I ? "momentum" : "displacement";
    add(bondgraph::variable_name(element.name, quantity, number),
        model_.system.variables[at(port.variable)].symbol, port.sign);
  }
  ports_ = rate_symbols_.size();
}

/// ∂rate/∂ṡ, ∂rate/∂Y, ∂law/∂Y, ∂law/∂ṡ; break variables and ṡ in them as the reduced solution has them.
void Jump::build_coefficients() {
  std::vector<Expr> laws, breaks;
  for (const reduction::BreakVariable& variable : full_.breaks) {
    laws.push_back(variable.law);
    breaks.push_back(variable.symbol);
  }
  breaks_ = breaks.size();
  std::vector<Expr> roots;
  const auto add = [&](const std::vector<Expr>& rows, const std::vector<Expr>& columns) {
    for (const Expr row : rows) {
      for (const Expr column : columns) roots.push_back(expr::differentiate(row, column));
    }
  };
  add(full_.rates, rate_symbols_);
  add(full_.rates, breaks);
  add(laws, breaks);
  add(laws, rate_symbols_);
  for (Expr& root : roots) {
    root = expr::substitute(root, [&](Expr symbol) {
      for (const reduction::BreakVariable& variable : full_.breaks) {
        if (variable.symbol == symbol) return model_.solution.values[at(variable.variable)];
      }
      const auto found = std::find(rate_symbols_.begin(), rate_symbols_.end(), symbol);
      return found == rate_symbols_.end() ? symbol : Expr(0.0);
    });
  }
  coefficient_program_ = std::make_unique<Program>(model_, roots, arguments_->symbols());
}

Eigen::VectorXd Jump::calc_change(double t, const std::vector<double>& states,
                                  const Eigen::VectorXd& before) {
  std::vector<double> held(ports_);
  if (!held_program_->run(arguments_->fill(t, states), held))
    std::fill(held.begin(), held.end(), std::nan(""));
  return Eigen::Map<const Eigen::VectorXd>(held.data(), index(ports_)) - before;
}

/// C = ∂rate/∂ṡ − ∂rate/∂Y (∂law/∂Y)⁻¹ ∂law/∂ṡ.
Eigen::MatrixXd Jump::calc_coefficients(double t, const std::vector<double>& states) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const std::size_t n = states_, p = ports_, y = breaks_;
  std::vector<double> all(n * p + n * y + y * y + y * p);
  if (!coefficient_program_->run(arguments_->fill(t, states), all)) all.assign(all.size(), std::nan(""));
  const auto matrix = [&](std::size_t first, std::size_t rows, std::size_t columns) {
    return Eigen::MatrixXd(Eigen::Map<const Rows>(all.data() + first, index(rows), index(columns)));
  };
  Eigen::MatrixXd c = matrix(0, n, p);
  if (y > 0) {
    const Eigen::MatrixXd laws = matrix(n * p + n * y, y, y), by_rates = matrix(n * p + n * y + y * y, y, p);
    c -= matrix(n * p, n, y) * laws.fullPivLu().solve(by_rates);
  }
  for (std::size_t d = 0; d < p; ++d) c.col(index(d)) *= rate_signs_[d];
  return c;
}

/// ∂s/∂x by differences, exact up to rounding: s is linear in momenta and charges, which are what jumps.
Eigen::MatrixXd Jump::calc_slopes(double t, std::vector<double> states, const Eigen::VectorXd& before) {
  Eigen::MatrixXd slopes(index(ports_), index(states_));
  for (std::size_t k = 0; k < states_; ++k) {
    const double kept = states[k], shift = 1e-4 * std::max(1.0, std::abs(kept));
    states[k] = kept + shift;
    const Eigen::VectorXd plus = calc_change(t, states, before);
    states[k] = kept - shift;
    slopes.col(index(k)) = (plus - calc_change(t, states, before)) / (2 * shift);
    states[k] = kept;
  }
  return slopes;
}

/// x⁺ = x⁻ + C (s(x⁺) − s⁻) by Newton.
void Jump::apply_impulse(double t, const Eigen::MatrixXd& c, const Eigen::VectorXd& before,
                         std::vector<double>& states) {
  const Eigen::VectorXd start = Eigen::Map<const Eigen::VectorXd>(states.data(), index(states_));
  Eigen::VectorXd x = start;
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(index(states_), index(states_));
  for (int i = 0; i < kMostIterations; ++i) {
    const Eigen::VectorXd residual = x - start - c * calc_change(t, states, before);
    const Eigen::MatrixXd jacobian = one - c * calc_slopes(t, states, before);
    const Eigen::VectorXd move = jacobian.partialPivLu().solve(-residual);
    x += move;
    std::copy_n(x.data(), states_, states.begin());
    if (!x.allFinite() || move.norm() <= 1e-14 * std::max(1.0, x.norm())) return;
  }
}

std::vector<double> Jump::calc(double t, const std::vector<double>& values) {
  std::vector<double> states(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(states_));
  if (ports_ == 0) return states;
  const Eigen::VectorXd before = Eigen::Map<const Eigen::VectorXd>(values.data() + states_, index(ports_));
  const Eigen::ArrayXd change = calc_change(t, states, before).array().abs();
  if ((change <= kSame * before.array().abs().max(1.0)).all()) return states;
  const Eigen::MatrixXd c = calc_coefficients(t, states);
  if (c.allFinite() && full_.multipliers.empty()) apply_impulse(t, c, before, states);
  const bool is_determined =
      c.allFinite() && full_.multipliers.empty() &&
      std::all_of(states.begin(), states.end(), [](double x) { return std::isfinite(x); });
  if (is_determined) return states;
  throw solve::SolveError(
      t, fmt::format("what '{}' holds jumps at t = {:.6g} s, where junctions switch, and the impulse is not "
                     "determined: put a C, K or R between what is joined there",
                     names_[states_], t));
}

}  // namespace rodeo::simulate
