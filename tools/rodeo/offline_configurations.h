// SPDX-License-Identifier: MIT
// The part of `rodeo check` that tells of controlled junctions.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "kinematics/reduction/hybrid.h"

namespace rodeo::tools {

/// `booleans` and `configurations`.
[[nodiscard]] nlohmann::ordered_json to_json(const reduction::Hybrid& hybrid);
[[nodiscard]] std::string to_text(const reduction::Hybrid& hybrid);

}  // namespace rodeo::tools
