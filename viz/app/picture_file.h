// SPDX-License-Identifier: MIT
// A picture as a file: PNG, or PPM where the name ends so; whole or not at all.
#pragma once
#include <string>

#include "viz/app/offscreen.h"

namespace rodeo::viz {

/// Throws SceneError: cannot be written, or not a kind of picture.
void write_picture(const Picture& picture, const std::string& path);
/// Before the work, not after it. Throws SceneError.
void check_picture_name(const std::string& path);

}  // namespace rodeo::viz
