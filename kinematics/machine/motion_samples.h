// SPDX-License-Identifier: MIT
// Poses along the motion that a machine's joints allow, found by walking: straight on in the free moves of every pose, through dead
// points and flat poses alike. Angles stay unwrapped. THEORY L7.
#pragma once
#include <vector>

#include "kinematics/machine/pose.h"

namespace rodeo::machine {

/// From the start there and back in every direction of freedom; drives move within their ranges. The same on every run.
[[nodiscard]] std::vector<Pose> sample_motion(const Machine& machine, const Assembly& start,
                                              const Mobility& mobility);

}  // namespace rodeo::machine
