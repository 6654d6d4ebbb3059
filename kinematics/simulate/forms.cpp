// SPDX-License-Identifier: MIT
#include "kinematics/simulate/forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

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
  const std::vector<Expr>& sides = inputs.sides().symbols();
  symbols_.insert(symbols_.end(), sides.begin(), sides.end());
  const std::vector<Expr>& rules = inputs.rules().symbols;
  symbols_.insert(symbols_.end(), rules.begin(), rules.end());
  symbols_.push_back(time_inside_symbol());
  values_.resize(symbols_.size());
}

std::span<const double> Arguments::fill(double t, solve::In states, solve::In more) {
  values_[0] = t;
  std::copy_n(states.begin(), states_, values_.begin() + 1);
  if (inputs_.count() > 0) inputs_.sample(t, values_.data() + 1 + states_);
  std::copy(more.begin(), more.end(),
            values_.begin() + static_cast<std::ptrdiff_t>(1 + states_ + 2 * inputs_.count()));
  const std::vector<double>& sides = inputs_.sides().values();
  const std::vector<double>& rules = inputs_.rules().values;
  const auto last = values_.end() - 1;
  std::copy(sides.begin(), sides.end(), last - static_cast<std::ptrdiff_t>(sides.size() + rules.size()));
  std::copy(rules.begin(), rules.end(), last - static_cast<std::ptrdiff_t>(rules.size()));
  *last = inputs_.calc_inside(t);
  return values_;
}

ReducedForm::ReducedForm(const Model& model, Inputs& inputs)
    : model_(model),
      inputs_(inputs),
      arguments_(model, inputs),
      program_(model, reduction::state_rates(model), arguments_.symbols()) {}

void ReducedForm::rate(double t, solve::In x, solve::Out out) {
  const auto run = [&](solve::Out results) { return program_.run(arguments_.fill(t, x), results); };
  if (!inputs_.sides().mix(t, x, out, run)) std::fill(out.begin(), out.end(), kNone);
}

std::string ReducedForm::name(std::size_t state) const {
  return fmt::format("'{}'", model_.system.states[state].name);
}

void ReducedForm::set_events(std::size_t count, EventFunction function) {
  event_count_ = count;
  event_function_ = std::move(function);
}

void FullForm::set_events(std::size_t count, EventFunction function) {
  event_count_ = count;
  event_function_ = std::move(function);
}

void ReducedDae::residual(double t, solve::In y, solve::In rates, solve::Out out) {
  form_.rate(t, y, out);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = rates[i] - out[i];
}

FullForm::FullForm(const Model& model, Inputs& inputs)
    : model_(model),
      inputs_(inputs),
      equations_(reduction::build_full(model.graph, model.causality, model.system, model.solution)) {
  add_rows();
  arguments_ = std::make_unique<Arguments>(model, inputs, more_);
  program_ = std::make_unique<Program>(model, roots_, arguments_->symbols());
  results_.resize(roots_.size());
}

void FullForm::add(const std::string& name, const std::string& says, Row row, Expr root) {
  names_.push_back(fmt::format("'{}'", name));
  rows_.push_back(says);
  kinds_.push_back(row);
  differential_.push_back(row == Row::rate || row == Row::value);
  roots_.push_back(root);
}

void FullForm::add_more(Expr symbol, std::size_t index, double rate) {
  more_.push_back(symbol);
  parts_.push_back({index, rate});
}

/// `flow of v -> damper`.
std::string FullForm::name_variable(int variable) const {
  const reduction::Variable& v = model_.system.variables[at(variable)];
  const bondgraph::Bond& bond = model_.graph.bonds[at(v.bond)];
  return fmt::format("{} of {} -> {}", v.kind == reduction::Variable::Kind::effort ? "effort" : "flow",
                     model_.graph.elements[at(bond.tail)].name, model_.graph.elements[at(bond.head)].name);
}

void FullForm::add_rows() {
  for (std::size_t i = 0; i < equations_.rates.size(); ++i) {
    const std::string& name = model_.system.states[i].name;
    add(name, fmt::format("the rate of '{}'", name), Row::rate, equations_.rates[i]);
  }
  for (const reduction::BreakVariable& variable : equations_.breaks) {
    const std::string name = name_variable(variable.variable);
    add_more(variable.symbol, names_.size(), 0.0);
    add(name, fmt::format("the law of the {}", name), Row::law, variable.law);
  }
  for (const reduction::DependentPort& port : equations_.dependent) {
    const std::string& name = model_.graph.elements[at(port.element)].name;
    add_more(reduction::dependent_flow_rate(name), names_.size(), 1.0);
    add(name + ".flow", fmt::format("the flow of '{}'", name), Row::value, port.value);
  }
  for (const reduction::Multiplier& multiplier : equations_.multipliers) add_multiplier(multiplier);
  for (const reduction::StoredPort& port : equations_.stored) {
    const std::string& name = model_.graph.elements[at(port.element)].name;
    add_more(model_.system.variables[at(port.variable)].symbol, names_.size(), port.sign);
    add(name + " (stored)", fmt::format("what '{}' stores", name), Row::value, port.stored);
  }
}

