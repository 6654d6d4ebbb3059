// SPDX-License-Identifier: MIT
// Reading interface.json. A folder may have been copied by hand, so everything is checked against the kernel.
#include "engine/step/model_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/files/checksums.h"

namespace rodeo::engine {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kInterface = "interface.json";
constexpr std::uintmax_t kMostInterfaceBytes = std::uintmax_t{64} << 20;
/// A start that rounding put beside the range is within it.
constexpr double kRangeRounding = 1e-9;

[[noreturn]] void refuse(const std::string& where, const std::string& why) {
  throw KernelError(fmt::format("{}: {}", where, why));
}

json read_interface(const std::string& folder, const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) refuse(folder, "there is no such folder");
  if (!fs::is_directory(folder, ignored)) refuse(folder, "is no folder made by 'rodeo build'");
  if (!fs::exists(path, ignored)) {
    refuse(folder, fmt::format("is no folder made by 'rodeo build' (it has no {})", kInterface));
  }
  if (fs::file_size(path, ignored) > kMostInterfaceBytes)
    refuse(path, fmt::format("is larger than {} MB: build it again", kMostInterfaceBytes >> 20));
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(path, "cannot be read");
  json root = json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object()) refuse(path, "is cut off or no JSON: build it again");
  return root;
}

std::string read_text(const json& object, const char* key, const std::string& path) {
  const auto it = object.find(key);
  if (it == object.end() || !it->is_string()) {
    refuse(path, fmt::format("has no text '{}': build it again", key));
  }
  return it->get<std::string>();
}

/// nullopt for null or nothing.
std::optional<double> read_number(const json& object, const char* key, const std::string& path) {
  const auto it = object.find(key);
  if (it == object.end() || it->is_null()) return std::nullopt;
  if (!it->is_number() || !std::isfinite(it->get<double>())) {
    refuse(path, fmt::format("'{}' is {}, not a number", key, it->dump()));
  }
  return it->get<double>();
}

/// Throws KernelError if the kernel is of another model than interface.json.
void check_fingerprint(const json& root, const Kernel& kernel, const std::string& file,
                       const std::string& where, const std::string& path) {
  const std::string fingerprint = read_text(root, "model_fingerprint", path);
  if (fingerprint == kernel.model_fingerprint()) return;
  constexpr std::size_t kEnough = 12;
  refuse(where, fmt::format("{} is of model {:.{}}, {} of model {:.{}}: build it again", kInterface,
                            fingerprint, kEnough, file, kernel.model_fingerprint(), kEnough));
}

Kernel load_kernel(const json& root, const std::string& folder, const std::string& path) {
  const std::string file = read_text(root, "kernel", path);
  if (fs::path(file).filename() != file || file == ".." || file == ".") {
    refuse(path, fmt::format("'kernel' is '{}', it must be a file of the same folder", file));
  }
  if (const auto damage = find_damage(folder, {kInterface, file}); !damage.empty())
    throw KernelError(damage.front());
  Kernel kernel = Kernel::build_from_file((fs::path(folder) / file).string());
  check_fingerprint(root, kernel, file, folder, path);
  return kernel;
}

json parse_interface(const std::string& text, const std::string& where) {
  json root = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object()) refuse(where, fmt::format("attached {} is cut off or no JSON", kInterface));
  return root;
}

DriveLimits read_limits(const json& drive, const std::string& name, const std::string& path) {
  const DriveLimits limits{read_number(drive, "lower", path), read_number(drive, "upper", path),
                           read_number(drive, "speed", path), read_number(drive, "acceleration", path),
                           read_number(drive, "jerk", path)};
  const auto check = [&](bool is_well, const char* rule) {
    if (!is_well) refuse(path, fmt::format("drive '{}': {}", name, rule));
  };
  check(!limits.lower || !limits.upper || *limits.lower <= *limits.upper, "lower must not exceed upper");
  check(!limits.speed || *limits.speed > 0, "speed must be positive");
  check(!limits.acceleration || *limits.acceleration > 0, "acceleration must be positive");
  check(!limits.jerk || *limits.jerk > 0, "jerk must be positive");
  check(!limits.jerk || limits.acceleration, "jerk needs an acceleration");
  return limits;
}

/// `start`, moved into the range if a rounding put it beside.
double check_start(double start, const DriveLimits& limits, const std::string& name,
                   const std::string& path) {
  const double inside = std::max(std::min(start, limits.upper.value_or(start)), limits.lower.value_or(start));
  if (std::abs(inside - start) <= kRangeRounding * (1 + std::abs(start))) return inside;
  refuse(path,
         fmt::format("drive '{}' starts at {}, outside its range ({} to {}): change the start or the range",
                     name, start, limits.lower.value_or(-INFINITY), limits.upper.value_or(INFINITY)));
}

void read_drives(const json& root, ModelFolder& model, const std::string& path) {
  const json drives = root.value("drives", json::array());
  const std::vector<std::string> names = build_names(model.kernel.drives());
  if (!drives.is_array() || drives.size() != names.size()) {
    refuse(path, fmt::format("does not list the kernel's {} drives: build it again", names.size()));
  }
  for (std::size_t d = 0; d < names.size(); ++d) {
    const json& drive = drives[d];
    if (!drive.is_object() || read_text(drive, "name", path) != names[d]) {
      refuse(path, fmt::format("drive {} is not the kernel's '{}': build it again", d + 1, names[d]));
    }
    model.limits.push_back(read_limits(drive, names[d], path));
    model.start[d] = read_number(drive, "start", path).value_or(model.start[d]);
    model.start[d] = check_start(model.start[d], model.limits[d], names[d], path);
  }
}

