// SPDX-License-Identifier: MIT
// `rodeo simulate GRAPH.yaml`: a bond graph of any domain into a log.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace rodeo::tools {

/// What the command line says.
struct SimulateGraphOptions {
  std::string path;
  std::vector<std::string> overrides;  // -p NAME=VALUE
  std::string input;
  double rate;
  double duration;  // negative: not given
  std::string form;
  std::string method;
  double tolerance;
  std::string columns;
  std::string output;
  bool allow_native;
};

/// Whether the file is a YAML file that is no machine. False too for what cannot be read: others tell.
[[nodiscard]] bool is_graph_file(const std::string& path);

/// Throws ModelError, IoError and CLI's errors; a fault while running is reported, with status 3.
void simulate_graph(const CLI::App& command, const SimulateGraphOptions& options);

}  // namespace rodeo::tools
