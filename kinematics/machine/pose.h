// SPDX-License-Identifier: MIT
// Numbers of a machine in a pose: constraints, their Jacobian, assembly, mobility, redundant constraints.
// Absolute coordinates: (x, y, angle) of every body's frame, ground left out. THEORY M1-M6.
//
// Rows a joint: revolute 2 (x, y of second less first), slider 1 (across the line), prismatic 2 (across, angle).
// Rows a drive: 1. Residuals are in metres, or radians for angles.
#pragma once
#include <Eigen/SparseCore>
#include <string>
#include <vector>

#include "kinematics/machine/machine.h"

namespace rodeo::machine {

/// X_WB of every body, ground first (identity). angle is unwrapped.
struct BodyPose {
  double x = 0.0, y = 0.0, angle = 0.0;
};
struct Pose {
  std::vector<BodyPose> bodies;
};

struct Vec2 {
  double x = 0.0, y = 0.0;
};
/// p_WP of a point.
[[nodiscard]] Vec2 calc_position(const Machine& machine, const Pose& pose, PointRef ref);
/// From the first point to the second, m.
[[nodiscard]] double calc_distance(const Machine& machine, const Pose& pose, PointRef first, PointRef second);
[[nodiscard]] double calc_measure(const Machine& machine, const Pose& pose, const Measure& measure);
/// A drive's value in a pose: angle, relative angle, pin-to-pin length, or position along the slide.
[[nodiscard]] double calc_drive_value(const Machine& machine, const Pose& pose, const Drive& drive);

/// What one scalar row of the constraints is.
struct Row {
  int joint = -1;
  int drive = -1;
  int component = 0;  // revolute: 0 x, 1 y; slider: 0 across; prismatic: 0 across, 1 angle
};
[[nodiscard]] std::vector<Row> build_rows(const Machine& machine, bool with_drives);
/// `joint 'rocker_pin' (x)`, for messages.
[[nodiscard]] std::string row_name(const Machine& machine, const Row& row);

/// Residual of each row; `drive_values` a drive each (used by drive rows only).
[[nodiscard]] Eigen::VectorXd calc_residuals(const Machine& machine, const Pose& pose,
                                             const std::vector<Row>& rows,
                                             const std::vector<double>& drive_values);
[[nodiscard]] Eigen::SparseMatrix<double> calc_jacobian(const Machine& machine, const Pose& pose,
                                                        const std::vector<Row>& rows);

struct Assembly {
  bool assembled = false;
  Pose pose;
  std::vector<double> drive_values;
  double residual = 0.0;  // the largest, metres (angles scaled by the machine's size)
  std::string worst;      // the row it belongs to, by name
  Where where;            // of that row's joint or drive
  /// Start angles that could be chosen and were not met, a sentence each. Where nothing closes with one of them, whatever the branch, it is
  /// that one's, and the machine is not assembled.
  std::vector<std::string> missed_starts;
};
/// The pose near the start angles that closes every joint, with the listed drives' values exact. What the drives
/// leave open, the given start angles close: exactly, as far as they are independent (those of the drives' bodies
/// first, then in the order of the file); the rest only pick the branch.
[[nodiscard]] Assembly build_start_pose(const Machine& machine);
/// From a pose to nearby drive values (continuation); used to sample motion.
[[nodiscard]] Assembly build_pose_near(const Machine& machine, const Pose& from,
                                       const std::vector<double>& drive_values);

struct Mobility {
  int gruebler = 0;            // 3n less the joints' constraints, drives not counted
  int mobility = 0;            // 3n less the independent joint rows: gruebler + redundant
  int start_mobility = 0;      // 3n less the rank at the start pose; more than mobility: a singular pose
  std::vector<Row> redundant;  // joint rows that follow from the others over the whole sampled motion
  int free_motions = 0;        // mobility less independent drives, when > 0: drives are missing
  std::vector<Row> conflicting_drives;  // drive rows that the joints and the other drives already fix
};
[[nodiscard]] Mobility calc_mobility(const Machine& machine, const Assembly& start);

}  // namespace rodeo::machine
