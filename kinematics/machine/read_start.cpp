// SPDX-License-Identifier: MIT
// `start:` of a machine file.
#include <fmt/format.h>

#include <algorithm>

#include "kinematics/machine/free_slides.h"
#include "kinematics/machine/reader.h"

namespace rodeo::machine {
namespace {

using text::Node;

int find_drive(const Machine& machine, const std::string& name) {
  for (std::size_t i = 0; i < machine.drives.size(); ++i) {
    if (machine.drives[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

/// The body of this name, the ground left out; -1 if there is none.
int find_moving_body(const Reader& reader, const std::string& name) {
  const auto found = reader.body_index.find(name);
  return found == reader.body_index.end() || found->second == 0 ? -1 : found->second;
}

/// The slider or prismatic joint of this name; -1 if there is none.
int find_slide(const Reader& reader, const std::string& name) {
  const auto& joints = reader.machine.joints;
  const auto found = std::find_if(joints.begin(), joints.end(), [&](const Joint& joint) {
    return joint.name == name && joint.kind != JointKind::revolute;
  });
  return found == joints.end() ? -1 : static_cast<int>(found - joints.begin());
}

const Drive* find_drive_of(const Machine& machine, int joint) {
  const auto found = std::find_if(machine.drives.begin(), machine.drives.end(),
                                  [&](const Drive& drive) { return drive.joint == joint; });
  return found == machine.drives.end() ? nullptr : &*found;
}

void fault_unknown(Reader& reader, const text::Entry& entry, const std::string& what) {
  std::vector<std::string> names;
  for (const Drive& drive : reader.machine.drives) names.push_back(drive.name);
  for (std::size_t i = 1; i < reader.machine.bodies.size(); ++i) {
    const std::string& body = reader.machine.bodies[i].name;
    if (find_drive(reader.machine, body) < 0) names.push_back(body);
  }
  const bool is_joint = std::any_of(reader.machine.joints.begin(), reader.machine.joints.end(),
                                    [&](const Joint& joint) { return joint.name == entry.key; });
  reader.faults.add(
      entry.where,
      fmt::format("{}: {} (there are {}){}", what,
                  is_joint ? "this is a joint, and in the plane drives, bodies and slides have values and "
                             "rates at the start"
                           : "no drive or body has this name",
                  text::join_names(names),
                  is_joint ? ": give the joint a drive, or write 'space: 3', where joints have them" : ""));
}

void read_start_slide(Reader& reader, const text::Entry& entry, int joint, double value) {
  if (const Drive* drive = find_drive_of(reader.machine, joint)) {
    return reader.faults.add(
        entry.where,
        fmt::format("start '{0}': drive '{1}' moves this joint: give '{1}' a value", entry.key, drive->name));
  }
  if (!is_free_slide(reader.machine, joint)) {
    return reader.faults.add(entry.where, fmt::format("start '{}': a loop of the machine holds this slide: "
                                                      "give angles of bodies, which pick the branch",
                                                      entry.key));
  }
  reader.machine.start_slides[static_cast<std::size_t>(joint)] = value;
}

void read_start_value(Reader& reader, const text::Entry& entry) {
  const std::string what = fmt::format("start '{}'", entry.key);
  Machine& machine = reader.machine;
  const int drive = find_drive(machine, entry.key);
  const int body = find_moving_body(reader, entry.key);
  const int slide = drive < 0 && body < 0 ? find_slide(reader, entry.key) : -1;
  if (drive < 0 && body < 0 && slide < 0) fault_unknown(reader, entry, what);
  const double value = read_quantity(reader, entry.value, what).value;
  if (drive >= 0) machine.start_drives[static_cast<std::size_t>(drive)] = value;
  if (body >= 0) machine.start_angles[static_cast<std::size_t>(body)] = value;
  if (slide >= 0) read_start_slide(reader, entry, slide, value);
}

void read_start_rates(Reader& reader, const Node& rates) {
  if (!rates.is_map() && !rates.is_null()) {
    reader.faults.add(rates.where,
                      fmt::format("start: rates are a map NAME: RATE, not {}", kind_name(rates)));
  }
  for (const text::Entry& entry : rates.entries) {
    if (text::is_cut(entry.key)) continue;  // the rest of the expression before it, which is reported
    const std::string what = fmt::format("start rate '{}'", entry.key);
    const bool is_known = find_drive(reader.machine, entry.key) >= 0 ||
                          find_moving_body(reader, entry.key) >= 0 || find_slide(reader, entry.key) >= 0;
    if (!is_known) fault_unknown(reader, entry, what);
    const double value = read_quantity(reader, entry.value, what).value;
    reader.machine.start_rates.push_back({entry.key, value, entry.where});
  }
}

}  // namespace

void read_start(Reader& reader, const Node* start) {
  Machine& machine = reader.machine;
  // drawn at angle zero; otherwise nothing is known of a body that the file does not list
  machine.start_angles.assign(machine.bodies.size(), reader.is_drawing ? std::optional(0.0) : std::nullopt);
  machine.start_angles[0] = 0.0;
  machine.start_drives.assign(machine.drives.size(), std::nullopt);
  machine.start_slides.assign(machine.joints.size(), std::nullopt);
  machine.is_drawing = reader.is_drawing;
  if (start == nullptr) return;
  if (!start->is_map() && !start->is_null()) {
    reader.faults.add(start->where,
                      fmt::format("start: a map NAME: VALUE is needed, not {}", kind_name(*start)));
  }
  for (const text::Entry& entry : start->entries) {
    if (text::is_cut(entry.key)) continue;
    if (entry.key == "rates") {
      read_start_rates(reader, entry.value);
    } else {
      read_start_value(reader, entry);
    }
  }
}

}  // namespace rodeo::machine
