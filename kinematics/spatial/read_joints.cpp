// SPDX-License-Identifier: MIT
// `joints:` of a spatial machine file.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "kinematics/spatial/reader.h"

namespace rodeo::spatial {
namespace {

using text::MapReader;
using text::Node;

constexpr auto kKinds = std::to_array<std::string_view>({"revolute", "prismatic", "cylindrical", "screw",
                                                         "spherical", "universal", "planar", "point_on_plane",
                                                         "point_on_line", "fixed", "slider"});
constexpr auto kOptions = std::to_array<std::string_view>(
    {"name", "axis", "axes", "direction", "normal", "angle", "pitch", "stiffness", "damping", "rest"});

JointKind kind_of(std::size_t index) {
  return kKinds[index] == "slider" ? JointKind::point_on_line : static_cast<JointKind>(index);
}

std::string joint_label(const Node& node, const Node& points, std::size_t number) {
  const Node* name = node.find("name");
  if (name != nullptr && name->is_scalar()) return fmt::format("joint '{}'", name->scalar);
  if (points.items.size() != 2 || !points.items[0].is_scalar() || !points.items[1].is_scalar()) {
    return fmt::format("joint {}", number);
  }
  return fmt::format("joint '{}-{}'", points.items[0].scalar, points.items[1].scalar);
}

/// What the file calls the axis of a joint; nullptr where it has none.
const char* axis_key(JointKind kind) {
  switch (kind) {
    case JointKind::prismatic:
    case JointKind::point_on_line: return "direction";
    case JointKind::planar:
    case JointKind::point_on_plane: return "normal";
    case JointKind::revolute:
    case JointKind::cylindrical:
    case JointKind::screw: return "axis";
    default: return nullptr;
  }
}

void read_axis_of(Reader& reader, MapReader& map, const std::string& what, Joint& joint) {
  const char* key = axis_key(joint.kind);
  if (key == nullptr) return;
  const bool is_needed = std::string_view(key) == "direction";
  const Node* node = is_needed ? map.require(key) : map.find(key);
  if (node == nullptr) return;
  const AxisPair pair = read_axis_pair(reader, *node, what + ": " + key, joint.first.body, joint.second.body);
  joint.axis_first = pair.first;
  joint.axis_second = pair.second;
}

/// `axes: [[1, 0, 0], [0, 1, 0]]`, or named: `axes: [shaft.a, yoke.b]`. They are across each other where the joint is, not in
/// the file: each is in its own body.
void read_universal(Reader& reader, MapReader& map, const std::string& what, Joint& joint) {
  const Node* axes = map.require("axes");
  if (axes == nullptr || !machine::is_list_of_two(reader.base, *axes, what + ": axes", "[a, b]")) return;
  if (axes->items[0].is_list()) {
    joint.axis_first = read_direction(reader, axes->items[0], what + ": axes");
    joint.axis_second = read_direction(reader, axes->items[1], what + ": axes");
    return;
  }
  const AxisPair pair = read_axis_pair(reader, *axes, what + ": axes", joint.first.body, joint.second.body);
  joint.axis_first = pair.first;
  joint.axis_second = pair.second;
}

void read_held_angle(Reader& reader, MapReader& map, const std::string& what, Joint& joint) {
  const Node* angle = map.find("angle");
  if (angle == nullptr) return;
  joint.angle = machine::read_quantity(reader.base, *angle, what + ": angle");
  if (joint.axis_first.value() != joint.axis_second.value()) {
    reader.base.faults.add(
        angle->where, fmt::format("{}: an angle and a pair of axes both say how the second body is turned: "
                                  "keep one of them",
                                  what));
  }
  joint.axis_second = build_turned_back(joint.axis_second, joint.angle);
}

Quantity read_option(Reader& reader, const Node& node, const std::string& what, bool may_be_negative) {
  return may_be_negative ? machine::read_quantity(reader.base, node, what)
                         : machine::read_not_negative(reader.base, node, what);
}

/// One number, or `[of the distance, of the angle]` where the joint has both.
void read_element(Reader& reader, MapReader& map, const std::string& what, const std::string& key,
                  Quantity FreeElement::*part, Joint& joint) {
  const Node* node = map.find(key);
  if (node == nullptr) return;
  const bool is_rest = key == "rest", both = joint.kind == JointKind::cylindrical;
  const std::string label = what + ": " + key;
  if (!both) {
    FreeElement& element = has_turn(joint.kind) || !has_slide(joint.kind) ? joint.turn : joint.slide;
    element.*part = read_option(reader, *node, label, is_rest);
    return;
  }
  if (!machine::is_list_of_two(reader.base, *node, label, "[of the distance, of the angle]")) return;
  joint.slide.*part = read_option(reader, node->items[0], label, is_rest);
  joint.turn.*part = read_option(reader, node->items[1], label, is_rest);
}

void read_elements(Reader& reader, MapReader& map, const std::string& what, Joint& joint) {
  const bool spins = joint.kind == JointKind::spherical || joint.kind == JointKind::universal;
  if (has_turn(joint.kind) || has_slide(joint.kind) || spins)
    read_element(reader, map, what, "damping", &FreeElement::damping, joint);
  if (!has_turn(joint.kind) && !has_slide(joint.kind)) return;
  read_element(reader, map, what, "stiffness", &FreeElement::stiffness, joint);
  read_element(reader, map, what, "rest", &FreeElement::rest, joint);
}

void read_kind_options(Reader& reader, MapReader& map, const std::string& what, Joint& joint) {
  joint.axis_first = joint.axis_second = default_axis();
  read_axis_of(reader, map, what, joint);
  if (joint.kind == JointKind::universal) read_universal(reader, map, what, joint);
  if (joint.kind == JointKind::prismatic || joint.kind == JointKind::fixed)
    read_held_angle(reader, map, what, joint);
  if (joint.kind == JointKind::screw) {
    const Node* pitch = map.require("pitch");
    if (pitch != nullptr) joint.pitch = machine::read_quantity(reader.base, *pitch, what + ": pitch");
    if (pitch != nullptr && joint.pitch.value == 0) {
      reader.base.faults.add(pitch->where, fmt::format("{}: pitch 0 is a revolute joint", what));
    }
  }
  read_elements(reader, map, what, joint);
}

/// Names are kept by the planar reader.
void add_joint(Reader& reader, Joint joint) {
  machine::Joint named;
  named.name = joint.name;
  named.where = joint.where;
  reader.base.machine.joints.push_back(named);
  reader.machine.joints.push_back(std::move(joint));
}

void read_joint(Reader& reader, const Node& node, std::size_t number) {
  const auto kind = machine::read_kind(reader.base, node, fmt::format("joint {}", number), kKinds, kOptions);
  if (!kind) return;
  Joint joint;
  joint.kind = kind_of(*kind);
  joint.where = node.where;
  const Node& points = *node.find(kKinds[*kind]);
  const std::string what = joint_label(node, points, number);
  MapReader map(node, what, reader.base.faults);
  static_cast<void>(map.find(kKinds[*kind]));
  const auto two = machine::read_two_points(reader.base, points, what);
  if (two) {
    joint.first = two->first;
    joint.second = two->second;
    joint.name = points.items[0].scalar + "-" + points.items[1].scalar;
  }
  read_kind_options(reader, map, what, joint);
  if (const Node* name = map.find("name")) {
    joint.name = name->scalar;
    machine::check_name(reader.base, joint.name, name->where, what);
  }
  map.finish();
  if (two) add_joint(reader, std::move(joint));
}

}  // namespace

Triple build_turned_back(const Triple& d, const Quantity& angle) {
  if (angle.expr.is_number(0)) return d;
  const Expr c = cos(angle.expr), s = sin(angle.expr);
  const double cv = std::cos(angle.value), sv = std::sin(angle.value);
  return {{c * d.x.expr + s * d.y.expr, cv * d.x.value + sv * d.y.value},
          {c * d.y.expr - s * d.x.expr, cv * d.y.value - sv * d.x.value},
          d.z};
}

const char* kind_text(JointKind kind) { return kKinds[static_cast<std::size_t>(kind)].data(); }

bool has_turn(JointKind kind) {
  return kind == JointKind::revolute || kind == JointKind::cylindrical || kind == JointKind::screw;
}

bool has_slide(JointKind kind) {
  return kind == JointKind::prismatic || kind == JointKind::cylindrical || kind == JointKind::screw ||
         kind == JointKind::point_on_line;
}

void read_joints(Reader& reader, const Node* joints) {
  if (joints == nullptr) return;
  if (!joints->is_list() && !joints->is_null()) {
    reader.base.faults.add(joints->where,
                           fmt::format("joints: a list of joints is needed, not {}", kind_name(*joints)));
  }
  for (std::size_t i = 0; i < joints->items.size(); ++i) read_joint(reader, joints->items[i], i + 1);
  machine::index_joints(reader.base);
  for (std::size_t i = 0; i < reader.machine.joints.size(); ++i)
    reader.machine.joints[i].name = reader.base.machine.joints[i].name;
}

std::optional<int> read_joint_name(Reader& reader, const Node& node, const std::string& what) {
  const auto joint = reader.base.joint_index.find(node.scalar);
  if (joint != reader.base.joint_index.end()) return joint->second;
  std::vector<std::string> names;
  for (const Joint& known : reader.machine.joints) names.push_back(known.name);
  reader.base.faults.add(node.where,
                         fmt::format("{}: there is no joint '{}' (there are {})", what, node.scalar,
                                     names.empty() ? "none" : text::join_names(names)));
  return std::nullopt;
}

}  // namespace rodeo::spatial
