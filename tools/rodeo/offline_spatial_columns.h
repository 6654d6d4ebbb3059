// SPDX-License-Identifier: MIT
// Columns of logs of machines in space: `<drive>...,<joint>.angle, <joint>.slide...,<output>.x,.y,.z...`, and of bodies
// `.origin.x .y .z`, `.qw .qx .qy .qz` (of the body's frame), `.wx .wy .wz` (spin in the body's axes).
#pragma once
#include <string>
#include <vector>

#include "kinematics/spatial/pose.h"

namespace rodeo::tools {

/// Angles are unwrapped from sample to sample.
class SpatialColumns {
 public:
  explicit SpatialColumns(const spatial::Machine& machine);

  [[nodiscard]] std::vector<std::string> build_names() const;
  void gather(const spatial::Pose& pose, std::vector<double>& row);
  /// After gather, by which angles are followed.
  [[nodiscard]] double calc_measure(const spatial::Measure& measure, const spatial::Pose& pose) const;

  [[nodiscard]] std::vector<std::string> build_body_names() const;
  void gather_bodies(const spatial::Pose& pose, const std::vector<spatial::Vector3>& spins,
                     std::vector<double>& row);

 private:
  struct Coordinate {
    std::string name;
    spatial::RowData data;
    double last = 0.0;
  };
  void add_coordinate(std::string name, spatial::RowData data);

  const spatial::Machine& machine_;
  spatial::BodyFrames frames_;
  std::vector<Coordinate> coordinates_;           // drives, then joints
  std::vector<spatial::Quaternion> quaternions_;  // of the last sample: the sign is kept
};

}  // namespace rodeo::tools
