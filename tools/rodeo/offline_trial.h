// SPDX-License-Identifier: MIT
// What the commands after `check` would refuse, found by doing what they do: the kernel is built, compiled quickly and put
// at its start; a bond graph is put at its start. The sentences are theirs.
#pragma once
#include <string>

#include "kinematics/reduction/hybrid.h"
#include "tools/rodeo/offline_model.h"

namespace rodeo::tools {

/// Sentences, empty where there is nothing to say.
struct KernelTrial {
  std::string untried;    // why it was not
  std::string long_step;  // of free motion at the usual rate
};
/// A machine in the plane or in space as `build`, `simulate` and `run` would take it.
[[nodiscard]] KernelTrial try_kernel(const ModelOptions& options, text::Faults& faults);

/// A bond-graph file as `graph` and `simulate` would take it, its inputs at 0.
void try_graph(const ModelOptions& options, const reduction::Hybrid& hybrid, text::Faults& faults);

}  // namespace rodeo::tools
