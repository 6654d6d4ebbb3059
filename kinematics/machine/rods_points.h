// SPDX-License-Identifier: MIT
// Inside kinematics/machine: points of a machine that its graph of rods needs, and the one that each body's velocities belong to.
#pragma once
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "kinematics/machine/rods.h"

namespace rodeo::machine {

class RodPoints {
 public:
  /// Both must outlive this.
  RodPoints(const Machine& machine, const RodOptions& options);

  /// Points of joints, then those of cylinders, then those that forces act on.
  [[nodiscard]] const std::vector<PointRef>& used() const { return used_; }
  /// Traditional: the centre of mass, where the file gives it. Else, and for the rod equivalent, which has no mass, the
  /// middle of the first two jointed points; of all points if only one is jointed.
  [[nodiscard]] RodCentre find_centre(int body) const;

 private:
  bool use(PointRef ref);
  void use_jointed(PointRef ref);
  void find_inner_points();
  [[nodiscard]] std::vector<int> points_about_centre(int body) const;

  const Machine& machine_;
  const RodOptions& options_;
  std::vector<PointRef> used_;
  std::set<std::pair<int, int>> seen_;
  std::vector<std::vector<int>> jointed_;  // a body each
  std::vector<std::optional<int>>
      inner_;  // a body each: the point by which it is first reached from the ground
};

}  // namespace rodeo::machine
