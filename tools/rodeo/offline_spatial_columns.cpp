// SPDX-License-Identifier: MIT
#include "tools/rodeo/offline_spatial_columns.h"

#include <algorithm>

namespace rodeo::tools {

using spatial::RowKind;

SpatialColumns::SpatialColumns(const spatial::Machine& machine)
    : machine_(machine),
      frames_(build_plain_frames(machine)),
      quaternions_(machine.bodies.size(), spatial::Quaternion::Identity()) {
  for (int d = 0; d < static_cast<int>(machine.drives.size()); ++d) {
    add_coordinate(machine.drives[d].name, build_row_data(machine, {-1, d, 0}, frames_));
    if (machine.start_drives[d]) coordinates_.back().last = *machine.start_drives[d];
  }
  for (std::size_t j = 0; j < machine.joints.size(); ++j) {
    const spatial::Joint& joint = machine.joints[j];
    const double start = machine.start_joints[j].value_or(0.0);
    if (has_turn(joint.kind)) {
      add_coordinate(joint.name + ".angle", build_turn_data(machine, joint, frames_));
      coordinates_.back().last = start;
    }
    if (has_slide(joint.kind))
      add_coordinate(joint.name + ".slide", build_slide_data(machine, joint, frames_));
  }
}

void SpatialColumns::add_coordinate(std::string name, spatial::RowData data) {
  coordinates_.push_back({std::move(name), data, 0.0});
}

std::vector<std::string> SpatialColumns::build_names() const {
  std::vector<std::string> names;
  for (const Coordinate& coordinate : coordinates_) names.push_back(coordinate.name);
  for (const spatial::Output& output : machine_.outputs) {
    for (const char* part : {".x", ".y", ".z"}) names.push_back(output.name + part);
  }
  for (const spatial::Measure& measure : machine_.measures) {
    if (measure.drive < 0) names.push_back(measure.name);
  }
  return names;
}

void SpatialColumns::gather(const spatial::Pose& pose, std::vector<double>& row) {
  const spatial::BodyStates states = build_states(pose, frames_);
  for (Coordinate& c : coordinates_) {
    if (c.data.kind == RowKind::turn) {
      c.last += spatial::calc_wrapped(calc_turn_angle(c.data, states) - c.last);
    } else {
      spatial::RowTerms unused;
      c.last = calc_row(c.data, states, unused).residual;
    }
    row.push_back(c.last);
  }
  for (const spatial::Output& output : machine_.outputs) {
    const spatial::Vector3 p = calc_position(machine_, pose, output.point);
    row.insert(row.end(), {p.x(), p.y(), p.z()});
  }
  for (const spatial::Measure& measure : machine_.measures) {
    if (measure.drive < 0) row.push_back(calc_measure(measure, pose));
  }
}

double SpatialColumns::calc_measure(const spatial::Measure& measure, const spatial::Pose& pose) const {
  if (measure.kind == spatial::MeasureKind::length) return spatial::calc_measure(machine_, pose, measure);
  const std::string name = machine_.joints[measure.of].name + ".angle";
  return std::find_if(coordinates_.begin(), coordinates_.end(),
                      [&](const Coordinate& c) { return c.name == name; })
      ->last;
}

std::vector<std::string> SpatialColumns::build_body_names() const {
  std::vector<std::string> names;
  for (std::size_t b = 1; b < machine_.bodies.size(); ++b) {
    for (const char* part :
         {".origin.x", ".origin.y", ".origin.z", ".qw", ".qx", ".qy", ".qz", ".wx", ".wy", ".wz"})
      names.push_back(machine_.bodies[b].name + part);
  }
  return names;
}

void SpatialColumns::gather_bodies(const spatial::Pose& pose, const std::vector<spatial::Vector3>& spins,
                                   std::vector<double>& row) {
  for (std::size_t b = 1; b < pose.bodies.size(); ++b) {
    const spatial::Vector3 &p = pose.bodies[b].origin, &w = spins[b];
    spatial::Quaternion q = pose.bodies[b].q;
    if (q.dot(quaternions_[b]) < 0) q.coeffs() = -q.coeffs();
    quaternions_[b] = q;
    row.insert(row.end(), {p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z(), w.x(), w.y(), w.z()});
  }
}

}  // namespace rodeo::tools
