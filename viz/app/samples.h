// SPDX-License-Identifier: MIT
// Smooth edges where they can be paid for: without a graphics card four samples a pixel cost three times the time of one.
#pragma once
#include <filesystem>

#include "viz/app/options.h"

namespace rodeo::viz {

/// By the devices of Mesa, NVIDIA and WSL.
[[nodiscard]] inline bool find_graphics_card() {
  std::error_code ignored;
  for (const char* device : {"/dev/dri/renderD128", "/dev/nvidia0", "/dev/dxg"}) {
    if (std::filesystem::exists(device, ignored)) return true;
  }
  return false;
}

/// Of each pixel, for what has to be drawn many times a second: as asked for, else none without a graphics card.
[[nodiscard]] inline int find_window_samples(const ViewOptions& options) {
  return options.is_samples_given || find_graphics_card() ? options.samples : 0;
}

}  // namespace rodeo::viz
