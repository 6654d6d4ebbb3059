// SPDX-License-Identifier: MIT
// Is an STL file whole, as text or binary?
#pragma once
#include <string>
#include <string_view>

namespace rodeo::viz {

/// What is wrong, as find_mesh_fault has it.
[[nodiscard]] std::string find_stl_fault(std::string_view text);

}  // namespace rodeo::viz
