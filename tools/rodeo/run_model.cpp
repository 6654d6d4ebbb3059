// SPDX-License-Identifier: MIT
// Finding what MODEL and --input name.
#include "tools/rodeo/run_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "engine/io/csv.h"
#include "engine/io/csv_range.h"
#include "engine/io/printable.h"
#include "engine/net/command_gate.h"
#include "engine/record/model_files.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/configs_path.h"
#include "tools/rodeo/kernel_trust.h"
#include "tools/rodeo/signing.h"
#ifdef RODEO_OFFLINE_BUILD
#include "tools/rodeo/offline_build.h"
#include "tools/rodeo/offline_overrides.h"
#endif

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;
using engine::KernelError;

std::string check_override(const std::string& text) {
  const bool is_well = text.find('=') != std::string::npos && text.front() != '=';
  return is_well ? std::string() : fmt::format("'{}' must be NAME=VALUE, as in -p L1=0.5", text);
}

/// A compiled kernel takes numbers; expressions are for the offline side.
void apply_override(engine::ModelFolder& model, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string value = text.substr(equals + 1);
  double number = 0;
  const auto result = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool is_number = result.ec == std::errc() && result.ptr == value.data() + value.size();
  if (!is_number || !std::isfinite(number)) {
    throw CLI::ValidationError("-p", fmt::format("'{}': a folder takes numbers only, as in -p L1=0.5", text));
  }
  model.set_parameter(text.substr(0, equals), number);
}

/// A folder without a source is none that 'rodeo build' made: its kernel takes what it knows.
void apply_overrides(engine::ModelFolder& model, const std::vector<std::string>& overrides) {
  for (const std::string& text : overrides) apply_override(model, text);
  std::error_code ignored;
  if (overrides.empty() || !fs::exists(fs::path(model.folder) / engine::kSourceFile, ignored)) return;
#ifdef RODEO_OFFLINE_BUILD
  apply_to_source(model, overrides);
#else
  throw KernelError(
      fmt::format("{}: this rodeo was built without the offline side, which -p needs: build the folder with "
                  "-p elsewhere",
                  model.folder));
#endif
}

std::string build_folder(const RunModelOptions& options) {
  std::error_code ignored;
  if (!fs::exists(options.path, ignored)) {
    throw KernelError(fmt::format("{}: there is no such file or folder", options.path));
  }
#ifdef RODEO_OFFLINE_BUILD
  return build_or_find_kernel(options.path, options.overrides, options.method);
#else
  throw KernelError(
      fmt::format("{}: this rodeo was built without the offline side: give it the folder that 'rodeo build' "
                  "made elsewhere",
                  options.path));
#endif
}

/// The phases that lie beside a cycle drive nothing.
std::vector<std::string> find_cycles(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".csv" && !name.ends_with("_phases")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The file that `name` means.
std::string find_input(const std::string& name) {
  std::error_code ignored;
  if (name == "-" || fs::exists(name, ignored)) return name;
  const auto configs = find_configs();
  const fs::path cycles = configs ? *configs / "cycles" : fs::path();
  const std::vector<std::string> names = find_cycles(cycles);
  if (std::find(names.begin(), names.end(), name) != names.end()) return (cycles / (name + ".csv")).string();
  throw engine::IoError(
      fmt::format("cannot read '{}': there is no such file, and no cycle of that name (there {})", name,
                  names.empty() ? "are none" : fmt::format("are {}", fmt::join(names, ", "))));
}

/// What the network would refuse is refused here, too: a payload below 0 kg is a slip of the pen.
void check_forces(const engine::CsvTable& table, const engine::MachineInterface& machine,
                  const std::string& path) {
  for (std::size_t i = 0; i < machine.forces.size(); ++i) {
    const engine::Channel& force = machine.forces[i];
    const bool is_mass = force.unit == "kg";
    for (std::size_t row = 0; row < table.row_count(); ++row) {
      const double value = table.value(row, machine.drives.size() + i);
      if (engine::is_force_in_range(force, value)) continue;
      throw engine::IoError(fmt::format(
          "{}: {} is {:.6g} {} at {:.6g} s: {}", path, force.name, value, force.unit, table.times[row],
          is_mass && value < 0 ? std::string("a mass is not below 0")
                               : fmt::format("the machine takes no more than {:g}", engine::kLargestForce)));
    }
  }
}

/// Notes of what the drives' limits clip; whether there is any.
bool print_beyond(const engine::CsvTable& table, const engine::MachineInterface& machine,
                  const std::string& path) {
  std::vector<engine::LimitedDrive> drives;
  for (std::size_t d = 0; d < machine.drives.size(); ++d)
    drives.push_back({machine.drives[d].name, machine.drives[d].unit, machine.limits[d]});
  const std::string file = path == "-" ? "standard input" : path;
  const std::vector<std::string> beyond = engine::list_beyond_limits(table, file, drives);
  for (const std::string& sentence : beyond) engine::print_sentence("note: {}", sentence);
  return !beyond.empty();
}

std::vector<std::string> build_names(const std::vector<engine::Channel>& channels) {
  std::vector<std::string> names;
  for (const engine::Channel& channel : channels) names.push_back(channel.name);
  return names;
}

}  // namespace

