// SPDX-License-Identifier: MIT
// The folder of a built machine. The compiler is the slow part: kernel.so is kept under the fingerprint of its source and
// flags; a whole folder under the fingerprint of the model's text and its overrides, so that nothing is even read twice.
#include "tools/rodeo/offline_build.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "engine/files/checksums.h"
#include "engine/kernel/kernel.h"
#include "engine/record/model_files.h"
#include "kinematics/codegen/build.h"
#include "kinematics/codegen/certificate.h"
#include "kinematics/codegen/columns.h"
#include "kinematics/codegen/kernel_frame.h"
#include "kinematics/codegen/spatial_kernel.h"
#include "kinematics/dynamics/problem.h"
#include "kinematics/machine/coordinates.h"
#include "kinematics/reduction/tearing.h"
#include "tools/rodeo/offline_freedom.h"
#include "tools/rodeo/offline_model.h"
#include "tools/rodeo/offline_notes.h"
#include "tools/rodeo/offline_scene.h"
#include "tools/rodeo/offline_spatial.h"
#include "tools/rodeo/offline_stiff.h"
#include "tools/rodeo/output.h"
#include "tools/rodeo/progress.h"
#include "tools/rodeo/user_cache.h"

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// kernel.so of a kernel.c, from the cache where it is there and undamaged.
void compile_cached(const codegen::Kernel& kernel, const fs::path& folder, codegen::Compilation how) {
  constexpr const char* kFile = "kernel.so";
  const std::string key = codegen::fingerprint_of(kernel.text.source + codegen::compiler_flags());
  const fs::path cached = find_cache() / "kernels" / key;
  if (engine::find_damage(cached.string(), {kFile}).empty()) {
    fs::copy_file(cached / kFile, folder / kFile, fs::copy_options::overwrite_existing);
    return;
  }
  codegen::compile_kernel(folder.string(), how);
  if (how == codegen::Compilation::quick) return;
  try {
    NewFolder fresh(cached);
    fs::copy_file(folder / kFile, fresh.path() / kFile);
    fresh.keep();
  } catch (const std::exception&) {
    return;  // a cache that is full or cannot be written is only slow
  }
}

/// What moves by forces needs some.
void check_free(const LoadedMachine& loaded, text::Faults& faults) {
  if (!faults.empty() || !loaded.assembly.assembled || loaded.mobility.free_motions <= 0) return;
  if (loaded.machine.drives.empty()) dynamics::check_forces(loaded.machine, faults);
}

LoadedMachine load_for_kernel(const std::string& path, const std::vector<std::string>& overrides) {
  ModelOptions options;
  options.path = path;
  options.overrides = overrides;
  Progress progress;
  std::optional<LoadedMachine> loaded = load_machine(options, progress);
  if (!loaded)
    throw text::ModelError(
        text::build_where(path),
        "this is a bond graph, and kernels are built from machines: run it with 'rodeo simulate'");
  text::Faults faults;
  check_drives(*loaded, false, faults);
  check_ranges(*loaded, faults);
  check_free(*loaded, faults);
  faults.throw_if_any();
  return std::move(*loaded);
}

/// Unless it is asked for: minimal, where angles and guides determine the motion.
std::string choose_method(const LoadedMachine& loaded, const std::string& asked) {
  if (!asked.empty() || loaded.mobility.free_motions == 0) return asked;
  const bool is_determined =
      !machine::choose_coordinates(loaded.machine, loaded.assembly, loaded.mobility).coordinates.empty();
  return is_determined ? "minimal" : "lagrange";
}

codegen::Kernel build_kernel(const LoadedMachine& loaded, const std::string& method) try {
  return codegen::build_kernel(
      loaded.machine, loaded.assembly, loaded.mobility, codegen::Folding::when_long,
      method == "lagrange" ? codegen::KernelMethod::lagrange : codegen::KernelMethod::minimal);
} catch (const reduction::SingularLoop&) {
  throw text::ModelError(
      loaded.drives,
      fmt::format("the drives do not determine how the bodies move: {} can move "
                  "freely{}; connect them, or choose other drives",
                  text::join_names(find_free_bodies(loaded)), describe_open_points(loaded.machine)));
}

