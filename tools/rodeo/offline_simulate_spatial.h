// SPDX-License-Identifier: MIT
// `rodeo simulate` for machines in space whose drives impose the motion.
#pragma once
#include <string>

#include "tools/rodeo/offline_spatial.h"

namespace rodeo::tools {

struct SimulateSpatialOptions {
  ModelOptions model;
  std::string input;  // empty: the drives stay at the start
  double rate = 1000, duration = -1;
  bool all_columns = false;
  std::string output;
};

/// Whether the drives of the file impose all motion.
[[nodiscard]] bool is_driven(const LoadedSpatial& loaded);
/// Writes the log; notes go to stderr. Throws ModelError, IoError, CLI::Error.
void simulate_spatial(const SimulateSpatialOptions& options, const LoadedSpatial& loaded);

}  // namespace rodeo::tools
