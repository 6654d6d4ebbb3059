// SPDX-License-Identifier: MIT
#include "kinematics/spatial/start_hints.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>

namespace rodeo::spatial {
namespace {

constexpr double kIndependent = 1e-6;  // what a row must move to be held

/// Whether the machine closes with every frame at the origin, as a drawing does.
bool is_drawn(const Machine& machine) {
  const Closure joints(machine, build_rows(machine, false), {});
  const Vector r = joints.calc_residuals({std::vector<BodyPose>(machine.bodies.size())});
  return r.size() == 0 || r.cwiseAbs().maxCoeff() <= kClosed;
}

RowData build_joint_row(const Closure& closure, int j) {
  const Machine& machine = closure.machine();
  const Joint& joint = machine.joints[j];
  RowData row = has_turn(joint.kind) ? build_turn_data(machine, joint, closure.frames())
                                     : build_slide_data(machine, joint, closure.frames());
  row.value = *machine.start_joints[j];
  return row;
}

RowData build_orientation_row(const Closure& closure, int body, const Vector3& about) {
  RowData row{.kind = RowKind::small_turn, .second = body};
  row.u = about;
  row.zero = Quaternion(calc_cardan_rotation(*closure.machine().start_bodies[body].angles));
  return row;
}

RowData build_origin_row(const Closure& closure, int body, int axis) {
  RowData row{.second = body};
  row.p2 = -closure.frames()[body].centre;
  row.u = Vector3::Unit(axis);
  row.value = (*closure.machine().start_bodies[body].origin)[axis];
  return row;
}

std::vector<RowData> build_hint_rows(const Closure& closure, const Hint& hint, const Eigen::MatrixXd& free) {
  if (hint.joint >= 0) return {build_joint_row(closure, hint.joint)};
  std::vector<RowData> rows;
  if (hint.is_origin) {
    for (int axis = 0; axis < 3; ++axis) rows.push_back(build_origin_row(closure, hint.body, axis));
    return rows;
  }
  const Eigen::MatrixXd rotations = free.middleRows(Eigen::Index{6} * hint.body - 3, 3);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(rotations, Eigen::ComputeFullU);
  for (int k = 0; k < svd.singularValues().size(); ++k) {
    if (svd.singularValues()[k] > kIndependent)
      rows.push_back(build_orientation_row(closure, hint.body, svd.matrixU().col(k)));
  }
  return rows;
}

/// Takes the row's direction out of the columns; false if none of them moves it.
bool take_out(Eigen::MatrixXd& free, const Vector& gradient) {
  const Eigen::RowVectorXd rates = gradient.transpose() * free;
  if (!(rates.norm() > kIndependent)) return false;
  const Vector unit = rates.transpose().normalized();
  const Eigen::MatrixXd rest = free - (free * unit) * unit.transpose();
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(rest);
  qr.setThreshold(1e-9);
  free = qr.householderQ() * Eigen::MatrixXd::Identity(free.rows(), free.cols() - 1);
  return true;
}

std::string to_degrees(Vector3 angles) {
  angles *= 180 / std::numbers::pi;
  angles = angles.unaryExpr([](double angle) { return std::abs(angle) < 5e-7 ? 0.0 : angle; });
  if (angles.head<2>().isZero(0.0)) return fmt::format("{:.6g} deg", angles.z());
  return fmt::format("[{:.6g}, {:.6g}, {:.6g}] deg", angles.x(), angles.y(), angles.z());
}

std::string to_text(const Joint& joint, double value) {
  return has_turn(joint.kind) ? to_degrees({0, 0, value}) : fmt::format("{:.6g} m", value);
}

std::string to_text(const Vector3& origin) {
  return fmt::format("origin [{:.6g}, {:.6g}, {:.6g}] m", origin.x(), origin.y(), origin.z());
}

}  // namespace

bool is_zero(const Machine& machine, const Hint& hint) {
  return hint.joint < 0 && !hint.is_origin && machine.start_bodies[hint.body].angles->isZero(0.0);
}

std::vector<Hint> list_hints(const Machine& machine) {
  std::vector<Hint> hints;
  for (int j = 0; j < static_cast<int>(machine.joints.size()); ++j) {
    if (machine.start_joints[j]) hints.push_back({.joint = j});
  }
  for (int b = 1; b < static_cast<int>(machine.bodies.size()); ++b) {
    if (machine.start_bodies[b].angles) hints.push_back({.body = b});
    if (machine.start_bodies[b].origin) hints.push_back({.body = b, .is_origin = true});
  }
  if (is_drawn(machine))
    std::stable_partition(hints.begin(), hints.end(),
                          [&](const Hint& hint) { return !is_zero(machine, hint); });
  return hints;
}

std::vector<RowData> take_rows(const Closure& closure, const Pose& pose, const Hint& hint,
                               Eigen::MatrixXd& free) {
  if (free.cols() == 0) return {};
  std::vector<RowData> rows = build_hint_rows(closure, hint, free);
  std::erase_if(rows, [&](const RowData& row) {
    return free.cols() == 0 || !take_out(free, closure.calc_gradient(row, pose));
  });
  return rows;
}

double calc_miss(const Closure& closure, const Pose& pose, const Hint& hint) {
  const Machine& machine = closure.machine();
  if (hint.joint >= 0) {
    const Joint& joint = machine.joints[hint.joint];
    const double miss = calc_joint_value(machine, pose, joint) - *machine.start_joints[hint.joint];
    return std::abs(has_turn(joint.kind) ? calc_wrapped(miss) : miss / closure.size());
  }
  const StartBody& start = machine.start_bodies[hint.body];
  const BodyPose& body = pose.bodies[hint.body];
  if (hint.is_origin) return (body.origin - *start.origin).norm() / closure.size();
  return body.q.angularDistance(Quaternion(calc_cardan_rotation(*start.angles)));
}

std::string describe_hint(const Machine& machine, const Hint& hint) {
  if (hint.joint >= 0) {
    const Joint& joint = machine.joints[hint.joint];
    return fmt::format("start '{}': {}", joint.name, to_text(joint, *machine.start_joints[hint.joint]));
  }
  const StartBody& start = machine.start_bodies[hint.body];
  return fmt::format("start '{}': {}", machine.bodies[hint.body].name,
                     hint.is_origin ? to_text(*start.origin) : to_degrees(*start.angles));
}

std::string describe_value(const Machine& machine, const Hint& hint, const Pose& pose) {
  if (hint.joint >= 0) {
    const Joint& joint = machine.joints[hint.joint];
    const double near = *machine.start_joints[hint.joint];
    return to_text(joint, calc_joint_value(machine, pose, joint, near));
  }
  const BodyPose& body = pose.bodies[hint.body];
  return hint.is_origin ? to_text(body.origin)
                        : to_degrees(calc_cardan_angles(body.q.toRotationMatrix(),
                                                        *machine.start_bodies[hint.body].angles));
}

}  // namespace rodeo::spatial
