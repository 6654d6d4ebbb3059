// SPDX-License-Identifier: MIT
// What the commands on free motion share: a machine made ready to move by its forces, its options, its columns.
#pragma once
#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <vector>

#include "kinematics/dynamics/run.h"
#include "tools/rodeo/offline_model.h"

namespace rodeo::tools {

/// How to move, beside the method's name.
struct FreeOptions {
  std::vector<std::string> released;  // --free
  std::string solver;                 // empty: the method's own
  double tolerance = 1e-8;
  bool settle = false;                                               // --settle
  double alpha = -1, beta = -1, frequency = -1, damping_ratio = -1;  // negative: the method's own
};

/// --free, --settle, --alpha, --beta, --frequency, --damping-ratio.
void add_free_options(CLI::App& command, FreeOptions& options);
[[nodiscard]] dynamics::MethodOptions build_method_options(const FreeOptions& options, double rate);

struct FreeMachine {
  machine::Machine machine;  // as written, with all its drives
  dynamics::Problem problem;
  std::vector<std::string> notes;  // of how the start was found
};
/// Throws ModelError; a bond graph is one.
[[nodiscard]] FreeMachine load_free(const ModelOptions& model, const FreeOptions& options);
/// What a user should know of the start: rates that were changed, redundant rows, drives that hold.
[[nodiscard]] std::vector<std::string> build_start_notes(const dynamics::Problem& problem);

/// Numbers of a sample: `t,<drive>...,<body>.angle...,<body>.rate...,<output>.x,<output>.y...,energy,energy_error,residual`, and on
/// request origins, parts of the energy and the joints' loads (on the second body; on the load's axes).
class FreeColumns {
 public:
  FreeColumns(const FreeMachine& free, const dynamics::PlanarSystem& system, bool all);

  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  /// One value a column; valid until the next call.
  std::span<const double> gather(const dynamics::Sample& sample);

 private:
  void add_rest();

  const FreeMachine& free_;
  const dynamics::PlanarSystem& system_;
  bool all_;
  std::vector<std::string> names_;
  std::vector<double> row_;
};

}  // namespace rodeo::tools
