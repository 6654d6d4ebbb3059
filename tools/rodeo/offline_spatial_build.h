// SPDX-License-Identifier: MIT
// A machine in space, read, assembled and checked, as its kernel wants it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "kinematics/codegen/spatial_kernel.h"

namespace rodeo::tools {

struct SpatialModel {
  spatial::Machine machine;
  spatial::Assembly assembly;
  spatial::Mobility mobility;
};

/// None where the file is something else. Throws ModelError where it does not assemble, where drives are too many, or too
/// few for a machine whose bodies have no masses, or where a drive starts outside its range.
[[nodiscard]] std::optional<SpatialModel> try_spatial_model(const std::string& path,
                                                            const std::vector<std::string>& overrides);

}  // namespace rodeo::tools
