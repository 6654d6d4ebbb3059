// SPDX-License-Identifier: MIT
// bin/rodeo finds ../share/rodeo/configs; build/rodeo and build/release/rodeo find the source tree's configs/.
#include "tools/rodeo/configs_path.h"

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;

/// How far above the program the source tree may be: build/<preset>/rodeo.
constexpr int kMostLevels = 4;

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

}  // namespace rodeo::tools
