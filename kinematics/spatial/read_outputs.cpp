// SPDX-License-Identifier: MIT
// `outputs:` of a spatial machine file. A body in space has no angle of its own; joints that turn have one.
#include <fmt/format.h>

#include "kinematics/machine/measures.h"
#include "kinematics/spatial/reader.h"

namespace rodeo::spatial {
namespace {

using text::Node;

std::string list_turning(const Machine& machine) {
  std::vector<std::string> names;
  for (const Joint& joint : machine.joints) {
    if (has_turn(joint.kind)) names.push_back(joint.name);
  }
  return names.empty() ? "there is none" : fmt::format("there is {}", text::join_names(names));
}

std::optional<int> read_angle(Reader& reader, const Node& node, const std::string& what) {
  const auto joint = reader.base.joint_index.find(node.scalar);
  const bool is_joint = joint != reader.base.joint_index.end();
  if (is_joint && has_turn(reader.machine.joints[joint->second].kind)) return joint->second;
  const std::string found =
      is_joint
          ? fmt::format("a {} joint keeps no angle", kind_text(reader.machine.joints[joint->second].kind))
      : reader.base.body_index.contains(node.scalar)
          ? fmt::format("'{}' is a body, which in space has no single angle", node.scalar)
          : fmt::format("there is no joint '{}'", node.scalar);
  reader.base.faults.add(node.where, fmt::format("{}: {}: name a joint that turns ({})", what, found,
                                                 list_turning(reader.machine)));
  return std::nullopt;
}

/// The drive of a joint counts from its first body; one of a body's angle may count the other way round.
bool imposes(const Machine& machine, const Drive& drive, const Measure& measure) {
  if (measure.kind == MeasureKind::length)
    return drive.kind == DriveKind::cylinder && machine::is_same_length(drive, measure);
  return drive.kind == DriveKind::angle && drive.joint == measure.of &&
         machine.joints[measure.of].first.body == drive.first_body;
}

}  // namespace

void read_outputs(Reader& reader, const Node* outputs) {
  machine::read_outputs(reader.base, outputs, [&](const Node& node, const std::string& what) {
    return read_angle(reader, node, what);
  });
  for (const machine::Output& output : reader.base.machine.outputs)
    reader.machine.outputs.push_back({output.name, output.point, output.where});
  reader.machine.measures = reader.base.machine.measures;
}

void check_measures(Reader& reader) {
  machine::check_measures(
      reader.machine, reader.base.faults,
      [&](const Drive& drive, const Measure& measure) { return imposes(reader.machine, drive, measure); });
}

}  // namespace rodeo::spatial
