// SPDX-License-Identifier: MIT
// Functions of shared libraries that a bond graph calls are native code: they run where the user says so, and nowhere else.
#pragma once
#include <string>
#include <vector>

#include "kinematics/bondgraph/graph.h"

namespace rodeo::tools {

/// Lets the libraries of a graph be loaded: with `is_allowed`, or where their checksum stands in the user's trusted_libraries.txt
/// ($XDG_CONFIG_HOME/rodeo or .config/rodeo in the home; lines as b2sum writes them). Throws ModelError for another.
void allow_native(const bondgraph::Graph& graph, bool is_allowed);

/// What a command that does not run them has to say about them, a note each.
[[nodiscard]] std::vector<std::string> build_native_notes(const bondgraph::Graph& graph);

}  // namespace rodeo::tools
