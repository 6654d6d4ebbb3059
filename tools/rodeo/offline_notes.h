// SPDX-License-Identifier: MIT
// What a user should know of a machine file that is not wrong.
#pragma once
#include <string>
#include <vector>

#include "kinematics/machine/pose.h"
#include "kinematics/spatial/pose.h"

#include "tools/rodeo/offline_model.h"

namespace rodeo::tools {

/// Angles beyond a full turn without a unit; nothing for bond graphs. Throws ModelError.
[[nodiscard]] std::vector<std::string> build_file_notes(const std::string& path,
                                                        const std::vector<std::string>& overrides);

/// `note: ...` a line each, on stderr.
/// Of the start pose: stops that are pressed in.
[[nodiscard]] std::vector<std::string> build_start_notes(const machine::Machine& machine,
                                                         const machine::Pose& pose);
[[nodiscard]] std::vector<std::string> build_start_notes(const spatial::Machine& machine,
                                                         const spatial::Pose& pose);

void print_notes(const std::vector<std::string>& notes);

}  // namespace rodeo::tools
