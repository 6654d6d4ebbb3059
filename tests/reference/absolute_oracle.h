// SPDX-License-Identifier: MIT
// An oracle for planar machines that shares no code with the kernels: absolute coordinates q = (x, y, angle of every moving
// body), joints and drives as constraints C(q) = u written by hand, poses by Newton, then
//     J q̇ = u̇    J q̈ = ü - b(q, q̇)    with b what is left of C̈ without accelerations.
// Everything in long double; systems by pivoted QR, so that redundant rows are taken in the least-squares sense. Only the
// reader of machine files is shared.
#pragma once
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kinematics/machine/machine.h"

namespace rodeo::reference {

using Real = long double;
using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using Vector2 = Eigen::Matrix<Real, 2, 1>;
using machine::DriveKind;
using machine::JointKind;
using machine::Machine;
using machine::PointRef;

/// Position, rate and acceleration of every drive.
struct Command {
  std::vector<double> position, rate, acceleration;
};

/// x, y, angle of every moving body, with two derivatives.
struct Motion {
  Vector q, v, a;
};

/// A point of a body: p_WP, its velocity and its acceleration.
struct PointMotion {
  Vector2 p, v, a;
};

/// ẑ × a
inline Vector2 turned(const Vector2& a) { return {-a.y(), a.x()}; }

class AbsoluteOracle {
 public:
  explicit AbsoluteOracle(Machine machine) : machine_(std::move(machine)) {}

  [[nodiscard]] const Machine& machine() const noexcept { return machine_; }

  /// Largest distance between two points of a body, metres.
  [[nodiscard]] double calc_size() const {
    double size = 0.0;
    for (const machine::Body& body : machine_.bodies) {
      for (const machine::Point& a : body.points) {
        for (const machine::Point& b : body.points)
          size = std::max(size, std::hypot(a.x.value - b.x.value, a.y.value - b.y.value));
      }
    }
    return size;
  }

  /// The pose at given drive positions that Newton finds from the file's start angles; false if it finds none.
  [[nodiscard]] bool try_start(const std::vector<double>& positions, Vector& q) const {
    q = Vector::Zero(3 * (static_cast<Eigen::Index>(machine_.bodies.size()) - 1));
    for (std::size_t b = 1; b < machine_.bodies.size(); ++b)
      q[static_cast<Eigen::Index>(3 * b - 1)] = machine_.start_angles[b].value_or(0.0);
    for (std::size_t d = 0; d < machine_.drives.size(); ++d) set_driven_angle(d, positions[d], q);
    place_along_joints(positions, q);
    return try_close(positions, q);
  }

  /// From a pose nearby; false if Newton does not close it.
  [[nodiscard]] bool try_close(const std::vector<double>& positions, Vector& q) const {
    Real last = 1;
    for (int i = 0; i < 60; ++i) {
      const Rows rows = calc_rows(q, Vector::Zero(q.size()));
      const Vector error = rows.value - target(positions);
      const Vector move = rows.jacobian.colPivHouseholderQr().solve(error);
      const Real size = move.cwiseAbs().maxCoeff();
      if (!(size < 1e6L)) return false;
      q -= size > 0.5L ? Vector(move * (0.5L / size)) : move;
      if (size < 1e-16L || (size < 1e-13L && size >= last)) break;
      last = size;
    }
    const Rows rows = calc_rows(q, Vector::Zero(q.size()));
    return (rows.value - target(positions)).cwiseAbs().maxCoeff() < 1e-13L;
  }

  /// Velocities and accelerations at a closed pose.
  [[nodiscard]] Motion calc_motion(const Vector& q, const Command& command) const {
    Motion motion{q, {}, {}};
    const auto solver = calc_rows(q, Vector::Zero(q.size())).jacobian.colPivHouseholderQr();
    motion.v = solver.solve(target_rates(command.rate));
    motion.a = solver.solve(target_rates(command.acceleration) - calc_rows(q, motion.v).bias);
    return motion;
  }

  [[nodiscard]] PointMotion calc_point(const Motion& m, PointRef ref) const {
    const Vector2 s(machine_.point(ref).x.value, machine_.point(ref).y.value);
    if (ref.body == 0) return {s, Vector2::Zero(), Vector2::Zero()};
    const Eigen::Index i = 3 * (ref.body - 1);
    const Vector2 r = rotation(m.q[i + 2]) * s;
    const Real w = m.v[i + 2];
    return {m.q.segment<2>(i) + r, m.v.segment<2>(i) + w * turned(r),
            m.a.segment<2>(i) + m.a[i + 2] * turned(r) - w * w * r};
  }

