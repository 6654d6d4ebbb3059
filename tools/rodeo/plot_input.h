// SPDX-License-Identifier: MIT
// LOG of `rodeo plot`: a CSV, or a recording, which is computed again as `rodeo export` does.
#pragma once
#include <string>

#include "viz/plot/table.h"

namespace rodeo::tools {

/// Throws IoError and KernelError.
[[nodiscard]] plot::Table load_log(const std::string& path);

}  // namespace rodeo::tools
