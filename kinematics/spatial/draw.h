// SPDX-License-Identifier: MIT
// A machine in space at a pose as an SVG picture: four views to one scale, and a legend. THEORY S13.
#pragma once
#include <string>

#include "kinematics/spatial/pose.h"

namespace rodeo::spatial {

/// Third-angle projection: top above front, side to the right of front, each in a group of the class front, side, top or isometric
/// whose (0, 0) is the ground's origin. Names are escaped; nothing outside the text is referred to. The same text on every run.
[[nodiscard]] std::string build_drawing(const Machine& machine, const Pose& pose);

}  // namespace rodeo::spatial