 private:
  /// C(q), ∂C/∂q, and b: the part of C̈ that is quadratic in velocities.
  struct Rows {
    Vector value;
    Matrix jacobian;
    Vector bias;
  };

  static Eigen::Matrix<Real, 2, 2> rotation(Real angle) {
    Eigen::Matrix<Real, 2, 2> r;
    r << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    return r;
  }

  static Real angle_of(const Vector& q, int body) { return body == 0 ? Real(0) : q[3 * (body - 1) + 2]; }

  [[nodiscard]] Eigen::Index row_count() const {
    Eigen::Index rows = static_cast<Eigen::Index>(machine_.drives.size());
    for (const machine::Joint& joint : machine_.joints) rows += joint.kind == JointKind::slider ? 1 : 2;
    return rows;
  }

  // ---- what the constraints must be: zero for joints, the drive's value for drives

  [[nodiscard]] Vector target(const std::vector<double>& positions) const {
    Vector target = target_rates(positions);
    Eigen::Index row = 0;
    for (const machine::Joint& joint : machine_.joints) {
      if (joint.kind == JointKind::prismatic) target[row + 1] = joint.angle.value;
      row += joint.kind == JointKind::slider ? 1 : 2;
    }
    return target;
  }

  [[nodiscard]] Vector target_rates(const std::vector<double>& values) const {
    Vector target = Vector::Zero(row_count());
    const Eigen::Index joints = target.size() - static_cast<Eigen::Index>(values.size());
    for (std::size_t d = 0; d < values.size(); ++d) target[joints + static_cast<Eigen::Index>(d)] = values[d];
    return target;
  }

  // ---- constraints

  /// The vector between two points, g = p₂ - p₁, with what its derivatives need.
  struct Gap {
    Vector2 g, rate, bias;  // g, ġ, and g̈ without accelerations
    Eigen::Matrix<Real, 2, Eigen::Dynamic> jacobian;
  };

  [[nodiscard]] Gap calc_gap(const Vector& q, const Vector& v, PointRef first, PointRef second) const {
    Gap gap{Vector2::Zero(), Vector2::Zero(), Vector2::Zero(), {}};
    gap.jacobian.setZero(2, q.size());
    for (const auto& [ref, sign] : {std::pair{first, Real(-1)}, {second, Real(1)}}) {
      const Vector2 s(machine_.point(ref).x.value, machine_.point(ref).y.value);
      if (ref.body == 0) {
        gap.g += sign * s;
        continue;
      }
      const Eigen::Index i = 3 * (ref.body - 1);
      const Vector2 r = rotation(q[i + 2]) * s;
      gap.g += sign * (q.segment<2>(i) + r);
      gap.jacobian.middleCols<2>(i) += sign * Eigen::Matrix<Real, 2, 2>::Identity();
      gap.jacobian.col(i + 2) += sign * turned(r);
      gap.bias -= sign * v[i + 2] * v[i + 2] * r;
    }
    gap.rate = gap.jacobian * v;
    return gap;
  }

  /// c = n·g, n = R(θ₁) n₁:  ċ = n·ġ + ω₁ (ẑ×n)·g,  c̈ = n·g̈ + 2 ω₁ (ẑ×n)·ġ + α₁ (ẑ×n)·g - ω₁² n·g.
  void add_projection(const Vector& q, const Vector& v, const Gap& gap, int body, const Vector2& in_body,
                      Eigen::Index row, Rows& rows) const {
    const Vector2 n = rotation(angle_of(q, body)) * in_body;
    const Real w = angle_of(v, body);
    rows.value[row] = n.dot(gap.g);
    rows.jacobian.row(row) = n.transpose() * gap.jacobian;
    if (body > 0) rows.jacobian(row, 3 * (body - 1) + 2) += turned(n).dot(gap.g);
    rows.bias[row] = n.dot(gap.bias) + 2 * w * turned(n).dot(gap.rate) - w * w * n.dot(gap.g);
  }

  /// c = θ₂ - θ₁.
  static void add_angle(const Vector& q, int first, int second, Eigen::Index row, Rows& rows) {
    rows.value[row] = angle_of(q, second) - angle_of(q, first);
    if (first > 0) rows.jacobian(row, 3 * (first - 1) + 2) -= 1;
    if (second > 0) rows.jacobian(row, 3 * (second - 1) + 2) += 1;
  }

