// SPDX-License-Identifier: MIT
// The file of --channel, YAML (and so JSON too), described in CHANNEL.md:
//     position: [0, 0, 0]     # m, in the eye's axes: right, up, back
//     yaw: 30                 # degrees, to the left
//     pitch: 0                # degrees, up
//     level: true             # the cab's camera looks straight on, not at the tool, so that horizons meet; true if not given
//     field_of_view: 40       # degrees, vertical
//     window: [0, 0, 1920, 1080]
//     screen: 0
#pragma once
#include <string>

#include "viz/app/options.h"

namespace rodeo::viz {

/// Throws SceneError with file, line and what is wrong.
[[nodiscard]] Channel build_channel(const std::string& path);

}  // namespace rodeo::viz
