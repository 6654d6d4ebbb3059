// SPDX-License-Identifier: MIT
// Output files by engine/io's AtomicFile; what keeps one from being written is found before the work, where it can be.
#include "tools/rodeo/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "engine/io/log.h"

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;

/// The files of a built folder.
constexpr std::array kBuilt{"interface.json", "kernel.so",        "kernel.c",    "rodeo_kernel.h",
                            "scene.json",     "certificate.json", "source.json", "checksums.txt"};

/// Whether the file is in the folder or in one of its folders.
bool is_inside(const fs::path& file, const fs::path& folder) {
  std::error_code ignored;
  const fs::path whole = fs::weakly_canonical(file, ignored), top = fs::weakly_canonical(folder, ignored);
  return std::mismatch(top.begin(), top.end(), whole.begin(), whole.end()).first == top.end();
}

[[noreturn]] void refuse(const std::string& path, int error_number) {
  throw OutputError(
      fmt::format("cannot write '{}': {}", path, std::generic_category().message(error_number)));
}

[[noreturn]] void refuse_read(const std::string& path) {
  throw OutputError(fmt::format("cannot write '{}': it is what is read, choose another name", path));
}

}  // namespace

void check_not_read(const std::string& path, const std::vector<std::string>& read) {
  std::error_code ignored;
  const auto is_same = [&](const fs::path& each) { return fs::equivalent(path, each, ignored); };
  for (const fs::path each : read) {
    const bool is_part =
        std::any_of(kBuilt.begin(), kBuilt.end(), [&](const char* name) { return is_same(each / name); });
    if ((is_same(each) && !fs::is_directory(each, ignored)) || is_part) refuse_read(path);
  }
}

void check_holds_not_read(const std::string& folder, const std::string& read) {
  if (is_inside(read, folder)) refuse_read(folder);
}

void check_output(const std::string& path, const std::vector<std::string>& read) {
  check_not_read(path, read);
  if (path.empty()) refuse(path, ENOENT);
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) refuse(path, EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) return;
  const std::string folder = fs::path(engine::find_link_target(path)).parent_path().string();
  const std::string name = folder.empty() ? "." : folder;
  if (::access(name.c_str(), W_OK | X_OK) != 0) refuse(path, errno);
  if (!fs::is_directory(name, ignored)) refuse(path, ENOTDIR);
}

void write_file(const std::string& path, std::string_view text) {
  try {
    engine::AtomicFile file(path);
    file.write(text);
    file.finish();
  } catch (const engine::IoError& error) {
    throw OutputError(error.what());
  }
}

}  // namespace rodeo::tools
