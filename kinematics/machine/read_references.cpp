// SPDX-License-Identifier: MIT
// Bodies and points by name: `boom` and `boom.Q`.
#include <fmt/format.h>

#include "kinematics/machine/reader.h"

namespace rodeo::machine {
namespace {

using text::Node;

template <typename Named>
std::string list_names(const std::vector<Named>& things) {
  std::vector<std::string> names;
  for (const Named& thing : things) names.push_back(thing.name);
  return names.empty() ? "none" : text::join_names(names);
}

std::optional<int> find_body(Reader& reader, const std::string& name, const Where& where,
                             const std::string& what) {
  const auto found = reader.body_index.find(name);
  if (found != reader.body_index.end()) return found->second;
  reader.faults.add(where, fmt::format("{}: there is no body '{}' (there are {})", what, name,
                                       list_names(reader.machine.bodies)));
  return std::nullopt;
}

std::optional<PointRef> find_point(Reader& reader, int body, const std::string& name, const Where& where,
                                   const std::string& what) {
  const Body& owner = reader.machine.bodies[static_cast<std::size_t>(body)];
  for (std::size_t i = 0; i < owner.points.size(); ++i) {
    if (owner.points[i].name == name) return PointRef{body, static_cast<int>(i)};
  }
  reader.faults.add(where, fmt::format("{}: body '{}' has no point '{}' (it has {})", what, owner.name, name,
                                       list_names(owner.points)));
  return std::nullopt;
}

/// A point of a drawing by its name alone: in the first body that has it, where a pin makes the others follow.
std::optional<PointRef> find_drawn_point(Reader& reader, const Node& node, const std::string& what) {
  for (const Pin& pin : reader.pins) {
    if (pin.point == node.scalar && !pin.refs.empty()) return pin.refs.front();
  }
  reader.faults.add(node.where,
                    fmt::format("{}: no body of the drawing has a point '{}'", what, node.scalar));
  return std::nullopt;
}

}  // namespace

std::optional<int> read_body(Reader& reader, const Node& node, const std::string& what) {
  if (node.is_scalar()) return find_body(reader, node.scalar, node.where, what);
  reader.faults.add(node.where,
                    fmt::format("{}: the name of a body is needed here, not {}", what, kind_name(node)));
  return std::nullopt;
}

std::optional<PointRef> read_point(Reader& reader, const Node& node, const std::string& what) {
  const std::size_t dot = node.scalar.find('.');
  if (node.is_scalar() && dot == std::string::npos && reader.is_drawing)
    return find_drawn_point(reader, node, what);
  if (!node.is_scalar() || dot == std::string::npos) {
    const std::string found = node.is_scalar() ? "'" + node.scalar + "'" : std::string(kind_name(node));
    reader.faults.add(node.where, fmt::format("{}: a point is written body.point, not {}", what, found));
    return std::nullopt;
  }
  const auto body = find_body(reader, node.scalar.substr(0, dot), node.where, what);
  if (!body) return std::nullopt;
  return find_point(reader, *body, node.scalar.substr(dot + 1), node.where, what);
}

bool is_list_of_two(Reader& reader, const Node& node, const std::string& what, std::string_view shape) {
  if (node.is_list() && node.items.size() == 2) return true;
  const std::string found =
      node.is_list() ? fmt::format("{}", node.items.size()) : std::string(kind_name(node));
  reader.faults.add(node.where, fmt::format("{}: exactly two are needed, {}, not {}", what, shape, found));
  return false;
}

std::optional<TwoPoints> read_two_points(Reader& reader, const Node& node, const std::string& what) {
  if (!is_list_of_two(reader, node, what, "[body.point, body.point]")) return std::nullopt;
  const auto first = read_point(reader, node.items[0], what);
  const auto second = read_point(reader, node.items[1], what);
  if (!first || !second) return std::nullopt;
  if (first->body != second->body) return TwoPoints{*first, *second};
  const std::string& name = reader.machine.bodies[static_cast<std::size_t>(first->body)].name;
  reader.faults.add(
      node.where, fmt::format("{}: both points are on body '{}': it must be between two bodies", what, name));
  return std::nullopt;
}

}  // namespace rodeo::machine
