// SPDX-License-Identifier: MIT
#include "kinematics/simulate/forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace rodeo::simulate {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

Expr find_meaning(const Model& model, const std::vector<Expr>& values, Expr e) {
  return expr::substitute(model.system.resolve(e), [&](Expr symbol) {
    const auto found = model.system.variable_of_symbol.find(symbol.id());
    return found == model.system.variable_of_symbol.end() || at(found->second) >= values.size()
               ? symbol
               : values[at(found->second)];
  });
}

Arguments::Arguments(const Model& model, Inputs& inputs, std::vector<Expr> more)
    : inputs_(inputs), states_(model.system.states.size()) {
  symbols_.push_back(expr::time_symbol());
  for (const reduction::State& state : model.system.states) symbols_.push_back(state.symbol);
  for (const reduction::Input& input : model.system.inputs) symbols_.push_back(input.symbol);
  for (const reduction::Input& input : model.system.inputs) symbols_.push_back(input.rate);
  symbols_.insert(symbols_.end(), more.begin(), more.end());
  values_.resize(symbols_.size());
}

std::span<const double> Arguments::fill(double t, solve::In states, solve::In more) {
  values_[0] = t;
  std::copy_n(states.begin(), states_, values_.begin() + 1);
  if (inputs_.count() > 0) inputs_.sample(t, values_.data() + 1 + states_);
  std::copy(more.begin(), more.end(),
            values_.begin() + static_cast<std::ptrdiff_t>(1 + states_ + 2 * inputs_.count()));
  return values_;
}

ReducedForm::ReducedForm(const Model& model, Inputs& inputs)
    : model_(model),
      arguments_(model, inputs),
      program_(model, reduction::state_rates(model), arguments_.symbols()) {}

void ReducedForm::rate(double t, solve::In x, solve::Out out) {
  if (!program_.run(arguments_.fill(t, x), out)) std::fill(out.begin(), out.end(), kNone);
}

std::string ReducedForm::name(std::size_t state) const {
  return fmt::format("'{}'", model_.system.states[state].name);
}

void ReducedDae::residual(double t, solve::In y, solve::In rates, solve::Out out) {
  form_.rate(t, y, out);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = rates[i] - out[i];
}

FullForm::FullForm(const Model& model, Inputs& inputs)
    : model_(model),
      inputs_(inputs),
      equations_(reduction::build_full(model.graph, model.causality, model.system, model.solution)),
      roots_(build_roots()),
      arguments_(std::make_unique<Arguments>(model, inputs, more_)),
      program_(model, roots_, arguments_->symbols()),
      results_(roots_.size()) {}

void FullForm::add(const std::string& name, const std::string& row, bool differential) {
  names_.push_back(fmt::format("'{}'", name));
  rows_.push_back(row);
  differential_.push_back(differential);
}

void FullForm::add_more(Expr symbol, std::size_t index, double rate) {
  more_.push_back(symbol);
  parts_.push_back({index, rate});
}

/// `the flow at 'damper'`: an element at an end of the variable's bond, a junction only where there is no other.
std::string FullForm::name_variable(int variable) const {
  const reduction::Variable& v = model_.system.variables[at(variable)];
  const bondgraph::Bond& bond = model_.graph.bonds[at(v.bond)];
  const auto& tail = model_.graph.elements[at(bond.tail)];
  const auto& head = model_.graph.elements[at(bond.head)];
  return fmt::format("{} of {} -> {}", v.kind == reduction::Variable::Kind::effort ? "effort" : "flow",
                     tail.name, head.name);
}

