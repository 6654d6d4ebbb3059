// SPDX-License-Identifier: MIT
// MODEL of the run-time commands: a folder that `rodeo build` made or, where this rodeo has the offline side, a machine file,
// which is built first. And what these commands share: inputs by path or by name, and their errors.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/io/input.h"
#include "engine/net/machine_interface.h"
#include "engine/step/model_folder.h"

namespace rodeo::tools {

struct RunModelOptions {
  std::string path;
  std::vector<std::string> overrides;  // -p NAME=VALUE
  std::string public_keys{};           // one of which must have signed it; empty: nobody
  std::string method{};                // of free motion: minimal or lagrange; empty: minimal, or the folder's
};

/// MODEL, -p and --require-signature. `takes_graphs`: MODEL may be a bond graph too.
void add_run_model_options(CLI::App& command, RunModelOptions& options, bool takes_graphs = false);

/// --method.
void add_kernel_method_option(CLI::App& command, RunModelOptions& options);

/// The model, built if it has to be, with the parameters that -p gave. Throws KernelError and ModelError.
[[nodiscard]] engine::ModelFolder load_run_model(const RunModelOptions& options);

/// A CSV by its path, by the name of a cycle (configs/cycles/NAME.csv), or `-`, for the drives and forces of this machine. What it
/// asks beyond the drives' limits is a note each on stderr, and `is_beyond` is then true. Throws IoError.
[[nodiscard]] std::unique_ptr<engine::Input> load_input(const std::string& name,
                                                        const engine::MachineInterface& machine,
                                                        bool* is_beyond = nullptr);
[[nodiscard]] std::unique_ptr<engine::Input> load_input(const std::string& name,
                                                        const engine::ModelFolder& model,
                                                        bool* is_beyond = nullptr);

/// Does `work`; what the engine has to say against its input becomes a sentence on stderr and exit status 1.
void report_engine_errors(const std::function<void()>& work);

}  // namespace rodeo::tools
