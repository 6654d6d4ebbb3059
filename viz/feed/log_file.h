// SPDX-License-Identifier: MIT
// A CSV log of `rodeo simulate` as a track. Without the columns <body>.origin.x and .y a body is placed by its angle and a point that
// is known: an output of the log, or a pin on a body that is placed already.
#pragma once
#include <string>

#include "viz/feed/track.h"

namespace rodeo::viz {

/// Throws SceneError: no such file, not a log of this machine, or one that does not tell where a body is.
[[nodiscard]] Track build_track_from_log(const std::string& path, const Scene& scene);

/// Columns of a log that are to be drawn over time and that a scene does not have of itself (loads, inputs, accelerations), as measures
/// of it.
void add_charted(Scene& scene, const std::string& log, const std::vector<std::string>& charts);

}  // namespace rodeo::viz
