// SPDX-License-Identifier: MIT
// Where the machines that come with Rodeo are: installed beside the program, or in the source tree it was built in. And MODEL by the
// name of one of them: `wheel_loader`, or `spatial/pendulum` where two folders have that name.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rodeo::tools {

/// The folder configs/, looked for from the program's own place upwards; nullopt if it is nowhere.
[[nodiscard]] std::optional<std::filesystem::path> find_configs();

/// The same for a program in the folder `bin`.
[[nodiscard]] std::optional<std::filesystem::path> find_configs_from(const std::filesystem::path& bin);

/// The models of configs/ and its folders, by their names within it (`four_bar`, `free/pendulum`), sorted; parts of others (library,
/// graphs/parts) and files that are no models (gamepads, ...) are none.
[[nodiscard]] std::vector<std::string> list_examples(const std::filesystem::path& configs);

/// Those that `name` means, with or without .yaml: the one within configs/ of that very name, else all of that stem.
[[nodiscard]] std::vector<std::string> find_examples(const std::filesystem::path& configs,
                                                     const std::string& name);

/// The file of an example where MODEL is the name of one and no file or folder here; else MODEL as it is. Throws
/// CLI::ValidationError where it may be two of them.
[[nodiscard]] std::string find_model(const std::string& model);

/// Adds the option MODEL, a path or the name of an example.
CLI::Option* add_model_path_option(CLI::App& command, std::string& path, const std::string& what);

}  // namespace rodeo::tools
