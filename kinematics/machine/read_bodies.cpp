// SPDX-License-Identifier: MIT
// `ground:` and `bodies:` of a machine file: points in each body's own frame, mass data, and how it looks.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>

#include "kinematics/machine/reader.h"
#include "kinematics/text/named_file.h"

namespace rodeo::machine {
namespace {

using text::MapReader;
using text::Node;

std::vector<Point> read_points(Reader& reader, const Node& node, const std::string& body) {
  std::vector<Point> points;
  if (!node.is_map() && !node.is_null()) {
    reader.faults.add(node.where,
                      fmt::format("body '{}': points are a map NAME: [x, y], not {}", body, kind_name(node)));
  }
  for (const text::Entry& entry : node.entries) {
    const std::string what = fmt::format("point '{}.{}'", body, entry.key);
    check_name(reader, entry.key, entry.where, what);
    const QuantityPair at = read_pair(reader, entry.value, what);
    for (const Quantity& part : {at.x, at.y}) check_length(reader, part.value, entry.where, what);
    points.push_back({entry.key, at.x, at.y, entry.where});
  }
  return points;
}

void read_ground(Reader& reader, const Node* node) {
  Body ground;
  ground.name = "ground";
  if (node != nullptr) {
    ground.where = node->where;
    MapReader map(*node, "ground", reader.faults);
    if (const Node* points = map.require("points")) ground.points = read_points(reader, *points, ground.name);
    read_look(reader, map, ground);
    map.finish();
  }
  add_body(reader, std::move(ground));
}

void read_body_entry(Reader& reader, const text::Entry& entry) {
  const std::string what = fmt::format("body '{}'", entry.key);
  check_name(reader, entry.key, entry.where, what);
  Body body;
  body.name = entry.key;
  body.where = entry.where;
  MapReader map(entry.value, what, reader.faults);
  if (const Node* points = map.require("points")) {
    body.points = read_points(reader, *points, body.name);
    if (points->is_null() || (points->is_map() && points->entries.empty())) {
      reader.faults.add(points->where, fmt::format("{}: it needs at least one point", what));
    }
  }
  read_mass_data(reader, map, body);
  read_look(reader, map, body);
  map.finish();
  add_body(reader, std::move(body));
}

/// The 16 names of HTML, and `#rrggbb` itself.
std::string find_colour(const std::string& text) {
  static const std::map<std::string, std::string> kColours{
      {"black", "#000000"},   {"silver", "#c0c0c0"}, {"grey", "#808080"}, {"gray", "#808080"},
      {"white", "#ffffff"},   {"maroon", "#800000"}, {"red", "#ff0000"},  {"purple", "#800080"},
      {"fuchsia", "#ff00ff"}, {"green", "#008000"},  {"lime", "#00ff00"}, {"olive", "#808000"},
      {"yellow", "#ffff00"},  {"navy", "#000080"},   {"blue", "#0000ff"}, {"teal", "#008080"},
      {"aqua", "#00ffff"},    {"orange", "#ffa500"}};
  const auto named = kColours.find(text);
  if (named != kColours.end()) return named->second;
  const bool is_hex = text.size() == 7 && text[0] == '#' &&
                      text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
  return is_hex ? text : "";
}

/// Other kinds of files are other programs' plugins in the viewer, some of which run what they read.
void check_mesh(Reader& reader, const Node& mesh, const std::string& body) {
  std::string kind = std::filesystem::path(mesh.scalar).extension().string();
  std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) { return std::tolower(c); });
  std::string fault = text::find_name_fault(mesh.scalar);
  if (fault.empty() && kind != ".obj" && kind != ".stl" && kind != ".ply")
    fault = fmt::format("'{}' is no OBJ, STL or PLY file: save it as one", mesh.scalar);
  if (!mesh.scalar.empty() && !fault.empty())
    reader.faults.add(mesh.where, fmt::format("body '{}': mesh {}", body, fault));
}

}  // namespace

void read_look(Reader& reader, MapReader& map, Body& body) {
  if (const Node* mesh = map.find("mesh")) {
    if (!mesh->is_scalar() || mesh->scalar.empty()) {
      reader.faults.add(
          mesh->where, fmt::format("body '{}': mesh is the name of a file (OBJ, STL, PLY), not {}", body.name,
                                   mesh->is_scalar() ? "nothing" : kind_name(*mesh)));
    }
    check_mesh(reader, *mesh, body.name);
    body.look.mesh = mesh->scalar;
  }
  if (const Node* colour = map.find("colour")) {
    body.look.colour = find_colour(colour->scalar);
    if (body.look.colour.empty()) {
      reader.faults.add(
          colour->where,
          fmt::format("body '{}': colour '{}' is neither a name (red, yellow, grey ...) nor \"#rrggbb\" "
                      "in quotes",
                      body.name, colour->scalar));
    }
  }
}

void add_body(Reader& reader, Body body) {
  Machine& machine = reader.machine;
  if (!machine.bodies.empty() && (body.name == "ground" || body.name == "rates")) {
    reader.faults.add(body.where,
                      fmt::format("body '{}': this name is reserved: give the body another", body.name));
  }
  reader.body_index.emplace(body.name, static_cast<int>(machine.bodies.size()));
  machine.bodies.push_back(std::move(body));
}

void read_mass_data(Reader& reader, MapReader& map, Body& body) {
  const std::string what = fmt::format("body '{}': ", body.name);
  const Node* mass = map.find("mass");
  if (mass != nullptr) body.mass = read_positive(reader, *mass, what + "mass");
  if (const Node* com = map.find("com")) {
    const QuantityPair at = read_pair(reader, *com, what + "com");
    body.com_x = at.x;
    body.com_y = at.y;
  }
  if (const Node* inertia = map.find("inertia")) {
    body.inertia = read_not_negative(reader, *inertia, what + "inertia");
  }
  if (mass != nullptr || (!body.com_x && !body.inertia)) return;
  reader.faults.add(
      body.where,
      fmt::format("{}{} without mass {} nothing: give its mass (kg), or leave {} out", what,
                  body.com_x && body.inertia ? "com and inertia"
                  : body.com_x               ? "com"
                                             : "inertia",
                  body.com_x && body.inertia ? "mean" : "means", body.com_x && body.inertia ? "them" : "it"));
}

void read_bodies(Reader& reader, const Node* ground, const Node& bodies) {
  read_ground(reader, ground);
  if (!bodies.is_map() || bodies.entries.empty()) {
    reader.faults.add(bodies.where,
                      fmt::format("bodies: a map NAME: {{points: ...}} with at least one body is needed, "
                                  "not {}",
                                  bodies.is_map() ? "an empty one" : kind_name(bodies)));
  }
  for (const text::Entry& entry : bodies.entries) read_body_entry(reader, entry);
}

}  // namespace rodeo::machine
