// SPDX-License-Identifier: MIT
// A machine in space as masses, forces and constraints. Frames of motion are at the centres of mass, along the principal axes
// (after Tiernego and Bos: translation in the inertial frame, rotation in the body's), so that
//     M = diag(m, m, m, I₁, I₂, I₃, ...),   v = [ċ, w],   q = [c, unit quaternion] or [c, Cardan angles].   THEORY S4.
// The length of a quaternion means nothing: q̇ = ½ q⊗w keeps its direction right, whatever its length.
#pragma once
#include <string>
#include <vector>

#include "kinematics/dynamics/system.h"
#include "kinematics/spatial/forces.h"
#include "kinematics/spatial/pose.h"

namespace rodeo::spatial {

using dynamics::Workspace;

/// The machine with its payloads as point masses of their bodies.
[[nodiscard]] Machine build_loaded(Machine machine);
/// Frames at the centres of mass, along the principal axes.
[[nodiscard]] BodyFrames build_mass_frames(const Machine& machine);

class System : public dynamics::System {
 public:
  /// `rows`: the constraints to be kept, drives at `drive_values`.
  System(Machine machine, std::vector<Row> rows, const std::vector<double>& drive_values);

  [[nodiscard]] const Machine& machine() const noexcept { return machine_; }
  [[nodiscard]] const std::vector<Row>& rows() const noexcept { return rows_; }
  [[nodiscard]] const std::vector<RowData>& row_data() const noexcept { return data_; }
  [[nodiscard]] const BodyFrames& frames() const noexcept { return frames_; }
  [[nodiscard]] Forces& forces() noexcept { return forces_; }
  [[nodiscard]] Vector build_coordinates(const Pose& pose) const;
  [[nodiscard]] Pose build_pose(const Vector& q) const;
  [[nodiscard]] BodyStates build_states(const Vector& q, const Vector& v) const;
  /// Of a body, in the body's own axes.
  [[nodiscard]] Vector3 calc_spin(const Vector& v, int body) const;
  /// Of all bodies about the origin, in ground axes.
  [[nodiscard]] Vector3 calc_angular_momentum(const Vector& q, const Vector& v) const;

  [[nodiscard]] Eigen::Index positions() const noexcept override { return width_ * bodies(); }
  [[nodiscard]] Eigen::Index row_count() const noexcept override {
    return static_cast<Eigen::Index>(data_.size());
  }
  [[nodiscard]] std::string row_name(Eigen::Index row) const override {
    return spatial::row_name(machine_, rows_[row]);
  }
  [[nodiscard]] double row_unit(Eigen::Index row) const override {
    return data_[row].is_angle() ? 1.0 : size_;
  }
  [[nodiscard]] double velocity_unit(Eigen::Index velocity) const override {
    return velocity % 6 >= 3 ? 1.0 : size_;
  }
  [[nodiscard]] std::string position_name(Eigen::Index position) const override;
  [[nodiscard]] std::string velocity_name(Eigen::Index velocity) const override;
  [[nodiscard]] dynamics::BodyLabel body_label(Eigen::Index velocity) const override;

  void set_inputs(const dynamics::ForceInputs& inputs) override { forces_.set_inputs(inputs); }
  void calc(double t, const Vector& q, const Vector& v, Workspace& work) override;
  void calc_rows(const Vector& q, const Vector& v, Workspace& work) const override;
  [[nodiscard]] dynamics::Energy calc_energy(const Vector& v, const Workspace& work) const override;
  /// Throws SolveError where Cardan angles come near to their singularity.
  [[nodiscard]] Vector calc_position_rates(const Vector& q, const Vector& v) const override;
  void move(Vector& q, const Vector& x) const override;
  [[nodiscard]] double calc_row_mobility(Eigen::Index row, const Workspace& work) const override;

  [[nodiscard]] int coordinate_count() const noexcept override {
    return static_cast<int>(coordinates_.size());
  }
  [[nodiscard]] std::string coordinate_name(int coordinate) const override {
    return coordinates_[coordinate].name;
  }
  [[nodiscard]] double coordinate_unit(int coordinate) const override;
  [[nodiscard]] double coordinate_handicap(int coordinate) const override {
    return coordinates_[coordinate].handicap;
  }
  [[nodiscard]] dynamics::CoordinateState calc_coordinate(int coordinate, const Vector& q,
                                                          const Vector& reference,
                                                          const Workspace& work) const override;
  [[nodiscard]] double calc_gap(int coordinate, double wanted, double value) const override;
  [[nodiscard]] bool is_far(int coordinate, double value) const override;

 private:
  /// A joint's angle or distance, a component of a centre of mass, or of a body's turn since the reference.
  struct Coordinate {
    RowData data;
    std::string name;
    double handicap;
  };
  [[nodiscard]] Eigen::Index bodies() const noexcept {
    return static_cast<Eigen::Index>(machine_.bodies.size()) - 1;
  }
  void set_masses();
  void add_joint_coordinates();
  void add_body_coordinates();
  void read_state(const Vector& q, const Vector& v, BodyStates& states) const;
  [[nodiscard]] Quaternion read_orientation(const Vector& q, Eigen::Index body) const;

  Machine machine_;
  std::vector<Row> rows_;
  BodyFrames frames_;
  std::vector<RowData> data_;
  std::vector<Coordinate> coordinates_;
  Eigen::Index width_;  // positions a body: 7, or 6 with Cardan angles
  Forces forces_;
  double time_ = 0.0;  // of the last calc, for messages
};

}  // namespace rodeo::spatial
