// SPDX-License-Identifier: MIT
// What makes the motion of a live run not to be trusted, for its end: energy from nowhere, a joint that would have opened.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/session/session.h"
#include "engine/step/model_folder.h"

namespace rodeo::tools {

/// What should be known of the step before anything moves; nothing if all is well. `duration`: of the run, ns.
[[nodiscard]] std::vector<std::string> describe_long_step(const engine::ModelFolder& model,
                                                          const engine::Session& session,
                                                          std::int64_t duration);
/// `seen`: every status bit of the run.
[[nodiscard]] std::vector<std::string> describe_faults(const engine::ModelFolder& model,
                                                       const engine::Session& session, std::uint32_t seen);

}  // namespace rodeo::tools
