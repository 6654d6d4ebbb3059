// SPDX-License-Identifier: MIT
#include "kinematics/codegen/columns.h"

#include <unordered_set>

namespace rodeo::codegen {

std::vector<std::string> find_repeated_columns(const KernelModel& model) {
  std::unordered_set<std::string> seen{"t", "residual"};
  std::vector<std::string> repeated;
  const auto add = [&](const Channel& channel) {
    if (!seen.insert(channel.name).second) repeated.push_back(channel.name);
  };
  for (std::size_t d = 0; d + model.free_count < model.drives.size(); ++d) add(model.drives[d].channel);
  for (const Channel& output : model.outputs) add(output);
  for (const Channel& load : model.loads) add(load);
  return repeated;
}

}  // namespace rodeo::codegen
