// SPDX-License-Identifier: MIT
// MODEL of the offline commands: a machine file or a bond-graph file, read, assembled and turned into its equations.
#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "kinematics/machine/machine.h"
#include "kinematics/machine/pose.h"
#include "kinematics/machine/rods.h"
#include "kinematics/reduction/model.h"

namespace rodeo::tools {

/// What every offline command takes.
struct ModelOptions {
  std::string path;
  std::vector<std::string> overrides;  // -p NAME=VALUE
  std::string rod = "equivalent";
  bool undriven = false;
};

/// MODEL and -p.
void add_model_options(CLI::App& command, ModelOptions& options);
/// --rod and --undriven, for commands that show the graph or its equations.
void add_rod_options(CLI::App& command, ModelOptions& options);

/// A machine at its start pose.
struct LoadedMachine {
  machine::Machine machine;
  machine::Assembly assembly;
  machine::Mobility mobility;
};

struct LoadedModel {
  std::optional<LoadedMachine> machine;  // none for a bond-graph file
  reduction::Model model;
};

/// Reads MODEL; the machine where it is one.
[[nodiscard]] std::optional<LoadedMachine> load_machine(const ModelOptions& options);

/// The equations of a machine that was loaded, or of the bond-graph file that MODEL is.
[[nodiscard]] reduction::Model build_equations(const ModelOptions& options, const std::optional<LoadedMachine>& machine);

/// Everything; throws ModelError when the start pose does not assemble or the drives do not fit the mobility.
[[nodiscard]] LoadedModel load_model(const ModelOptions& options);

/// Faults that keep a machine from moving by its drives: assembly, too few or too many of them.
void check_drives(const LoadedMachine& loaded, bool undriven, text::Faults& faults);

}  // namespace rodeo::tools
