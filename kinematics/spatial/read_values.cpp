// SPDX-License-Identifier: MIT
// Triples and axes of a spatial machine file.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "kinematics/spatial/reader.h"
#include "kinematics/text/yaml_hints.h"

namespace rodeo::spatial {
namespace {

using text::Node;

constexpr double kAtFault = std::numeric_limits<double>::quiet_NaN();
constexpr double kUnitTolerance = 1e-12;  // this close to length 1, a direction is kept as written

Triple triple_at_fault() { return {{0.0, kAtFault}, {0.0, kAtFault}, {0.0, kAtFault}}; }

bool is_cut(const Node& node) { return !node.quoted && text::is_cut(node.scalar); }

bool is_triple(Reader& reader, const Node& node, const std::string& what) {
  if (node.is_list() && (node.items.size() == 2 || node.items.size() == 3)) {
    bool cut = false;
    for (const Node& item : node.items) cut = cut || is_cut(item);
    if (!cut) return true;
  }
  for (const Node& item : node.items) {
    if (!is_cut(item)) continue;
    reader.base.faults.add(
        node.where,
        fmt::format("{}: YAML cut an expression at its comma: put the whole expression in quotes", what));
    return false;
  }
  const std::string found =
      node.is_list() ? fmt::format("{}", node.items.size()) : std::string(kind_name(node));
  reader.base.faults.add(node.where, fmt::format("{}: three numbers [x, y, z] are needed, not {}{}", what,
                                                 found, text::find_comma_hint(node)));
  return false;
}

std::string list_axes(const Body& body) {
  std::vector<std::string> names;
  for (const Axis& axis : body.axes) names.push_back(axis.name);
  return names.empty() ? "none" : text::join_names(names);
}

bool is_named_pair(const Node& node) {
  return node.is_list() && node.items.size() == 2 && node.items[0].is_scalar() &&
         node.items[0].scalar.find_first_of(".0123456789+-(") != 0 &&
         node.items[0].scalar.find('.') != std::string::npos;
}

Triple pick(const Reader& reader, AxisRef ref) {
  return reader.machine.bodies[ref.body].axes[ref.axis].direction;
}

/// Divided by its length; ±1 along an axis.
Triple build_unit(const Triple& d, double length) {
  if (std::abs(length - 1.0) <= kUnitTolerance) return d;
  const Vector3 value = d.value();
  const Expr norm = sqrt(pow(d.x.expr, 2.0) + pow(d.y.expr, 2.0) + pow(d.z.expr, 2.0));
  const bool is_along = (value.array() != 0).count() == 1;
  const auto part = [&](const Quantity& q) -> Quantity {
    if (is_along) {
      const double sign = q.value > 0 ? 1.0 : q.value < 0 ? -1.0 : 0.0;
      return {sign, sign};
    }
    return {q.expr / norm, q.value / length};
  };
  return {part(d.x), part(d.y), part(d.z)};
}

}  // namespace

Triple read_triple(Reader& reader, const Node& node, const std::string& what) {
  if (!is_triple(reader, node, what)) return triple_at_fault();
  Triple triple;
  triple.x = machine::read_quantity(reader.base, node.items[0], what);
  triple.y = machine::read_quantity(reader.base, node.items[1], what);
  if (node.items.size() == 3) triple.z = machine::read_quantity(reader.base, node.items[2], what);
  return triple;
}

Triple read_direction(Reader& reader, const Node& node, const std::string& what) {
  const Triple d = read_triple(reader, node, what);
  const double length = d.value().norm();
  if (length == 0 || std::isinf(length)) {
    reader.base.faults.add(
        node.where, fmt::format("{} [{}, {}, {}] points nowhere: give it a length, as [0, 0, 1] has", what,
                                d.x.value, d.y.value, d.z.value));
    return triple_at_fault();
  }
  return build_unit(d, length);
}

Triple default_axis() { return {{0.0, 0.0}, {0.0, 0.0}, {1.0, 1.0}}; }

std::optional<AxisRef> read_axis(Reader& reader, const Node& node, const std::string& what) {
  const std::size_t dot = node.scalar.find('.');
  if (!node.is_scalar() || dot == std::string::npos) {
    const std::string found = node.is_scalar() ? "'" + node.scalar + "'" : std::string(kind_name(node));
    reader.base.faults.add(node.where, fmt::format("{}: an axis is written body.axis, not {}", what, found));
    return std::nullopt;
  }
  Node name = node;
  name.scalar = node.scalar.substr(0, dot);
  const auto body = machine::read_body(reader.base, name, what);
  if (!body) return std::nullopt;
  const std::string axis = node.scalar.substr(dot + 1);
  const Body& owner = reader.machine.bodies[*body];
  for (std::size_t i = 0; i < owner.axes.size(); ++i) {
    if (owner.axes[i].name == axis) return AxisRef{*body, static_cast<int>(i)};
  }
  reader.base.faults.add(node.where, fmt::format("{}: body '{}' has no axis '{}' (it has {})", what,
                                                 owner.name, axis, list_axes(owner)));
  return std::nullopt;
}

AxisPair read_axis_pair(Reader& reader, const Node& node, const std::string& what, int first_body,
                        int second_body) {
  if (!is_named_pair(node)) {
    const Triple both = read_direction(reader, node, what);
    return {both, both};
  }
  AxisPair pair{default_axis(), default_axis()};
  const auto first = read_axis(reader, node.items[0], what);
  const auto second = read_axis(reader, node.items[1], what);
  if (!first || !second) return pair;
  if (first->body != first_body || second->body != second_body) {
    reader.base.faults.add(
        node.where,
        fmt::format("{}: a pair of axes is one of body '{}', then one of body '{}'", what,
                    reader.machine.bodies[first_body].name, reader.machine.bodies[second_body].name));
    return pair;
  }
  return {pick(reader, *first), pick(reader, *second)};
}

}  // namespace rodeo::spatial
