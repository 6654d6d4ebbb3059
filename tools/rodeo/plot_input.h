// SPDX-License-Identifier: MIT
// LOG of `rodeo plot`: a CSV, or a recording, which is computed again as `rodeo export` does.
#pragma once
#include <string>

#include "viz/plot/table.h"

namespace rodeo::tools {

struct LoadedLog {
  plot::Table table;
  bool is_whole;  // false: a recording of which something is missing, as told on stderr
};

/// Throws IoError and KernelError.
[[nodiscard]] LoadedLog load_log(const std::string& path);

}  // namespace rodeo::tools
