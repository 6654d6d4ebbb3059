// SPDX-License-Identifier: MIT
#include "kinematics/spatial/joint.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace rodeo::spatial {
namespace {

constexpr const char* kAxisNames[] = {"x", "y", "z"};

bool holds_whole_turn(JointKind kind) { return kind == JointKind::prismatic || kind == JointKind::fixed; }

/// The second body in the first: turned about z by the angle that is held, or by the least that lays the axes on each other.
Matrix3 build_zero(const Joint& joint) {
  if (joint.angle.value != 0) return calc_cardan_rotation({0, 0, joint.angle.value});
  return calc_smallest_turn(joint.axis_second.value(), joint.axis_first.value());
}

Quaternion build_zero_turn(const Matrix3& G, const BodyFrame& first, const BodyFrame& second) {
  return Quaternion(Matrix3(first.R.transpose() * G * second.R)).normalized();
}

RowData build_ends(const Machine& machine, PointRef first, PointRef second, const BodyFrames& frames) {
  RowData data;
  data.first = first.body;
  data.second = second.body;
  data.p1 = frames[first.body].point(machine.point(first).at.value());
  data.p2 = frames[second.body].point(machine.point(second).at.value());
  return data;
}

void add_places(std::vector<Component>& list, const bool (&held)[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    if (held[axis]) list.push_back({ComponentKind::place, axis});
  }
}

void add_turns(std::vector<Component>& list, const bool (&held)[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    if (held[axis]) list.push_back({ComponentKind::turn, axis});
  }
}

/// Vectors u on the first and w on the second body with uᵀw = 0, and d/dt uᵀw the relative spin about axis m. With k the joint's
/// axis, i × j = k: about i −j·k', about j i·k', about k j·i'.
void set_turn_vectors(const JointFrame& frame, int m, const BodyFrames& frames, RowData& data) {
  const int i = (frame.k + 1) % 3, j = (frame.k + 2) % 3;
  const Matrix3 F2 = frame.G.transpose() * frame.F;
  const Vector3 u = m == i   ? Vector3(-frame.F.col(j))
                    : m == j ? Vector3(frame.F.col(i))
                             : Vector3(frame.F.col(j));
  const Vector3 w = m == frame.k ? F2.col(i) : F2.col(frame.k);
  data.kind = RowKind::across;
  data.u = frames[data.first].direction(u);
  data.w = frames[data.second].direction(w);
}

RowData build_joint_row(const Machine& machine, const Joint& joint, const Component& component,
                        const BodyFrames& frames) {
  RowData data = build_ends(machine, joint.first, joint.second, frames);
  const JointFrame frame = build_joint_frame(joint);
  switch (component.kind) {
    case ComponentKind::place:
      data.u = frames[data.first].direction(frame.F.col(component.axis));
      return data;
    case ComponentKind::turn: set_turn_vectors(frame, component.axis, frames, data); return data;
    case ComponentKind::twist:
      data.kind = RowKind::across;
      data.u = frames[data.first].direction(joint.axis_first.value());
      data.w = frames[data.second].direction(joint.axis_second.value());
      return data;
    case ComponentKind::screw:
      data = build_turn_data(machine, joint, frames);
      data.kind = RowKind::screw;
      data.value = joint.pitch.value / (2 * std::numbers::pi);
      return data;
  }
  return data;
}

/// The zero of an angle that is a joint's is the joint's, seen from either body.
Matrix3 build_drive_zero(const Machine& machine, const Drive& drive) {
  if (drive.joint < 0) return calc_smallest_turn(drive.axis_second.value(), drive.axis_first.value());
  const Joint& joint = machine.joints[drive.joint];
  const Matrix3 G = build_joint_frame(joint).G;
  return joint.first.body == drive.first_body ? G : Matrix3(G.transpose());
}

RowData build_drive_row(const Machine& machine, const Drive& drive, const BodyFrames& frames) {
  if (drive.kind == DriveKind::cylinder)
    return build_distance_data(machine, drive.first, drive.second, frames);
  if (drive.kind == DriveKind::slide) return build_slide_data(machine, machine.joints[drive.joint], frames);
  RowData data;
  data.kind = RowKind::turn;
  data.first = drive.first_body;
  data.second = drive.second_body;
  data.u = frames[data.first].direction(drive.axis_first.value());
  data.zero = build_zero_turn(build_drive_zero(machine, drive), frames[data.first], frames[data.second]);
  return data;
}

}  // namespace

