// SPDX-License-Identifier: MIT
#include "kinematics/spatial/pose.h"

#include <algorithm>

namespace rodeo::spatial {
namespace {

double calc_extent(const Body& body) {
  double extent = 0;
  for (const Point& a : body.points) {
    for (const Point& b : body.points) extent = std::max(extent, (a.at.value() - b.at.value()).norm());
  }
  return extent;
}

bool is_same(const Row& a, const Row& b) {
  return a.joint == b.joint && a.drive == b.drive && a.component == b.component;
}

bool contains(const std::vector<Row>& rows, const Row& row) {
  return std::any_of(rows.begin(), rows.end(), [&](const Row& other) { return is_same(row, other); });
}

double calc_value(const RowData& data, const BodyStates& states, double near) {
  if (data.kind == RowKind::turn) return near + calc_wrapped(calc_turn_angle(data, states) - near);
  RowTerms unused;
  return calc_row(data, states, unused).residual;
}

}  // namespace

Vector3 calc_position(const Machine& machine, const Pose& pose, PointRef ref) {
  return pose.bodies[ref.body].place(machine.point(ref).at.value());
}

double calc_drive_value(const Machine& machine, const Pose& pose, const Drive& drive, double near) {
  const BodyFrames frames = build_plain_frames(machine);
  const int index = static_cast<int>(&drive - machine.drives.data());
  return calc_value(build_row_data(machine, {-1, index, 0}, frames), build_states(pose, frames), near);
}

double calc_joint_value(const Machine& machine, const Pose& pose, const Joint& joint, double near) {
  const BodyFrames frames = build_plain_frames(machine);
  const RowData data = has_turn(joint.kind) ? build_turn_data(machine, joint, frames)
                                            : build_slide_data(machine, joint, frames);
  return calc_value(data, build_states(pose, frames), near);
}

double calc_measure(const Machine& machine, const Pose& pose, const Measure& measure,
                    std::optional<double> near) {
  const BodyFrames frames = build_plain_frames(machine);
  if (!near && measure.kind == MeasureKind::angle) near = machine.start_joints[measure.of];
  return calc_value(build_measure_data(machine, measure, frames), build_states(pose, frames),
                    near.value_or(0.0));
}

double calc_size(const Machine& machine) {
  double sum = 0;
  int count = 0;
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
    const double extent = calc_extent(machine.bodies[b]);
    if (!(extent > 0)) continue;
    sum += extent;
    ++count;
  }
  return count > 0 ? sum / count : 1.0;
}

BodyFrames build_plain_frames(const Machine& machine) { return BodyFrames(machine.bodies.size()); }

BodyStates build_states(const Pose& pose, const BodyFrames& frames) {
  BodyStates states(pose.bodies.size());
  for (std::size_t b = 1; b < states.size(); ++b) {
    const BodyPose& body = pose.bodies[b];
    states[b].c = body.place(frames[b].centre);
    states[b].R = body.q.toRotationMatrix() * frames[b].R;
    states[b].q = Quaternion(states[b].R).normalized();
  }
  return states;
}

std::vector<Row> build_independent_rows(const Machine& machine, const Mobility& mobility) {
  std::vector<Row> rows = build_rows(machine, true);
  std::erase_if(rows, [&](const Row& row) {
    return contains(mobility.redundant, row) || contains(mobility.conflicting_drives, row);
  });
  return rows;
}

}  // namespace rodeo::spatial