/// The file's own kernel, if that of other parameters differs from it in its tables of numbers only. What is told about it
/// stays that of the other parameters: interface.json gives them to init().
std::optional<codegen::KernelText> find_shared(const std::optional<codegen::Kernel>& base,
                                               const codegen::Kernel& other) {
  if (!base || base->model.parameters.size() != other.model.parameters.size() ||
      base->model.drives.size() != other.model.drives.size() || other.model.free_count > 0)
    return std::nullopt;
  codegen::KernelModel model = other.model;
  model.parameters = base->model.parameters;
  model.start_states = base->model.start_states;
  for (std::size_t d = 0; d < model.drives.size(); ++d) model.drives[d].start = base->model.drives[d].start;
  const codegen::KernelText text = codegen::build_kernel_text(model);
  return text.source == base->text.source ? std::optional(base->text) : std::nullopt;
}

/// The kernel of a file without -p; none if the file needs -p to be a machine that moves.
std::optional<codegen::Kernel> try_base(const std::string& path) {
  try {
    return build_kernel(load_for_kernel(path, {}), "minimal");
  } catch (const text::ModelError&) {
    return std::nullopt;
  }
}

void write_kernel(const codegen::Kernel& kernel, const fs::path& folder, codegen::Compilation how) {
  write_file((folder / "rodeo_kernel.h").string(), codegen::kernel_header());
  write_file((folder / "kernel.c").string(), kernel.text.source);
  compile_cached(kernel, folder, how);
}

/// Whether init() of the compiled kernel leads to the pose that was assembled: it walks there from the file's own start.
bool starts_in_pose(const codegen::KernelModel& model, const fs::path& folder) {
  constexpr double kSamePose = 1e-6;  // radians or metres: far below a branch, far above rounding
  engine::Instance instance(engine::Kernel::build_from_file((folder / "kernel.so").string()));
  std::vector<double> parameters, positions, states(model.states.size());
  for (const expr::Parameter& parameter : model.parameters) parameters.push_back(parameter.number);
  for (const codegen::DriveChannel& drive : model.drives) positions.push_back(drive.start);
  if (instance.try_init(parameters, positions) != engine::KernelStatus::ok) return false;
  instance.get_state(states);
  for (std::size_t s = 0; s < states.size(); ++s) {
    if (!(std::abs(states[s] - model.start_states[s]) < kSamePose)) return false;
  }
  return true;
}

/// None where the file is something else. Throws ModelError for what keeps it from moving.
std::optional<LoadedSpatial> load_spatial_for_kernel(const std::string& path,
                                                     const std::vector<std::string>& overrides) {
  Progress progress;
  std::optional<LoadedSpatial> loaded = load_spatial({.path = path, .overrides = overrides}, progress);
  if (!loaded) return std::nullopt;
  text::Faults faults;
  check_drives(*loaded, faults);
  faults.throw_if_any();
  return loaded;
}

/// Every element of this name, for a message: `drive 'lift' and joint 'lift'`.
template <class Machine>
std::vector<text::Fault> find_named(const Machine& machine, const std::string& name) {
  std::vector<text::Fault> found;
  const auto look_at = [&](const char* kind, const auto& list) {
    for (const auto& item : list) {
      if (item.name == name) found.push_back({item.where, fmt::format("{} '{}'", kind, name)});
    }
  };
  look_at("body", machine.bodies);
  look_at("joint", machine.joints);
  look_at("drive", machine.drives);
  look_at("force", machine.forces);
  look_at("output", machine.outputs);
  return found;
}

/// One column a name: logs, packets and inputs are read by it.
template <class Machine>
void check_columns(const Machine& machine, const codegen::KernelModel& model) {
  text::Faults faults;
  for (const std::string& column : codegen::find_repeated_columns(model)) {
    std::vector<std::string> names;
    text::Where where = machine.where;
    for (const text::Fault& named : find_named(machine, column.substr(0, column.find('.')))) {
      names.push_back(named.text);
      where = named.where;
    }
    faults.add(where, fmt::format("column '{}' would be there twice ({}): give one of them another name",
                                  column, fmt::join(names, " and ")));
  }
  faults.throw_if_any();
}

