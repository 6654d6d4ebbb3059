// SPDX-License-Identifier: MIT
#include "tools/rodeo/kernel_trust.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/files/checksums.h"
#include "engine/loop/rights.h"
#include "tools/rodeo/sandbox.h"
#include "tools/rodeo/user_cache.h"
#ifdef RODEO_OFFLINE_BUILD
#include "kinematics/codegen/build.h"
#include "tools/rodeo/offline_build.h"
#endif

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;

/// An empty file a kernel, named by its checksum.
fs::path find_mark(const std::string& bytes) {
  return find_cache() / "known" / engine::calc_checksum(bytes).substr(0, 64);
}

std::string read_kernel(const fs::path& folder) {
  std::ostringstream bytes;
  bytes << std::ifstream(folder / "kernel.so", std::ios::binary).rdbuf();
  return bytes.str();
}

/// Our own kernel.so of what the recording says that it was made of; none if it was made of something else, or if it cannot be made here,
/// which `hindrance` then tells.
std::optional<std::string> find_own([[maybe_unused]] const engine::ModelFiles& files,
                                    [[maybe_unused]] std::string& hindrance) {
#ifdef RODEO_OFFLINE_BUILD
  const auto find = [&](const char* name) {
    return std::find_if(files.begin(), files.end(),
                        [&](const engine::ModelFile& file) { return file.name == name; });
  };
  const auto source = find(engine::kSourceFile), text = find("kernel.c");
  if (source == files.end() || text == files.end()) return std::nullopt;
  try {
    if (const auto folder = build_same_kernel(source->bytes, text->bytes)) {
      remember_kernel(*folder);
      return read_kernel(*folder);
    }
  } catch (const codegen::NoCompiler&) {
    hindrance = ", and there is no C compiler 'cc' here to build it with";
  }
#endif
  return std::nullopt;
}

}  // namespace

void remember_kernel(const std::string& folder) {
  const fs::path mark = find_mark(read_kernel(folder));
  std::error_code ignored;
  if (fs::exists(mark, ignored)) return;
  fs::create_directories(mark.parent_path(), ignored);
  std::ofstream(mark, std::ios::app).flush();
}

bool is_known_kernel(const engine::ModelFile& kernel) {
  std::error_code ignored;
  return fs::exists(find_mark(kernel.bytes), ignored);
}

engine::KernelGate build_gate(const std::string& recording, bool is_trusted) {
  return [recording, is_trusted](const engine::ModelFile& kernel,
                                 const engine::ModelFiles& files) -> std::optional<std::string> {
    const bool is_known = is_known_kernel(kernel);
    is_trusted && !is_known ? give_up_rights() : engine::drop_capabilities();
    if (is_trusted || is_known) return std::nullopt;
    std::string hindrance;
    if (auto own = find_own(files, hindrance)) return own;
    throw engine::KernelError(
        fmt::format("{}: carries a kernel that was neither built nor run here{}: 'rodeo export', 'plot' and "
                    "'view' read it "
                    "without running it; give --trust to run it all the same, without rights",
                    recording, hindrance));
  };
}

}  // namespace rodeo::tools
