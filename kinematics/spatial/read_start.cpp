// SPDX-License-Identifier: MIT
// `start:` of a spatial machine file.
#include <fmt/format.h>

#include "kinematics/spatial/reader.h"

namespace rodeo::spatial {
namespace {

using text::MapReader;
using text::Node;

int find_drive(const Machine& machine, const std::string& name) {
  for (std::size_t i = 0; i < machine.drives.size(); ++i) {
    if (machine.drives[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

/// The body of this name, the ground left out; -1 if there is none.
int find_moving_body(const Reader& reader, const std::string& name) {
  const auto found = reader.base.body_index.find(name);
  return found == reader.base.body_index.end() || found->second == 0 ? -1 : found->second;
}

int find_joint(const Reader& reader, const std::string& name) {
  const auto found = reader.base.joint_index.find(name);
  return found == reader.base.joint_index.end() ? -1 : found->second;
}

void fault_unknown(Reader& reader, const text::Entry& entry, const std::string& what) {
  std::vector<std::string> names;
  for (const Drive& drive : reader.machine.drives) names.push_back(drive.name);
  for (std::size_t i = 1; i < reader.machine.bodies.size(); ++i) {
    const std::string& body = reader.machine.bodies[i].name;
    if (find_drive(reader.machine, body) < 0) names.push_back(body);
  }
  for (const Joint& joint : reader.machine.joints) {
    if (joint.name.find('.') == std::string::npos) names.push_back(joint.name);
  }
  reader.base.faults.add(entry.where, fmt::format("{}: no drive, body or joint has this name (there are {})",
                                                  what, text::join_names(names)));
}

double read_number(Reader& reader, const Node& node, const std::string& what) {
  return machine::read_quantity(reader.base, node, what).value;
}

/// One number: about z.
Vector3 read_angles(Reader& reader, const Node& node, const std::string& what) {
  if (!node.is_list()) return {0, 0, read_number(reader, node, what)};
  return read_triple(reader, node, what).value();
}

/// `20 deg`, `[a, b, c]` or `{angles: [a, b, c], origin: [x, y, z]}`.
void read_start_body(Reader& reader, const Node& node, const std::string& what, int body) {
  StartBody& start = reader.machine.start_bodies[body];
  if (!node.is_map()) {
    start.angles = read_angles(reader, node, what);
    return;
  }
  MapReader map(node, what, reader.base.faults);
  if (const Node* angles = map.find("angles")) start.angles = read_angles(reader, *angles, what + ": angles");
  if (const Node* origin = map.find("origin"))
    start.origin = read_triple(reader, *origin, what + ": origin").value();
  map.finish();
}

void read_start_value(Reader& reader, const text::Entry& entry) {
  const std::string what = fmt::format("start '{}'", entry.key);
  const int drive = find_drive(reader.machine, entry.key);
  const int body = find_moving_body(reader, entry.key);
  const int joint = find_joint(reader, entry.key);
  if (drive >= 0) {
    reader.machine.start_drives[drive] = read_number(reader, entry.value, what);
  } else if (body >= 0) {
    read_start_body(reader, entry.value, what, body);
  } else if (joint >= 0) {
    reader.machine.start_joints[joint] = read_number(reader, entry.value, what);
    const JointKind kind = reader.machine.joints[joint].kind;
    if (!has_turn(kind) && !has_slide(kind)) {
      reader.base.faults.add(entry.where,
                             fmt::format("{}: a {} joint has no angle or distance", what, kind_text(kind)));
    }
  } else {
    fault_unknown(reader, entry, what);
  }
}

StartRate build_scalar_rate(RateKind kind, int index, double value, const text::Entry& entry) {
  return {kind, index, {value, std::nullopt, std::nullopt}, entry.key, entry.where};
}

StartRate build_vector_rate(RateKind kind, int index, const Vector3& value, const text::Entry& entry) {
  return {kind, index, {value.x(), value.y(), value.z()}, entry.key, entry.where};
}

/// One number: the spin about the body's z. Three: its spin. `{spin: ..., velocity: ...}`: the origin's velocity too.
void read_body_rate(Reader& reader, const text::Entry& entry, const std::string& what, int body) {
  std::vector<StartRate>& rates = reader.machine.start_rates;
  const Node& node = entry.value;
  if (node.is_list()) {
    rates.push_back(build_vector_rate(RateKind::spin, body, read_triple(reader, node, what).value(), entry));
    return;
  }
  if (!node.is_map()) {
    rates.push_back({RateKind::spin,
                     body,
                     {std::nullopt, std::nullopt, read_number(reader, node, what)},
                     entry.key,
                     entry.where});
    return;
  }
  MapReader map(node, what, reader.base.faults);
  if (const Node* spin = map.find("spin")) {
    rates.push_back(
        build_vector_rate(RateKind::spin, body, read_triple(reader, *spin, what + ": spin").value(), entry));
  }
  if (const Node* velocity = map.find("velocity")) {
    rates.push_back(build_vector_rate(RateKind::velocity, body,
                                      read_triple(reader, *velocity, what + ": velocity").value(), entry));
  }
  map.finish();
}

void read_start_rate(Reader& reader, const text::Entry& entry) {
  const std::string what = fmt::format("start rate '{}'", entry.key);
  const int drive = find_drive(reader.machine, entry.key);
  const int body = find_moving_body(reader, entry.key);
  const int joint = find_joint(reader, entry.key);
  std::vector<StartRate>& rates = reader.machine.start_rates;
  if (drive >= 0) {
    rates.push_back(build_scalar_rate(RateKind::drive, drive, read_number(reader, entry.value, what), entry));
  } else if (body >= 0) {
    read_body_rate(reader, entry, what, body);
  } else if (joint >= 0) {
    rates.push_back(build_scalar_rate(RateKind::joint, joint, read_number(reader, entry.value, what), entry));
  } else {
    fault_unknown(reader, entry, what);
  }
}

void read_start_rates(Reader& reader, const Node& rates) {
  if (!rates.is_map() && !rates.is_null()) {
    reader.base.faults.add(rates.where,
                           fmt::format("start: rates are a map NAME: RATE, not {}", kind_name(rates)));
  }
  for (const text::Entry& entry : rates.entries) {
    if (!text::is_cut(entry.key)) read_start_rate(reader, entry);
  }
}

}  // namespace

void read_start(Reader& reader, const Node* start) {
  Machine& machine = reader.machine;
  machine.start_bodies.assign(machine.bodies.size(), {});
  if (reader.base.is_drawing) {  // drawn at angle zero
    for (StartBody& body : machine.start_bodies) body.angles = Vector3::Zero();
  }
  machine.start_drives.assign(machine.drives.size(), std::nullopt);
  machine.start_joints.assign(machine.joints.size(), std::nullopt);
  if (start == nullptr) return;
  if (!start->is_map() && !start->is_null()) {
    reader.base.faults.add(start->where,
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

}  // namespace rodeo::spatial
