// SPDX-License-Identifier: MIT
// The viewer with a window, until it is closed.
#pragma once
#include "viz/app/options.h"

namespace rodeo::viz {

/// Throws SceneError, RenderError, engine::NetError, engine::IoError.
void run_window(const ViewOptions& options);

}  // namespace rodeo::viz