void FullForm::add_multiplier(const reduction::Multiplier& multiplier) {
  const std::string& name = model_.graph.elements[at(multiplier.element)].name;
  add_more(model_.system.variables[at(multiplier.variable)].symbol, names_.size(), 0.0);
  const std::optional<Expr> rate = find_flow_rate(multiplier.flow);
  multiplier_has_flow_.push_back(!rate);
  if (rate) {
    add(name + ".effort", fmt::format("the constraint '{}'", name), Row::law, *rate + multiplier.rest);
    return;
  }
  add(name + ".effort", fmt::format("the constraint '{}'", name), Row::multiplier, multiplier.rest);
  add(name + ".flow", fmt::format("the flow of '{}'", name), Row::value, multiplier.flow);
}

/// d/dt of a flow that depends on states, inputs and time alone, in terms of ẋ.
std::optional<Expr> FullForm::find_flow_rate(Expr flow) {
  const auto& states = model_.system.states;
  const auto& inputs = model_.system.inputs;
  Expr sum = 0.0;
  try {
    for (const Expr symbol : expr::symbols_of({flow})) {
      if (symbol->kind == expr::SymbolKind::parameter) continue;
      const Expr partial = expr::differentiate(flow, symbol);
      const auto state =
          std::find_if(states.begin(), states.end(), [&](const auto& s) { return s.symbol == symbol; });
      const auto input =
          std::find_if(inputs.begin(), inputs.end(), [&](const auto& i) { return i.symbol == symbol; });
      if (state != states.end()) {
        const Expr rate = expr::variable("d/dt " + state->name);
        if (std::find(more_.begin(), more_.end(), rate) == more_.end()) {
          add_more(rate, static_cast<std::size_t>(state - states.begin()), 1.0);
        }
        sum = sum + partial * rate;
      } else if (input != inputs.end()) {
        sum = sum + partial * input->rate;
      } else if (symbol->kind == expr::SymbolKind::time) {
        sum = sum + partial;
      } else {
        return std::nullopt;
      }
    }
  } catch (const std::domain_error&) {
    return std::nullopt;  // a library function
  }
  return sum;
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
  const bool is_fine = inputs_.sides().mix(t, y.first(equations_.rates.size()), out, [&](solve::Out rows) {
    // It has no blocks that could fail.
    (void)program_->run(arguments_->fill(t, y, gather_more(y, rates)), results_);
    calc_rows(y, rates, results_, rows);
    return true;
  });
  if (!is_fine) std::fill(out.begin(), out.end(), kNone);
}

void FullForm::calc_rows(solve::In y, solve::In rates, solve::In results, solve::Out out) const {
  for (std::size_t i = 0; i < out.size(); ++i) {
    switch (kinds_[i]) {
      case Row::rate: out[i] = rates[i] - results[i]; break;
      case Row::law: out[i] = results[i]; break;
      case Row::value: out[i] = y[i] - results[i]; break;
      case Row::multiplier: out[i] = rates[i + 1] + results[i]; break;
    }
  }
}

/// Values and rates of the unknowns as the reduced solution has them, in the order of add_rows.
std::vector<FullForm::Known> FullForm::list_start() const {
  const auto value = [&](int variable) { return model_.solution.values[at(variable)]; };
  std::vector<Known> list;
  const std::vector<Expr> rates = reduction::state_rates(model_);
  for (std::size_t i = 0; i < rates.size(); ++i) list.push_back({model_.system.states[i].symbol, rates[i]});
  for (const auto& variable : equations_.breaks) list.push_back({value(variable.variable), 0.0});
  const auto sign_at = [&](int element, int bond) {
    return model_.graph.bonds[at(bond)].head == element ? 1.0 : -1.0;
  };
  for (const auto& port : equations_.dependent) {
    const auto& element = model_.graph.elements[at(port.element)];
    const int bond = element.bonds[0];
    list.push_back({sign_at(port.element, bond) * value(reduction::flow_index(bond)),
                    value(reduction::effort_index(bond)) / element.value[0]});
  }
  for (std::size_t i = 0; i < equations_.multipliers.size(); ++i) {
    const auto& multiplier = equations_.multipliers[i];
    const int bond = model_.graph.elements[at(multiplier.element)].bonds[0];
    const int flow = reduction::flow_index(bond);
    const double sign = sign_at(multiplier.element, bond);
    list.push_back({value(multiplier.variable), 0.0});
    if (!multiplier_has_flow_[i]) continue;
    list.push_back({sign * value(flow), sign * value(model_.system.derivative_of.at(flow))});
  }
  for (const auto& port : equations_.stored) list.push_back({0.0, port.sign * value(port.variable)});
  return list;
}

FullForm::Start FullForm::build_start(double t, solve::In states) {
  std::vector<Expr> roots;
  for (const Known& known : list_start()) roots.insert(roots.end(), {known.value, known.rate});
  Arguments arguments(model_, inputs_);
  Program program(model_, roots, arguments.symbols());
  std::vector<double> results(roots.size());
  const auto run = [&](solve::Out out) { return program.run(arguments.fill(t, states), out); };
  if (!inputs_.sides().mix(t, states, results, run)) std::fill(results.begin(), results.end(), 0.0);
  Start start;
  for (std::size_t i = 0; i < size(); ++i) {
    start.state.push_back(results[2 * i]);
    start.rates.push_back(results[2 * i + 1]);
  }
  // What is stored follows from the break variables: its row is y − stored.
  std::vector<double> rows(size());
  residual(t, start.state, start.rates, rows);
  for (std::size_t row = size() - equations_.stored.size(); row < size(); ++row)
    start.state[row] -= rows[row];
  return start;
}

}  // namespace rodeo::simulate
