// SPDX-License-Identifier: MIT
// Loads of a machine in imposed motion: the force of every drive, the reaction at every joint, energies and powers, from the
// outputs of a step. d'Alembert a body, ordered into blocks as the reduced equations are. THEORY L1-L4.
#pragma once
#include <string>
#include <vector>

#include "kinematics/codegen/kernel_model.h"

namespace rodeo::codegen {

struct Loads {
  std::vector<Channel> channels;
  Routine routine;  // of o: (an output of the step), the time and the inputs of the machine
  std::vector<BlockReport> blocks;
};

/// Whether the machine has anything that weighs or pushes.
[[nodiscard]] bool has_loads(const machine::Machine& machine);

/// Drives from number `driven` on are free: their forces are nil, and not told.
[[nodiscard]] Loads build_loads(const machine::Machine& machine, const machine::Mobility& mobility,
                                std::size_t driven);

}  // namespace rodeo::codegen
