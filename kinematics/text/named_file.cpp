// SPDX-License-Identifier: MIT
#include "kinematics/text/named_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace rodeo::text {
namespace {

namespace fs = std::filesystem;

/// In the source tree, and as installed.
std::vector<const char*> list_folders(Library library) {
  switch (library) {
    case Library::subsets: return {"configs/library", "share/rodeo/configs/library"};
    case Library::meshes: return {"assets", "share/rodeo/assets"};
    case Library::none: break;
  }
  return {};
}

bool is_below(const fs::path& file, const fs::path& folder) {
  const auto ends = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return ends.first == folder.end();
}

/// The file, if it is a regular one that really lies below the folder.
std::optional<fs::path> find_in(const fs::path& folder, const std::string& name) {
  std::error_code missing;
  const fs::path real = fs::canonical(folder / name, missing);
  if (missing || !fs::is_regular_file(real, missing)) return std::nullopt;
  const fs::path base = fs::canonical(folder.empty() ? "." : folder, missing);
  return !missing && is_below(real, base) ? std::optional(folder / name) : std::nullopt;
}

std::optional<fs::path> find_above(const fs::path& start, const std::string& name, Library library) {
  for (fs::path folder = start; !folder.empty(); folder = folder.parent_path()) {
    for (const char* each : list_folders(library)) {
      if (auto found = find_in(folder / each, name)) return found;
    }
    if (folder == folder.root_path()) break;
  }
  return std::nullopt;
}

}  // namespace

std::string find_name_fault(const std::string& name) {
  const fs::path path = name;
  if (path.is_relative() && std::find(path.begin(), path.end(), fs::path("..")) == path.end()) return "";
  return fmt::format(
      "'{}' leads out of the model's folder: a model names files below its own folder or those of the "
      "library",
      name);
}

std::optional<fs::path> find_named_file(const fs::path& model, const std::string& name, Library library) {
  if (name.empty() || !find_name_fault(name).empty()) return std::nullopt;
  const fs::path folder = model.parent_path();
  if (auto found = find_in(folder, name)) return found;
  if (library == Library::subsets) {
    if (auto found = find_in(folder / "library", name)) return found;
  }
  std::error_code ignored;
  if (auto found = find_above(fs::absolute(folder, ignored).lexically_normal(), name, library)) return found;
  return find_above(fs::read_symlink("/proc/self/exe", ignored).parent_path(), name, library);
}

}  // namespace rodeo::text
