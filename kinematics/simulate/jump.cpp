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

std::vector<double> Jump::calc_held(double t, const std::vector<double>& states) {
  std::vector<double> held(ports_);
  if (!held_program_->run(arguments_->fill(t, states), held))
    std::fill(held.begin(), held.end(), std::nan(""));
  return held;
}

std::vector<double> Jump::calc(double t, const std::vector<double>& before) {
  std::vector<double> states(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(states_));
  change_ = 0.0;
  if (ports_ == 0) return states;
  const Eigen::Map<const Eigen::VectorXd> held_before(before.data() + states_, index(ports_));
  const auto calc_change = [&] {
    const std::vector<double> held = calc_held(t, states);
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(held.data(), index(ports_)) - held_before);
  };
  Eigen::VectorXd change = calc_change();
  for (Eigen::Index d = 0; d < change.size(); ++d)
    change_ = std::max(change_, std::abs(change[d]) / std::max(1.0, std::abs(held_before[d])));
  if (change_ <= kSame) {
    change_ = 0.0;
    return states;
  }
  const std::size_t n = states_, p = ports_, y = breaks_;
  std::vector<double> all(n * p + n * y + y * y + y * p);
  const bool solved = coefficient_program_->run(arguments_->fill(t, states), all);
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto matrix = [&](std::size_t first, std::size_t rows, std::size_t columns) {
    return Eigen::MatrixXd(Eigen::Map<const Rows>(all.data() + first, index(rows), index(columns)));
  };
  Eigen::MatrixXd c = matrix(0, n, p);
  if (y > 0) {
    const Eigen::MatrixXd laws = matrix(n * p + n * y, y, y), by_rates = matrix(n * p + n * y + y * y, y, p);
    c -= matrix(n * p, n, y) * laws.fullPivLu().solve(by_rates);
  }
  for (std::size_t d = 0; d < p; ++d) c.col(index(d)) *= rate_signs_[d];
  if (!solved || !c.allFinite() || !full_.multipliers.empty()) {
    throw solve::SolveError(
        t,
        fmt::format("what '{}' holds jumps at t = {:.6g} s when the junctions switch, and the impulse is not "
                    "determined: put a C, K or R between what is joined there",
                    names_[states_], t));
  }
  // x⁺ = x⁻ + C (s(x⁺) − s⁻), by Newton with differences: s is linear in momenta and charges.
  const Eigen::Map<const Eigen::VectorXd> x_before(before.data(), index(n));
  Eigen::VectorXd x = x_before;
  for (int i = 0; i < kMostIterations; ++i) {
    const Eigen::VectorXd residual = x - x_before - c * change;
    Eigen::MatrixXd slope = Eigen::MatrixXd::Zero(index(p), index(n));
    for (std::size_t k = 0; k < n; ++k) {
      const double kept = states[k], shift = 1e-4 * std::max(1.0, std::abs(kept));
      states[k] = kept + shift;
      const Eigen::VectorXd plus = calc_change();
      states[k] = kept - shift;
      slope.col(index(k)) = (plus - calc_change()) / (2 * shift);
      states[k] = kept;
    }
    const Eigen::MatrixXd jacobian = Eigen::MatrixXd::Identity(index(n), index(n)) - c * slope;
    const Eigen::VectorXd move = jacobian.partialPivLu().solve(-residual);
    x += move;
    std::copy_n(x.data(), n, states.begin());
    change = calc_change();
    if (!x.allFinite() || move.norm() <= 1e-14 * std::max(1.0, x.norm())) break;
  }
  if (!x.allFinite()) {
    throw solve::SolveError(
        t, fmt::format("the junctions that switch at t = {:.6g} s leave the states without a value: "
                       "put a C, K or R between what is joined there",
                       t));
  }
  return states;
}

}  // namespace rodeo::simulate
