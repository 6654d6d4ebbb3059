// SPDX-License-Identifier: MIT
#include "tools/rodeo/kernel_trust.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/files/checksums.h"
#include "engine/loop/rights.h"
#include "tools/rodeo/sandbox.h"
#include "tools/rodeo/user_cache.h"

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;

/// An empty file a kernel, named by its checksum.
fs::path find_mark(const std::string& bytes) {
  return find_cache() / "known" / engine::calc_checksum(bytes).substr(0, 64);
}

}  // namespace

void remember_kernel(const std::string& folder) {
  std::ostringstream bytes;
  bytes << std::ifstream(fs::path(folder) / "kernel.so", std::ios::binary).rdbuf();
  const fs::path mark = find_mark(bytes.str());
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
  return [recording, is_trusted](const engine::ModelFile& kernel) {
    if (is_known_kernel(kernel)) return engine::drop_capabilities();
    if (is_trusted) return give_up_rights();
    throw engine::KernelError(fmt::format(
        "{}: carries a kernel that was neither built nor run here: 'rodeo export', 'plot' and 'view' read it "
        "without running it; give --trust to run it all the same, without rights",
        recording));
  };
}

}  // namespace rodeo::tools
