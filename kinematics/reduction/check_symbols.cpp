// SPDX-License-Identifier: MIT
#include "kinematics/reduction/check_symbols.h"

#include <fmt/format.h>

#include <map>

#include "kinematics/reduction/names.h"

namespace rodeo::reduction {

void check_symbols(const Model& model) {
  const Names names(model.graph, model.system);
  std::map<std::pair<std::string, std::string>, std::string> known;
  const auto add = [&](Expr symbol, const std::string& what) {
    const SymbolName name = names.find(symbol);
    known.emplace(std::pair(name.letter, name.subscript), what);
  };
  for (const State& state : model.system.states) add(state.symbol, "the state " + state.name);
  for (const Input& input : model.system.inputs) add(input.symbol, "the input " + input.name);
  text::Faults faults;
  for (const expr::Parameter& parameter : model.graph.parameters) {
    const SymbolName name = split_name(parameter.name);
    const auto found = known.find({name.letter, name.subscript});
    if (found == known.end()) continue;
    faults.add(parameter.where,
               fmt::format("parameter '{}': in the equations this is {}: choose another name", parameter.name,
                           found->second));
  }
  faults.throw_if_any();
}

}  // namespace rodeo::reduction
