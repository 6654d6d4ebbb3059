// SPDX-License-Identifier: MIT
// Residuals of joints and drives, and their derivatives. THEORY M1 to M4. Positive angles turn x towards y.
#include "kinematics/machine/pose.h"

#include <array>
#include <cmath>

namespace rodeo::machine {
namespace {

Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
double dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
/// A quarter turn to the left: d/dangle of a vector that turns with its body.
Vec2 turn_left(Vec2 a) { return {-a.y, a.x}; }

Vec2 rotate(double angle, Vec2 a) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * a.x - s * a.y, s * a.x + c * a.y};
}

/// A point in a pose: p_WP, and its derivative by the body's angle.
struct PointState {
  int body;
  Vec2 p;
  Vec2 dp;
};

PointState calc_point(const Machine& machine, const Pose& pose, PointRef ref) {
  const Point& point = machine.point(ref);
  const BodyPose& body = pose.bodies[ref.body];
  const Vec2 r = rotate(body.angle, {point.x.value, point.y.value});
  return {ref.body, Vec2{body.x, body.y} + r, turn_left(r)};
}

/// The unit vector of a slider or prismatic joint in ground axes.
Vec2 calc_direction(const Machine& machine, const Pose& pose, int joint, int body) {
  const Joint& j = machine.joints[joint];
  return rotate(pose.bodies[body].angle, {j.direction_x.value, j.direction_y.value});
}

/// Coefficients of one row: at most two bodies, (x, y, angle) each. Zeros are kept, so that the pattern of the
/// Jacobian does not depend on the pose.
struct RowGradient {
  std::array<int, 2> body;
  std::array<std::array<double, 3>, 2> d;
};

/// ∇(uᵀ(p₂ − p₁)) for a unit vector u that is constant, or turns with the first body: du = its derivative.
RowGradient calc_gap_gradient(const PointState& p1, const PointState& p2, Vec2 u, Vec2 du) {
  return {{p1.body, p2.body},
          {{{-u.x, -u.y, dot(du, p2.p - p1.p) - dot(u, p1.dp)}, {u.x, u.y, dot(u, p2.dp)}}}};
}

RowGradient calc_angle_gradient(int first, int second) {
  return {{first, second}, {{{0, 0, -1}, {0, 0, 1}}}};
}

double calc_joint_residual(const Machine& machine, const Pose& pose, const Row& row) {
  const Joint& joint = machine.joints[row.joint];
  if (joint.kind == JointKind::prismatic && row.component == 1) {
    return pose.bodies[joint.second.body].angle - pose.bodies[joint.first.body].angle - joint.angle.value;
  }
  const Vec2 gap = calc_position(machine, pose, joint.second) - calc_position(machine, pose, joint.first);
  if (joint.kind == JointKind::revolute) return row.component == 0 ? gap.x : gap.y;
  return dot(turn_left(calc_direction(machine, pose, row.joint, joint.first.body)), gap);
}

RowGradient calc_joint_gradient(const Machine& machine, const Pose& pose, const Row& row) {
  const Joint& joint = machine.joints[row.joint];
  if (joint.kind == JointKind::prismatic && row.component == 1) {
    return calc_angle_gradient(joint.first.body, joint.second.body);
  }
  const PointState p1 = calc_point(machine, pose, joint.first), p2 = calc_point(machine, pose, joint.second);
  if (joint.kind == JointKind::revolute) {
    return calc_gap_gradient(p1, p2, row.component == 0 ? Vec2{1, 0} : Vec2{0, 1}, {0, 0});
  }
  const Vec2 normal = turn_left(calc_direction(machine, pose, row.joint, joint.first.body));
  return calc_gap_gradient(p1, p2, normal, turn_left(normal));
}

RowGradient calc_drive_gradient(const Machine& machine, const Pose& pose, const Drive& drive) {
  if (drive.kind == DriveKind::angle) return calc_angle_gradient(0, drive.second_body);
  if (drive.kind == DriveKind::relative_angle) {
    return calc_angle_gradient(drive.first_body, drive.second_body);
  }
  const PointState p1 = calc_point(machine, pose, drive.first), p2 = calc_point(machine, pose, drive.second);
  if (drive.kind == DriveKind::slide) {
    const Vec2 along = calc_direction(machine, pose, drive.joint, drive.first.body);
    return calc_gap_gradient(p1, p2, along, turn_left(along));
  }
  // At length 0 a cylinder has no direction; any will do to leave that pose.
  const Vec2 gap = p2.p - p1.p;
  const double length = std::hypot(gap.x, gap.y);
  const Vec2 along = length > 0 ? Vec2{gap.x / length, gap.y / length} : Vec2{1, 0};
  return calc_gap_gradient(p1, p2, along, {0, 0});
}

