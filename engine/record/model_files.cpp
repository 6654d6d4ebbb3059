// SPDX-License-Identifier: MIT
// A model folder into memory and, for the dynamic linker, which knows files only, out of it again.
#include "engine/record/model_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "engine/kernel/checksums.h"

namespace rodeo::engine {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kInterface = "interface.json";
/// What a person, another processor or a viewer may want; the engine does without.
constexpr std::array kOthers{"kernel.c", "rodeo_kernel.h", "scene.json"};

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

/// A name from a recording must stay in the folder that it is put into.
bool is_plain(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && fs::path(name).filename() == name;
}

class PrivateFolder {
 public:
  explicit PrivateFolder(const std::string& where) {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "rodeo_recording_XXXXXX").string();
    if (error || ::mkdtemp(name.data()) == nullptr) {
      refuse(where, fmt::format("its kernel needs a temporary folder, and '{}' cannot be made", name));
    }
    path_ = name;
  }
  ~PrivateFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  void put(const ModelFile& file, const std::string& where) const {
    if (!is_plain(file.name)) refuse(where, fmt::format("attached '{}' is no file name", file.name));
    std::ofstream out(path_ / file.name, std::ios::binary);
    out.write(file.bytes.data(), static_cast<std::streamsize>(file.bytes.size()));
    out.close();
    if (!out) refuse(where, fmt::format("attached {} cannot be written to '{}'", file.name, path_.string()));
  }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

/// Errors name a folder that nobody has ever seen: they shall name the recording.
std::string rename_folder(std::string text, const std::string& folder, const std::string& where) {
  for (std::size_t at = 0; (at = text.find(folder, at)) != std::string::npos;) {
    const bool is_file = text.compare(at + folder.size(), 1, "/") == 0;
    const std::string name = is_file ? where + ": attached " : where;
    text.replace(at, folder.size() + (is_file ? 1 : 0), name);
    at += name.size();
  }
  return text;
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

ModelFolder build_model(const ModelFiles& files, const std::string& where) {
  const PrivateFolder folder(where);
  for (const ModelFile& file : files) folder.put(file, where);
  try {
    write_checksums(folder.path());  // the recording has its own
    ModelFolder model = ModelFolder::build_from(folder.path());
    model.folder.clear();
    return model;
  } catch (const KernelError& error) {
    throw KernelError(rename_folder(error.what(), folder.path(), where));
  }
}

}  // namespace rodeo::engine
