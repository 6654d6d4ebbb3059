// SPDX-License-Identifier: MIT
// `drives:` of a spatial machine file: what is imposed, and its limits.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kinematics/spatial/reader.h"

namespace rodeo::spatial {
namespace {

using text::MapReader;
using text::Node;

constexpr auto kKinds =
    std::to_array<std::string_view>({"angle", "relative_angle", "cylinder", "slide", "joint"});
constexpr auto kOptions = std::to_array<std::string_view>(
    {"range", "retracted", "stroke", "speed", "acceleration", "jerk", "radius", "across", "axis", "motion"});
constexpr auto kReserved = std::to_array<std::string_view>({"t", "residual", "rates", "ground"});

/// The joint that turns the one body against the other; -1 if there is none.
int find_turning_joint(const Machine& machine, int first, int second) {
  for (std::size_t i = 0; i < machine.joints.size(); ++i) {
    const Joint& joint = machine.joints[i];
    const bool is_between = (joint.first.body == first && joint.second.body == second) ||
                            (joint.first.body == second && joint.second.body == first);
    if (is_between && has_turn(joint.kind)) return static_cast<int>(i);
  }
  return -1;
}

/// The axis is the joint's, else that of the key `axis`, else z.
void set_angle(Reader& reader, const Node* axis, const std::string& what, Drive& drive) {
  drive.axis_first = drive.axis_second = default_axis();
  if (axis != nullptr) {
    const AxisPair pair = read_axis_pair(reader, *axis, what + ": axis", drive.first_body, drive.second_body);
    drive.axis_first = pair.first;
    drive.axis_second = pair.second;
    return;
  }
  drive.joint = find_turning_joint(reader.machine, drive.first_body, drive.second_body);
  if (drive.joint < 0) return;
  const Joint& joint = reader.machine.joints[drive.joint];
  const bool is_straight = joint.first.body == drive.first_body;
  drive.axis_first = is_straight ? joint.axis_first : joint.axis_second;
  drive.axis_second = is_straight ? joint.axis_second : joint.axis_first;
}

bool read_angle(Reader& reader, const Node& node, const Node* axis, const std::string& what, Drive& drive) {
  const auto body = machine::read_body(reader.base, node, what);
  if (!body) return false;
  drive.second_body = *body;
  if (*body == 0) {
    reader.base.faults.add(node.where, fmt::format("{}: the ground does not move: name another body", what));
    return false;
  }
  set_angle(reader, axis, what, drive);
  return true;
}

bool read_relative_angle(Reader& reader, const Node& node, const Node* axis, const std::string& what,
                         Drive& drive) {
  if (!machine::is_list_of_two(reader.base, node, what, "[body, body]")) return false;
  const auto first = machine::read_body(reader.base, node.items[0], what);
  const auto second = machine::read_body(reader.base, node.items[1], what);
  if (!first || !second) return false;
  drive.first_body = *first;
  drive.second_body = *second;
  if (*first == *second) {
    reader.base.faults.add(node.where, fmt::format("{}: body '{}' has no angle to itself: name two bodies",
                                                   what, node.items[0].scalar));
    return false;
  }
  set_angle(reader, axis, what, drive);
  return true;
}

bool read_cylinder(Reader& reader, const Node& node, const std::string& what, Drive& drive) {
  const auto points = machine::read_two_points(reader.base, node, what);
  if (!points) return false;
  drive.kind = DriveKind::cylinder;
  drive.first = points->first;
  drive.second = points->second;
  drive.first_body = drive.first.body;
  drive.second_body = drive.second.body;
  return true;
}

bool is_same(PointRef a, PointRef b) { return a.body == b.body && a.point == b.point; }

/// A slide moves along the axis of the joint of the same two points.
bool read_slide(Reader& reader, const Node& node, const std::string& what, Drive& drive) {
  if (!read_cylinder(reader, node, what, drive)) return false;
  drive.kind = DriveKind::slide;
  bool is_reversed = false;
  for (std::size_t i = 0; i < reader.machine.joints.size() && drive.joint < 0; ++i) {
    const Joint& joint = reader.machine.joints[i];
    if (!has_slide(joint.kind)) continue;
    if (is_same(joint.first, drive.first) && is_same(joint.second, drive.second))
      drive.joint = static_cast<int>(i);
    is_reversed = is_reversed || (is_same(joint.first, drive.second) && is_same(joint.second, drive.first));
  }
  if (drive.joint >= 0) return true;
  reader.base.faults.add(
      node.where, fmt::format("{}: no joint that slides has the points [{}, {}]{}", what,
                              node.items[0].scalar, node.items[1].scalar,
                              is_reversed ? " in this order: exchange them" : ": add one to the joints"));
  return false;
}

/// `motion: angle` or `slide`; the angle where the joint has one.
bool read_joint_motion(Reader& reader, const Node* motion, const std::string& what, const Joint& joint,
                       Drive& drive) {
  const bool is_slide = motion != nullptr ? motion->scalar == "slide" : !has_turn(joint.kind);
  const bool is_known = motion == nullptr || motion->scalar == "slide" || motion->scalar == "angle";
  if (is_known && (is_slide ? has_slide(joint.kind) : has_turn(joint.kind))) {
    drive.kind = is_slide ? DriveKind::slide : DriveKind::angle;
    return true;
  }
  reader.base.faults.add(
      motion != nullptr ? motion->where : drive.where,
      fmt::format("{}: a {} joint has no {} that could be driven", what, kind_text(joint.kind),
                  motion != nullptr ? "motion '" + motion->scalar + "'" : std::string("angle or slide")));
  return false;
}

bool read_joint_drive(Reader& reader, const Node& node, const Node* motion, const std::string& what,
                      Drive& drive) {
  const auto index = read_joint_name(reader, node, what);
  if (!index) return false;
  const Joint& joint = reader.machine.joints[*index];
  drive.joint = *index;
  drive.first = joint.first;
  drive.second = joint.second;
  drive.first_body = joint.first.body;
  drive.second_body = joint.second.body;
  drive.axis_first = joint.axis_first;
  drive.axis_second = joint.axis_second;
  return read_joint_motion(reader, motion, what, joint, drive);
}

bool read_target(Reader& reader, std::size_t kind, MapReader& map, const std::string& what, Drive& drive) {
  const Node& node = *map.find(kKinds[kind]);
  switch (kind) {
    case 0: return read_angle(reader, node, map.find("axis"), what, drive);
    case 1: return read_relative_angle(reader, node, map.find("axis"), what, drive);
    case 2: return read_cylinder(reader, node, what, drive);
    case 3: return read_slide(reader, node, what, drive);
    default: return read_joint_drive(reader, node, map.find("motion"), what, drive);
  }
}

void read_limits(Reader& reader, MapReader& map, const std::string& what, Drive& drive) {
  machine::Drive limits;
  limits.kind = drive.kind == DriveKind::cylinder ? machine::DriveKind::cylinder : machine::DriveKind::angle;
  limits.where = drive.where;
  machine::read_limits(reader.base, map, what, limits);
  drive.lower = limits.lower;
  drive.upper = limits.upper;
  drive.speed = limits.speed;
  drive.acceleration = limits.acceleration;
  drive.jerk = limits.jerk;
  drive.radius = limits.radius;
  drive.across = limits.across;
}

void check_name(Reader& reader, const Drive& drive, const std::string& what) {
  machine::check_name(reader.base, drive.name, drive.where, what);
  if (std::find(kReserved.begin(), kReserved.end(), drive.name) != kReserved.end()) {
    reader.base.faults.add(drive.where,
                           fmt::format("{}: this name is reserved: give the drive another", what));
  }
  const auto body = reader.base.body_index.find(drive.name);
  if (body == reader.base.body_index.end() || body->second == 0) return;
  if (drive.kind == DriveKind::angle && drive.first_body == 0 && drive.second_body == body->second) return;
  reader.base.faults.add(drive.where,
                         fmt::format("{}: a body has this name, and the drive is not that body's angle: give "
                                     "the drive another name",
                                     what));
}

void read_drive(Reader& reader, const text::Entry& entry) {
  const std::string what = fmt::format("drive '{}'", entry.key);
  const auto kind = machine::read_kind(reader.base, entry.value, what, kKinds, kOptions);
  if (!kind) return;
  Drive drive;
  drive.name = entry.key;
  drive.where = entry.where;
  MapReader map(entry.value, what, reader.base.faults);
  const bool is_known = read_target(reader, *kind, map, what, drive);
  read_limits(reader, map, what, drive);
  map.finish();
  if (is_known) check_name(reader, drive, what);
  machine::Drive named;  // for lookups of the planar reader
  named.name = drive.name;
  reader.base.machine.drives.push_back(named);
  reader.machine.drives.push_back(std::move(drive));
}

}  // namespace

void read_drives(Reader& reader, const Node* drives) {
  if (drives == nullptr) return;
  if (!drives->is_map() && !drives->is_null()) {
    reader.base.faults.add(drives->where, fmt::format("drives: a map NAME: {{angle: BODY}} is needed, not {}",
                                                      kind_name(*drives)));
  }
  for (const text::Entry& entry : drives->entries) read_drive(reader, entry);
}

}  // namespace rodeo::spatial
