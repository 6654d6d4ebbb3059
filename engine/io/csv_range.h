// SPDX-License-Identifier: MIT
// What a cycle asks of the drives beyond their limits: such values are clipped by the limiter, and whoever wrote them should hear it.
#pragma once
#include <string>
#include <vector>

#include "engine/io/csv.h"
#include "engine/step/limiter.h"

namespace rodeo::engine {

/// A drive as a cycle's reader knows it.
struct LimitedDrive {
  std::string name;
  std::string unit;
  DriveLimits limits;
};

/// One sentence a drive and limit, beginning with `file`: positions beyond the range (at rows or, of a cubic, between them) and rates
/// beyond the speed; how many rows, the first time, how far at most. `drives`: those of the table's first columns.
[[nodiscard]] std::vector<std::string> list_beyond_limits(const CsvTable& table, const std::string& file,
                                                          const std::vector<LimitedDrive>& drives);

}  // namespace rodeo::engine
