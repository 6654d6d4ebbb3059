// SPDX-License-Identifier: MIT
// Where assembly starts from: angles from `start`, positions by walking the joints from the ground.
#pragma once
#include <optional>
#include <vector>

#include "kinematics/machine/pose.h"

namespace rodeo::machine {

/// A drive each: the value that assembly must meet, if any.
using DriveTargets = std::vector<std::optional<double>>;

/// Attempt 0 takes unknown angles as 0 and the frames of sliding bodies as near the origin as their joint allows (in a
/// drawing, that is where they are); later attempts scatter them, with the attempt's number as the seed.
[[nodiscard]] Pose build_guess(const Machine& machine, const DriveTargets& targets, int attempt);

}  // namespace rodeo::machine
