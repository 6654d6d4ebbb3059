// SPDX-License-Identifier: MIT
// Inside kinematics/codegen: who is joined to whom in a machine, by pins, joints and drives.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "kinematics/codegen/geometry.h"
#include "kinematics/machine/machine.h"
#include "kinematics/machine/pins.h"

namespace rodeo::codegen {

class Linkage {
 public:
  explicit Linkage(const machine::Machine& machine);

  [[nodiscard]] const machine::Machine& machine() const { return machine_; }
  [[nodiscard]] int body_count() const { return static_cast<int>(machine_.bodies.size()); }
  [[nodiscard]] int point_count(int body) const { return static_cast<int>(this->body(body).points.size()); }
  [[nodiscard]] const std::string& name(int body) const { return this->body(body).name; }
  [[nodiscard]] const machine::Joint& joint(int j) const {
    return machine_.joints[static_cast<std::size_t>(j)];
  }
  [[nodiscard]] const machine::Drive& drive(int d) const {
    return machine_.drives[static_cast<std::size_t>(d)];
  }

  /// The pin that carries a point, and the points that a pin carries.
  [[nodiscard]] int pin(machine::PointRef ref) const { return pins_.find(ref); }
  [[nodiscard]] const std::vector<machine::PointRef>& members(int pin) const { return members_.at(pin); }
  [[nodiscard]] const std::map<int, std::vector<machine::PointRef>>& pins() const { return members_; }

  [[nodiscard]] const std::vector<int>& joints_of(int body) const {
    return joints_of_[static_cast<std::size_t>(body)];
  }
  [[nodiscard]] const std::vector<int>& drives_of(int body) const {
    return drives_of_[static_cast<std::size_t>(body)];
  }

  /// Where a point is on its body.
  [[nodiscard]] Vec local(machine::PointRef ref) const;

  /// Bodies that driven slides of prismatic joints hold to this one, itself among them: tube and rod of a cylinder are one
  /// body whose length a drive sets. None is the ground's.
  [[nodiscard]] const std::vector<int>& held_with(int body) const {
    return clusters_[static_cast<std::size_t>(held_[static_cast<std::size_t>(body)].cluster)];
  }
  /// Where a point of such a body is in this one's frame.
  [[nodiscard]] Vec local_in(int body, machine::PointRef ref) const;
  /// Whether two points of one body are not at the same place.
  [[nodiscard]] bool is_apart(machine::PointRef a, machine::PointRef b) const;

 private:
  [[nodiscard]] const machine::Body& body(int b) const {
    return machine_.bodies[static_cast<std::size_t>(b)];
  }

  /// How a body lies in its cluster: x = offset + rotation·x_B.
  struct Held {
    int cluster = 0;
    Vec rotation{1.0, 0.0}, offset;
  };
  void build_clusters();
  bool hold(const machine::Drive& drive);

  const machine::Machine& machine_;
  machine::Pins pins_;
  std::map<int, std::vector<machine::PointRef>> members_;
  std::vector<std::vector<int>> joints_of_, drives_of_;  // a body each
  std::vector<Held> held_;                               // a body each
  std::vector<std::vector<int>> clusters_;
};

}  // namespace rodeo::codegen
