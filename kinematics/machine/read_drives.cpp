// SPDX-License-Identifier: MIT
// `drives:` of a machine file: what is imposed, and its limits.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "kinematics/machine/reader.h"

namespace rodeo::machine {
namespace {

using text::MapReader;
using text::Node;

constexpr auto kKinds = std::to_array<std::string_view>({"angle", "relative_angle", "cylinder", "slide"});
constexpr auto kOptions = std::to_array<std::string_view>(
    {"range", "retracted", "stroke", "speed", "acceleration", "jerk", "radius", "across"});

/// s from acceleration 0 to the limit, where no jerk is given.
constexpr double kJerkTime = 0.05;

/// Columns of every log, which a drive's column must not repeat.
constexpr auto kReserved = std::to_array<std::string_view>({"t", "residual", "rates", "ground"});

bool is_same(PointRef a, PointRef b) { return a.body == b.body && a.point == b.point; }

bool read_angle(Reader& reader, const Node& node, const std::string& what, Drive& drive) {
  const auto body = read_body(reader, node, what);
  if (!body) return false;
  drive.second_body = *body;
  if (*body != 0) return true;
  reader.faults.add(node.where, fmt::format("{}: the ground does not move: name another body", what));
  return false;
}

bool read_relative_angle(Reader& reader, const Node& node, const std::string& what, Drive& drive) {
  if (!is_list_of_two(reader, node, what, "[body, body]")) return false;
  const auto first = read_body(reader, node.items[0], what);
  const auto second = read_body(reader, node.items[1], what);
  if (!first || !second) return false;
  drive.first_body = *first;
  drive.second_body = *second;
  if (*first != *second) return true;
  reader.faults.add(node.where, fmt::format("{}: body '{}' has no angle to itself: name two bodies", what,
                                            node.items[0].scalar));
  return false;
}

bool read_cylinder(Reader& reader, const Node& node, const std::string& what, Drive& drive) {
  const auto points = read_two_points(reader, node, what);
  if (!points) return false;
  drive.first = points->first;
  drive.second = points->second;
  drive.first_body = drive.first.body;
  drive.second_body = drive.second.body;
  return true;
}

/// A slide moves along the direction of the slider or prismatic joint of the same two points.
bool read_slide(Reader& reader, const Node& node, const std::string& what, Drive& drive) {
  if (!read_cylinder(reader, node, what, drive)) return false;
  bool is_reversed = false;
  for (std::size_t i = 0; i < reader.machine.joints.size() && drive.joint < 0; ++i) {
    const Joint& joint = reader.machine.joints[i];
    if (joint.kind == JointKind::revolute) continue;
    if (is_same(joint.first, drive.first) && is_same(joint.second, drive.second))
      drive.joint = static_cast<int>(i);
    is_reversed = is_reversed || (is_same(joint.first, drive.second) && is_same(joint.second, drive.first));
  }
  if (drive.joint >= 0) return true;
  reader.faults.add(node.where,
                    fmt::format("{}: no slider or prismatic joint has the points [{}, {}]{}", what,
                                node.items[0].scalar, node.items[1].scalar,
                                is_reversed ? " in this order: exchange them" : ": add one to the joints"));
  return false;
}

bool read_target(Reader& reader, const Node& node, const std::string& what, Drive& drive) {
  switch (drive.kind) {
    case DriveKind::angle: return read_angle(reader, node, what, drive);
    case DriveKind::relative_angle: return read_relative_angle(reader, node, what, drive);
    case DriveKind::cylinder: return read_cylinder(reader, node, what, drive);
    case DriveKind::slide: return read_slide(reader, node, what, drive);
  }
  return false;
}

void read_range(Reader& reader, MapReader& map, const std::string& what, Drive& drive) {
  const Node* range = map.find("range");
  if (range == nullptr) return;
  const QuantityPair limits = read_pair(reader, *range, what + ": range", "[lower, upper]");
  if (limits.y.value < limits.x.value) {
    reader.faults.add(range->where,
                      fmt::format("{}: range [{}, {}] is upside down: the lower end comes first", what,
                                  limits.x.value, limits.y.value));
  }
  drive.lower = limits.x;
  drive.upper = limits.y;
}

/// Pin to pin: the length of the cylinder when it is in, and how far it comes out.
void read_stroke(Reader& reader, MapReader& map, const std::string& what, Drive& drive) {
  const Node* retracted = map.find("retracted");
  const Node* stroke = map.find("stroke");
  if (retracted == nullptr && stroke == nullptr) return;
  if (retracted == nullptr || stroke == nullptr) {
    reader.faults.add(drive.where, fmt::format("{}: 'retracted' and 'stroke' come together: '{}' is missing",
                                               what, retracted == nullptr ? "retracted" : "stroke"));
    return;
  }
  const Quantity in = read_positive(reader, *retracted, what + ": retracted");
  const Quantity out = read_positive(reader, *stroke, what + ": stroke");
  drive.lower = in;
  drive.upper = Quantity{in.expr + out.expr, in.value + out.value};
}

/// How a cylinder is drawn: the radius of its barrel, and where it is across the machine.
void read_cylinder_look(Reader& reader, MapReader& map, const std::string& what, Drive& drive) {
  if (const Node* radius = map.find("radius"))
    drive.radius = read_positive(reader, *radius, what + ": radius").value;
  const Node* across = map.find("across");
  if (across == nullptr) return;
  if (!across->is_list()) {
    drive.across.push_back(read_quantity(reader, *across, what + ": across").value);
  }
  for (const Node& item : across->items)
    drive.across.push_back(read_quantity(reader, item, what + ": across").value);
}

/// How fast the acceleration may change. Where it is not given, the whole of it within kJerkTime: a force then rises over so long,
/// as a valve's does, instead of from one tick to the next.
void read_jerk(Reader& reader, MapReader& map, const std::string& what, Drive& drive) {
  const Node* jerk = map.find("jerk");
  if (jerk == nullptr) {
    if (drive.acceleration)
      drive.jerk = Quantity{drive.acceleration->expr / kJerkTime, drive.acceleration->value / kJerkTime};
    return;
  }
  drive.jerk = read_positive(reader, *jerk, what + ": jerk");
  if (drive.acceleration) return;
  reader.faults.add(
      jerk->where,
      fmt::format("{}: jerk limits how fast an acceleration changes: give acceleration too", what));
}

void check_drive_name(Reader& reader, const Drive& drive, const std::string& what) {
  check_name(reader, drive.name, drive.where, what);
  if (std::find(kReserved.begin(), kReserved.end(), drive.name) != kReserved.end()) {
    reader.faults.add(drive.where, fmt::format("{}: this name is reserved: give the drive another", what));
  }
  const auto body = reader.body_index.find(drive.name);
  if (body == reader.body_index.end() || body->second == 0) return;
  if (drive.kind == DriveKind::angle && drive.second_body == body->second) return;
  reader.faults.add(drive.where,
                    fmt::format("{}: a body has this name, and the drive is not that body's angle: give "
                                "the drive another name",
                                what));
}

/// Equal for two drives that impose the same thing.
std::string calc_target_key(const Drive& drive) {
  if (drive.kind == DriveKind::slide) return fmt::format("joint {}", drive.joint);
  if (drive.kind != DriveKind::cylinder) {
    const auto [low, high] = std::minmax({drive.first_body, drive.second_body});
    return fmt::format("angle {} {}", low, high);
  }
  const auto [low, high] = std::minmax(
      {std::pair{drive.first.body, drive.first.point}, std::pair{drive.second.body, drive.second.point}});
  return fmt::format("distance {} {} {} {}", low.first, low.second, high.first, high.second);
}

using Targets = std::map<std::string, std::string>;  // what is imposed -> the drive that does

void check_target(Reader& reader, const Drive& drive, const std::string& what, Targets& targets) {
  const auto [first, is_new] = targets.emplace(calc_target_key(drive), drive.name);
  if (is_new) return;
  reader.faults.add(drive.where, fmt::format("{}: drive '{}' imposes the same already: remove one of them",
                                             what, first->second));
}

void read_drive(Reader& reader, const text::Entry& entry, Targets& targets) {
  const std::string what = fmt::format("drive '{}'", entry.key);
  const auto kind = read_kind(reader, entry.value, what, kKinds, kOptions);
  if (!kind) return;
  Drive drive;
  drive.kind = static_cast<DriveKind>(*kind);
  drive.name = entry.key;
  drive.where = entry.where;
  MapReader map(entry.value, what, reader.faults);
  const bool is_known = read_target(reader, *map.find(kKinds[*kind]), what, drive);
  read_limits(reader, map, what, drive);
  map.finish();
  if (is_known) {
    check_drive_name(reader, drive, what);
    check_target(reader, drive, what, targets);
  }
  reader.machine.drives.push_back(std::move(drive));
}

}  // namespace

void read_limits(Reader& reader, MapReader& map, const std::string& what, Drive& drive) {
  if (drive.kind == DriveKind::cylinder) {
    read_stroke(reader, map, what, drive);
    read_cylinder_look(reader, map, what, drive);
  } else {
    read_range(reader, map, what, drive);
  }
  if (const Node* speed = map.find("speed")) drive.speed = read_positive(reader, *speed, what + ": speed");
  if (const Node* acceleration = map.find("acceleration")) {
    drive.acceleration = read_positive(reader, *acceleration, what + ": acceleration");
  }
  read_jerk(reader, map, what, drive);
}

void read_drives(Reader& reader, const Node* drives) {
  if (drives == nullptr) return;
  if (!drives->is_map() && !drives->is_null()) {
    reader.faults.add(drives->where, fmt::format("drives: a map NAME: {{angle: BODY}} is needed, not {}",
                                                 kind_name(*drives)));
  }
  Targets targets;
  for (const text::Entry& entry : drives->entries) read_drive(reader, entry, targets);
}

}  // namespace rodeo::machine
