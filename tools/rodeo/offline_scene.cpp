// SPDX-License-Identifier: MIT
// Meshes and what they name. meshes/sources.json lists every copied file with where it came from and how that looked.
#include "tools/rodeo/offline_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/io/printable.h"
#include "kinematics/machine/scene.h"
#include "kinematics/text/named_file.h"
#include "tools/rodeo/offline_spatial_scene.h"
#include "tools/rodeo/output.h"

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Copy {
  fs::path source, target;  // target from the folder
};

/// Size and time of last change; empty if it is not there.
std::string stamp(const fs::path& file) {
  std::error_code gone;
  const auto size = fs::file_size(file, gone);
  if (gone) return "";
  return fmt::format("{} {}", size, fs::last_write_time(file, gone).time_since_epoch().count());
}

/// The file names after one of these words at the begin of a line.
std::vector<std::string> find_named_files(const fs::path& file, const std::vector<std::string>& words) {
  std::vector<std::string> names;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream rest(line);
    std::string word, name, last;
    rest >> word;
    if (std::find(words.begin(), words.end(), word) == words.end()) continue;
    while (rest >> name) last = name;  // options of a picture stand before its name
    if (!last.empty()) names.push_back(last);
  }
  return names;
}

/// Only below the file's own folder: what it names by an absolute path, by `..` or through a link stays where it is.
void add_companions(const Copy& copy, const std::vector<std::string>& words, std::vector<Copy>& list) {
  for (const std::string& name : find_named_files(copy.source, words)) {
    if (const auto found = text::find_named_file(copy.source, name, text::Library::none))
      list.push_back({*found, copy.target.parent_path() / name});
  }
}

/// A mesh, the materials that it names, and the pictures that those name.
std::vector<Copy> find_files(const fs::path& source, const fs::path& target) {
  std::vector<Copy> list{{source, target}};
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Copy copy = list[i];
    if (copy.source.extension() == ".obj") add_companions(copy, {"mtllib"}, list);
    if (copy.source.extension() == ".mtl")
      add_companions(copy, {"map_Kd", "map_Ka", "map_Ks", "map_Bump"}, list);
  }
  return list;
}

void copy_file(const Copy& copy, const fs::path& folder) {
  std::error_code failure;
  fs::create_directories((folder / copy.target).parent_path(), failure);
  fs::copy_file(copy.source, folder / copy.target, fs::copy_options::overwrite_existing, failure);
}

template <typename Body>
void warn_of_missing(const Body& body) {
  engine::print_sentence(
      "{}:{}: body '{}': the mesh '{}' is not there: the viewer draws the body from its points",
      *body.where.file, body.where.line, body.name, body.look.mesh);
}

/// Copies the meshes of all bodies; where each is in the folder, empty where it has none.
template <typename Machine>
std::vector<std::string> copy_meshes(const Machine& machine, const fs::path& folder) {
  std::vector<std::string> meshes;
  json sources = json::array();
  for (const auto& body : machine.bodies) {
    meshes.emplace_back();
    if (body.look.mesh.empty()) continue;
    const fs::path target = fs::path("meshes") / body.name / fs::path(body.look.mesh).filename();
    meshes.back() = target.string();
    const auto source = text::find_named_file(machine.file, body.look.mesh, text::Library::meshes);
    if (!source) {
      warn_of_missing(body);
      sources.push_back({{"model", fs::absolute(machine.file).string()}, {"missing", body.look.mesh}});
      continue;
    }
    for (const Copy& copy : find_files(fs::absolute(*source), target)) {
      copy_file(copy, folder);
      sources.push_back({{"source", copy.source.string()}, {"stamp", stamp(copy.source)}});
    }
  }
  if (sources.empty()) return meshes;
  fs::create_directories(folder / "meshes");
  write_file((folder / "meshes" / "sources.json").string(), sources.dump(1) + "\n");
  return meshes;
}

/// Whether a copied file looks otherwise by now, or one that was missing is there.
bool has_changed(const json& entry) {
  if (entry.contains("source")) return stamp(entry.at("source").get<std::string>()) != entry.at("stamp");
  return text::find_named_file(entry.at("model").get<std::string>(), entry.at("missing").get<std::string>(),
                               text::Library::meshes)
      .has_value();
}

}  // namespace

void write_scene(const LoadedMachine& loaded, const fs::path& folder) {
  const std::vector<std::string> meshes = copy_meshes(loaded.machine, folder);
  write_file((folder / "scene.json").string(), machine::scene_json(loaded.machine, loaded.assembly, meshes));
}

void write_scene(const spatial::Machine& machine, const spatial::Assembly& start, const fs::path& folder) {
  const std::vector<std::string> meshes = copy_meshes(machine, folder);
  write_file((folder / "scene.json").string(), spatial_scene_json(machine, start, meshes));
}

bool has_other_meshes(const fs::path& folder) {
  std::ifstream stream(folder / "meshes" / "sources.json");
  if (!stream) return false;
  const json sources = json::parse(stream, nullptr, false);
  return std::any_of(sources.begin(), sources.end(), has_changed);
}

}  // namespace rodeo::tools