void add_run_model_options(CLI::App& command, RunModelOptions& options, [[maybe_unused]] bool takes_graphs) {
#ifdef RODEO_OFFLINE_BUILD
  const char* what = takes_graphs ? "A folder made by 'rodeo build', a machine file or a bond-graph file"
                                  : "A folder made by 'rodeo build', or a machine file";
#else
  const char* what = "A folder made by 'rodeo build'";
#endif
  add_model_path_option(command, options.path, what)->required();
  command.add_option("-p", options.overrides, "NAME=VALUE: another value for a parameter of the model")
      ->allow_extra_args(false)
      ->check(check_override);
  add_require_signature_option(command, options.public_keys);
}

void add_kernel_method_option(CLI::App& command, RunModelOptions& options) {
  command
      .add_option("--method", options.method,
                  "How it moves by its forces: minimal (if not given, where it can), as few coordinates as "
                  "can be; lagrange, all "
                  "coordinates with multipliers (in space always)")
      ->check(CLI::IsMember({"minimal", "lagrange"}));
}

engine::ModelFolder load_run_model(const RunModelOptions& options) {
  check_required_signature(options.path, options.public_keys);
  std::error_code ignored;
  if (!fs::is_directory(options.path, ignored)) {
    const std::string folder = build_folder(options);
    remember_kernel(folder);
    return engine::ModelFolder::build_from(folder);
  }
  engine::ModelFolder model = engine::ModelFolder::build_from(options.path);
  remember_kernel(options.path);
  if (!options.method.empty() && options.method != model.method) {
    throw CLI::ValidationError(
        "--method", fmt::format("'{}' is a folder of method {}: build one with 'rodeo build --method {}'",
                                options.path, model.method, options.method));
  }
  apply_overrides(model, options.overrides);
  return model;
}

std::unique_ptr<engine::Input> load_input(const std::string& name, const engine::MachineInterface& machine,
                                          bool* is_beyond) {
  const std::string path = find_input(name);
  engine::CsvTable table = engine::build_csv_from_file(
      path, build_names(machine.drives), engine::CsvColumns::drives, build_names(machine.forces));
  table.is_sampled.assign(machine.drives.size(), false);
  for (const engine::Channel& force : machine.forces)
    table.is_sampled.push_back(force.unit == "kg" || force.unit == "m");
  check_forces(table, machine, path);
  const bool is_noted = print_beyond(table, machine, path);
  if (is_beyond != nullptr) *is_beyond = is_noted;
  return std::make_unique<engine::CsvInput>(std::move(table));
}

std::unique_ptr<engine::Input> load_input(const std::string& name, const engine::ModelFolder& model,
                                          bool* is_beyond) {
  return load_input(name, engine::build_machine_interface(model), is_beyond);
}

void report_engine_errors(const std::function<void()>& work) {
  try {
    return work();
  } catch (const KernelError& error) {
    engine::print_sentence("{}", error.what());
  } catch (const engine::IoError& error) {
    engine::print_sentence("{}", error.what());
  }
  throw CLI::RuntimeError(input_wrong);
}

}  // namespace rodeo::tools
