// SPDX-License-Identifier: MIT
// A machine in the plane as masses, forces and constraints, in coordinates of the centres of mass:
//     q̇ = v,   M = diag(m, m, I, ...).   THEORY D1.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "kinematics/dynamics/forces.h"
#include "kinematics/dynamics/system.h"
#include "kinematics/machine/machine.h"
#include "kinematics/machine/pose.h"

namespace rodeo::dynamics {

/// The machine with its payloads as point masses of their bodies: mass, centre and inertia of the whole. One whose mass is an
/// input weighs nothing: nobody sends it here.
[[nodiscard]] machine::Machine build_loaded(machine::Machine machine);

class PlanarSystem : public System {
 public:
  /// `rows`: the constraints to be kept, drives at `drive_values`.
  PlanarSystem(machine::Machine machine, std::vector<machine::Row> rows,
               const std::vector<double>& drive_values);

  [[nodiscard]] const machine::Machine& machine() const noexcept { return machine_; }
  [[nodiscard]] Eigen::Index coordinates() const noexcept { return mass_.size(); }
  [[nodiscard]] const std::vector<machine::Row>& rows() const noexcept { return rows_; }
  [[nodiscard]] const std::vector<RowData>& row_data() const noexcept { return data_; }
  [[nodiscard]] Forces& forces() noexcept { return forces_; }
  [[nodiscard]] machine::Pose build_pose(const Vector& q) const;
  [[nodiscard]] Vector build_coordinates(const machine::Pose& pose) const;

  /// A blade on a body: its point may move along the blade and not across it. The machine file has no word for it yet.
  void add_knife_edge(int body, const Point2& point, const Point2& along);

  [[nodiscard]] Eigen::Index positions() const noexcept override { return mass_.size(); }
  [[nodiscard]] Eigen::Index row_count() const noexcept override {
    return static_cast<Eigen::Index>(data_.size());
  }
  [[nodiscard]] std::string row_name(Eigen::Index row) const override;
  [[nodiscard]] bool is_holonomic(Eigen::Index row) const override {
    return data_[row].kind != RowKind::knife_edge;
  }
  [[nodiscard]] double row_unit(Eigen::Index row) const override {
    return data_[row].kind == RowKind::angle ? 1.0 : size_;
  }
  [[nodiscard]] double velocity_unit(Eigen::Index velocity) const override {
    return velocity % 3 == 2 ? 1.0 : size_;
  }
  [[nodiscard]] std::string position_name(Eigen::Index position) const override {
    return coordinate_name(static_cast<int>(position));
  }
  [[nodiscard]] std::string velocity_name(Eigen::Index velocity) const override {
    return coordinate_name(static_cast<int>(velocity));
  }
  [[nodiscard]] BodyLabel body_label(Eigen::Index velocity) const override;

  void set_inputs(const ForceInputs& inputs) override { forces_.set_inputs(inputs); }
  void calc(double t, const Vector& q, const Vector& v, Workspace& work) override;
  void calc_rows(const Vector& q, const Vector& v, Workspace& work) const override;
  [[nodiscard]] Energy calc_energy(const Vector& v, const Workspace& work) const override;
  [[nodiscard]] Vector calc_position_rates(const Vector& /*q*/, const Vector& v) const override { return v; }
  void move(Vector& q, const Vector& x) const override { q += x; }
  [[nodiscard]] double calc_row_mobility(Eigen::Index row, const Workspace& work) const override;

  [[nodiscard]] int coordinate_count() const noexcept override { return static_cast<int>(mass_.size()); }
  [[nodiscard]] std::string coordinate_name(int coordinate) const override;
  [[nodiscard]] double coordinate_unit(int coordinate) const override { return velocity_unit(coordinate); }
  [[nodiscard]] double coordinate_handicap(int coordinate) const override;
  [[nodiscard]] CoordinateState calc_coordinate(int coordinate, const Vector& q, const Vector& /*reference*/,
                                                const Workspace& /*work*/) const override {
    return {q[coordinate], build_unit_row(coordinate), 0.0};
  }

 private:
  [[nodiscard]] RowData build_row(const machine::Row& row, const std::vector<double>& drive_values) const;
  [[nodiscard]] RowData build_drive_row(const machine::Drive& drive, double value) const;
  [[nodiscard]] Point2 from_centre(machine::PointRef ref) const;

  machine::Machine machine_;
  std::vector<machine::Row> rows_;
  std::vector<Point2> centres_;  // of mass, in each body's frame
  std::vector<double> masses_;
  Forces forces_;
  std::vector<RowData> data_;
};

}  // namespace rodeo::dynamics
