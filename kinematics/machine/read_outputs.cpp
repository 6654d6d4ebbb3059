// SPDX-License-Identifier: MIT
// `outputs:` of a machine file: points `tip: coupler.tracer`, lengths `lift: {length: [ground.P, boom.R]}`, angles
// `level: {angle: bucket}`.
#include <fmt/format.h>

#include <array>

#include "kinematics/machine/measures.h"
#include "kinematics/machine/reader.h"

namespace rodeo::machine {
namespace {

using text::MapReader;
using text::Node;

constexpr auto kKinds = std::to_array<std::string_view>({"length", "angle"});

/// In the plane, of a body.
std::optional<int> read_angle(Reader& reader, const Node& node, const std::string& what) {
  const auto body = read_body(reader, node, what);
  if (!body || *body != 0) return body;
  reader.faults.add(node.where, fmt::format("{}: the ground does not turn: name another body", what));
  return std::nullopt;
}

void read_measure(Reader& reader, const text::Entry& entry, const std::string& what,
                  const AngleReader& read_angle_of) {
  const auto kind = read_kind(reader, entry.value, what, kKinds, {});
  if (!kind) return;
  Measure measure;
  measure.kind = static_cast<MeasureKind>(*kind);
  measure.name = entry.key;
  measure.where = entry.where;
  MapReader map(entry.value, what, reader.faults);
  const Node& node = *map.find(kKinds[*kind]);
  map.finish();
  if (measure.kind == MeasureKind::angle) {
    const auto of = read_angle_of(node, what);
    if (!of) return;
    measure.of = *of;
  } else {
    const auto points = read_two_points(reader, node, what);
    if (!points) return;
    measure.first = points->first;
    measure.second = points->second;
  }
  reader.machine.measures.push_back(std::move(measure));
}

bool imposes(const Drive& drive, const Measure& measure) {
  if (measure.kind == MeasureKind::angle)
    return drive.kind == DriveKind::angle && drive.second_body == measure.of;
  return drive.kind == DriveKind::cylinder && is_same_length(drive, measure);
}

}  // namespace

void read_outputs(Reader& reader, const Node* outputs, const AngleReader& read_angle_of) {
  if (outputs == nullptr) return;
  if (!outputs->is_map() && !outputs->is_null()) {
    reader.faults.add(outputs->where,
                      fmt::format("outputs: a map NAME: body.point is needed, not {}", kind_name(*outputs)));
  }
  for (const text::Entry& entry : outputs->entries) {
    const std::string what = fmt::format("output '{}'", entry.key);
    check_name(reader, entry.key, entry.where, what);
    if (entry.value.is_map()) {
      read_measure(reader, entry, what, read_angle_of);
    } else if (const auto point = read_point(reader, entry.value, what)) {
      reader.machine.outputs.push_back({entry.key, *point, entry.where});
    }
  }
}

void read_outputs(Reader& reader, const Node* outputs) {
  read_outputs(reader, outputs,
               [&](const Node& node, const std::string& what) { return read_angle(reader, node, what); });
}

/// A body's rate and acceleration are columns of its own; an angle that has its name is the body's. A drive of the same name was
/// looked at before.
void check_measures(Reader& reader) {
  check_measures(reader.machine, reader.faults, imposes);
  for (const Measure& measure : reader.machine.measures) {
    const auto body = reader.body_index.find(measure.name);
    const bool is_drive = std::any_of(reader.machine.drives.begin(), reader.machine.drives.end(),
                                      [&](const Drive& drive) { return drive.name == measure.name; });
    if (is_drive || body == reader.body_index.end() || body->second == 0) continue;
    if (measure.kind == MeasureKind::angle && measure.of == body->second) continue;
    reader.faults.add(measure.where,
                      fmt::format("output '{0}': body '{0}' has the column '{0}.rate', and this is not its "
                                  "angle: give the output another name",
                                  measure.name));
  }
}

}  // namespace rodeo::machine