  /// c = |g|, e = g/|g|:  ċ = e·ġ,  c̈ = e·g̈ + (ġ² - (e·ġ)²)/|g|.
  static void add_length(const Gap& gap, Eigen::Index row, Rows& rows) {
    const Real length = gap.g.norm();
    const Vector2 e = gap.g / length;
    const Real along = e.dot(gap.rate);
    rows.value[row] = length;
    rows.jacobian.row(row) = e.transpose() * gap.jacobian;
    rows.bias[row] = e.dot(gap.bias) + (gap.rate.squaredNorm() - along * along) / length;
  }

  [[nodiscard]] Rows calc_rows(const Vector& q, const Vector& v) const {
    const Eigen::Index n = row_count();
    Rows rows{Vector::Zero(n), Matrix::Zero(n, q.size()), Vector::Zero(n)};
    Eigen::Index row = 0;
    for (const machine::Joint& joint : machine_.joints) {
      const Gap gap = calc_gap(q, v, joint.first, joint.second);
      const Vector2 along(joint.direction_x.value, joint.direction_y.value);
      if (joint.kind == JointKind::revolute) {
        rows.value.segment<2>(row) = gap.g;
        rows.jacobian.middleRows<2>(row) = gap.jacobian;
        rows.bias.segment<2>(row) = gap.bias;
      } else {
        add_projection(q, v, gap, joint.first.body, turned(along / along.norm()), row, rows);
      }
      if (joint.kind == JointKind::prismatic)
        add_angle(q, joint.first.body, joint.second.body, row + 1, rows);
      row += joint.kind == JointKind::slider ? 1 : 2;
    }
    for (const machine::Drive& drive : machine_.drives) add_drive(q, v, drive, row++, rows);
    return rows;
  }

  void add_drive(const Vector& q, const Vector& v, const machine::Drive& drive, Eigen::Index row,
                 Rows& rows) const {
    switch (drive.kind) {
      case DriveKind::angle: return add_angle(q, 0, drive.second_body, row, rows);
      case DriveKind::relative_angle: return add_angle(q, drive.first_body, drive.second_body, row, rows);
      case DriveKind::cylinder: return add_length(calc_gap(q, v, drive.first, drive.second), row, rows);
      case DriveKind::slide: break;
    }
    const machine::Joint& joint = machine_.joints[static_cast<std::size_t>(drive.joint)];
    const Vector2 along(joint.direction_x.value, joint.direction_y.value);
    add_projection(q, v, calc_gap(q, v, drive.first, drive.second), joint.first.body, along / along.norm(),
                   row, rows);
  }

  // ---- where Newton starts

  void set_driven_angle(std::size_t d, double position, Vector& q) const {
    const machine::Drive& drive = machine_.drives[d];
    if (drive.kind == DriveKind::angle) q[3 * (drive.second_body - 1) + 2] = position;
    if (drive.kind == DriveKind::relative_angle && drive.second_body > 0)
      q[3 * (drive.second_body - 1) + 2] = angle_of(q, drive.first_body) + position;
  }

  /// Each body once: the joint that first reaches it from the ground puts its point where it belongs.
  void place_along_joints(const std::vector<double>& positions, Vector& q) const {
    std::vector<bool> placed(machine_.bodies.size(), false);
    placed[0] = true;
    for (std::size_t pass = 0; pass < machine_.bodies.size(); ++pass) {
      for (std::size_t j = 0; j < machine_.joints.size(); ++j) place_by(j, positions, placed, q);
    }
  }

  void place_by(std::size_t j, const std::vector<double>& positions, std::vector<bool>& placed,
                Vector& q) const {
    const machine::Joint& joint = machine_.joints[j];
    const auto a = static_cast<std::size_t>(joint.first.body);
    const auto b = static_cast<std::size_t>(joint.second.body);
    if (placed[a] == placed[b]) return;
    if (joint.kind == JointKind::prismatic && placed[a])
      q[3 * (joint.second.body - 1) + 2] = angle_of(q, joint.first.body) + Real(joint.angle.value);
    Vector2 wanted = Vector2::Zero();
    for (std::size_t d = 0; d < machine_.drives.size(); ++d) {
      if (machine_.drives[d].kind != DriveKind::slide || machine_.drives[d].joint != static_cast<int>(j))
        continue;
      const Vector2 along(joint.direction_x.value, joint.direction_y.value);
      wanted = rotation(angle_of(q, joint.first.body)) * along * (Real(positions[d]) / along.norm());
    }
    const Vector2 miss = wanted - calc_gap(q, Vector::Zero(q.size()), joint.first, joint.second).g;
    if (placed[a]) q.segment<2>(3 * (joint.second.body - 1)) += miss;
    if (placed[b]) q.segment<2>(3 * (joint.first.body - 1)) -= miss;
    placed[a] = placed[b] = true;
  }

  Machine machine_;
};

}  // namespace rodeo::reference