int rows_of(JointKind kind) { return kind == JointKind::slider ? 1 : 2; }

}  // namespace

Vec2 calc_position(const Machine& machine, const Pose& pose, PointRef ref) {
  return calc_point(machine, pose, ref).p;
}

double calc_distance(const Machine& machine, const Pose& pose, PointRef first, PointRef second) {
  const Vec2 gap = calc_position(machine, pose, second) - calc_position(machine, pose, first);
  return std::hypot(gap.x, gap.y);
}

double calc_measure(const Machine& machine, const Pose& pose, const Measure& measure) {
  if (measure.kind == MeasureKind::angle) return pose.bodies[measure.of].angle;
  return calc_distance(machine, pose, measure.first, measure.second);
}

double calc_drive_value(const Machine& machine, const Pose& pose, const Drive& drive) {
  if (drive.kind == DriveKind::angle) return pose.bodies[drive.second_body].angle;
  if (drive.kind == DriveKind::relative_angle) {
    return pose.bodies[drive.second_body].angle - pose.bodies[drive.first_body].angle;
  }
  if (drive.kind == DriveKind::cylinder) return calc_distance(machine, pose, drive.first, drive.second);
  const Vec2 gap = calc_position(machine, pose, drive.second) - calc_position(machine, pose, drive.first);
  return dot(calc_direction(machine, pose, drive.joint, drive.first.body), gap);
}

std::vector<Row> build_rows(const Machine& machine, bool with_drives) {
  std::vector<Row> rows;
  for (int j = 0; j < static_cast<int>(machine.joints.size()); ++j) {
    for (int c = 0; c < rows_of(machine.joints[j].kind); ++c) rows.push_back({.joint = j, .component = c});
  }
  const int drives = with_drives ? static_cast<int>(machine.drives.size()) : 0;
  for (int d = 0; d < drives; ++d) rows.push_back({.drive = d});
  return rows;
}

std::string row_name(const Machine& machine, const Row& row) {
  if (row.drive >= 0) return "drive '" + machine.drives[row.drive].name + "'";
  const Joint& joint = machine.joints[row.joint];
  const char* component = row.component == 0 ? "across" : "angle";
  if (joint.kind == JointKind::revolute) component = row.component == 0 ? "x" : "y";
  return "joint '" + joint.name + "' (" + component + ")";
}

Eigen::VectorXd calc_residuals(const Machine& machine, const Pose& pose, const std::vector<Row>& rows,
                               const std::vector<double>& drive_values) {
  Eigen::VectorXd residuals(static_cast<Eigen::Index>(rows.size()));
  Eigen::Index next = 0;
  for (const Row& row : rows) {
    residuals[next++] =
        row.drive < 0 ? calc_joint_residual(machine, pose, row)
                      : calc_drive_value(machine, pose, machine.drives[row.drive]) - drive_values[row.drive];
  }
  return residuals;
}

Eigen::SparseMatrix<double> calc_jacobian(const Machine& machine, const Pose& pose,
                                          const std::vector<Row>& rows) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RowGradient g = rows[i].drive < 0
                              ? calc_joint_gradient(machine, pose, rows[i])
                              : calc_drive_gradient(machine, pose, machine.drives[rows[i].drive]);
    for (int side = 0; side < 2; ++side) {
      if (g.body[side] == 0) continue;  // the ground does not move
      for (int c = 0; c < 3; ++c) {
        entries.emplace_back(static_cast<int>(i), 3 * (g.body[side] - 1) + c, g.d[side][c]);
      }
    }
  }
  const auto coordinates = 3 * (static_cast<Eigen::Index>(machine.bodies.size()) - 1);
  Eigen::SparseMatrix<double> jacobian(static_cast<Eigen::Index>(rows.size()), coordinates);
  jacobian.setFromTriplets(entries.begin(), entries.end());
  return jacobian;
}

}  // namespace rodeo::machine
