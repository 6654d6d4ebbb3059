// SPDX-License-Identifier: MIT
// `ground:` and `bodies:` of a spatial machine file.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "kinematics/spatial/reader.h"

namespace rodeo::spatial {
namespace {

using text::MapReader;
using text::Node;

constexpr double kRounding = 1e-9;  // of the largest moment: what a written number may be off

std::vector<Point> read_points(Reader& reader, const Node& node, const std::string& body) {
  std::vector<Point> points;
  if (!node.is_map() && !node.is_null()) {
    reader.base.faults.add(node.where, fmt::format("body '{}': points are a map NAME: [x, y, z], not {}",
                                                   body, kind_name(node)));
  }
  for (const text::Entry& entry : node.entries) {
    const std::string what = fmt::format("point '{}.{}'", body, entry.key);
    machine::check_name(reader.base, entry.key, entry.where, what);
    const Triple at = read_triple(reader, entry.value, what);
    for (const Quantity& part : {at.x, at.y, at.z})
      machine::check_length(reader.base, part.value, entry.where, what);
    points.push_back({entry.key, at, entry.where});
  }
  return points;
}

std::vector<Axis> read_axes(Reader& reader, const Node* node, const std::string& body) {
  std::vector<Axis> axes;
  if (node == nullptr) return axes;
  if (!node->is_map() && !node->is_null()) {
    reader.base.faults.add(node->where, fmt::format("body '{}': axes are a map NAME: [x, y, z], not {}", body,
                                                    kind_name(*node)));
  }
  for (const text::Entry& entry : node->entries) {
    const std::string what = fmt::format("axis '{}.{}'", body, entry.key);
    machine::check_name(reader.base, entry.key, entry.where, what);
    axes.push_back({entry.key, read_direction(reader, entry.value, what), entry.where});
  }
  return axes;
}

/// The planar reader's machine holds names only: that is what its lookups need.
void add_body(Reader& reader, Body body) {
  machine::Body named;
  named.name = body.name;
  named.where = body.where;
  for (const Point& point : body.points) named.points.push_back({point.name, {}, {}, point.where});
  machine::add_body(reader.base, std::move(named));
  reader.machine.bodies.push_back(std::move(body));
}

void read_look(Reader& reader, MapReader& map, Body& body) {
  machine::Body looks;
  looks.name = body.name;
  machine::read_look(reader.base, map, looks);
  body.look = looks.look;
}

void read_ground(Reader& reader, const Node* node) {
  Body ground;
  ground.name = "ground";
  if (node != nullptr) {
    ground.where = node->where;
    MapReader map(*node, "ground", reader.base.faults);
    if (const Node* points = map.require("points")) ground.points = read_points(reader, *points, ground.name);
    ground.axes = read_axes(reader, map.find("axes"), ground.name);
    read_look(reader, map, ground);
    map.finish();
  }
  add_body(reader, std::move(ground));
}

/// One number is the moment about z of a planar body; a ball's in the other directions, which every number can be.
Inertia read_scalar_inertia(Reader& reader, const Node& node, const std::string& what) {
  const Quantity j = machine::read_not_negative(reader.base, node, what);
  return {j, j, j, {}, {}, {}};
}

Inertia read_matrix(Reader& reader, const Node& node, const std::string& what) {
  std::array<std::array<Quantity, 3>, 3> m;
  for (std::size_t i = 0; i < 3; ++i) {
    const Triple row = read_triple(reader, node.items[i], what);
    m[i] = {row.x, row.y, row.z};
  }
  for (const auto& [i, j] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
    const double a = m[i][j].value, b = m[j][i].value;
    if (std::abs(a - b) <= kRounding * (std::abs(a) + std::abs(b)) || std::isnan(a + b)) continue;
    reader.base.faults.add(
        node.where,
        fmt::format("{}: the matrix must be symmetric, and has {} and {} across its diagonal", what, a, b));
  }
  return {m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2]};
}

std::optional<Inertia> read_inertia_form(Reader& reader, const Node& node, const std::string& what) {
  if (node.is_scalar()) return read_scalar_inertia(reader, node, what);
  const std::size_t n = node.items.size();
  if (n == 3 && node.items[0].is_list()) return read_matrix(reader, node, what);
  if (n == 3 || n == 6) {
    std::array<Quantity, 6> part;
    for (std::size_t i = 0; i < n; ++i) part[i] = machine::read_quantity(reader.base, node.items[i], what);
    return Inertia{part[0], part[1], part[2], part[3], part[4], part[5]};
  }
  reader.base.faults.add(
      node.where, fmt::format("{}: one number (about z), three (about x, y, z), six (xx, yy, "
                              "zz, xy, xz, yz) or a 3x3 matrix are needed, not {}",
                              what, node.is_list() ? fmt::format("{}", n) : std::string(kind_name(node))));
  return std::nullopt;
}

void check_inertia(Reader& reader, const Node& node, const std::string& what, const Inertia& inertia) {
  const Eigen::Matrix3d m = inertia.value();
  if (!m.allFinite()) return;
  const Vector3 p = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(m, Eigen::EigenvaluesOnly).eigenvalues();
  const double most = p.cwiseAbs().maxCoeff();
  const bool is_negative = p[0] < -kRounding * most;
  if (!is_negative && p[2] <= p[0] + p[1] + kRounding * most) return;
  reader.base.faults.add(
      node.where,
      fmt::format("{} that no body can have: its principal moments are {:.6g}, {:.6g} and {:.6g}, and {}",
                  what, p[0], p[1], p[2],
                  is_negative ? "none may be negative" : "none may exceed the sum of the other two"));
}

void check_weighs(Reader& reader, const std::string& what, bool has_com, const Body& body) {
  if (body.mass || (!has_com && !body.inertia)) return;
  const bool both = has_com && body.inertia;
  reader.base.faults.add(
      body.where, fmt::format("{}{} without mass {} nothing: give its mass (kg), or leave {} out", what,
                              both      ? "com and inertia"
                              : has_com ? "com"
                                        : "inertia",
                              both ? "mean" : "means", both ? "them" : "it"));
}

void read_mass_data(Reader& reader, MapReader& map, Body& body) {
  const std::string what = fmt::format("body '{}': ", body.name);
  if (const Node* mass = map.find("mass"))
    body.mass = machine::read_positive(reader.base, *mass, what + "mass");
  const Node* com = map.find("com");
  if (com != nullptr) body.com = read_triple(reader, *com, what + "com");
  if (const Node* inertia = map.find("inertia")) {
    body.inertia = read_inertia_form(reader, *inertia, what + "inertia");
    if (body.inertia && !inertia->is_scalar())
      check_inertia(reader, *inertia, what + "inertia", *body.inertia);
  }
  check_weighs(reader, what, com != nullptr, body);
}

void read_body_entry(Reader& reader, const text::Entry& entry) {
  const std::string what = fmt::format("body '{}'", entry.key);
  machine::check_name(reader.base, entry.key, entry.where, what);
  Body body;
  body.name = entry.key;
  body.where = entry.where;
  MapReader map(entry.value, what, reader.base.faults);
  if (const Node* points = map.require("points")) {
    body.points = read_points(reader, *points, body.name);
    if (points->is_null() || (points->is_map() && points->entries.empty())) {
      reader.base.faults.add(points->where, fmt::format("{}: it needs at least one point", what));
    }
  }
  body.axes = read_axes(reader, map.find("axes"), body.name);
  read_mass_data(reader, map, body);
  read_look(reader, map, body);
  map.finish();
  add_body(reader, std::move(body));
}

}  // namespace

Eigen::Matrix3d Inertia::value() const {
  Eigen::Matrix3d m;
  m << xx.value, xy.value, xz.value, xy.value, yy.value, yz.value, xz.value, yz.value, zz.value;
  return m;
}

void read_bodies(Reader& reader, const Node* ground, const Node& bodies) {
  read_ground(reader, ground);
  if (!bodies.is_map() || bodies.entries.empty()) {
    reader.base.faults.add(
        bodies.where,
        fmt::format("bodies: a map NAME: {{points: ...}} with at least one body is needed, not {}",
                    bodies.is_map() ? "an empty one" : kind_name(bodies)));
  }
  for (const text::Entry& entry : bodies.entries) read_body_entry(reader, entry);
}

}  // namespace rodeo::spatial
