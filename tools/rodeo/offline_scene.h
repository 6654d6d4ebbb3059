// SPDX-License-Identifier: MIT
// scene.json of a built folder, with the meshes that it names beside it: a folder that is carried elsewhere shows there.
#pragma once
#include <filesystem>

#include "kinematics/spatial/pose.h"
#include "tools/rodeo/offline_model.h"

namespace rodeo::tools {

/// Writes scene.json and copies meshes to meshes/<body>/, with the materials and pictures that they name. A mesh that is
/// not there is told on stderr; the viewer draws that body from its points.
void write_scene(const LoadedMachine& loaded, const std::filesystem::path& folder);
/// The same of a machine in space.
void write_scene(const spatial::Machine& machine, const spatial::Assembly& start,
                 const std::filesystem::path& folder);

/// Whether a mesh has changed since it was copied: it may be edited while the machine file stays.
[[nodiscard]] bool has_other_meshes(const std::filesystem::path& folder);

}  // namespace rodeo::tools
