// SPDX-License-Identifier: MIT
// Numbers of a machine in a pose: places, assembly, mobility, redundant constraints. THEORY S6, S7.
#pragma once
#include <string>
#include <vector>

#include "kinematics/spatial/joint.h"

namespace rodeo::spatial {

/// X_WB of a body.
struct BodyPose {
  Vector3 origin = Vector3::Zero();
  Quaternion q = Quaternion::Identity();

  [[nodiscard]] Vector3 place(const Vector3& p_B) const { return origin + q * p_B; }
};
struct Pose {
  std::vector<BodyPose> bodies;  // ground first
};

[[nodiscard]] Vector3 calc_position(const Machine& machine, const Pose& pose, PointRef ref);
/// A drive's value in a pose; an angle is the one nearest to `near`.
[[nodiscard]] double calc_drive_value(const Machine& machine, const Pose& pose, const Drive& drive,
                                      double near = 0.0);
/// The angle about a joint's axis (nearest to `near`) where it has one, else the distance along it.
[[nodiscard]] double calc_joint_value(const Machine& machine, const Pose& pose, const Joint& joint,
                                      double near = 0.0);
/// An angle is the one nearest to `near`, else to what the start says of its joint.
[[nodiscard]] double calc_measure(const Machine& machine, const Pose& pose, const Measure& measure,
                                  std::optional<double> near = {});

/// Mean extent of the moving bodies' points, metres; 1 for a machine of points.
[[nodiscard]] double calc_size(const Machine& machine);
/// Frames of motion at the bodies' own origins and axes.
[[nodiscard]] BodyFrames build_plain_frames(const Machine& machine);
/// Bodies at rest in a pose, as rows see them.
[[nodiscard]] BodyStates build_states(const Pose& pose, const BodyFrames& frames);

struct Assembly {
  bool assembled = false;
  Pose pose;
  std::vector<double> drive_values;
  double residual = 0.0;  // the largest, metres (angles scaled by the machine's size)
  std::string worst;      // the row it belongs to, by name
  Where where;            // of that row's joint or drive
  /// Values of `start` that were not met, a sentence each. Where nothing closes with one of them, whatever the branch, it is that one's,
  /// and the machine is not assembled.
  std::vector<std::string> missed_starts;
};
/// The pose near the hints of `start` that closes every joint, with the listed drives' values exact. What the drives leave open,
/// the hints close: exactly, as far as they are independent, in the order of the file.
[[nodiscard]] Assembly build_start_pose(const Machine& machine);

struct Mobility {
  int gruebler = 0;            // 6n less the joints' constraints, drives not counted
  int mobility = 0;            // 6n less the independent joint rows: gruebler + redundant
  int start_mobility = 0;      // the same by the rank at the start pose alone
  std::vector<Row> redundant;  // joint rows that follow from the others over the whole sampled motion
  int free_motions = 0;        // mobility less independent drives
  std::vector<Row> conflicting_drives;
};
[[nodiscard]] Mobility calc_mobility(const Machine& machine, const Assembly& start);

/// The rows of joints and drives that are neither redundant nor in conflict.
[[nodiscard]] std::vector<Row> build_independent_rows(const Machine& machine, const Mobility& mobility);

}  // namespace rodeo::spatial
