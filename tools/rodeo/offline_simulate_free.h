// SPDX-License-Identifier: MIT
// `rodeo simulate` for machines that move by their forces.
#pragma once
#include <string>
#include <vector>

#include "tools/rodeo/offline_free.h"

namespace rodeo::tools {

struct SimulateFreeOptions {
  ModelOptions model;
  std::string method;  // empty: minimal
  FreeOptions free;
  double rate = 1000, duration = 0;
  bool all_columns = false;
  std::string input;  // CSV of forces from outside; empty: none
  std::string output;
};

/// Whether `method` is one of free motion.
[[nodiscard]] bool is_free_method(const std::string& method);
/// Writes the log; notes go to stderr. Throws ModelError, CLI::Error.
void simulate_free(const SimulateFreeOptions& options);

/// --equilibrium and --input go together only where the input gives forces: it cannot move drives that hold still.
void check_equilibrium_input(const ModelOptions& model);

}  // namespace rodeo::tools
