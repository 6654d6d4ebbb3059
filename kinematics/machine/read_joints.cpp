// SPDX-License-Identifier: MIT
// `joints:` of a machine file.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "kinematics/machine/reader.h"

namespace rodeo::machine {
namespace {

using text::MapReader;
using text::Node;

constexpr auto kKinds = std::to_array<std::string_view>({"revolute", "slider", "prismatic"});
constexpr auto kOptions = std::to_array<std::string_view>({"name", "direction", "angle"});

/// Written this close to a unit vector, a direction is kept as written.
constexpr double kUnitTolerance = 1e-12;

/// `joint 'rocker_pin'`, `joint 'crank.B-coupler.B'`, or by its place in the list.
std::string joint_label(const Node& node, const Node& points, std::size_t number) {
  const Node* name = node.find("name");
  if (name != nullptr && name->is_scalar()) return fmt::format("joint '{}'", name->scalar);
  if (points.items.size() != 2 || !points.items[0].is_scalar() || !points.items[1].is_scalar()) {
    return fmt::format("joint {}", number);
  }
  return fmt::format("joint '{}-{}'", points.items[0].scalar, points.items[1].scalar);
}

/// The joint follows which body a point belongs to, so a point of several bodies must say which.
bool is_one_body(Reader& reader, const Node& node, const std::string& what) {
  for (const Pin& pin : reader.pins) {
    if (pin.point != node.scalar || pin.refs.size() < 2) continue;
    reader.faults.add(node.where, fmt::format("{}: several bodies have point '{}': write body.{}", what,
                                              node.scalar, node.scalar));
    return false;
  }
  return true;
}

std::optional<PointRef> read_joint_point(Reader& reader, const Node& node) {
  const std::string what = fmt::format("joint '{}'", node.scalar);
  if (!is_one_body(reader, node, what)) return std::nullopt;
  return read_point(reader, node, what);
}

bool read_joint_points(Reader& reader, const Node& points, const std::string& what, Joint& joint) {
  if (!is_list_of_two(reader, points, what, "[body.point, body.point]")) return false;
  const auto first = read_joint_point(reader, points.items[0]);
  const auto second = read_joint_point(reader, points.items[1]);
  if (!first || !second) return false;
  joint.first = *first;
  joint.second = *second;
  if (first->body != second->body) return true;
  const std::string& name = reader.machine.bodies[static_cast<std::size_t>(first->body)].name;
  reader.faults.add(
      points.where,
      fmt::format("{}: both points are on body '{}': a joint is between two bodies", what, name));
  return false;
}

/// d/|d|, kept as written where it is a unit vector, and ±1 along an axis.
void set_direction(Joint& joint, const QuantityPair& d, double length) {
  joint.direction_x = d.x;
  joint.direction_y = d.y;
  if (std::abs(length - 1.0) <= kUnitTolerance) return;
  const auto along = [](const Quantity& q) {
    return Quantity{q.value < 0 ? -1.0 : 1.0, q.value < 0 ? -1.0 : 1.0};
  };
  if (d.y.expr.is_number(0)) {
    joint.direction_x = along(d.x);
  } else if (d.x.expr.is_number(0)) {
    joint.direction_y = along(d.y);
  } else {
    const Expr norm = sqrt(pow(d.x.expr, 2.0) + pow(d.y.expr, 2.0));
    joint.direction_x = {d.x.expr / norm, d.x.value / length};
    joint.direction_y = {d.y.expr / norm, d.y.value / length};
  }
}

void read_direction(Reader& reader, const Node& node, const std::string& what, Joint& joint) {
  const QuantityPair d = read_pair(reader, node, what + ": direction");
  const double length = std::hypot(d.x.value, d.y.value);
  if (length == 0 || std::isinf(length)) {
    reader.faults.add(node.where,
                      fmt::format("{}: direction [{}, {}] points nowhere: give it a length, as [1, 0] has",
                                  what, d.x.value, d.y.value));
    return;
  }
  set_direction(joint, d, length);
}

void read_joint_name(Reader& reader, const Node& name, const std::string& what, Joint& joint) {
  joint.name = name.scalar;
  check_name(reader, joint.name, name.where, what);
}

void read_joint(Reader& reader, const Node& node, std::size_t number) {
  const auto kind = read_kind(reader, node, fmt::format("joint {}", number), kKinds, kOptions);
  if (!kind) return;
  Joint joint;
  joint.kind = static_cast<JointKind>(*kind);
  joint.where = node.where;
  const Node& points = *node.find(kKinds[*kind]);
  const std::string what = joint_label(node, points, number);
  MapReader map(node, what, reader.faults);
  static_cast<void>(map.find(kKinds[*kind]));
  const bool is_joined = read_joint_points(reader, points, what, joint);
  if (joint.kind != JointKind::revolute) {
    if (const Node* direction = map.require("direction")) read_direction(reader, *direction, what, joint);
  }
  if (joint.kind == JointKind::prismatic) {
    if (const Node* angle = map.find("angle")) joint.angle = read_quantity(reader, *angle, what + ": angle");
  }
  if (is_joined) joint.name = points.items[0].scalar + "-" + points.items[1].scalar;
  if (const Node* name = map.find("name")) read_joint_name(reader, *name, what, joint);
  map.finish();
  if (is_joined) reader.machine.joints.push_back(std::move(joint));
}

/// Two joints of the same two points are a redundant constraint, not an error: the second is called `... (2)`.
std::string find_free_name(const Reader& reader, const std::string& name) {
  for (int i = 2;; ++i) {
    const std::string free = fmt::format("{} ({})", name, i);
    if (!reader.joint_index.contains(free)) return free;
  }
}

}  // namespace

void read_joints(Reader& reader, const Node* joints) {
  if (joints == nullptr) return;
  if (!joints->is_list() && !joints->is_null()) {
    reader.faults.add(joints->where,
                      fmt::format("joints: a list of joints is needed, not {}", kind_name(*joints)));
  }
  for (std::size_t i = 0; i < joints->items.size(); ++i) read_joint(reader, joints->items[i], i + 1);
}

void index_joints(Reader& reader) {
  std::vector<Joint>& joints = reader.machine.joints;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const auto known = reader.joint_index.find(joints[i].name);
    if (known != reader.joint_index.end() && joints[i].name.find('.') == std::string::npos) {
      const Joint& other = joints[static_cast<std::size_t>(known->second)];
      reader.faults.add(joints[i].where,
                        fmt::format("joint '{}': another joint has this name already (line {})",
                                    joints[i].name, other.where.line));
      continue;
    }
    if (known != reader.joint_index.end()) joints[i].name = find_free_name(reader, joints[i].name);
    reader.joint_index.emplace(joints[i].name, static_cast<int>(i));
  }
}

}  // namespace rodeo::machine
