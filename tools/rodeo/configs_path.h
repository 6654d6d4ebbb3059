// SPDX-License-Identifier: MIT
// Where the machines that come with Rodeo are: installed beside the program, or in the source tree it was built in.
#pragma once

#include <filesystem>
#include <optional>

namespace rodeo::tools {

/// The folder configs/, looked for from the program's own place upwards; nullopt if it is nowhere.
[[nodiscard]] std::optional<std::filesystem::path> find_configs();

/// The same for a program in the folder `bin`.
[[nodiscard]] std::optional<std::filesystem::path> find_configs_from(const std::filesystem::path& bin);

}  // namespace rodeo::tools
