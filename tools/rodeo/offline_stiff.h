// SPDX-License-Identifier: MIT
// What a fixed step of free motion has to follow: the elements of force of a machine, at its start.
#pragma once
#include <string>
#include <vector>

#include "engine/step/step_length.h"
#include "kinematics/dynamics/problem.h"
#include "tools/rodeo/offline_model.h"
#include "tools/rodeo/offline_spatial.h"

namespace rodeo::tools {

[[nodiscard]] std::vector<engine::StiffElement> find_stiff_elements(const dynamics::Problem& problem);
/// Whether there are stops or contacts, whose force jumps.
[[nodiscard]] bool has_jumps(const dynamics::Problem& problem);
/// None where nothing moves by forces.
[[nodiscard]] std::vector<engine::StiffElement> find_stiff_elements(const LoadedMachine& loaded);
[[nodiscard]] std::vector<engine::StiffElement> find_stiff_elements(const LoadedSpatial& loaded);

/// interface.json with them, and with whether a step looks for the instant of a touch.
[[nodiscard]] std::string add_stiff_elements(const std::string& interface, const LoadedMachine& loaded);
[[nodiscard]] std::string add_stiff_elements(const std::string& interface, const LoadedSpatial& loaded);

}  // namespace rodeo::tools
