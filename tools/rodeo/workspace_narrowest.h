// SPDX-License-Identifier: MIT
// Where a machine is nearest to a singular pose: between the nodes of a grid, and over all its drives.
#pragma once
#include <vector>

#include "tools/rodeo/workspace_walker.h"

namespace rodeo::tools {

/// Descends from the best nodes of a flooded reach, and from sweeps of the drives that do not move the output. `walker` stands at
/// `start`; `before`: of each node the one that it was reached from. Cost is bounded: some ten thousand steps of the kernel.
[[nodiscard]] Narrowest find_narrowest(Walker& walker, const std::vector<double>& start, const Reach& reach,
                                       const std::vector<std::size_t>& before);

}  // namespace rodeo::tools
