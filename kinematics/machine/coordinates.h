// SPDX-License-Identifier: MIT
// Independent coordinates of a machine that has fewer drives than degrees of freedom, and their rates at the start. THEORY L5.
#pragma once
#include <vector>

#include "kinematics/machine/pose.h"

namespace rodeo::machine {

/// A coordinate is a drive that nobody drives: a body's angle, or a position along a guide.
struct FreeCoordinates {
  std::vector<Drive> coordinates;  // one a degree of freedom that the drives leave
  std::vector<double> rates;       // at the start
  double change = 0.0;  // the largest that start.rates had to change to agree with the joints, rad/s or m/s
};

/// Those that determine the motion best at the start pose; `start.rates` taken as nearly as the joints allow.
[[nodiscard]] FreeCoordinates choose_coordinates(const Machine& machine, const Assembly& start,
                                                 const Mobility& mobility);

/// The machine with these coordinates behind its drives, and its start pose.
[[nodiscard]] Machine build_with_coordinates(Machine machine, const FreeCoordinates& free);
[[nodiscard]] Assembly build_with_coordinates(Assembly start, const Machine& machine,
                                              const FreeCoordinates& free);

}  // namespace rodeo::machine
