// SPDX-License-Identifier: MIT
// The machine file as a whole: which keys it has, and the order in which its parts need each other.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "kinematics/machine/machine.h"
#include "kinematics/machine/reader.h"

namespace rodeo::machine {
namespace {

using text::MapReader;
using text::Node;

/// The file's own name serves a machine that has none.
void read_name(Reader& reader, const Node* name, const std::string& file) {
  reader.machine.name = name != nullptr ? name->scalar : std::filesystem::path(file).stem().string();
  if (name != nullptr) check_name(reader, name->scalar, name->where, fmt::format("name '{}'", name->scalar));
}

void read_gravity(Reader& reader, const Node* gravity) {
  if (gravity == nullptr) return;
  const QuantityPair g = read_pair(reader, *gravity, "gravity");
  reader.machine.gravity_x = g.x;
  reader.machine.gravity_y = g.y;
}

constexpr auto kMachineKeys =
    std::to_array<const char*>({"bodies", "drawing", "ground", "joints", "drives", "forces"});
constexpr auto kGraphKeys = std::to_array<const char*>({"elements", "junctions", "bonds", "signals"});

template <class Keys>
bool has_one(const Node& root, const Keys& keys) {
  return std::any_of(keys.begin(), keys.end(), [&](const char* key) { return root.find(key) != nullptr; });
}

/// A key such as `bodys:`, a typo of one of these; null if there is none.
template <class Keys>
const text::Entry* find_typo(const Node& root, const Keys& keys) {
  const std::vector<std::string> names(keys.begin(), keys.end());
  const auto found = std::find_if(root.entries.begin(), root.entries.end(), [&](const text::Entry& entry) {
    return !text::did_you_mean(entry.key, names).empty();
  });
  return found == root.entries.end() ? nullptr : &*found;
}

/// `ground:` and `bodies:`, or `drawing:`. Without either there is nothing that the rest could refer to.
void read_shape(Reader& reader, MapReader& map, const Node& root) {
  const Node* ground = map.find("ground");
  const Node* bodies = map.find("bodies");
  const Node* drawing = map.find("drawing");
  if (bodies == nullptr && drawing == nullptr) {
    fault_no_shape(root, reader.faults);
    reader.faults.throw_if_any();
  }
  if (drawing != nullptr && (bodies != nullptr || ground != nullptr)) {
    reader.faults.add(drawing->where, fmt::format("machine: it has both '{}' and 'drawing': keep one of them",
                                                  bodies != nullptr ? "bodies" : "ground"));
    reader.faults.throw_if_any();
  }
  if (drawing != nullptr) {
    read_drawing(reader, *drawing);
  } else {
    read_bodies(reader, ground, *bodies);
  }
}

void read_all(Reader& reader, const Node& root, const std::vector<std::string>& overrides) {
  MapReader map(root, "machine", reader.faults);
  Machine& machine = reader.machine;
  read_name(reader, map.find("name"), machine.file);
  machine.parameters = expr::read_parameters(map.find("parameters"), overrides, reader.faults);
  reader.scope = expr::build_parameter_scope(machine.parameters);
  read_shape(reader, map, root);
  read_joints(reader, reader.is_drawing ? map.find("joints") : map.require("joints"));
  add_pins(reader);
  index_joints(reader);
  read_drives(reader, map.find("drives"));
  read_start(reader, map.find("start"));
  read_outputs(reader, map.find("outputs"));
  read_gravity(reader, map.find("gravity"));
  read_forces(reader, map.find("forces"));
  map.finish();
  if (reader.faults.empty()) check_measures(reader);  // bodies and points that are not there have been told
  check_symbols(reader);
}

}  // namespace

bool is_machine(const Node& root) {
  if (root.find("bodies") != nullptr || root.find("drawing") != nullptr) return true;
  if (has_one(root, kGraphKeys)) return false;
  if (has_one(root, kMachineKeys) || find_typo(root, kMachineKeys) != nullptr) return true;
  if (find_typo(root, kGraphKeys) != nullptr) return false;
  std::vector<std::string> keys;
  for (const text::Entry& entry : root.entries) keys.push_back(fmt::format("'{}'", entry.key));
  throw text::ModelError(
      root.where,
      fmt::format("this is neither a machine, which has 'bodies' (or 'drawing') and 'joints', nor a "
                  "bond graph, which has 'elements', 'junctions' and 'bonds': it has {} only; begin "
                  "with a file that 'rodeo new NAME' writes",
                  text::join_names(keys)));
}

void fault_no_shape(const Node& root, text::Faults& faults) {
  constexpr auto kShapes = std::to_array<const char*>({"bodies", "drawing"});
  const text::Entry* typo = find_typo(root, kShapes);
  if (typo == nullptr) return faults.add(root.where, "machine: key 'bodies' is missing (or 'drawing')");
  faults.add(typo->where, fmt::format("machine: unknown key '{}'{}", typo->key,
                                      text::did_you_mean(typo->key, {kShapes.begin(), kShapes.end()})));
}

Machine build_machine(const Node& root, const std::string& file, const std::vector<std::string>& overrides) {
  Reader reader;
  reader.machine.file = file;
  reader.machine.where = text::build_where(file);
  read_all(reader, root, overrides);
  reader.faults.throw_if_any();
  return std::move(reader.machine);
}

Machine build_machine_from_file(const std::string& path, const std::vector<std::string>& overrides) {
  return build_machine(text::build_yaml_from_file(path), path, overrides);
}

}  // namespace rodeo::machine
