// SPDX-License-Identifier: MIT
#include "tools/rodeo/offline_native.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "engine/files/checksums.h"
#include "kinematics/bondgraph/library.h"
#include "kinematics/text/fault.h"

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

fs::path find_list() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  const fs::path folder = config != nullptr && *config == '/' ? fs::path(config)
                          : home != nullptr                   ? fs::path(home) / ".config"
                                                              : fs::path();
  return folder.empty() ? folder : folder / "rodeo" / "trusted_libraries.txt";
}

/// A list that another user may have written says nothing.
bool is_own(const fs::path& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 && status.st_uid == ::geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::set<std::string> read_trusted() {
  std::set<std::string> checksums;
  const fs::path list = find_list();
  if (list.empty() || !is_own(list)) return checksums;
  std::istringstream lines(read_file(list));
  for (std::string line; std::getline(lines, line);) checksums.insert(line.substr(0, line.find(' ')));
  return checksums;
}

}  // namespace

void allow_native(const bondgraph::Graph& graph, bool is_allowed) {
  if (graph.native.empty()) return;
  const std::set<std::string> trusted = is_allowed ? std::set<std::string>() : read_trusted();
  for (const bondgraph::NativeCall& call : graph.native) {
    if (!is_allowed && !trusted.contains(engine::calc_checksum(read_file(call.library)))) {
      throw text::ModelError(
          call.where,
          fmt::format(
              "{} calls '{}' of {}, which is native code: give --allow-native if you trust whoever made it",
              call.user, call.function, fs::path(call.library).filename().string()));
    }
    bondgraph::allow_library(call.library);
  }
}

std::vector<std::string> build_native_notes(const bondgraph::Graph& graph) {
  std::vector<std::string> notes;
  for (const bondgraph::NativeCall& call : graph.native) {
    notes.push_back(fmt::format(
        "{} calls '{}' of {}, native code: it was not run here, and 'rodeo simulate' runs it with "
        "--allow-native only",
        call.user, call.function, fs::path(call.library).filename().string()));
  }
  return notes;
}

}  // namespace rodeo::tools
