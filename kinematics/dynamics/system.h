// SPDX-License-Identifier: MIT
// A machine as masses, forces and constraints, in coordinates of the centres of mass:
//     M v̇ + Jᵀλ = f(t, q, v),   q̇ = v,   Φ(q) = 0,   M = diag(m, m, I, ...).   THEORY D1.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "kinematics/dynamics/forces.h"
#include "kinematics/dynamics/rows.h"
#include "kinematics/machine/machine.h"
#include "kinematics/machine/pose.h"

namespace rodeo::dynamics {

/// Everything at one state; sizes are set once, so that a step does not allocate for it.
struct Workspace {
  BodyStates bodies;
  Rows rows;
  Vector f;
  Power power;
};

/// The machine with its payloads as point masses of their bodies: mass, centre and inertia of the whole. One whose mass is an
/// input weighs nothing: nobody sends it here.
[[nodiscard]] machine::Machine build_loaded(machine::Machine machine);

class System {
 public:
  /// `rows`: the constraints to be kept, drives at `drive_values`.
  System(machine::Machine machine, std::vector<machine::Row> rows, const std::vector<double>& drive_values);

  [[nodiscard]] const machine::Machine& machine() const noexcept { return machine_; }
  [[nodiscard]] Eigen::Index coordinates() const noexcept { return mass_.size(); }
  [[nodiscard]] Eigen::Index row_count() const noexcept { return static_cast<Eigen::Index>(data_.size()); }
  /// The diagonal of M; a point mass has inertia 0.
  [[nodiscard]] const Vector& mass() const noexcept { return mass_; }
  /// The same, with an inertia where there is none: what distances are measured with.
  [[nodiscard]] const Vector& metric() const noexcept { return metric_; }
  /// The same, with a trace of inertia where there is none: what may be divided by.
  [[nodiscard]] const Vector& weights() const noexcept { return weights_; }
  /// Mean extent of the moving bodies, m.
  [[nodiscard]] double size() const noexcept { return size_; }
  [[nodiscard]] const std::vector<machine::Row>& rows() const noexcept { return rows_; }
  [[nodiscard]] const std::vector<RowData>& row_data() const noexcept { return data_; }
  [[nodiscard]] std::string row_name(Eigen::Index row) const;
  [[nodiscard]] Forces& forces() noexcept { return forces_; }

  /// A blade on a body: its point may move along the blade and not across it. The machine file has no word for it yet.
  void add_knife_edge(int body, const Point2& point, const Point2& along);
  [[nodiscard]] bool is_holonomic(Eigen::Index row) const { return data_[row].kind != RowKind::knife_edge; }

  /// Bodies, rows and forces at (t, q, v).
  void calc(double t, const Vector& q, const Vector& v, Workspace& work);
  /// Bodies and rows only.
  void calc_rows(const Vector& q, const Vector& v, Workspace& work) const;
  [[nodiscard]] Energy calc_energy(const Vector& v, const BodyStates& bodies) const;
  /// Of the rows, in metres: angles times the machine's size.
  [[nodiscard]] double calc_largest(const Vector& residual) const;

  [[nodiscard]] Vector build_coordinates(const machine::Pose& pose) const;
  [[nodiscard]] machine::Pose build_pose(const Vector& q) const;

 private:
  [[nodiscard]] RowData build_row(const machine::Row& row, const std::vector<double>& drive_values) const;
  [[nodiscard]] RowData build_drive_row(const machine::Drive& drive, double value) const;
  [[nodiscard]] Point2 from_centre(machine::PointRef ref) const;

  machine::Machine machine_;
  std::vector<machine::Row> rows_;
  std::vector<Point2> centres_;  // of mass, in each body's frame
  std::vector<double> masses_;
  double size_ = 1.0;
  Forces forces_;
  std::vector<RowData> data_;
  Vector mass_, weights_, metric_;
};

}  // namespace rodeo::dynamics
