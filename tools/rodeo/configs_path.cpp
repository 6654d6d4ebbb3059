// SPDX-License-Identifier: MIT
// bin/rodeo finds ../share/rodeo/configs; build/rodeo and build/release/rodeo find the source tree's configs/.
#include "tools/rodeo/configs_path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;

/// How far above the program the source tree may be: build/<preset>/rodeo.
constexpr int kMostLevels = 4;

/// Folders of configs/ that hold no models of their own.
constexpr std::array<std::string_view, 6> kOthers{"channels",     "cycles",  "gamepads",
                                                  "graphs/parts", "library", "sites"};

bool is_configs(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / "four_bar.yaml", ignored);
}

}  // namespace

std::optional<fs::path> find_configs_from(const fs::path& bin) {
  const fs::path installed = bin.parent_path() / "share" / "rodeo" / "configs";
  if (is_configs(installed)) return installed;
  fs::path folder = bin;
  for (int level = 0; level < kMostLevels; ++level) {
    if (is_configs(folder / "configs")) return folder / "configs";
    folder = folder.parent_path();
  }
#ifdef RODEO_CONFIG_DIR
  if (is_configs(RODEO_CONFIG_DIR)) return RODEO_CONFIG_DIR;
#endif
  return std::nullopt;
}

std::optional<fs::path> find_configs() {
  std::error_code failure;
  const fs::path program = fs::read_symlink("/proc/self/exe", failure);
  return failure ? std::nullopt : find_configs_from(program.parent_path());
}

std::vector<std::string> list_examples(const fs::path& configs) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (auto at = fs::recursive_directory_iterator(configs, ignored); at != fs::recursive_directory_iterator();
       at.increment(ignored)) {
    const fs::path name = at->path().lexically_relative(configs);
    const bool is_other = std::find(kOthers.begin(), kOthers.end(), name.string()) != kOthers.end();
    if (at->is_directory(ignored) && is_other) at.disable_recursion_pending();
    if (name.extension() != ".yaml") continue;
    names.push_back((name.parent_path() / name.stem()).string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> find_examples(const fs::path& configs, const std::string& name) {
  const std::string stem = name.ends_with(".yaml") ? name.substr(0, name.size() - 5) : name;
  std::vector<std::string> found = list_examples(configs);
  if (std::find(found.begin(), found.end(), stem) != found.end()) return {stem};
  std::erase_if(found, [&](const std::string& each) { return fs::path(each).filename() != stem; });
  return found;
}

std::string find_model(const std::string& model) {
  std::error_code ignored;
  const auto configs = fs::exists(model, ignored) ? std::nullopt : find_configs();
  if (!configs) return model;
  const std::vector<std::string> found = find_examples(*configs, model);
  if (found.size() > 1) {
    throw CLI::ValidationError(
        fmt::format("there is no file '{}' here, and more than one example of "
                    "that name: give one of {}",
                    model, fmt::join(found, ", ")));
  }
  return found.empty() ? model : (*configs / (found.front() + ".yaml")).string();
}

CLI::Option* add_model_path_option(CLI::App& command, std::string& path, const std::string& what) {
  return command.add_option("MODEL", path, what + ", or the name of an example of configs/")
      ->transform(
          CLI::Validator([](std::string& text) { return text = find_model(text), std::string(); }, ""));
}

}  // namespace rodeo::tools
