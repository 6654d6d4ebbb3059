// SPDX-License-Identifier: MIT
// Loading of models for the offline commands.
#include "tools/rodeo/offline_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinematics/text/yaml.h"

namespace rodeo::tools {
namespace {

using machine::Machine;

/// A machine without drives whose bodies all have mass moves by its forces.
bool is_dynamic(const Machine& m) {
  const bool massive = std::all_of(m.bodies.begin() + 1, m.bodies.end(), [](const machine::Body& body) { return body.mass && body.inertia; });
  return m.drives.empty() && massive;
}

machine::RodOptions rod_options(const ModelOptions& options, const LoadedMachine& loaded) {
  machine::RodOptions rods;
  rods.driven = !options.undriven && !is_dynamic(loaded.machine);
  rods.form = options.rod == "traditional" || !rods.driven ? machine::RodForm::traditional : machine::RodForm::equivalent;
  rods.redundant = loaded.mobility.redundant;
  return rods;
}

void check_assembly(const LoadedMachine& loaded, text::Faults& faults) {
  if (loaded.assembly.assembled) return;
  const text::Where& where = loaded.assembly.where.file ? loaded.assembly.where : loaded.machine.where;
  faults.add(where, fmt::format("{}: the start pose cannot be assembled, {:.3g} m are left open; check the lengths and the "
                                "values under 'start'",
                                loaded.assembly.worst, loaded.assembly.residual));
}

void check_too_many(const LoadedMachine& loaded, text::Faults& faults) {
  for (const machine::Row& row : loaded.mobility.conflicting_drives) {
    const machine::Drive& drive = loaded.machine.drives[static_cast<std::size_t>(row.drive)];
    faults.add(drive.where, fmt::format("drive '{}' is one too many: the machine has mobility {} and the other drives and the "
                                        "joints fix it already; remove one drive",
                                        drive.name, loaded.mobility.mobility));
  }
}

void check_too_few(const LoadedMachine& loaded, text::Faults& faults) {
  if (loaded.mobility.free_motions <= 0) return;
  faults.add(loaded.machine.where,
             fmt::format("{} drive{} for mobility {}: add {} under 'drives', one for each degree of freedom (or --undriven "
                         "for the equations of free motion)",
                         loaded.machine.drives.size(), loaded.machine.drives.size() == 1 ? "" : "s",
                         loaded.mobility.mobility, loaded.mobility.free_motions));
}

}  // namespace

void add_model_options(CLI::App& command, ModelOptions& options) {
  command.add_option("MODEL", options.path, "A machine file or a bond-graph file")->required();
  command.add_option("-p", options.overrides, "NAME=VALUE: another value for a parameter of the model")->allow_extra_args(false);
}

void add_rod_options(CLI::App& command, ModelOptions& options) {
  command.add_option("--rod", options.rod, "The rods of a machine: equivalent (one K: 0 port) or traditional (three inertias)")
      ->check(CLI::IsMember({"equivalent", "traditional"}))
      ->capture_default_str();
  command.add_flag("--undriven", options.undriven, "Without the machine's drives: free motion, traditional rods");
}

std::optional<LoadedMachine> load_machine(const ModelOptions& options) {
  const text::Node root = text::build_yaml_from_file(options.path);
  if (!machine::is_machine(root)) return std::nullopt;
  LoadedMachine loaded;
  loaded.machine = machine::build_machine(root, options.path, options.overrides);
  loaded.assembly = machine::build_start_pose(loaded.machine);
  loaded.mobility = machine::calc_mobility(loaded.machine, loaded.assembly);
  return loaded;
}

void check_drives(const LoadedMachine& loaded, bool undriven, text::Faults& faults) {
  check_assembly(loaded, faults);
  check_too_many(loaded, faults);
  if (!undriven && !is_dynamic(loaded.machine)) check_too_few(loaded, faults);
}

reduction::Model build_equations(const ModelOptions& options, const std::optional<LoadedMachine>& machine) {
  if (!machine) return reduction::build_model(bondgraph::build_graph_from_file(options.path, options.overrides));
  return reduction::build_model(machine::build_rods(machine->machine, rod_options(options, *machine)));
}

LoadedModel load_model(const ModelOptions& options) {
  LoadedModel loaded;
  loaded.machine = load_machine(options);
  if (loaded.machine) {
    text::Faults faults;
    check_drives(*loaded.machine, options.undriven, faults);
    faults.throw_if_any();
  }
  loaded.model = build_equations(options, loaded.machine);
  return loaded;
}

}  // namespace rodeo::tools
