// SPDX-License-Identifier: MIT
// A model folder into memory.
#include "engine/record/model_files.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

namespace rodeo::engine {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kInterface = "interface.json";
/// What a person, another processor or a viewer may want; the engine does without.
constexpr std::array kOthers{"kernel.c", "rodeo_kernel.h", "scene.json", kSourceFile};

[[noreturn]] void refuse(const std::string& where, const std::string& why) {
  throw KernelError(fmt::format("{}: {}", where, why));
}

std::optional<std::string> read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return file.bad() ? std::nullopt : std::optional(bytes.str());
}

ModelFile read_needed(const fs::path& folder, const std::string& name) {
  auto bytes = read_file(folder / name);
  if (!bytes) refuse((folder / name).string(), "cannot be read for the recording");
  return {name, std::move(*bytes)};
}

std::string find_text(const json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

}  // namespace

ModelFiles build_model_files(const ModelFolder& model) {
  const fs::path folder = model.folder;
  ModelFiles files{read_needed(folder, kInterface)};
  const json root = json::parse(files.front().bytes, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object() || find_text(root, "model_fingerprint") != model.kernel.model_fingerprint()) {
    refuse(model.folder, "was built again while it was in use: start again");
  }
  files.push_back(read_needed(folder, find_text(root, "kernel")));
  for (const char* name : kOthers) {
    if (auto bytes = read_file(folder / name)) files.push_back({name, std::move(*bytes)});
  }
  return files;
}

}  // namespace rodeo::engine
