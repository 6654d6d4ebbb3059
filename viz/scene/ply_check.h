// SPDX-License-Identifier: MIT
// Is a PLY file whole, and of the kind that OpenSceneGraph's reader understands? Any other makes it read beyond its arrays.
#pragma once
#include <string>
#include <string_view>

namespace rodeo::viz {

/// What is wrong, as find_mesh_fault has it: vertices with x, y, z, then faces with a list of their corners, as text or binary.
[[nodiscard]] std::string find_ply_fault(std::string_view text);

}  // namespace rodeo::viz
