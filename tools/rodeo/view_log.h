// SPDX-License-Identifier: MIT
// A recording as a log that rodeo-view reads: computed again from its inputs, because a recording may have few states or none, and
// because the viewer never loads a kernel.
#pragma once
#include <string>
#include <vector>

namespace rodeo::tools {

/// `folder`: the built model that will show it. Throws IoError if the recording is of another model or is not what was computed
/// again. False if the recording is not whole, which is told on stderr. `charts`: signals that are drawn over time.
[[nodiscard]] bool write_view_log(const std::string& recording, const std::string& folder,
                                  const std::string& log, const std::vector<std::string>& charts = {});

}  // namespace rodeo::tools
