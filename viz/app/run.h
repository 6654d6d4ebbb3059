// SPDX-License-Identifier: MIT
// What rodeo-view does, by its options.
#pragma once
#include "viz/app/options.h"

namespace rodeo::viz {

/// Exit status. Throws SceneError, RenderError and engine::NetError.
[[nodiscard]] int run(const ViewOptions& options);

}  // namespace rodeo::viz
