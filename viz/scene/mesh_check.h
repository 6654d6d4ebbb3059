// SPDX-License-Identifier: MIT
// Is a mesh file whole? OpenSceneGraph's readers draw what they understand of a file that was cut off and say nothing, or read beyond
// their arrays: every file is looked through before.
#pragma once
#include <filesystem>
#include <string>

namespace rodeo::viz {

/// What is wrong, to be put behind the file's name: `:14: a face names vertex 9, there are 8`. Empty if nothing is.
[[nodiscard]] std::string find_mesh_fault(const std::filesystem::path& path);

}  // namespace rodeo::viz
