// SPDX-License-Identifier: MIT
// Poses by which an order of elimination is chosen.
#include "kinematics/codegen/spatial_flat.h"
#include "kinematics/spatial/driven.h"
#include "kinematics/spatial/system.h"

namespace rodeo::codegen {
namespace {

using spatial::Pose;

/// As far as it goes, in strides of a tenth.
void walk(const spatial::Machine& machine, const spatial::Assembly& start, const spatial::Mobility& mobility,
          const std::vector<double>& along, std::vector<Pose>& poses) {
  constexpr int kStrides = 63;
  spatial::Driven driven(machine, start, mobility);
  const std::vector<double> none(along.size(), 0.0);
  std::vector<double> values = start.drive_values;
  for (int i = 1; i <= kStrides; ++i) {
    for (std::size_t d = 0; d < along.size(); ++d) {
      const spatial::Drive& drive = machine.drives[d];
      values[d] += 0.1 * along[d];
      if ((drive.lower && values[d] < drive.lower->value) || (drive.upper && values[d] > drive.upper->value))
        return;
    }
    if (driven.step(values, none, none) != spatial::DrivenStatus::ok) return;
    poses.push_back(driven.state().pose);
  }
}

}  // namespace

std::vector<spatial::Vector> build_motion(const spatial::Machine& machine, const spatial::Assembly& start,
                                          const spatial::Mobility& mobility, const SpatialNumbers& numbers) {
  std::vector<Pose> poses{start.pose};
  const std::size_t n = machine.drives.size();
  for (std::size_t d = 0; d < (n > 1 ? n + 1 : n); ++d) {
    for (const double sign : {1.0, -1.0}) {
      std::vector<double> along(n, d == n ? sign : 0.0);
      if (d < n) along[d] = sign;
      walk(machine, start, mobility, along, poses);
    }
  }
  const spatial::System system(numbers.machine, {}, start.drive_values);
  std::vector<spatial::Vector> states;
  for (const Pose& pose : poses) states.push_back(system.build_coordinates(pose));
  return states;
}

}  // namespace rodeo::codegen
