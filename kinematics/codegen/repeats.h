// SPDX-License-Identifier: MIT
// Stretches of a tape that repeat: same instructions, operands of the same kind, near ones at the same distance.
#pragma once
#include "kinematics/codegen/tape.h"

namespace rodeo::codegen {

struct Repeat {
  std::uint32_t first = 0, period = 0, repeats = 0;  // instructions
};

/// In order, disjoint, each at least `least` times; the ones that save most first come first served.
[[nodiscard]] std::vector<Repeat> find_repeats(const Tape& tape, std::uint32_t least);

}  // namespace rodeo::codegen
