// SPDX-License-Identifier: MIT
// A tape as the body of a C function: one assignment an instruction, loops where the tape was folded.
#pragma once
#include <string>

#include "kinematics/codegen/fold.h"

namespace rodeo::codegen {

/// What the function calls the array that it stores to: outputs, or the derived constants.
struct ArrayNames {
  const char* output = "outputs";
  const char* derived = "k";
};

[[nodiscard]] std::string routine_text(const Tape& tape, const Folded& folded, const ArrayNames& names);

/// A number as C reads it back, bit for bit.
[[nodiscard]] std::string number_text(double value);

}  // namespace rodeo::codegen
