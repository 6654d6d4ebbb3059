// SPDX-License-Identifier: MIT
#include "kinematics/codegen/flat_routine.h"

#include <fmt/format.h>

#include "kinematics/codegen/routine_text.h"
#include "kinematics/codegen/tape_builder.h"

namespace rodeo::codegen {

Expr FlatStore::symbol_of(std::size_t place) { return expr::variable(fmt::format("f[{}]", place)); }

Expr FlatStore::add(Expr e) {
  places_.emplace(e.id(), values_.size());
  values_.push_back(e);
  return symbol_of(values_.size() - 1);
}

Expr FlatStore::keep(Expr e) {
  if (e.is_number()) return e;
  if (e->op == expr::Op::neg) return -keep(e->args[0]);
  const auto found = places_.find(e.id());
  return found == places_.end() ? add(e) : symbol_of(found->second);
}

void FlatStore::name(Symbols& symbols, Space space) const {
  for (std::size_t i = 0; i < values_.size(); ++i)
    symbols.set(symbol_of(i), space, static_cast<std::uint32_t>(i));
}

FlatRoutine build_flat_routine(Symbols& symbols, const char* name, const std::string& arrays,
                               const std::vector<Expr>& values) {
  std::string arguments, unused;
  for (const char array : arrays) {
    arguments += fmt::format("const double* restrict {}, ", array);
    unused += fmt::format("  (void){};\n", array);
  }
  std::vector<Result> results;
  for (std::size_t i = 0; i < values.size(); ++i)
    results.push_back({values[i], {Space::output, static_cast<std::uint32_t>(i)}});
  const Tape tape = TapeBuilder(symbols, false).build({}, results);
  check_tape(tape);
  return {fmt::format("static void {}({}double* restrict r) {{\n{}{}}}\n\n", name, arguments, unused,
                      routine_text(tape, fold(tape, Folding::never), {.output = "r"})),
          tape.values};
}

}  // namespace rodeo::codegen
