// SPDX-License-Identifier: MIT
// Joints and drives as rows, in the general form of boudon-2019: the relative place of two points and the relative turn of two
// bodies, in a frame of the joint, some components of which are held. THEORY S3.
#pragma once
#include <string>
#include <vector>

#include "kinematics/spatial/machine.h"
#include "kinematics/spatial/rows.h"

namespace rodeo::spatial {

/// The frame of motion of a body: its centre in the body's frame, and its axes R_BP.
struct BodyFrame {
  Vector3 centre = Vector3::Zero();
  Matrix3 R = Matrix3::Identity();

  [[nodiscard]] Vector3 point(const Vector3& p_B) const { return R.transpose() * (p_B - centre); }
  [[nodiscard]] Vector3 direction(const Vector3& u_B) const { return R.transpose() * u_B; }
};
using BodyFrames = std::vector<BodyFrame>;

/// The frame of a joint. Its axes are those of the first body, turned by as little as makes one of them the joint's axis: where that
/// axis is x, y or z of the body, the names of the components are those of the body's axes.
struct JointFrame {
  Matrix3 F = Matrix3::Identity();  // axes of the joint in the first body, a column each
  Matrix3 G = Matrix3::Identity();  // the second body in the first where the joint's angle is nil
  int k = 2;                        // the column along the joint's axis
};
[[nodiscard]] JointFrame build_joint_frame(const Joint& joint);

enum class ComponentKind { place, turn, twist, screw };
/// What a joint holds: a place or a turn along axis 0, 1, 2 (x, y, z) of its frame.
struct Component {
  ComponentKind kind = ComponentKind::place;
  int axis = 0;
};
[[nodiscard]] std::vector<Component> build_components(const Joint& joint);
/// `x`, `rotation about y`.
[[nodiscard]] std::string component_text(const Component& component);

/// One scalar row of the constraints.
struct Row {
  int joint = -1;
  int drive = -1;
  int component = 0;
};
[[nodiscard]] std::vector<Row> build_rows(const Machine& machine, bool with_drives);
/// `joint 'crank_pin' (rotation about y)`, for messages.
[[nodiscard]] std::string row_name(const Machine& machine, const Row& row);
[[nodiscard]] text::Where row_where(const Machine& machine, const Row& row);

/// The row as data; `value` of a drive.
[[nodiscard]] RowData build_row_data(const Machine& machine, const Row& row, const BodyFrames& frames,
                                     double value = 0.0);
/// The angle about a joint's axis and the distance along it as rows of value 0.
[[nodiscard]] RowData build_turn_data(const Machine& machine, const Joint& joint, const BodyFrames& frames);
[[nodiscard]] RowData build_slide_data(const Machine& machine, const Joint& joint, const BodyFrames& frames);
/// The distance of two points as a row of value 0.
[[nodiscard]] RowData build_distance_data(const Machine& machine, PointRef first, PointRef second,
                                          const BodyFrames& frames);
/// An output of length or angle as a row of value 0.
[[nodiscard]] RowData build_measure_data(const Machine& machine, const Measure& measure,
                                         const BodyFrames& frames);

/// 6n less the joints' constraints.
[[nodiscard]] int calc_gruebler(const Machine& machine);

}  // namespace rodeo::spatial
