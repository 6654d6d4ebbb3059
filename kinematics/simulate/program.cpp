// SPDX-License-Identifier: MIT
// Making the list, and running it. Blocks are solved in loops.cpp.
#include "kinematics/simulate/program.h"

#include <stdexcept>

#include "kinematics/expr/eval.h"

namespace rodeo::simulate {

using expr::Op;

Expr time_inside_symbol() { return expr::variable("t inside"); }

Program::Program(const reduction::Model& model, const std::vector<Expr>& roots,
                 const std::vector<Expr>& arguments)
    : model_(model), emitted_(model.solution.blocks.size()) {
  set_known(model, arguments);
  for (const Expr root : roots) results_.push_back(emit(root));
}

void Program::set_known(const reduction::Model& model, const std::vector<Expr>& arguments) {
  for (const expr::Parameter& parameter : model.graph.parameters) {
    slots_.emplace(expr::symbol(parameter.name).id(), add_slot(parameter.number, true));
  }
  for (const Expr argument : arguments) {
    arguments_.push_back(add_slot(0.0, false));
    slots_[argument.id()] = arguments_.back();
  }
  for (std::size_t b = 0; b < model.solution.blocks.size(); ++b) {
    for (const int unknown : model.solution.blocks[b].unknowns) {
      block_of_.emplace(model.system.variables[static_cast<std::size_t>(unknown)].symbol.id(), b);
    }
  }
}

Slot Program::add_slot(double value, bool constant) {
  values_.push_back(value);
  constant_.push_back(constant);
  return static_cast<Slot>(values_.size() - 1);
}

bool Program::is_constant(const std::vector<Expr>& args) const {
  for (const Expr arg : args) {
    if (!constant_[slot_of(arg)]) return false;
  }
  return true;
}

/// A comparison looks at the time on its step's own side.
Slot Program::emit_operand(Expr e, Expr operand) {
  const bool compares = e->op == Op::less || e->op == Op::less_equal;
  if (!compares || !slots_.contains(time_inside_symbol().id())) return slot_of(operand);
  return emit(expr::substitute(
      operand, [](Expr symbol) { return symbol == expr::time_symbol() ? time_inside_symbol() : symbol; }));
}

Slot Program::emit(Expr root) {
  for (const Expr e : expr::reachable({root})) {
    if (!slots_.contains(e.id())) emit_node(e);
  }
  return slot_of(root);
}

void Program::emit_node(Expr e) {
  if (e.is_number()) {
    slots_.emplace(e.id(), add_slot(e->value, true));
    return;
  }
  if (e.is_symbol()) {
    const auto block = block_of_.find(e.id());
    if (block == block_of_.end()) throw std::out_of_range("no value for symbol '" + e->name + "'");
    return emit_block(block->second);
  }
  if (e->op == Op::call) return emit_call(e);
  Step step;
  step.op = e->op;
  if (e->op == Op::rand) {
    is_random_ = true;
    step.kind = Kind::random;
    step.stream = static_cast<std::uint64_t>(e->value);
  }
  std::array<double, 3> known{};
  for (std::size_t i = 0; i < e->args.size(); ++i) {
    step.in[i] = emit_operand(e, e->args[i]);
    known[i] = values_[step.in[i]];
  }
  const bool constant = e->op != Op::rand && is_constant(e->args);
  step.out = add_slot(constant ? expr::calc_operation(e->op, known.data()) : 0.0, constant);
  slots_.emplace(e.id(), step.out);
  if (!constant) steps_.push_back(step);
}

void Program::emit_call(Expr e) {
  const std::size_t cut = e->name.find('\n');
  Call call{libraries_.build_function(e->name.substr(0, cut), e->name.substr(cut + 1)), {}};
  for (const Expr arg : e->args) call.in.push_back(slot_of(arg));
  const Slot out = add_slot(0.0, false);
  slots_.emplace(e.id(), out);
  Step step;
  step.kind = Kind::call;
  step.out = out;
  step.in[0] = static_cast<Slot>(calls_.size());
  steps_.push_back(step);
  calls_.push_back(std::move(call));
}

void Program::emit_block(std::size_t block) {
  if (emitted_[block]) throw std::logic_error("a block needs itself");
  emitted_[block] = true;
  if (model_.solution.blocks[block].linear) return emit_linear(block);
  emit_iterated(block);
}

void Program::emit_linear(std::size_t block) {
  const reduction::Block& source = model_.solution.blocks[block];
  System system;
  system.block = block;
  for (const auto& row : source.matrix) {
    for (const Expr entry : row) system.matrix.push_back(emit(entry));
  }
  for (const Expr entry : source.right) system.right.push_back(emit(entry));
  for (const int unknown : source.unknowns) {
    system.unknowns.push_back(add_slot(0.0, false));
    slots_.emplace(model_.system.variables[static_cast<std::size_t>(unknown)].symbol.id(),
                   system.unknowns.back());
  }
  Step step;
  step.kind = Kind::solve;
  step.out = static_cast<Slot>(systems_.size());
  steps_.push_back(step);
  systems_.push_back(std::move(system));
}

/// What does not depend on the unknowns may be inside the repeated steps too: it only costs time.
void Program::emit_iterated(std::size_t block) {
  const reduction::Block& source = model_.solution.blocks[block];
  System system;
  system.block = block;
  std::vector<Expr> symbols;
  for (const int unknown : source.unknowns) {
    symbols.push_back(model_.system.variables[static_cast<std::size_t>(unknown)].symbol);
    system.unknowns.push_back(add_slot(0.0, false));
    slots_.emplace(symbols.back().id(), system.unknowns.back());
  }
  // Blocks that this one needs must not be solved again and again: their unknowns first.
  for (const Expr symbol : expr::symbols_of(source.residuals)) {
    if (!slots_.contains(symbol.id())) emit_node(symbol);
  }
  system.first = steps_.size();
  for (const Expr residual : source.residuals) system.right.push_back(emit(residual));
  try {
    std::vector<Expr> derivatives;
    for (const Expr residual : source.residuals) {
      for (const Expr symbol : symbols) derivatives.push_back(expr::differentiate(residual, symbol));
    }
    for (const Expr derivative : derivatives) system.matrix.push_back(emit(derivative));
  } catch (const std::domain_error&) {
    system.matrix.clear();  // a library function: by differences
  }
  system.last = steps_.size();
  Step step;
  step.kind = Kind::iterate;
  step.out = static_cast<Slot>(systems_.size());
  steps_.push_back(step);
  systems_.push_back(std::move(system));
}

bool Program::run(std::span<const double> arguments, std::span<double> results) {
  failure_.reset();
  for (std::size_t i = 0; i < arguments_.size(); ++i) values_[arguments_[i]] = arguments[i];
  run_steps(0, steps_.size());
  for (std::size_t i = 0; i < results_.size(); ++i) results[i] = values_[results_[i]];
  return !failure_;
}

void Program::run_steps(std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    const Step& step = steps_[i];
    switch (step.kind) {
      case Kind::operation: {
        const std::array<double, 3> in{values_[step.in[0]], values_[step.in[1]], values_[step.in[2]]};
        values_[step.out] = expr::calc_operation(step.op, in.data());
        break;
      }
      case Kind::random: values_[step.out] = expr::calc_random(1, step.stream, tick_); break;
      case Kind::call: run_call(step); break;
      case Kind::solve: run_linear(systems_[step.out]); break;
      case Kind::iterate: run_iterated(systems_[step.out]); break;
    }
  }
}

void Program::run_call(const Step& step) {
  const Call& call = calls_[step.in[0]];
  operands_.clear();
  for (const Slot in : call.in) operands_.push_back(values_[in]);
  values_[step.out] =
      call.function(operands_[0], operands_.data() + 1, static_cast<int>(operands_.size()) - 1);
}

void Program::fail(const System& system, bool linear, double residual) {
  if (!failure_) failure_ = LoopFailure{system.block, linear, residual};
}

}  // namespace rodeo::simulate