/// What each row says, as the part that is computed; the signs are put together in residual().
std::vector<Expr> FullForm::build_roots() {
  std::vector<Expr> roots;
  for (std::size_t i = 0; i < equations_.rates.size(); ++i) {
    const std::string& name = model_.system.states[i].name;
    add(name, fmt::format("the rate of '{}'", name), true);
    roots.push_back(equations_.rates[i]);
  }
  for (const reduction::BreakVariable& variable : equations_.breaks) {
    const std::string name = name_variable(variable.variable);
    add_more(variable.symbol, names_.size(), 0.0);
    add(name, fmt::format("the law of the {}", name), false);
    roots.push_back(variable.law);
  }
  for (const reduction::DependentPort& port : equations_.dependent) {
    const std::string& name = model_.graph.elements[at(port.element)].name;
    add_more(reduction::dependent_flow_rate(name), names_.size(), 1.0);
    add(name + ".flow", fmt::format("the flow of '{}'", name), true);
    roots.push_back(port.value);
  }
  for (const reduction::StoredPort& port : equations_.stored) {
    const std::string& name = model_.graph.elements[at(port.element)].name;
    add_more(model_.system.variables[at(port.variable)].symbol, names_.size(), port.sign);
    add(name + " (stored)", fmt::format("what '{}' stores", name), true);
    roots.push_back(port.stored);
  }
  return roots;
}

std::span<const double> FullForm::gather_more(solve::In y, solve::In rates) {
  more_values_.resize(parts_.size());
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    more_values_[i] = part.rate != 0.0 ? part.rate * rates[part.at] : y[part.at];
  }
  return more_values_;
}

void FullForm::residual(double t, solve::In y, solve::In rates, solve::Out out) {
  // It has no blocks that could fail.
  (void)program_.run(arguments_->fill(t, y, gather_more(y, rates)), results_);
  const std::size_t states = equations_.rates.size();
  const std::size_t free = states + equations_.breaks.size();
  for (std::size_t i = 0; i < states; ++i) out[i] = rates[i] - results_[i];
  for (std::size_t i = states; i < free; ++i) out[i] = results_[i];
  for (std::size_t i = free; i < out.size(); ++i) out[i] = y[i] - results_[i];
}

FullForm::Start FullForm::build_start(double t, solve::In states) {
  std::vector<Expr> roots = reduction::state_rates(model_);
  const auto value = [&](int variable) { return model_.solution.values[at(variable)]; };
  for (const auto& variable : equations_.breaks) roots.push_back(value(variable.variable));
  for (const auto& port : equations_.dependent) {
    const auto& element = model_.graph.elements[at(port.element)];
    const int bond = element.bonds[0];
    const double sign = model_.graph.bonds[at(bond)].head == port.element ? 1.0 : -1.0;
    roots.push_back(sign * value(reduction::flow_index(bond)));
    roots.push_back(value(reduction::effort_index(bond)) / element.value[0]);  // its rate
  }
  for (const auto& port : equations_.stored) roots.push_back(value(port.variable));
  Arguments arguments(model_, inputs_);
  Program program(model_, roots, arguments.symbols());
  std::vector<double> results(roots.size());
  if (!program.run(arguments.fill(t, states), results)) std::fill(results.begin(), results.end(), 0.0);
  Start start{{states.begin(), states.end()}, {}};
  std::size_t next = 0;
  for (std::size_t i = 0; i < states.size(); ++i) start.rates.push_back(results[next++]);
  const auto put = [&](double y, double rate) {
    start.state.push_back(y);
    start.rates.push_back(rate);
  };
  for (std::size_t i = 0; i < equations_.breaks.size(); ++i) put(results[next++], 0.0);
  for (std::size_t i = 0; i < equations_.dependent.size(); ++i, next += 2)
    put(results[next], results[next + 1]);
  for (const auto& port : equations_.stored) put(0.0, port.sign * results[next++]);
  // What is stored follows from the break variables: its row is y − stored.
  std::vector<double> rows(size());
  residual(t, start.state, start.rates, rows);
  for (std::size_t row = size() - equations_.stored.size(); row < size(); ++row)
    start.state[row] -= rows[row];
  return start;
}

}  // namespace rodeo::simulate
