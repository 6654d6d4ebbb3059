// SPDX-License-Identifier: MIT
// scene.json of a machine in space: as that of a machine in the plane (kinematics/machine/scene.h), with `space: 3`, points and axes of
// three coordinates, and start poses of origin and quaternion, [x, y, z, w, x, y, z].
#pragma once
#include <string>
#include <vector>

#include "kinematics/spatial/pose.h"

namespace rodeo::tools {

/// `meshes`: of each body, its file in the folder; empty for none.
[[nodiscard]] std::string spatial_scene_json(const spatial::Machine& machine, const spatial::Assembly& start,
                                             const std::vector<std::string>& meshes);

}  // namespace rodeo::tools
