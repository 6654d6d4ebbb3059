// SPDX-License-Identifier: MIT
// The folder of a built machine. The compiler is the slow part: kernel.so is kept under the fingerprint of its source and
// flags; a whole folder under the fingerprint of the model's text and its overrides, so that nothing is even read twice.
#include "tools/rodeo/offline_build.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "kinematics/codegen/build.h"
#include "kinematics/codegen/certificate.h"
#include "kinematics/codegen/kernel_frame.h"
#include "tools/rodeo/offline_model.h"
#include "tools/rodeo/output.h"
#include "tools/rodeo/progress.h"

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;

fs::path cache_folder() {
  if (const char* given = std::getenv("RODEO_CACHE")) return given;
  if (const char* cache = std::getenv("XDG_CACHE_HOME")) return fs::path(cache) / "rodeo";
  if (const char* home = std::getenv("HOME")) return fs::path(home) / ".cache" / "rodeo";
  return fs::temp_directory_path() / "rodeo-cache";
}

std::string read_text(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// A folder that appears whole under its name or not at all.
class NewFolder {
 public:
  explicit NewFolder(fs::path target)
      : target_(std::move(target)), work_(target_.string() + fmt::format(".new{}", getpid())) {
    std::error_code failure;
    fs::create_directories(work_, failure);
    if (failure)
      throw OutputError(fmt::format("cannot make the folder '{}': {}", target_.string(), failure.message()));
  }
  ~NewFolder() {
    std::error_code ignored;
    fs::remove_all(work_, ignored);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  [[nodiscard]] const fs::path& path() const noexcept { return work_; }

  /// Takes the place of what an earlier build left; refuses to replace a folder that is something else.
  void keep() {
    std::error_code failure;
    if (fs::exists(target_) && !fs::is_empty(target_) && !fs::exists(target_ / "interface.json")) {
      throw OutputError(fmt::format("'{}' is there and is not a folder that rodeo build made: choose another",
                                    target_.string()));
    }
    fs::remove_all(target_, failure);
    fs::rename(work_, target_, failure);
    if (failure)
      throw OutputError(fmt::format("cannot write the folder '{}': {}", target_.string(), failure.message()));
  }

 private:
  fs::path target_;
  fs::path work_;
};

/// kernel.so of a kernel.c, from the cache where it is there.
void compile_cached(const codegen::Kernel& kernel, const fs::path& folder) {
  const std::string key = codegen::fingerprint_of(kernel.text.source + codegen::compiler_flags());
  const fs::path cached = cache_folder() / "kernels" / (key + ".so");
  std::error_code failure;
  if (fs::copy_file(cached, folder / "kernel.so", failure)) return;
  codegen::compile_kernel(folder.string());
  fs::create_directories(cached.parent_path(), failure);
  const fs::path draft = cached.string() + fmt::format(".new{}", getpid());
  fs::copy_file(folder / "kernel.so", draft, failure);
  if (!failure) fs::rename(draft, cached, failure);  // a cache that cannot be written is only slow
}

void write_all(const LoadedMachine& loaded, const fs::path& folder) {
  const codegen::Kernel kernel = codegen::build_kernel(loaded.machine, loaded.assembly, loaded.mobility);
  write_file((folder / "kernel.c").string(), kernel.text.source);
  write_file((folder / "rodeo_kernel.h").string(), codegen::kernel_header());
  compile_cached(kernel, folder);
  write_file((folder / "interface.json").string(),
             codegen::interface_json(loaded.machine, loaded.assembly, kernel));
  write_file((folder / "certificate.json").string(),
             codegen::certificate_json(loaded.machine, loaded.mobility, kernel));
}

LoadedMachine load_for_kernel(const std::string& path, const std::vector<std::string>& overrides) {
  ModelOptions options;
  options.path = path;
  options.overrides = overrides;
  Progress progress;
  std::optional<LoadedMachine> loaded = load_machine(options, progress);
  if (!loaded)
    throw text::ModelError(text::build_where(path),
                           "kernels are built from machine files; this is a bond graph");
  text::Faults faults;
  check_drives(*loaded, false, faults);
  faults.throw_if_any();
  return std::move(*loaded);
}

}  // namespace

std::string build_or_find_kernel(const std::string& path, const std::vector<std::string>& overrides) {
  std::string key =
      read_text(path) + '\0' + RODEO_VERSION + '\0' + codegen::kernel_math() + codegen::kernel_frame();
  for (const std::string& text : overrides) key += '\0' + text;
  const fs::path folder = cache_folder() / "models" / codegen::fingerprint_of(key);
  if (!fs::exists(folder / "certificate.json")) {
    const LoadedMachine loaded = load_for_kernel(path, overrides);
    NewFolder fresh(folder);
    write_all(loaded, fresh.path());
    fresh.keep();
  }
  return folder.string();
}

void copy_folder(const std::string& built, const std::string& target) {
  NewFolder fresh(target);
  for (const fs::directory_entry& entry : fs::directory_iterator(built))
    fs::copy_file(entry.path(), fresh.path() / entry.path().filename());
  fresh.keep();
}

}  // namespace rodeo::tools
