// SPDX-License-Identifier: MIT
// A machine at a pose as an SVG picture, to scale.
#pragma once
#include <string>

#include "kinematics/machine/pose.h"

namespace rodeo::machine {

/// One metre is the same number of pixels both ways; the origin is at (0, 0) of the picture and y points up. Names are
/// escaped; nothing outside the text is referred to. The same text on every run.
[[nodiscard]] std::string build_drawing(const Machine& machine, const Pose& pose);

}  // namespace rodeo::machine