JointFrame build_joint_frame(const Joint& joint) {
  JointFrame frame;
  const Vector3 axis = joint.axis_first.value();
  axis.cwiseAbs().maxCoeff(&frame.k);
  const double sign = axis[frame.k] < 0 ? -1.0 : 1.0;
  frame.F = calc_smallest_turn(sign * Vector3::Unit(frame.k), axis);
  if (joint.kind != JointKind::universal && joint.kind != JointKind::spherical) frame.G = build_zero(joint);
  return frame;
}

std::vector<Component> build_components(const Joint& joint) {
  const int k = build_joint_frame(joint).k;
  const bool all[3] = {true, true, true}, along[3] = {k == 0, k == 1, k == 2},
             around[3] = {k != 0, k != 1, k != 2};
  std::vector<Component> list;
  switch (joint.kind) {
    case JointKind::revolute: add_places(list, all); break;
    case JointKind::spherical:
    case JointKind::universal:
    case JointKind::fixed: add_places(list, all); break;
    case JointKind::planar:
    case JointKind::point_on_plane: add_places(list, along); break;
    default: add_places(list, around); break;
  }
  const bool aligns = joint.kind == JointKind::revolute || joint.kind == JointKind::cylindrical ||
                      joint.kind == JointKind::screw || joint.kind == JointKind::planar;
  if (aligns) add_turns(list, around);
  if (holds_whole_turn(joint.kind)) add_turns(list, all);
  if (joint.kind == JointKind::universal) list.push_back({ComponentKind::twist, 0});
  if (joint.kind == JointKind::screw) list.push_back({ComponentKind::screw, k});
  return list;
}

std::string component_text(const Component& component) {
  switch (component.kind) {
    case ComponentKind::place: return kAxisNames[component.axis];
    case ComponentKind::turn: return fmt::format("rotation about {}", kAxisNames[component.axis]);
    case ComponentKind::twist: return "rotation about normal";
    case ComponentKind::screw: return fmt::format("pitch along {}", kAxisNames[component.axis]);
  }
  return "";
}

std::vector<Row> build_rows(const Machine& machine, bool with_drives) {
  std::vector<Row> rows;
  for (int j = 0; j < static_cast<int>(machine.joints.size()); ++j) {
    const int count = static_cast<int>(build_components(machine.joints[j]).size());
    for (int c = 0; c < count; ++c) rows.push_back({j, -1, c});
  }
  for (int d = 0; with_drives && d < static_cast<int>(machine.drives.size()); ++d) rows.push_back({-1, d, 0});
  return rows;
}

std::string row_name(const Machine& machine, const Row& row) {
  if (row.drive >= 0) return fmt::format("drive '{}'", machine.drives[row.drive].name);
  const Joint& joint = machine.joints[row.joint];
  return fmt::format("joint '{}' ({})", joint.name, component_text(build_components(joint)[row.component]));
}

text::Where row_where(const Machine& machine, const Row& row) {
  return row.drive >= 0 ? machine.drives[row.drive].where : machine.joints[row.joint].where;
}

RowData build_row_data(const Machine& machine, const Row& row, const BodyFrames& frames, double value) {
  if (row.drive < 0) {
    const Joint& joint = machine.joints[row.joint];
    return build_joint_row(machine, joint, build_components(joint)[row.component], frames);
  }
  RowData data = build_drive_row(machine, machine.drives[row.drive], frames);
  data.value = value;
  return data;
}

RowData build_turn_data(const Machine& machine, const Joint& joint, const BodyFrames& frames) {
  RowData data = build_slide_data(machine, joint, frames);
  data.kind = RowKind::turn;
  data.zero = build_zero_turn(build_joint_frame(joint).G, frames[data.first], frames[data.second]);
  return data;
}

RowData build_slide_data(const Machine& machine, const Joint& joint, const BodyFrames& frames) {
  RowData data = build_ends(machine, joint.first, joint.second, frames);
  data.u = frames[data.first].direction(joint.axis_first.value());
  return data;
}

RowData build_distance_data(const Machine& machine, PointRef first, PointRef second,
                            const BodyFrames& frames) {
  RowData data = build_ends(machine, first, second, frames);
  data.kind = RowKind::distance;
  return data;
}

RowData build_measure_data(const Machine& machine, const Measure& measure, const BodyFrames& frames) {
  if (measure.kind == MeasureKind::angle) return build_turn_data(machine, machine.joints[measure.of], frames);
  return build_distance_data(machine, measure.first, measure.second, frames);
}

int calc_gruebler(const Machine& machine) {
  return 6 * (static_cast<int>(machine.bodies.size()) - 1) -
         static_cast<int>(build_rows(machine, false).size());
}

}  // namespace rodeo::spatial
