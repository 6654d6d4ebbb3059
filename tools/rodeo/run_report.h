// SPDX-License-Identifier: MIT
// What a run tells of itself, at its end and on demand: as JSON, and the same as a table.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "engine/loop/realtime.h"
#include "engine/loop/statistics.h"

namespace rodeo::tools {

/// What the loop's statistics do not know.
struct RunFacts {
  std::string name;         // of the model
  std::int64_t period = 0;  // ns
  std::int64_t begin =
      0;            // simulated time at which this run began: not 0 where a recording was taken over, ns
  double load = 0;  // part of a core that the loop used
  engine::Realtime realtime;
  bool has_drives = true;
};

/// Times in nanoseconds, as the keys say.
[[nodiscard]] nlohmann::ordered_json build_run_report(const engine::LoopStatistics& statistics,
                                                      const RunFacts& facts);
/// A table of what build_run_report made, and of `packets`, `sent` and `recording` if they were added to it.
[[nodiscard]] std::string format_run_report(const nlohmann::ordered_json& report);

}  // namespace rodeo::tools
