// SPDX-License-Identifier: MIT
// The spatial machine file as a whole.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "kinematics/spatial/reader.h"
#include "kinematics/text/yaml_hints.h"

namespace rodeo::spatial {
namespace {

using text::MapReader;
using text::Node;

/// Points of two and of three numbers, and those of three that may be two with a decimal comma, or look so by their blanks.
struct PointCounts {
  int planar = 0, spatial = 0, with_comma = 0, with_close_pair = 0;
};

/// [0,5, 0] and [0, 0,5], but not [L, 0, 0].
bool has_comma(const Node& point) {
  if (!point.scalar.empty()) return true;
  const auto is_zero = [](const Node& item) { return item.scalar == "0"; };
  return !text::find_comma_hint(point).empty() && !(is_zero(point.items[1]) && is_zero(point.items[2])) &&
         !(is_zero(point.items[0]) && is_zero(point.items[1]));
}

void count_points(const Node* body, PointCounts& counts) {
  const Node* points = body == nullptr ? nullptr : body->find("points");
  if (points == nullptr) return;
  const auto is_cut = [](const Node& item) { return !item.quoted && text::is_cut(item.scalar); };
  for (const text::Entry& point : points->entries) {
    const std::vector<Node>& items = point.value.items;  // two, cut at a comma, are three to YAML
    if (items.size() == 2) ++counts.planar;
    if (items.size() != 3 || std::any_of(items.begin(), items.end(), is_cut)) continue;
    ++counts.spatial;
    if (has_comma(point.value)) ++counts.with_comma;
    if (!point.value.scalar.empty()) ++counts.with_close_pair;
  }
}

void read_name(Reader& reader, const Node* name) {
  Machine& machine = reader.machine;
  machine.name = name != nullptr ? name->scalar : std::filesystem::path(machine.file).stem().string();
  if (name != nullptr)
    machine::check_name(reader.base, name->scalar, name->where, fmt::format("name '{}'", name->scalar));
}

void read_space(Reader& reader, const Node* space) {
  if (space == nullptr || space->scalar == "3") return;
  reader.base.faults.add(
      space->where, fmt::format("space: it is 3 for a machine in space, and not there for one in the plane, "
                                "not '{}'",
                                space->scalar));
}

void read_orientation(Reader& reader, const Node* node) {
  if (node == nullptr || node->scalar == "quaternion") return;
  reader.machine.orientation = Orientation::cardan;
  if (node->scalar == "cardan") return;
  reader.base.faults.add(node->where,
                         fmt::format("orientation: it is quaternion or cardan, not '{}'", node->scalar));
}

/// Without bodies there is nothing that the rest could refer to.
void read_shape(Reader& reader, MapReader& map, const Node& root) {
  const Node* ground = map.find("ground");
  const Node* bodies = map.find("bodies");
  const Node* drawing = map.find("drawing");
  if (bodies == nullptr && drawing == nullptr) machine::fault_no_shape(root, reader.base.faults);
  if (drawing != nullptr && (bodies != nullptr || ground != nullptr)) {
    reader.base.faults.add(drawing->where,
                           fmt::format("machine: it has both '{}' and 'drawing': keep one of them",
                                       bodies != nullptr ? "bodies" : "ground"));
  }
  reader.base.faults.throw_if_any();
  if (drawing != nullptr) {
    read_drawing(reader, *drawing);
  } else {
    read_bodies(reader, ground, *bodies);
  }
}

Where find_drives(const Node& root) {
  for (const text::Entry& entry : root.entries) {
    if (entry.key == "drives") return entry.where;
  }
  return root.where;
}

void read_all(Reader& reader, const Node& root, const std::vector<std::string>& overrides) {
  MapReader map(root, "machine", reader.base.faults);
  Machine& machine = reader.machine;
  machine.drives_where = find_drives(root);
  read_name(reader, map.find("name"));
  read_space(reader, map.find("space"));
  machine.parameters = expr::read_parameters(map.find("parameters"), overrides, reader.base.faults);
  reader.base.machine.parameters = machine.parameters;
  reader.base.scope = expr::build_parameter_scope(machine.parameters);
  read_orientation(reader, map.find("orientation"));
  read_shape(reader, map, root);
  if (reader.base.is_drawing) {
    read_drawn_joints(reader, map.find("joints"));
  } else {
    read_joints(reader, map.find("joints"));
  }
  read_drives(reader, map.find("drives"));
  read_start(reader, map.find("start"));
  read_outputs(reader, map.find("outputs"));
  if (const Node* gravity = map.find("gravity")) machine.gravity = read_triple(reader, *gravity, "gravity");
  read_forces(reader, map.find("forces"));
  map.finish();
  if (reader.base.faults.empty()) check_measures(reader);
}

}  // namespace

/// Among points of two numbers one like [0,5, 0] or [0, 0,5] is a slip of the pen, and the machine is in the plane, whose reader says so.
bool is_spatial(const Node& root) {
  if (root.find("space") != nullptr) return true;
  PointCounts counts;
  count_points(root.find("ground"), counts);
  if (const Node* bodies = root.find("bodies"))
    for (const text::Entry& body : bodies->entries) count_points(&body.value, counts);
  const bool is_slip = counts.with_comma == counts.spatial && counts.planar > 2 * counts.spatial;
  const bool is_seen = counts.with_close_pair == counts.spatial && counts.planar > 0;
  return counts.spatial > 0 && !is_slip && !is_seen;
}

Machine build_machine(const Node& root, const std::string& file, const std::vector<std::string>& overrides) {
  Reader reader;
  reader.machine.file = reader.base.machine.file = file;
  reader.machine.where = text::build_where(file);
  read_all(reader, root, overrides);
  reader.base.faults.throw_if_any();
  return std::move(reader.machine);
}

Machine build_machine_from_file(const std::string& path, const std::vector<std::string>& overrides) {
  return build_machine(text::build_yaml_from_file(path), path, overrides);
}

}  // namespace rodeo::spatial
