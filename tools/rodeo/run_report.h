// SPDX-License-Identifier: MIT
// What a run tells of itself, at its end and on demand: as JSON, and the same as a table.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/loop/realtime.h"
#include "engine/loop/statistics.h"

namespace rodeo::tools {

/// What the loop's statistics do not know.
struct RunFacts {
  std::string name;         // of the model
  std::int64_t period = 0;  // ns
  double load = 0;          // part of a core that the loop used
  engine::Realtime realtime;
};

/// Times in nanoseconds, as the keys say.
[[nodiscard]] nlohmann::ordered_json build_run_report(const engine::LoopStatistics& statistics,
                                                      const RunFacts& facts);
/// A table of what build_run_report made, and of `packets`, `sent` and `recording` if they were added to it.
[[nodiscard]] std::string format_run_report(const nlohmann::ordered_json& report);

/// `frozen`, `stale`, ... of a session's status word.
[[nodiscard]] std::vector<std::string> list_status(std::uint32_t status);

}  // namespace rodeo::tools
