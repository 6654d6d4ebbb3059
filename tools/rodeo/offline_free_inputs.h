// SPDX-License-Identifier: MIT
// Forces from outside for the methods of free motion: the inputs of a machine file as columns of a CSV.
#pragma once
#include <string>
#include <vector>

#include "tools/rodeo/offline_free.h"

namespace rodeo::tools {

/// A column an input, linear between rows, held before and after them; an input without a column is 0. Throws IoError, also for a
/// column of a drive: these methods hold drives or let them go.
void set_force_inputs(FreeMachine& free, const std::string& path);

/// What a user should know of inputs: those that nobody gives, and payloads, whose mass does not change here.
[[nodiscard]] std::vector<std::string> build_input_notes(const FreeNames& machine, bool has_input);

}  // namespace rodeo::tools