void add_notes(const std::string& path, const std::vector<std::string>& overrides, codegen::Kernel& kernel) {
  for (const std::string& note : build_file_notes(path, overrides)) kernel.model.notes.push_back(note);
}

/// What a build is of. A recording carries it, and whoever has the same generator gets the same kernel.
void write_source(const std::string& path, const std::vector<std::string>& overrides,
                  const std::string& method, const fs::path& folder) {
  const nlohmann::ordered_json source{{"file", fs::path(path).filename().string()},
                                      {"text", read_text(path)},
                                      {"overrides", overrides},
                                      {"method", method}};
  write_file((folder / engine::kSourceFile).string(),
             source.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

/// Parameters are numbers in the kernel of a machine in space: with -p it is another.
void write_spatial(const LoadedSpatial& model, const std::vector<std::string>& overrides,
                   const fs::path& folder, codegen::Compilation how, bool draws) {
  codegen::Kernel kernel = codegen::build_spatial_kernel(model.machine, model.assembly, model.mobility);
  check_columns(model.machine, kernel.model);
  add_notes(model.machine.file, overrides, kernel);
  for (const std::string& missed : model.assembly.missed_starts) kernel.model.notes.push_back(missed);
  write_kernel(kernel, folder, how);
  write_file(
      (folder / "interface.json").string(),
      add_stiff_elements(codegen::spatial_interface_json(model.machine, model.assembly, kernel), model));
  if (draws) write_scene(model.machine, model.assembly, folder);
  write_file((folder / "certificate.json").string(),
             codegen::spatial_certificate_json(model.machine, model.mobility, kernel));
}

/// With -p the file's own kernel serves, if it can: nothing is compiled then, and what was recorded by one goes on in the
/// other.
void write_all(const std::string& path, const std::vector<std::string>& overrides, const std::string& method,
               const fs::path& folder, codegen::Compilation how, bool draws = true) {
  if (const auto model = load_spatial_for_kernel(path, overrides))
    return write_spatial(*model, overrides, folder, how, draws);
  // First, so that its text is what a build without -p writes: the order of creation orders sums.
  const std::optional<codegen::Kernel> base =
      overrides.empty() || method == "lagrange" ? std::nullopt : try_base(path);
  const LoadedMachine loaded = load_for_kernel(path, overrides);
  codegen::Kernel kernel = build_kernel(loaded, choose_method(loaded, method));
  check_columns(loaded.machine, kernel.model);
  add_notes(path, overrides, kernel);
  for (const std::string& missed : loaded.assembly.missed_starts) kernel.model.notes.push_back(missed);
  if (const auto shared = find_shared(base, kernel)) {
    const codegen::KernelText own = std::exchange(kernel.text, *shared);
    write_kernel(kernel, folder, how);
    if (!starts_in_pose(kernel.model, folder)) {
      kernel.text = own;
      write_kernel(kernel, folder, how);
    }
  } else {
    write_kernel(kernel, folder, how);
  }
  write_file((folder / "interface.json").string(),
             add_stiff_elements(codegen::interface_json(loaded.machine, loaded.assembly, kernel), loaded));
  if (draws) write_scene(loaded, folder);
  write_file((folder / "certificate.json").string(),
             codegen::certificate_json(loaded.machine, loaded.mobility, kernel));
}

/// This very program: another build of it may write another kernel of the same model.
std::string program_identity() {
  std::error_code ignored;
  const fs::path self = "/proc/self/exe";
  return fmt::format("{} {}", fs::file_size(self, ignored),
                     fs::last_write_time(self, ignored).time_since_epoch().count());
}

/// Kernels in space have one method of free motion.
void check_method(const std::string& path, const fs::path& folder, const std::string& method) {
  if (method != "minimal") return;
  const auto interface = nlohmann::json::parse(read_text((folder / "interface.json").string()));
  if (interface.value("method", method) == method) return;
  throw CLI::ValidationError(
      "--method",
      fmt::format("kernels of machines in space, as '{}', move by lagrange: leave it out, or use 'rodeo "
                  "simulate --method minimal', which computes with the library instead of a kernel",
                  path));
}

std::string build_in_cache(const std::string& path, const std::vector<std::string>& overrides,
                           const std::string& method) {
  // The place too: the same text elsewhere names other meshes.
  const std::string place = fs::absolute(path).parent_path().string();
  std::string key = read_text(path) + '\0' + place + '\0' + RODEO_VERSION + '\0' + program_identity() + '\0' +
                    (method.empty() ? "best" : method);
  for (const std::string& text : overrides) key += '\0' + text;
  const fs::path folder = find_cache() / "models" / codegen::fingerprint_of(key);
  if (!engine::find_damage(folder.string(), {"interface.json", "certificate.json"}).empty() ||
      has_other_meshes(folder)) {
    clear_cache();
    NewFolder fresh(folder);
    write_all(path, overrides, method, fresh.path(), codegen::Compilation::optimised);
    write_source(path, overrides, method, fresh.path());
    fresh.keep();
  }
  check_method(path, folder, method);
  return folder.string();
}

}  // namespace

std::string build_or_find_kernel(const std::string& path, const std::vector<std::string>& overrides,
                                 const std::string& method) {
  try {
    return build_in_cache(path, overrides, method);
  } catch (const text::ModelError&) {
    throw;
  } catch (const CLI::Error&) {
    throw;
  } catch (const std::exception&) {
    if (!leave_full_cache()) throw;
  }
  return build_in_cache(path, overrides, method);  // a full disk is only slow
}

std::optional<std::string> build_same_kernel(const std::string& source,
                                             const std::string& kernel_source) try {
  const auto root = nlohmann::json::parse(source);
  const std::string name = root.at("file"), text = root.at("text"), method = root.at("method");
  const std::vector<std::string> overrides = root.at("overrides");
  if (fs::path(name).filename() != name || !name.ends_with(".yaml")) return std::nullopt;
  const fs::path folder = find_cache() / "models" /
                          codegen::fingerprint_of(source + '\0' + kernel_source + '\0' + program_identity());
  if (!engine::find_damage(folder.string(), {"interface.json", "kernel.so"}).empty()) {
    NewFolder fresh(folder);
    const fs::path place = fresh.path() / "machine";
    fs::create_directory(place);
    write_file((place / name).string(), text);
    write_all((place / name).string(), overrides, method, fresh.path(), codegen::Compilation::optimised,
              false);
    if (read_text(fresh.path() / "kernel.c") != kernel_source) return std::nullopt;
    fresh.keep();
  }
  return folder.string();
} catch (const nlohmann::json::exception&) {
  return std::nullopt;
} catch (const text::ModelError&) {
  return std::nullopt;
}

void build_trial(const std::string& path, const std::vector<std::string>& overrides,
                 const std::string& folder) {
  write_all(path, overrides, "", folder, codegen::Compilation::quick, false);
  engine::write_checksums(folder);
}

void check_build_target(const std::string& target) {
  if (!fs::exists(target)) return;
  if (fs::is_directory(target) && (fs::is_empty(target) || fs::exists(fs::path(target) / "interface.json")))
    return;
  throw OutputError(
      fmt::format("'{}' is there and is not a folder that rodeo build made: choose another", target));
}

void copy_folder(const std::string& built, const std::string& target,
                 const std::optional<engine::SecretKey>& key) {
  check_build_target(target);
  NewFolder fresh(target);
  try {
    fs::copy(built, fresh.path(), fs::copy_options::recursive);
  } catch (const fs::filesystem_error& error) {  // of a full disk it says 'Input/output error'
    std::error_code ignored;
    const bool is_full = fs::space(fresh.path(), ignored).available == 0;
    throw OutputError(
        fmt::format("cannot write '{}': {}", target,
                    is_full ? std::generic_category().message(ENOSPC) : error.code().message()));
  }
  fresh.keep(key);
}

}  // namespace rodeo::tools