void read_parameters(const json& root, ModelFolder& model, const std::string& path) {
  const json parameters = root.value("parameters", json::array());
  if (!parameters.is_array()) refuse(path, "'parameters' is no list");
  const std::vector<std::string> known = build_names(model.kernel.parameters());
  for (const json& parameter : parameters) {
    if (!parameter.is_object()) refuse(path, "'parameters' is no list of objects");
    const std::string name = read_text(parameter, "name", path);
    const auto value = read_number(parameter, "value", path);
    if (!value) continue;
    if (std::find(known.begin(), known.end(), name) == known.end())
      refuse(path,
             fmt::format("the kernel has no parameter '{}', so {} is of another machine: build it again",
                         name, kInterface));
    model.set_parameter(name, *value);
  }
}

void read_notes(const json& root, ModelFolder& model, const std::string& path) {
  const json notes = root.value("notes", json::array());
  if (!notes.is_array()) refuse(path, "'notes' is no list");
  for (const json& note : notes) {
    if (!note.is_string()) refuse(path, "'notes' is no list of texts");
    model.notes.push_back(note.get<std::string>());
  }
}

void read_stiff_elements(const json& root, ModelFolder& model, const std::string& path) {
  const json elements = root.value("stiff_elements", json::array());
  if (!elements.is_array()) refuse(path, "'stiff_elements' is no list");
  for (const json& element : elements) {
    if (!element.is_object()) refuse(path, "'stiff_elements' is no list of objects");
    model.stiff.push_back({read_text(element, "name", path),
                           {read_number(element, "real", path).value_or(0),
                            read_number(element, "imaginary", path).value_or(0)}});
  }
}

/// `[{"name": "tip.x", "unit": "m"}]`; nothing where there is no such list. Parameters have no unit.
std::vector<KernelNames::Channel> read_channels(const json& root, const char* key, const std::string& path) {
  std::vector<KernelNames::Channel> channels;
  const json list = root.value(key, json::array());
  if (!list.is_array()) refuse(path, fmt::format("'{}' is no list", key));
  for (const json& item : list) {
    if (!item.is_object()) refuse(path, fmt::format("'{}' is no list of objects", key));
    channels.push_back(
        {read_text(item, "name", path), item.contains("unit") ? read_text(item, "unit", path) : ""});
  }
  return channels;
}

ModelFolder build_model(const json& root, Kernel kernel, const std::string& folder, const std::string& path) {
  const auto parameters = kernel.default_parameters();
  const auto start = kernel.start_drives();
  ModelFolder model{read_text(root, "name", path),
                    std::move(kernel),
                    {},
                    {parameters.begin(), parameters.end()},
                    {start.begin(), start.end()},
                    folder};
  read_parameters(root, model, path);
  read_drives(root, model, path);
  read_notes(root, model, path);
  read_stiff_elements(root, model, path);
  model.finds_jumps = root.value("finds_jumps", json(false)) == json(true);
  if (root.contains("method")) model.method = read_text(root, "method", path);
  return model;
}

}  // namespace

ModelFolder ModelFolder::build_from(const std::string& folder) {
  const std::string path = (fs::path(folder) / kInterface).string();
  const json root = read_interface(folder, path);
  return build_model(root, load_kernel(root, folder, path), folder, path);
}

ModelFolder ModelFolder::build_from_parts(const std::string& interface_text, std::string_view kernel,
                                          const std::string& where) {
  const json root = parse_interface(interface_text, where);
  const std::string file = read_text(root, "kernel", where);
  Kernel loaded = Kernel::build_from_bytes(kernel, fmt::format("{}: attached {}", where, file));
  check_fingerprint(root, loaded, file, where, where);
  return build_model(root, std::move(loaded), "", where);
}

ModelFolder ModelFolder::build_inert(const std::string& interface_text, const std::string& where) {
  const json root = parse_interface(interface_text, where);
  KernelNames names{read_text(root, "name", where),
                    read_text(root, "model_fingerprint", where),
                    read_channels(root, "parameters", where),
                    read_channels(root, "drives", where),
                    read_channels(root, "channels", where),
                    read_channels(root, "inputs", where),
                    read_channels(root, "loads", where),
                    {},
                    {}};
  for (const json& drive : root.value("drives", json::array()))
    names.start_drives.push_back(read_number(drive, "start", where).value_or(0));
  return build_model(root, Kernel::build_inert(std::move(names)), "", where);
}

void ModelFolder::set_parameter(const std::string& parameter, double value) {
  const std::vector<std::string> names = build_names(kernel.parameters());
  const auto found = std::find(names.begin(), names.end(), parameter);
  if (found == names.end()) {
    refuse(name, fmt::format("the kernel has no parameter '{}' (it has {})", parameter,
                             names.empty() ? "none" : fmt::to_string(fmt::join(names, ", "))));
  }
  parameters[static_cast<std::size_t>(found - names.begin())] = value;
}

}  // namespace rodeo::engine
