// SPDX-License-Identifier: MIT
// The commands of the program. A file cmd_<name>.cpp defines
//     void rodeo::tools::add_<name>(CLI::App& app);
// which adds the subcommand, with an example in its help, and a callback that does the work. The build finds
// the file and registers it: there is no list to edit. A command that is done returns from its callback; one
// that has reported by itself and wants another exit status throws CLI::RuntimeError(status). main.cpp maps
// the rest.
#pragma once

#include <CLI/CLI.hpp>

#include <span>
#include <string_view>

namespace rodeo::tools {

/// Exit status of the program.
enum Status : int { done = 0, input_wrong = 1, command_line_wrong = 2, fault = 3 };

/// Adds every command that this build has.
void add_commands(CLI::App& app);

/// Names of the commands that need kinematics/, present in this build or not.
[[nodiscard]] std::span<const std::string_view> offline_commands();

}  // namespace rodeo::tools
