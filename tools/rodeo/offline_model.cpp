// SPDX-License-Identifier: MIT
// Loading of models for the offline commands.
#include "tools/rodeo/offline_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "kinematics/dynamics/problem.h"
#include "kinematics/machine/closure.h"
#include "kinematics/machine/measures.h"
#include "kinematics/multibond/multibond.h"
#include "kinematics/reduction/check_symbols.h"
#include "kinematics/reduction/equations.h"
#include "kinematics/reduction/gates.h"
#include "kinematics/text/yaml.h"
#include "tools/rodeo/configs_path.h"
#include "tools/rodeo/offline_freedom.h"
#include "tools/rodeo/offline_scalar.h"
#include "tools/rodeo/offline_spatial.h"

namespace rodeo::tools {
namespace {

using machine::Machine;

/// A machine without drives whose bodies all have mass moves by its forces.
bool is_dynamic(const Machine& m) {
  const bool massive = std::all_of(m.bodies.begin() + 1, m.bodies.end(),
                                   [](const machine::Body& body) { return body.mass && body.inertia; });
  return m.drives.empty() && massive;
}

machine::RodOptions rod_options(const ModelOptions& options, const LoadedMachine& loaded) {
  machine::RodOptions rods;
  rods.driven = !options.undriven && !is_dynamic(loaded.machine);
  const bool is_inert = !rods.driven || loaded.mobility.free_motions > 0;
  rods.form =
      options.rod == "traditional" || is_inert ? machine::RodForm::traditional : machine::RodForm::equivalent;
  rods.redundant = loaded.mobility.redundant;
  rods.forces = is_inert;
  return rods;
}

void check_assembly(const LoadedMachine& loaded, text::Faults& faults) {
  const text::Where& where = loaded.assembly.where.file ? loaded.assembly.where : loaded.machine.where;
  if (!loaded.assembly.missed_starts.empty())
    return faults.add(loaded.machine.where, loaded.assembly.missed_starts.front());
  faults.add(
      where,
      fmt::format("{}: the start pose cannot be assembled, {:.3g} m are left open; check the lengths and the "
                  "values under 'start'",
                  loaded.assembly.worst, loaded.assembly.residual));
}

/// Nothing could be driven, whatever drive is taken away.
std::string describe_locked(const machine::Drive& drive, const machine::Mobility& mobility) {
  return fmt::format(
      "drive '{}' has nothing to move: the joints lock the structure (mobility 0, Gruebler's count {}); "
      "remove a joint, or let one slide",
      drive.name, mobility.gruebler);
}

void check_too_many(const LoadedMachine& loaded, text::Faults& faults) {
  for (const machine::Row& row : loaded.mobility.conflicting_drives) {
    const machine::Drive& drive = loaded.machine.drives[static_cast<std::size_t>(row.drive)];
    if (loaded.mobility.mobility <= 0) {
      faults.add(drive.where, describe_locked(drive, loaded.mobility));
      continue;
    }
    faults.add(
        drive.where,
        fmt::format("drive '{}' is one too many: the machine has mobility {} and the other drives and the "
                    "joints fix it already; remove one drive",
                    drive.name, loaded.mobility.mobility));
  }
}

/// What nobody drives moves by its forces, if everything weighs something.
bool has_masses(const Machine& m) {
  return std::all_of(m.bodies.begin() + 1, m.bodies.end(),
                     [](const machine::Body& body) { return body.mass.has_value(); });
}

void check_too_few(const LoadedMachine& loaded, text::Faults& faults) {
  if (loaded.mobility.free_motions <= 0 || has_masses(loaded.machine)) return;
  const std::size_t before = faults.size();
  check_loose(loaded.machine, faults);
  if (faults.size() > before) return;
  faults.add(loaded.drives,
             fmt::format("{} drive{} for mobility {}: {} can move freely{}; add {} under 'drives', one for "
                         "each degree of freedom (or "
                         "--undriven for the equations of free motion, or a mass for every body so that it "
                         "moves by its forces)",
                         loaded.machine.drives.size(), loaded.machine.drives.size() == 1 ? "" : "s",
                         loaded.mobility.mobility, text::join_names(find_free_bodies(loaded)),
                         loaded.mobility.free_motions > 1 ? describe_open_points(loaded.machine) : "",
                         loaded.mobility.free_motions));
}

Progress::Stage find_stage(reduction::Stage stage) {
  switch (stage) {
    case reduction::Stage::causality: return Progress::causality;
    case reduction::Stage::equations: return Progress::equations;
    case reduction::Stage::blocks: return Progress::blocks;
  }
  return Progress::blocks;
}

/// `-p NAME=VALUE` of a parameter that the graph brings along: taken out of the machine's own.
void take_override(std::vector<std::string>& overrides, const std::string& name, double& value) {
  std::erase_if(overrides, [&](const std::string& text) {
    if (!text.starts_with(name + "=")) return false;
    const char* number = text.c_str() + name.size() + 1;
    char* end = nullptr;
    value = std::strtod(number, &end);
    if (end == number || *end != 0 || !(value >= 0))
      throw CLI::ValidationError("-p", fmt::format("'{}': a number that is not negative is needed", text));
    return true;
  });
}

}  // namespace

void add_model_options(CLI::App& command, ModelOptions& options, const char* what) {
  add_model_path_option(command, options.path, what)->required();
  add_parameter_option(command, options.overrides);
}

void add_parameter_option(CLI::App& command, std::vector<std::string>& overrides) {
  const auto check = [](const std::string& text) {
    const bool is_well = text.find('=') != std::string::npos && text.front() != '=';
    return is_well ? std::string() : fmt::format("'{}' must be NAME=VALUE, as in -p L1=0.5", text);
  };
  command.add_option("-p", overrides, "NAME=VALUE: another value for a parameter of the model")
      ->allow_extra_args(false)
      ->check(check);
}

void add_rod_options(CLI::App& command, ModelOptions& options) {
  command
      .add_option("--rod", options.rod,
                  "The rods of a machine: equivalent (one K: 0 port) or traditional (three inertias)")
      ->check(CLI::IsMember({"equivalent", "traditional"}))
      ->capture_default_str();
  command.add_flag("--undriven", options.undriven,
                   "Without the machine's drives: free motion, traditional rods");
  add_hold_option(command, options);
}

void add_hold_option(CLI::App& command, ModelOptions& options) {
  command
      .add_option(
          "--hold", options.hold,
          "What keeps the joints of a machine in space together: springs (parameters joint_stiffness, "
          "joint_damping) or multipliers")
      ->check(CLI::IsMember({"springs", "multipliers"}))
      ->capture_default_str();
}

namespace {

/// `end in .svg, .png or .dot`; `end in .svg or be /dev/stdout`.
std::string describe_endings(const std::vector<std::string>& endings) {
  std::string text = "end in " + endings.front();
  for (std::size_t i = 1; i < endings.size(); ++i) {
    text += i + 1 < endings.size() ? ", " : " or ";
    text += (endings[i].front() == '/' ? "be " : "") + endings[i];
  }
  return text;
}

}  // namespace

std::function<std::string(const std::string&)> ends_in(std::vector<std::string> endings) {
  return [endings = std::move(endings)](const std::string& path) {
    const bool fits =
        std::any_of(endings.begin(), endings.end(), [&](const std::string& e) { return path.ends_with(e); });
    return fits ? std::string() : fmt::format("'{}' must {}", path, describe_endings(endings));
  };
}

std::optional<LoadedMachine> load_machine(const ModelOptions& options, Progress& progress) {
  progress.begin(Progress::reading);
  const text::Node root = text::build_yaml_from_file(options.path);
  if (!machine::is_machine(root) || spatial::is_spatial(root)) return std::nullopt;
  return load_planar(root, options, progress);
}

LoadedMachine load_planar(const text::Node& root, const ModelOptions& options, Progress& progress) {
  LoadedMachine loaded;
  loaded.drives = root.where;
  for (const text::Entry& entry : root.entries) {
    if (entry.key == "drives") loaded.drives = entry.where;
  }
  loaded.machine = machine::build_machine(root, options.path, options.overrides);
  progress.begin(Progress::assembling);
  loaded.assembly = machine::build_start_pose(loaded.machine);
  text::Faults faults;
  if (loaded.assembly.assembled)
    check_lengths(loaded.machine, loaded.assembly.pose, calc_size(loaded.machine), faults);
  faults.throw_if_any();
  progress.begin(Progress::mobility);
  loaded.mobility = machine::calc_mobility(loaded.machine, loaded.assembly);
  return loaded;
}

void check_start(const LoadedMachine& loaded, text::Faults& faults) {
  if (loaded.assembly.assembled) return;
  check_too_many(loaded, faults);
  if (faults.empty()) check_assembly(loaded, faults);
}

void check_ranges(const LoadedMachine& loaded, text::Faults& faults) {
  if (!loaded.assembly.assembled) return;
  constexpr double kRounding = 1e-9;  // as the engine's
  for (std::size_t d = 0; d < loaded.machine.drives.size(); ++d) {
    const machine::Drive& drive = loaded.machine.drives[d];
    const double start = loaded.assembly.drive_values[d];
    const double room = kRounding * (1 + std::abs(start));
    const bool below = drive.lower && start < drive.lower->value - room;
    const bool above = drive.upper && start > drive.upper->value + room;
    if (!below && !above) continue;
    faults.add(drive.where, fmt::format("drive '{}' starts at {:.6g}, outside its range ({} to {}): change "
                                        "'start' or the range",
                                        drive.name, start, drive.lower ? drive.lower->value : -INFINITY,
                                        drive.upper ? drive.upper->value : INFINITY));
  }
}

void check_drives(const LoadedMachine& loaded, bool undriven, text::Faults& faults) {
  check_start(loaded, faults);
  if (loaded.assembly.assembled) check_too_many(loaded, faults);
  if (undriven) return;
  if (!is_dynamic(loaded.machine)) check_too_few(loaded, faults);
  const bool is_free = loaded.mobility.free_motions > 0 && has_masses(loaded.machine);
  if (faults.empty() && is_free) dynamics::check_point_masses(loaded.machine, loaded.assembly, faults);
}

namespace {

struct HeldMachine {
  spatial::Machine machine;
  multibond::Options hold;
};

/// Parameters of the joints' springs are the graph's, not the machine's.
HeldMachine build_held_machine(const text::Node& root, const ModelOptions& options) {
  std::vector<std::string> overrides = options.overrides;
  multibond::Options hold;
  hold.hold = options.hold == "springs" ? multibond::Hold::spring : multibond::Hold::multiplier;
  take_override(overrides, "joint_stiffness", hold.stiffness);
  take_override(overrides, "joint_damping", hold.damping);
  return {spatial::build_machine(root, options.path, overrides), hold};
}

/// Of a bond-graph file, or of a machine in space: its multibond graph.
bondgraph::Graph build_graph(const ModelOptions& options) {
  const text::Node root = text::build_yaml_from_file(options.path);
  if (!machine::is_machine(root)) return bondgraph::build_graph(root, options.path, options.overrides);
  const HeldMachine held = build_held_machine(root, options);
  LoadedSpatial loaded;
  loaded.machine = held.machine;
  loaded.assembly = spatial::build_start_pose(loaded.machine);
  text::Faults faults;
  check_start(loaded, faults);
  faults.throw_if_any();
  return multibond::build_multibond(held.machine, held.hold);
}

bondgraph::Graph build_graph_of(const ModelOptions& options, const std::optional<LoadedMachine>& machine,
                                Progress& progress) {
  progress.begin(Progress::bond_graph);
  return machine ? machine::build_rods(machine->machine, rod_options(options, *machine))
                 : build_graph(options);
}

}  // namespace

spatial::Machine load_spatial_machine(const ModelOptions& options) {
  return build_held_machine(text::build_yaml_from_file(options.path), options).machine;
}

reduction::Model build_equations(const ModelOptions& options, const std::optional<LoadedMachine>& machine,
                                 Progress& progress) {
  reduction::Model model =
      reduction::build_model(build_graph_of(options, machine, progress), {},
                             [&](reduction::Stage stage) { progress.begin(find_stage(stage)); });
  reduction::check_symbols(model);
  progress.begin(Progress::writing);
  return model;
}

reduction::Hybrid build_configurations(const ModelOptions& options,
                                       const std::optional<LoadedMachine>& machine, Progress& progress) {
  bondgraph::Graph graph = build_graph_of(options, machine, progress);
  const auto begin = [&](reduction::Stage stage) { progress.begin(find_stage(stage)); };
  // a machine's stops are laws behind junctions: coefficients say all, and any number of stops may be
  const bool is_machine = machine || machine::is_machine(text::build_yaml_from_file(options.path));
  std::optional<reduction::Hybrid> gated = is_machine ? reduction::build_gated(graph, begin) : std::nullopt;
  reduction::Hybrid hybrid = gated ? std::move(*gated) : reduction::build_hybrid(std::move(graph), begin);
  reduction::check_symbols(hybrid.configurations.front().model);
  progress.begin(Progress::writing);
  return hybrid;
}

namespace {

/// Momenta of a machine that moves by its forces, from its start rates; none where it cannot.
void add_start_momenta(const LoadedMachine& loaded, std::vector<machine::StateStart>& starts) {
  try {
    const dynamics::Problem problem = dynamics::build_problem(loaded.machine, loaded.assembly);
    for (std::size_t b = 1; b < loaded.machine.bodies.size(); ++b) {
      const machine::Body& body = loaded.machine.bodies[b];
      const auto at = static_cast<Eigen::Index>(3 * (b - 1));
      if (!body.mass || !body.inertia) continue;
      starts.push_back({body.name + ".Ix.momentum", body.mass->value * problem.v[at]});
      starts.push_back({body.name + ".Iy.momentum", body.mass->value * problem.v[at + 1]});
      starts.push_back({body.name + ".J.momentum", body.inertia->value * problem.v[at + 2]});
    }
  } catch (const text::ModelError&) {
    return;  // the equations stand even so
  }
}

}  // namespace

MachinePositions build_machine_positions(const ModelOptions& options, const LoadedMachine& loaded) {
  const machine::RodOptions rods = rod_options(options, loaded);
  MachinePositions positions{machine::build_positions(loaded.machine, rods),
                             machine::calc_state_starts(loaded.machine, rods, loaded.assembly.pose)};
  if (rods.forces) add_start_momenta(loaded, positions.starts);
  return positions;
}

bool has_all_masses(const LoadedMachine& loaded) {
  const auto& bodies = loaded.machine.bodies;
  return std::all_of(bodies.begin() + 1, bodies.end(),
                     [](const machine::Body& body) { return body.mass && body.inertia; });
}

std::optional<reduction::Model> build_loaded_model(const ModelOptions& options, const LoadedMachine& loaded) {
  machine::RodOptions rods = rod_options(options, loaded);
  if (!rods.driven || loaded.mobility.free_motions > 0) return std::nullopt;
  if (has_all_masses(loaded)) {
    rods.form = machine::RodForm::traditional;
    rods.forces = true;
  }
  bondgraph::Graph graph = machine::build_rods(loaded.machine, rods);
  const auto switches = [](const bondgraph::Element& element) { return element.condition.has_value(); };
  if (std::any_of(graph.elements.begin(), graph.elements.end(), switches)) return std::nullopt;
  return reduction::build_differentiated(reduction::build_model(std::move(graph)));
}

std::optional<LoadedMachine> load_checked_machine(const ModelOptions& options, Progress& progress) {
  std::optional<LoadedMachine> machine = load_machine(options, progress);
  if (machine) {
    text::Faults faults;
    check_drives(*machine, options.undriven, faults);
    faults.throw_if_any();
  }
  return machine;
}

LoadedModel load_model(const ModelOptions& options, Progress& progress) {
  LoadedModel loaded;
  loaded.machine = load_checked_machine(options, progress);
  loaded.model = build_equations(options, loaded.machine, progress);
  loaded.spatial = !loaded.machine && machine::is_machine(text::build_yaml_from_file(options.path));
  return loaded;
}

}  // namespace rodeo::tools
