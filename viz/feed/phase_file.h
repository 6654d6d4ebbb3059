// SPDX-License-Identifier: MIT
// The file of --phases: CSV with the columns `t,phase`, a phase a row, from its begin.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "viz/feed/scene_file.h"

namespace rodeo::viz {

/// Begin (s) and name of every phase, in order of time.
using Phases = std::vector<std::pair<double, std::string>>;

/// Throws SceneError with file, line and what is wrong.
[[nodiscard]] Phases build_phases(const std::string& path);

}  // namespace rodeo::viz
