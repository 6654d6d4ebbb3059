// SPDX-License-Identifier: MIT
// MODEL as a machine in space: read, assembled, counted; and its report for `rodeo check`.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "kinematics/spatial/pose.h"
#include "tools/rodeo/offline_model.h"

namespace rodeo::tools {

/// A machine in space at its start pose.
struct LoadedSpatial {
  spatial::Machine machine;
  spatial::Assembly assembly;
  spatial::Mobility mobility;
};

/// Of every body.
[[nodiscard]] bool has_masses(const spatial::Machine& machine);
/// Whether the file is a machine in space; false for one that cannot be read.
[[nodiscard]] bool is_spatial_file(const std::string& path);
/// Nothing for planar machines and bond graphs. Throws ModelError.
[[nodiscard]] std::optional<LoadedSpatial> load_spatial(const ModelOptions& options, Progress& progress);

/// A fault when the start pose does not assemble.
void check_start(const LoadedSpatial& loaded, text::Faults& faults);
/// Faults that keep a machine from moving by its drives; by its forces too if it has masses.
void check_drives(const LoadedSpatial& loaded, text::Faults& faults);

[[nodiscard]] std::string to_text(const LoadedSpatial& loaded);
[[nodiscard]] nlohmann::ordered_json to_json(const LoadedSpatial& loaded);

}  // namespace rodeo::tools
