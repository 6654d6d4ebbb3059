// SPDX-License-Identifier: MIT
// MODEL of the offline commands: a machine file or a bond-graph file, read, assembled and turned into its equations.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kinematics/machine/machine.h"
#include "kinematics/machine/pose.h"
#include "kinematics/machine/positions.h"
#include "kinematics/machine/rods.h"
#include "kinematics/reduction/hybrid.h"
#include "kinematics/text/yaml.h"
#include "tools/rodeo/progress.h"

namespace rodeo::tools {

/// What every offline command takes.
struct ModelOptions {
  std::string path;
  std::vector<std::string> overrides;  // -p NAME=VALUE
  std::string rod = "equivalent";
  bool undriven = false;
  std::string hold = "springs";  // what keeps the joints of a machine in space together
};

/// MODEL and -p.
void add_model_options(CLI::App& command, ModelOptions& options,
                       const char* what = "A machine file or a bond-graph file");
/// -p alone, for `new`.
void add_parameter_option(CLI::App& command, std::vector<std::string>& overrides);
/// --rod, --undriven and --hold, for commands that show the graph or its equations.
void add_rod_options(CLI::App& command, ModelOptions& options);
/// --hold alone.
void add_hold_option(CLI::App& command, ModelOptions& options);

/// A picture's name must have one of these endings.
[[nodiscard]] std::function<std::string(const std::string&)> ends_in(std::vector<std::string> endings);

/// A machine at its start pose.
struct LoadedMachine {
  machine::Machine machine;
  machine::Assembly assembly;
  machine::Mobility mobility;
  text::Where drives;  // the key `drives`, or the file's first line without one
};

struct LoadedModel {
  std::optional<LoadedMachine> machine;  // none for a bond-graph file, and for a machine in space
  reduction::Model model;
  bool spatial = false;  // the multibond graph of a machine in space: its signals are orientations
};

/// Reads MODEL; the machine where it is one.
[[nodiscard]] std::optional<LoadedMachine> load_machine(const ModelOptions& options, Progress& progress);

/// The same of the root of a machine in the plane; options.path is its name.
[[nodiscard]] LoadedMachine load_planar(const text::Node& root, const ModelOptions& options,
                                        Progress& progress);

/// The equations of a machine that was loaded, or of the bond-graph file that MODEL is; controlled junctions are on.
[[nodiscard]] reduction::Model build_equations(const ModelOptions& options,
                                               const std::optional<LoadedMachine>& machine,
                                               Progress& progress);

/// The same with every configuration of the controlled junctions that can be reached; one where there are none.
[[nodiscard]] reduction::Hybrid build_configurations(const ModelOptions& options,
                                                     const std::optional<LoadedMachine>& machine,
                                                     Progress& progress);

/// Positions of a machine in the symbols of those equations, and where their states start.
struct MachinePositions {
  std::vector<machine::PositionEquation> equations;
  std::vector<machine::StateStart> starts;
};
[[nodiscard]] MachinePositions build_machine_positions(const ModelOptions& options,
                                                       const LoadedMachine& loaded);

/// Of a machine that its drives move wholly: the model that has accelerations, and forces where every body has its mass. None for others, and
/// where forces switch.
[[nodiscard]] std::optional<reduction::Model> build_loaded_model(const ModelOptions& options,
                                                                 const LoadedMachine& loaded);
[[nodiscard]] bool has_all_masses(const LoadedMachine& loaded);

/// As load_machine; throws ModelError when the start pose does not assemble or the drives do not fit the mobility.
[[nodiscard]] std::optional<LoadedMachine> load_checked_machine(const ModelOptions& options,
                                                                Progress& progress);

/// Everything; throws ModelError when the start pose does not assemble or the drives do not fit the mobility.
[[nodiscard]] LoadedModel load_model(const ModelOptions& options, Progress& progress);

/// A fault when the start pose does not assemble, with the drives that are too many where these are the reason.
void check_start(const LoadedMachine& loaded, text::Faults& faults);

/// Faults of drives that start outside their range, which the engine would refuse later on.
void check_ranges(const LoadedMachine& loaded, text::Faults& faults);

/// Faults that keep a machine from moving by its drives: assembly, too few or too many of them.
void check_drives(const LoadedMachine& loaded, bool undriven, text::Faults& faults);

}  // namespace rodeo::tools
