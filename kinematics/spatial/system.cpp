// SPDX-License-Identifier: MIT
#include "kinematics/spatial/system.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "kinematics/solve/solve.h"
#include "kinematics/spatial/masses.h"

namespace rodeo::spatial {
namespace {

/// Of mass times size squared: gives a point mass an inertia in factors, as in the plane.
constexpr double kTraceOfInertia = 1e-9;
constexpr double kPreferAngles = 3.0;   // over places
constexpr double kPreferJoints = 2.0;   // over turns of bodies
constexpr double kFarTurn = 0.5;        // rad, from the reference
constexpr double kNearSingular = 0.02;  // cos b of Cardan angles

struct Cache : dynamics::BodyCache {
  BodyStates states;
};

BodyStates& states_of(Workspace& work) {
  if (!work.cache) work.cache = std::make_unique<Cache>();
  return static_cast<Cache&>(*work.cache).states;
}

const BodyStates& states_of(const Workspace& work) { return static_cast<const Cache&>(*work.cache).states; }

/// The largest eigenvalue of 1/m − [p]× I⁻¹ [p]×: what a unit force at p can accelerate p by.
double calc_point_mobility(const Eigen::Ref<const Eigen::Matrix<double, 6, 1>>& mass, const Vector3& p) {
  Matrix3 cross;
  cross << 0, -p.z(), p.y(), p.z(), 0, -p.x(), -p.y(), p.x(), 0;
  const Matrix3 turning = -cross * mass.tail<3>().cwiseInverse().asDiagonal() * cross;
  return 1 / mass[0] +
         Eigen::SelfAdjointEigenSolver<Matrix3>(turning, Eigen::EigenvaluesOnly).eigenvalues()[2];
}

}  // namespace

System::System(Machine machine, std::vector<Row> rows, const std::vector<double>& drive_values)
    : machine_(std::move(machine)),
      rows_(std::move(rows)),
      frames_(build_mass_frames(machine_)),
      width_(machine_.orientation == Orientation::cardan ? 6 : 7),
      forces_(machine_, frames_, build_mass(machine_, frames_)) {
  size_ = calc_size(machine_);
  set_masses();
  for (const Row& row : rows_)
    data_.push_back(build_row_data(machine_, row, frames_, row.drive < 0 ? 0.0 : drive_values[row.drive]));
  add_joint_coordinates();
  add_body_coordinates();
}

void System::set_masses() {
  mass_ = weights_ = metric_ = build_mass(machine_, frames_);
  for (Eigen::Index i = 0; i < mass_.size(); ++i) {
    if (i % 6 < 3) continue;
    const double inertia = mass_[i - i % 6] * size_ * size_;
    if (mass_[i] >= kTraceOfInertia * inertia) continue;
    weights_[i] = kTraceOfInertia * inertia;
    metric_[i] = inertia;
  }
}

void System::add_joint_coordinates() {
  for (const Joint& joint : machine_.joints) {
    if (has_turn(joint.kind))
      coordinates_.push_back({build_turn_data(machine_, joint, frames_), joint.name + ".angle", 1.0});
    if (has_slide(joint.kind) && joint.kind != JointKind::screw)
      coordinates_.push_back(
          {build_slide_data(machine_, joint, frames_), joint.name + ".slide", kPreferAngles});
  }
}

void System::add_body_coordinates() {
  static const char* const kParts[] = {"x", "y", "z"};
  for (int b = 1; b < static_cast<int>(machine_.bodies.size()); ++b) {
    for (int axis = 0; axis < 3; ++axis) {
      RowData place{.second = b};
      place.u = Vector3::Unit(axis);
      RowData turn = place;
      turn.kind = RowKind::small_turn;
      const std::string& name = machine_.bodies[b].name;
      coordinates_.push_back(
          {place, fmt::format("{}.{}", name, kParts[axis]), kPreferAngles * kPreferJoints});
      coordinates_.push_back({turn, fmt::format("{}.turn.{}", name, kParts[axis]), kPreferJoints});
    }
  }
}

std::string System::position_name(Eigen::Index position) const {
  static const char* const kParts[] = {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"};
  static const char* const kAngles[] = {".a", ".b", ".c"};
  const Eigen::Index part = position % width_;
  const std::string& name = machine_.bodies[position / width_ + 1].name;
  return name + (width_ == 6 && part >= 3 ? kAngles[part - 3] : kParts[part]);
}

std::string System::velocity_name(Eigen::Index velocity) const {
  static const char* const kParts[] = {".x", ".y", ".z", ".turn.x", ".turn.y", ".turn.z"};
  return machine_.bodies[velocity / 6 + 1].name + kParts[velocity % 6];
}

dynamics::BodyLabel System::body_label(Eigen::Index velocity) const {
  const Body& body = machine_.bodies[velocity / 6 + 1];
  return {body.name, body.where};
}

/// Of the frame of motion; Cardan angles are those of the body's own frame.
Quaternion System::read_orientation(const Vector& q, Eigen::Index body) const {
  const Eigen::Index i = width_ * (body - 1) + 3;
  if (width_ == 6) return Quaternion(Matrix3(calc_cardan_rotation(q.segment<3>(i)) * frames_[body].R));
  return Quaternion(q[i], q[i + 1], q[i + 2], q[i + 3]).normalized();
}

void System::read_state(const Vector& q, const Vector& v, BodyStates& states) const {
  states.resize(machine_.bodies.size());
  for (Eigen::Index b = 1; b <= bodies(); ++b) {
    BodyState& body = states[b];
    body.c = flushed(q.segment<3>(width_ * (b - 1)));
    body.q = read_orientation(q, b);
    for (double& x : body.q.coeffs()) x = flushed(x);
    body.R = body.q.toRotationMatrix();
    body.velocity = v.size() > 0 ? flushed(v.segment<3>(6 * (b - 1))) : Vector3(Vector3::Zero());
    body.spin = v.size() > 0 ? flushed(v.segment<3>(6 * b - 3)) : Vector3(Vector3::Zero());
  }
}

BodyStates System::build_states(const Vector& q, const Vector& v) const {
  BodyStates states;
  read_state(q, v, states);
  return states;
}

void System::calc_rows(const Vector& q, const Vector& v, Workspace& work) const {
  BodyStates& states = states_of(work);
  read_state(q, v, states);
  spatial::calc_rows(data_, states, work.rows);
}

void System::calc(double t, const Vector& q, const Vector& v, Workspace& work) {
  time_ = t;
  calc_rows(q, v, work);
  work.power = forces_.calc(t, states_of(work), work.f);
}

dynamics::Energy System::calc_energy(const Vector& v, const Workspace& work) const {
  return {0.5 * v.dot(mass_.cwiseProduct(v)), forces_.calc_potential(states_of(work))};
}

Vector System::calc_position_rates(const Vector& q, const Vector& v) const {
  Vector rates(q.size());
  for (Eigen::Index b = 1; b <= bodies(); ++b) {
    const Eigen::Index i = width_ * (b - 1);
    const Vector3 w = v.segment<3>(6 * b - 3);
    rates.segment<3>(i) = v.segment<3>(6 * (b - 1));
    if (width_ == 6) {
      const Vector3 angles = q.segment<3>(i + 3);
      if (std::abs(std::cos(angles.y())) < kNearSingular) {
        throw solve::SolveError(
            time_,
            fmt::format(
                "body '{}': its Cardan angles come to their singularity, b = {:.4g} rad, at t = {:.4g} "
                "s: use 'orientation: quaternion'",
                machine_.bodies[b].name, angles.y(), time_));
      }
      rates.segment<3>(i + 3) = calc_cardan_rates(angles, frames_[b].R * w);
      continue;
    }
    const Quaternion rate =
        Quaternion(q[i + 3], q[i + 4], q[i + 5], q[i + 6]) * Quaternion(0, w.x(), w.y(), w.z());
    rates.segment<4>(i + 3) << 0.5 * rate.w(), 0.5 * rate.x(), 0.5 * rate.y(), 0.5 * rate.z();
  }
  return rates;
}

void System::move(Vector& q, const Vector& x) const {
  for (Eigen::Index b = 1; b <= bodies(); ++b) {
    const Eigen::Index i = width_ * (b - 1);
    const Quaternion turned = (read_orientation(q, b) * calc_turn(x.segment<3>(6 * b - 3))).normalized();
    q.segment<3>(i) += x.segment<3>(6 * (b - 1));
    if (width_ == 6) {
      const Vector3 near = q.segment<3>(i + 3);
      q.segment<3>(i + 3) = calc_cardan_angles(turned.toRotationMatrix() * frames_[b].R.transpose(), near);
    } else {
      q.segment<4>(i + 3) << turned.w(), turned.x(), turned.y(), turned.z();
    }
  }
}

// The same for all places of a joint, so that its parasitic spring is the same in every direction.
double System::calc_row_mobility(Eigen::Index row, const Workspace& work) const {
  const RowData& data = data_[row];
  const RowTerms& terms = work.rows.terms[row];
  const BodyStates& states = states_of(work);
  const Vector3 at = states[data.second].place(data.p2);
  double mobility = 0;
  for (int side = 0; side < 2; ++side) {
    const int body = terms.body[side];
    if (body == 0) continue;
    if (!data.is_angle()) {
      const Vector3 p = states[body].R.transpose() * (at - states[body].c);
      mobility += calc_point_mobility(mass_.segment<6>(6 * (body - 1)), p);
      continue;
    }
    for (int c = 3; c < 6; ++c) mobility += terms.d[side][c] * terms.d[side][c] / mass_[6 * (body - 1) + c];
  }
  return mobility;
}

double System::coordinate_unit(int coordinate) const {
  return coordinates_[coordinate].data.is_angle() ? 1.0 : size_;
}

dynamics::CoordinateState System::calc_coordinate(int coordinate, const Vector& /*q*/,
                                                  const Vector& reference, const Workspace& work) const {
  RowData data = coordinates_[coordinate].data;
  if (data.kind == RowKind::small_turn) data.zero = read_orientation(reference, data.second);
  dynamics::CoordinateState state;
  const RowValues values = calc_row(data, states_of(work), state.row);
  state.value = values.residual;
  state.bias = values.bias;
  return state;
}

double System::calc_gap(int coordinate, double wanted, double value) const {
  const bool is_turn = coordinates_[coordinate].data.kind == RowKind::turn;
  return is_turn ? calc_wrapped(wanted - value) : wanted - value;
}

bool System::is_far(int coordinate, double value) const {
  return coordinates_[coordinate].data.kind == RowKind::small_turn && std::abs(value) > kFarTurn;
}

Vector System::build_coordinates(const Pose& pose) const {
  Vector q(positions());
  for (Eigen::Index b = 1; b <= bodies(); ++b) {
    const Eigen::Index i = width_ * (b - 1);
    const BodyPose& body = pose.bodies[b];
    q.segment<3>(i) = body.place(frames_[b].centre);
    if (width_ == 6) {
      const auto& hint = machine_.start_bodies[b].angles;
      q.segment<3>(i + 3) = calc_cardan_angles(body.q.toRotationMatrix(), hint.value_or(Vector3::Zero()));
      continue;
    }
    const Quaternion turned = (body.q * Quaternion(frames_[b].R)).normalized();
    q.segment<4>(i + 3) << turned.w(), turned.x(), turned.y(), turned.z();
  }
  return q;
}

Pose System::build_pose(const Vector& q) const {
  Pose pose;
  pose.bodies.resize(machine_.bodies.size());
  for (Eigen::Index b = 1; b <= bodies(); ++b) {
    BodyPose& body = pose.bodies[b];
    body.q = (read_orientation(q, b) * Quaternion(frames_[b].R).conjugate()).normalized();
    body.origin = q.segment<3>(width_ * (b - 1)) - body.q * frames_[b].centre;
  }
  return pose;
}

Vector3 System::calc_spin(const Vector& v, int body) const {
  return frames_[body].R * v.segment<3>(6 * body - 3);
}

Vector3 System::calc_angular_momentum(const Vector& q, const Vector& v) const {
  const BodyStates states = build_states(q, v);
  Vector3 sum = Vector3::Zero();
  for (Eigen::Index b = 1; b <= bodies(); ++b) {
    const Vector p = mass_.segment<6>(6 * (b - 1)).cwiseProduct(v.segment<6>(6 * (b - 1)));
    sum += states[b].c.cross(Vector3(p.head<3>())) + states[b].R * p.tail<3>();
  }
  return sum;
}

}  // namespace rodeo::spatial
