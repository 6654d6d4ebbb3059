// SPDX-License-Identifier: MIT
#include "kinematics/dynamics/load_program.h"

namespace rodeo::dynamics {
namespace {

std::vector<expr::Expr> build_symbols(const std::vector<expr::Parameter>& parameters,
                                      const std::vector<machine::ForceInput>& from_outside) {
  std::vector<expr::Expr> symbols{expr::time_symbol()};
  for (const expr::Parameter& parameter : parameters) symbols.push_back(expr::symbol(parameter.name));
  for (const machine::ForceInput& input : from_outside) symbols.push_back(machine::input_symbol(input.name));
  return symbols;
}

}  // namespace

LoadProgram::LoadProgram(const std::vector<expr::Expr>& roots, const std::vector<expr::Parameter>& parameters,
                         const std::vector<machine::ForceInput>& from_outside)
    : inputs{0.0}, results(roots.size()), program(roots, build_symbols(parameters, from_outside)) {
  for (const expr::Parameter& parameter : parameters) inputs.push_back(parameter.number);
  inputs.resize(inputs.size() + from_outside.size(), 0.0);
}

}  // namespace rodeo::dynamics
